"""Reads and writes tasks as files: generated splits, exported cases, and the original's table of tasks.

A row that cannot be graded is handed on as `Rejected` with its place and the reason; the rows around it still count.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast, get_args

from archstudio.bench.generate import TIERS, GeneratedTask, Tier, Wording
from archstudio.bench.task_rows import RowFault, checked_actions, checked_budget, checked_graph, checked_limits
from archstudio.bench.tasks import RUBRICS, Kind, Task, UnknownName, curated_task, start_model
from archstudio.edits.actions.model import Model, clone, hydrate
from archstudio.files.limits import MIB, Limits
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile

SCHEMA: Final = "archstudio.task-row/1"
LONGEST_LINE: Final = 16 * MIB
_KINDS: Final = get_args(Kind)


@dataclass(frozen=True)
class Origin:
    """The place of a generated task: tier, seed and index in the split, and the wording of its brief."""

    tier: Tier
    seed: int
    index: int
    wording: Wording = "complete"


@dataclass(frozen=True)
class FiledTask:
    """A task read from a file. `origin` says which generator made it, where the file does."""

    id: str
    kind: Kind
    spec: str
    budget: Mapping[str, Any]
    constraints: Mapping[str, Any]
    start: Model
    actions: list[dict[str, Any]] | None = None
    origin: Origin | None = None
    place: str = ""

    def model(self) -> Model:
        """A fresh copy of the starting graph."""
        model: Model = clone(self.start)
        return model

    def reference(self) -> list[dict[str, Any]] | None:
        """The actions of the solution in the file; None where it holds none."""
        actions: list[dict[str, Any]] | None = clone(self.actions)
        return actions


@dataclass(frozen=True)
class Rejected:
    """A row that is no task: where it stands, its id if it has one, and what is wrong with it."""

    place: str
    id: str | None
    reason: str


def task_row(task: GeneratedTask, seed: int, index: int, wording: Wording = "complete") -> dict[str, Any]:
    """A generated task as one line of a file."""
    return {
        "schema": SCHEMA,
        "id": task.id,
        "tier": task.tier,
        "seed": seed,
        "index": index,
        "family": task.family,
        "kind": task.kind,
        "wording": wording,
        "spec": task.brief(wording),
        "budget": dict(task.budget),
        "constraints": dict(task.constraints),
        "start": graph_record(task.start),
        "reference": task.actions,
    }


def graph_record(model: Model) -> dict[str, Any]:
    """A model without its name and neighbour lists, as task files and recorded cases hold it."""
    components = [{name: item.get(name) for name in ("id", "type", "name", "params")} for item in model["components"]]
    connections = [{name: wire[name] for name in ("id", "from", "to")} for wire in model["connections"]]
    return {"components": components, "connections": connections}


def read_tasks(path: Path) -> Iterator[FiledTask | Rejected]:
    """Every row of a task file in order; raises UnusableFile where the file as a whole cannot be read.

    Lines of JSON are read one at a time; a list, or an object with the list `tasks`, is read whole.
    """
    taken: dict[str, str] = {}
    starts: Mapping[str, Any] = {}
    for place, row in _rows(path):
        if isinstance(row, _Starts):
            starts = row.graphs
            continue
        read = row if isinstance(row, Rejected) else _task(place, row, starts)
        if isinstance(read, FiledTask) and read.id in taken:
            read = Rejected(place, read.id, f"id: {read.id!r} is taken by {taken[read.id]}")
        if isinstance(read, FiledTask):
            taken[read.id] = place
        yield read


def find_task(path: Path, task_id: str) -> FiledTask:
    """The task of this id; UnusableFile if its row was rejected, UnknownName if there is none."""
    known: list[str] = []
    for row in read_tasks(path):
        if row.id == task_id and isinstance(row, FiledTask):
            return row
        if row.id == task_id and isinstance(row, Rejected):
            raise UnusableFile(path.name, place=row.place, problem=f"task {task_id!r} cannot be used: {row.reason}")
        if isinstance(row, FiledTask):
            known.append(row.id)
    shown = known if len(known) <= 12 else [*known[:12], f"{len(known) - 12:,} more"]
    raise UnknownName("task", task_id, tuple(shown))


# The forms of files --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Starts:
    """Starting graphs that a file defines by name."""

    graphs: Mapping[str, Any] = field(default_factory=dict)


_Row = tuple[str, Any]


def _rows(path: Path) -> Iterator[_Row]:
    if _is_lines(path):
        yield from _lines(path)
        return
    document = read_json(path)
    listed = document.get("tasks") if isinstance(document, dict) else document
    if not isinstance(listed, list):
        remedy = "It must be lines of JSON objects, a list of tasks, or an object with the list 'tasks'."
        raise UnusableFile(path.name, problem="holds no tasks", remedy=remedy)
    if isinstance(document, dict):
        yield "", _Starts({**_table(document.get("fixtures")), **_table(document.get("starts"))})
    for number, row in enumerate(listed):
        yield f"tasks[{number}]", row


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_lines(path: Path) -> bool:
    """Whether the first line that holds anything is an object by itself and not a whole document."""
    if not path.is_file():
        return False  # the reader of documents says so
    with path.open("rb") as stream:
        first = next((line for line in iter(lambda: stream.readline(LONGEST_LINE), b"") if line.strip()), b"")
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "tasks" not in value


def _lines(path: Path) -> Iterator[_Row]:
    with path.open("rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), start=1):
            place = f"line {number}"
            if not line.strip():
                continue
            try:
                yield place, read_json(line, name=place, limits=Limits(size_bytes=LONGEST_LINE - 1))
            except UnusableFile as fault:
                yield place, Rejected(place, None, str(fault).removeprefix(f"{place}, ").removeprefix(f"{place}: "))
            if not line.endswith(b"\n") and len(line) >= LONGEST_LINE:
                return  # the rest of an endless line is not read


# One row -------------------------------------------------------------------------------------------------------------


def _task(place: str, row: Any, starts: Mapping[str, Any]) -> FiledTask | Rejected:
    flat = _flat(row)
    given = flat.get("id")
    named = given if isinstance(given, str) else None
    try:
        return _checked(place, flat, starts)
    except RowFault as fault:
        return Rejected(place, named, str(fault))


def _flat(row: Any) -> dict[str, Any]:
    """A row with the task's own fields beside its start and reference, whichever way it was written."""
    if not isinstance(row, dict):
        return {}
    inner = row.get("task")
    return {**inner, **{k: v for k, v in row.items() if k != "task"}} if isinstance(inner, dict) else row


def _checked(place: str, row: Mapping[str, Any], starts: Mapping[str, Any]) -> FiledTask:
    if not row:
        raise RowFault("", "is not a task object")
    for name in ("id", "spec"):
        if not isinstance(row.get(name), str) or not row[name].strip():
            raise RowFault(name, "must be text that is not empty")
    kind = row.get("kind", "design")
    if kind not in _KINDS:
        raise RowFault("kind", f"is {kind!r}, it must be one of {', '.join(_KINDS)}")
    return FiledTask(
        id=row["id"],
        kind=cast(Kind, kind),
        spec=row["spec"],
        budget=checked_budget(row.get("budget")),
        constraints=checked_limits(row.get("constraints")),
        start=_start(row, starts),
        actions=checked_actions(row.get("reference")),
        origin=_origin(row),
        place=place,
    )


def _start(row: Mapping[str, Any], starts: Mapping[str, Any]) -> Model:
    start = row.get("start")
    if isinstance(start, str):
        if start in starts:
            return hydrate(clone({"name": start, **checked_graph(starts[start])}))
        try:
            return start_model(start)
        except UnknownName as unknown:
            raise RowFault("start", str(unknown)) from unknown
    return hydrate(clone({"name": row["id"], **checked_graph(start)}))


def _origin(row: Mapping[str, Any]) -> Origin | None:
    """Where a generated row came from; None where it does not say, or says something no generator can make."""
    tier, seed, index = row.get("tier"), row.get("seed"), row.get("index")
    whole = all(isinstance(value, int) and not isinstance(value, bool) for value in (seed, index))
    if tier not in TIERS or not whole or not (0 <= cast(int, seed) < 2**32 and 0 <= cast(int, index) < 10**6):
        return None
    wording: Wording = "original-facts" if row.get("wording") == "original-facts" else "complete"
    return Origin(tier, cast(int, seed), cast(int, index), wording)


def same_as(task: FiledTask, start: Model, constraints: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a filed task still has this starting graph and one of these sets of limits."""
    return graph_record(task.start) == graph_record(start) and any(
        dict(task.constraints) == dict(c) for c in constraints
    )


def curated_original(task: FiledTask) -> Task | None:
    """The task of the twelve that a filed one is an unaltered copy of, by either rubric."""
    for rubric in RUBRICS:
        try:
            version = curated_task(task.id, rubric)
        except UnknownName:
            return None
        if same_as(task, version.model(), [version.constraints]):
            return version
    return None
