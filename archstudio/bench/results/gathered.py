"""Result files of any known form, read into one shape: what they are, whether their totals hold, every try."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from archstudio.bench.results.boards import derived_part
from archstudio.bench.results.outcomes import FamilyShare, Outcome, family_shares, outcomes
from archstudio.bench.results.records import Results, read_results
from archstudio.bench.results.runs import Run, is_run, read_run


@dataclass(frozen=True)
class ResultFile:
    """What one file holds. `totals_agree` is None where it states no totals of its own."""

    name: str
    form: str
    totals_agree: bool | None
    tries: list[Outcome] = field(default_factory=list)
    shares: list[FamilyShare] = field(default_factory=list)


def read_result_file(path: Path) -> ResultFile:
    """A published file, or a run of ours; UnusableFile names the place that is wrong."""
    results: Results | Run = read_run(path) if is_run(path) else read_results(path)
    return ResultFile(path.name, form_of(results), totals_agree(results), outcomes(results), family_shares(results))


def form_of(results: Results | Run) -> str:
    """What kind of file it is, in words."""
    name = type(results).__name__
    return {"RepairRounds": "repair rounds", "ToolUse": "tool use"}.get(name, name.lower())


def totals_agree(results: Results | Run) -> bool | None:
    """Whether a file's own totals are those its rows make; None where it states none."""
    if isinstance(results, Run):
        return None
    part = derived_part(results)
    return None if part is None else alike(part, results.plain()[results.derived])


def alike(ours: Any, theirs: Any) -> bool:
    """Equal, but for the last digits of fractions and the order of keys."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(alike(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(alike, ours, theirs))
    if isinstance(ours, float) and isinstance(theirs, float):
        return abs(ours - theirs) <= 1e-12 * max(1.0, abs(theirs))
    return bool(ours == theirs)
