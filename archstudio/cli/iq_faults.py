"""What making questions cannot do: one line, as every fault of the input."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from archstudio.cli.output import Unusable
from archstudio.intuition.candidates.sampling import CannotSample
from archstudio.intuition.datasets.drawing import CannotDraw
from archstudio.intuition.formulas.drawing import NoFormula
from archstudio.intuition.questions.choose import CannotAsk
from archstudio.intuition.truth.runs import TruthFailed
from archstudio.intuition.truth.sets import SetBusy


@contextmanager
def said() -> Iterator[None]:
    """End with one line and exit code 2 where data, candidates or questions cannot be made."""
    try:
        yield
    except (CannotDraw, NoFormula, CannotSample, CannotAsk, SetBusy, TruthFailed) as reason:
        raise Unusable(str(reason)) from None
