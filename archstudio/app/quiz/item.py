"""A question as it is shown, and its answer apart from it: whoever holds an item cannot learn the answer from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.spec import Params
from archstudio.intuition.packs.bake import Plot

Kind = Literal["choice", "ranking"]


@dataclass(frozen=True)
class Row:
    """One line of a card; `differs` where the choices of the question do not all say the same."""

    label: str
    value: str
    differs: bool = True


@dataclass(frozen=True)
class CodeFile:
    """A file to be read, never to be run from here."""

    name: str
    text: str


@dataclass(frozen=True)
class Curve:
    """The mean over seeds at numbers of samples seen, and its deviation."""

    samples: tuple[float, ...]
    mean: tuple[float, ...]
    std: tuple[float, ...]


@dataclass(frozen=True)
class ShownChoice:
    """One card: a label, its settings, its files. An own setting may inherit `spec`; blinded items have none."""

    label: str
    rows: tuple[Row, ...]
    files: tuple[CodeFile, ...] = ()
    spec: CandidateSpec | None = None

    @property
    def summary(self) -> str:
        """The settings that differ, in one line."""
        return ", ".join(f"{row.label} {row.value}" for row in self.rows if row.differs)


@dataclass(frozen=True)
class Calibration:
    """A set-up of a ranking question whose result is shown, to judge the others by."""

    choice: ShownChoice
    curve: Curve
    final: float


@dataclass(frozen=True)
class ShownData:
    """A data set: its family, what it is made from, and a picture, as far as the pack has them."""

    family: str
    dataset_id: str = ""
    params: Params | None = None
    plot: Plot | None = None
    files: tuple[CodeFile, ...] = ()


@dataclass(frozen=True)
class QuizItem:
    """One question without its answer. `id` is for records and never shown; questions are shown by their number."""

    id: str
    kind: Kind
    type: str
    metric: str
    seeds: int | None
    shared: tuple[Row, ...]
    data: ShownData
    choices: tuple[ShownChoice, ...]
    calibration: tuple[Calibration, ...] = ()
    prompt: str = ""
    question: str = ""
    """What is asked, where it has words of its own."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the choices."""
        return tuple(choice.label for choice in self.choices)

    @property
    def family(self) -> str:
        """The family of the data set."""
        return self.data.family

    def blinded(self) -> QuizItem:
        """The same without anything that names a candidate or a data set elsewhere."""
        return replace(
            self,
            data=replace(self.data, dataset_id=""),
            choices=tuple(replace(choice, spec=None) for choice in self.choices),
        )


@dataclass(frozen=True)
class Result:
    """How one choice really ended; None where every seed failed, no curve where there is none."""

    label: str
    mean: float | None
    std: float | None
    curve: Curve | None = None


@dataclass(frozen=True)
class ItemKey:
    """The answer: results best first, and the right choice (of a ranking: the best)."""

    right: str
    results: tuple[Result, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The labels, best first."""
        return tuple(result.label for result in self.results)

    def result(self, label: str) -> Result | None:
        """A choice's result, if there is one."""
        return next((result for result in self.results if result.label == label), None)
