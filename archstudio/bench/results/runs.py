"""The form in which our own runs are kept: a file of JSON lines, whose result lines are read here."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import Field, ValidationError

from archstudio.bench.results.records import Number, Record, Status, unusable
from archstudio.files.unusable import UnusableFile

RUN_SCHEMA: Final = "archstudio.bench-run/1"
ROUND_SCHEMA: Final = "archstudio.bench-round/1"
RESULT_SCHEMA: Final = "archstudio.bench-result/1"


class RunRow(Record):
    """What came of one task."""

    schema_: str = Field(alias="schema")
    task_id: str = Field(alias="taskId")
    attempt: int = Field(default=1, alias="try")
    status: Status
    passed_first: bool = Field(alias="passAtRound1")
    rounds: int
    audits: int
    score: Number | None
    params: Number | None
    runs: bool | None
    does_the_brief: bool | None = Field(alias="doesTheBrief")
    passes_all_three: bool = Field(alias="passesAllThree")
    failures: list[str]
    failure_categories: list[str] = Field(alias="failureCategories")
    faults: list[str]
    tokens: Number | None = None
    seconds: Number


@dataclass(frozen=True)
class Run:
    """A run of one policy over one suite."""

    policy: str
    suite: str
    rounds: int
    rows: list[RunRow]


def is_run(path: Path) -> bool:
    """Whether a file starts as a run does."""
    try:
        with path.open(encoding="utf-8") as stream:
            first = json.loads(stream.readline(1_000_000))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("schema") == RUN_SCHEMA


def read_run(path: Path) -> Run:
    """A run from its file; a last line cut short by a crash is left out."""
    lines = list(_records(path))
    header = lines[0] if lines else {}
    rounds = header.get("rounds")
    if header.get("schema") != RUN_SCHEMA or not isinstance(rounds, int):
        raise UnusableFile(path.name, place="line 1", problem="is not the head of a run", remedy="Run it anew.")
    try:
        rows = [RunRow.model_validate(line) for line in lines if line.get("schema") == RESULT_SCHEMA]
    except ValidationError as error:
        raise unusable(path, error) from None
    latest = {(row.task_id, row.attempt): row for row in rows}  # what was without answer may have been asked again
    return Run(str(header.get("policy")), str(header.get("suite")), rounds, list(latest.values()))


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                problem = f"is not readable as JSON ({error})"
                raise UnusableFile(path.name, place=f"line {number}", problem=problem) from error
            if isinstance(record, dict):
                yield record
