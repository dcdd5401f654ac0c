"""The options that say where to train: on this machine, or on a cluster through Dask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, cast

import typer

from archstudio.cli.output import Unusable
from archstudio.training.engines import EngineChoice, EngineName, NoEngine, open_engine
from archstudio.training.kept_engine import KeptEngine

EngineOption = Annotated[str, typer.Option("--engine", help="local, or dask (extra cluster).")]
WorkersOption = Annotated[int | None, typer.Option("--workers", min=1, help="Processes; default one a core.")]
SchedulerOption = Annotated[
    str | None, typer.Option("--scheduler", help="For dask: tcp://HOST:PORT, slurm, pbs or lsf; default this machine.")
]


def choice(engine: str, workers: int | None, scheduler: str | None) -> EngineChoice:
    """Return the choice these options make; ends with one line where they contradict each other."""
    try:
        return EngineChoice(cast(EngineName, engine), workers, scheduler)
    except NoEngine as reason:
        raise Unusable(f"--engine: {reason}") from None


@contextmanager
def opened(root: Path, chosen: EngineChoice, kinds: Mapping[str, str] | None = None) -> Iterator[KeptEngine]:
    """Give the engine chosen while it is needed; ends with one line where it cannot be had."""
    try:
        engine = open_engine(root, chosen, kinds=kinds)
    except NoEngine as reason:
        raise Unusable(str(reason)) from None
    with engine:
        yield engine
