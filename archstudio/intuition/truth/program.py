"""The four files of a candidate as one text, which is what a run is known by, and as a program to call."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

MODULES = ("model", "optimizer", "loss", "train")
"""In an order in which each may import the ones before it."""

_MARK = re.compile(r"^# ==== (\w+\.py) ====\n", re.MULTILINE)

TrainAndEval = Callable[..., dict[str, Any]]


def joined(sources: Mapping[str, str]) -> str:
    """Return the files as one text, each under a line with its name."""
    return "".join(f"# ==== {name} ====\n{text}" for name, text in sources.items())


def parted(text: str) -> dict[str, str]:
    """Return the files that `joined` made one text of."""
    pieces = _MARK.split(text)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


@contextmanager
def imported(folder: Path) -> Iterator[TrainAndEval]:
    """Import the program in a folder afresh and give its `train_and_eval`; its modules are forgotten afterwards.

    The files import each other by bare names, so these names are taken for the time being. One thread at a time.
    """
    before = {name: sys.modules.pop(name) for name in MODULES if name in sys.modules}
    try:
        for name in MODULES:
            spec = spec_from_file_location(name, folder / f"{name}.py")
            assert spec is not None
            assert spec.loader is not None
            sys.modules[name] = module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        yield sys.modules["train"].train_and_eval
    finally:
        for name in MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(before)
