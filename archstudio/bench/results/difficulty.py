"""How hard tasks and families proved to be; without data they are unrated, never guessed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from archstudio.stats import Interval, wilson

Band: TypeAlias = Literal["unrated", "too hard", "target", "easy", "saturated"]


@dataclass(frozen=True)
class Difficulty:
    """The band of a task or a family, and the counts it rests on."""

    band: Band
    passes: int
    trials: int

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the pass rate."""
        return wilson(self.passes, self.trials)


def band_of(passes: int, trials: int) -> Band:
    """Below 2 % too hard, up to 15 % on target, up to 70 % easy, else saturated: the bands Arch-Bench calibrates by."""
    if trials == 0:
        return "unrated"
    rate = passes / trials
    return "too hard" if rate < 0.02 else "target" if rate <= 0.15 else "easy" if rate <= 0.70 else "saturated"


def rated(passes: int, trials: int) -> Difficulty:
    """A difficulty from its two counts."""
    return Difficulty(band_of(passes, trials), passes, trials)


UNRATED = rated(0, 0)


def family_of(task_id: str) -> str | None:
    """The family a generated task's id names (`gen-<family>-<index>`); None for any other id."""
    parts = task_id.split("-")
    return parts[1] if len(parts) == 3 and parts[0] == "gen" and parts[2].isdigit() else None


def pooled(outcomes: Iterable[tuple[str, bool]]) -> dict[str, Difficulty]:
    """The difficulty of every name, from whatever runs (models' or people's) of it passed or not."""
    counts: dict[str, list[int]] = {}
    for name, passed in outcomes:
        count = counts.setdefault(name, [0, 0])
        count[0] += passed
        count[1] += 1
    return {name: rated(passes, trials) for name, (passes, trials) in counts.items()}
