"""The forms in which Arch-Bench publishes results, read strictly and written back as they were.

A file's rows are the truth; its board is worked out from them again (`boards.py`), never copied.
"""

import json
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile

Number: TypeAlias = int | float
Status: TypeAlias = Literal["PASS", "FAIL", "ERROR"]


class Record(BaseModel):
    """Keeps unknown keys and the order of all, so that it is written back as it was read."""

    model_config = ConfigDict(extra="allow", strict=True, populate_by_name=True, protected_namespaces=())

    def plain(self) -> dict[str, Any]:
        """The record as it stands in a file."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class Split(Record):
    """Which tasks were run: the curated ones, or so many of a seed."""

    kind: str
    count: int
    seed: int | None = None


class Attempt(Record):
    """One reply to one task."""

    provider: str
    task_id: str = Field(alias="taskId")
    status: Status
    score: Number | None
    passed: bool | None = Field(default=None, alias="pass")
    params: Number | None = None
    blockers: list[str] = []
    failures: list[str] = []
    error: str | None = None
    failure_categories: list[str] = Field(alias="failureCategories")
    tokens: Number = 0
    ms: Number = 0


class Leaderboard(Record):
    """One reply a task from one or more models."""

    derived: ClassVar = "board"
    benchmark: int = 1
    split: Split
    models: dict[str, str]
    generated_at: str = Field(default="", alias="generatedAt")
    board: list[dict[str, Any]]
    rows: list[Attempt]


class Repaired(Record):
    """One task over several rounds with the verifier's feedback."""

    provider: str
    task_id: str = Field(alias="taskId")
    passed_first: bool = Field(default=False, alias="passAtTurn1")
    passed: bool = Field(default=False, alias="passFinal")
    rounds: int = Field(default=0, alias="turnsUsed")
    tokens: Number = 0
    final_failures: list[str] = Field(default=[], alias="finalFailures")
    error: str | None = None


class RepairRounds(Record):
    """What rounds of feedback add to one reply."""

    derived: ClassVar = "results"
    split: Split
    turns: int
    generated_at: str = Field(default="", alias="generatedAt")
    results: list[dict[str, Any]]
    rows: list[Repaired]

    @property
    def models(self) -> dict[str, str]:
        """Model by provider, as its table of results says."""
        return {str(row.get("provider")): str(row.get("model", row.get("provider"))) for row in self.results}


class FamilyCount(Record):
    """How many tasks of one family a model passed."""

    family: str
    n: int
    passes: int
    rate: Number
    ci: list[Number]
    band: str


class Calibration(Record):
    """A model's pass rate by family of generated tasks."""

    derived: ClassVar = "rows"
    who: str
    seed: int
    per_family: int = Field(alias="perFamily")
    generated_at: str = Field(default="", alias="generatedAt")
    rows: list[FamilyCount]


class ToolAttempt(Record):
    """One task with or without the verifier as a tool."""

    arm: Literal["raw", "tool"]
    task_id: str = Field(alias="taskId")
    passed: bool = Field(default=False, alias="pass")
    score: Number | None = 0
    audits: int = 0
    failures: list[str] = []
    error: str | None = None


class ToolUse(Record):
    """A model with and without the verifier as a tool."""

    derived: ClassVar = ""
    provider: str
    model: str
    tier: str
    count: int
    seed: int
    rows: list[ToolAttempt]


Results: TypeAlias = Leaderboard | RepairRounds | Calibration | ToolUse

_FORMS: Final[tuple[tuple[str, type[Results]], ...]] = (
    ("board", Leaderboard),
    ("turns", RepairRounds),
    ("perFamily", Calibration),
    ("tier", ToolUse),
)


def read_results(path: Path) -> Results:
    """The results in a published file; UnusableFile names the place that is wrong."""
    value = read_json(path)
    form = next((form for key, form in _FORMS if isinstance(value, dict) and key in value), None)
    if form is None:
        remedy = "Known are leaderboards, repair rounds, calibrations and tool-use runs of Arch-Bench."
        raise UnusableFile(path.name, problem="holds no results of a known form", remedy=remedy)
    try:
        return form.model_validate(value)
    except ValidationError as error:
        raise unusable(path, error) from None


def unusable(path: Path, error: ValidationError) -> UnusableFile:
    """The first fault that validation found, as a fault of the file."""
    first = error.errors()[0]
    place = "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in first["loc"])
    shown = json.dumps(first.get("input"), ensure_ascii=False, default=repr)
    problem = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
    return UnusableFile(path.name, place=place, problem=problem, value=shown, remedy="Correct the value.")
