"""The figures of a report as plain data: what tables, pictures and the recomputing script read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from archstudio.stats.durations import Durations, Step
from archstudio.stats.forecasts import Bin
from archstudio.stats.resampling import Estimate
from archstudio.study.records import Condition
from archstudio.study.report.models import LeftOut

SCHEMA: Final = "archstudio.study-figures/1"
PRIMARY: Final = "primary"
EVERYONE: Final = "everyone"


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some answers are right, with the Wilson interval."""

    n: int
    passed: int
    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Counts:
    """What stands behind the figures of a condition, and what does not."""

    people: int
    items: int
    responses: int
    """Right or wrong; what figures rest on."""
    timeouts: int
    """Among the responses: the limit was reached without an answer."""
    unanswered: int
    unscored: int
    seen_before: int
    """Among the responses: the person said they knew the item."""
    flagged: int
    people_excluded: int
    """People with no row left once excluded rows are out."""
    rows_excluded: int
    """Marked rows; left out of the primary figures and kept in those of everyone."""
    repeats: int


@dataclass(frozen=True, slots=True)
class Group:
    """People of one relation to the study (author, team, colleague, external)."""

    relation: str
    estimate: Estimate
    responses: int


@dataclass(frozen=True, slots=True)
class Named:
    """One person, item or family."""

    id: str
    share: Share


@dataclass(frozen=True, slots=True)
class ItemFigure:
    """One item: the share of people right (its p-value in the language of tests), and whether each model passed."""

    id: str
    family: str
    instance: str
    wording: str
    share: Share


@dataclass(frozen=True, slots=True)
class ModelFigure:
    """One run of one model, on the study's items."""

    id: str
    n: int
    passed: int
    errors: int
    estimate: Estimate
    """Its interval draws instances again."""
    wilson: Share
    score: float | None
    families: tuple[Named, ...]
    categories: dict[str, int]


@dataclass(frozen=True, slots=True)
class Tally:
    """People's wins, ties and losses against a model."""

    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True)
class PairedFigure:
    """People minus one model, item by item."""

    model: str
    items: int
    difference: Estimate
    p: float | None
    p_holm: float | None
    by_majority: Tally
    """Item by item: more than half of the people right or wrong against the model; exactly half is a tie."""
    by_response: Tally
    """Answer by answer: a person right where the model is wrong is a win."""


@dataclass(frozen=True, slots=True)
class ManyPeople:
    """Chances that any, and that all, of k people drawn without return pass an item; mean over items."""

    k: int
    items: int
    any_of_k: float
    all_of_k: float


@dataclass(frozen=True, slots=True)
class Times:
    """Active seconds to success and to failure, apart, and score as a function of time."""

    success: Durations
    failure: Durations
    km_median: float | None
    km: tuple[Step, ...]
    limits: tuple[float, ...]
    share_by: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Forecasts:
    """How good stated probabilities are."""

    n: int
    brier: Estimate
    log_score: Estimate
    overconfidence: Estimate
    """Mean confidence in the choice minus share right."""
    calibration_error: float | None
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """The Rasch difficulties, or why there are none."""

    people: int
    items: int
    reason: str
    difficulties: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Effort:
    """Means over answered rows; None in questions."""

    gestures: float | None
    undos: float | None
    actions: float | None
    submissions: float | None
    audits: float | None


@dataclass(frozen=True, slots=True)
class Matrix:
    """Respondents by items: 1 passed, 0 not, None without an answer."""

    items: tuple[str, ...]
    respondents: tuple[str, ...]
    values: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True, slots=True)
class ConditionFigures:
    """Everything about one condition."""

    condition: Condition
    chance: float | None
    counts: Counts
    headline: Estimate
    """Share passed, its interval drawing people again."""
    wilson: Share
    """The same share as if answers were independent; too narrow, for comparison."""
    if_unanswered_failed: Estimate
    first_try: Estimate
    score: Estimate
    runs: Estimate
    does_the_brief: Estimate
    relations: tuple[Group, ...]
    people: tuple[Named, ...]
    families: tuple[Named, ...]
    items: tuple[ItemFigure, ...]
    models: tuple[ModelFigure, ...]
    paired: tuple[PairedFigure, ...]
    many_people: tuple[ManyPeople, ...]
    times: Times
    categories: dict[str, int]
    """Of people's last submissions that failed."""
    failed: int
    forecasts: Forecasts
    alpha: float | None
    scale: Scale
    effort: Effort
    wordings: dict[str, int]
    """Items by how their text stands to that of models."""
    by_wording: tuple[Named, ...]
    people_matrix: Matrix
    model_matrix: Matrix


@dataclass(frozen=True, slots=True)
class Variant:
    """All conditions, with or without excluded rows."""

    name: str
    conditions: tuple[ConditionFigures, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """The report's numbers."""

    schema: str
    simulated: bool
    grader_version: str
    seed: int
    replicates: int
    flips: int
    variants: tuple[Variant, ...]
    left_out: tuple[LeftOut, ...]
    withdrawals: int

    def variant(self, name: str) -> Variant:
        """The figures without excluded rows (`primary`), or of everyone."""
        return next(each for each in self.variants if each.name == name)

    def plain(self) -> dict[str, Any]:
        """As JSON values."""
        made: dict[str, Any] = _plain(asdict(self))
        return made


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: _plain(each) for key, each in value._asdict().items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
