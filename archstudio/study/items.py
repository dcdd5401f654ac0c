"""One item of a study in two parts: what people may see, and the key that grades it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from archstudio.bench.task_files import FiledTask, Origin
from archstudio.bench.tasks import Kind
from archstudio.edits.plain import to_plain
from archstudio.files.strict_json import canonical_json
from archstudio.graph import Graph
from archstudio.graph.document import from_document
from archstudio.intuition.records import Record
from archstudio.study.records import Block, Wording


class Shown(Record):
    """What both kinds of items have. `text` is what models read, where the study has it."""

    id: str
    block: Block = "main"
    family: str = ""
    instance: str = ""
    """What model rows are clustered by: a question's data set, a task itself."""
    title: str = ""
    brief: str
    """What people read first: a task's brief, a question's own words."""
    text: str
    text_sha256: str
    wording: Wording

    @property
    def content(self) -> bytes:
        """The bytes that the item's digest is taken of, as they lie in the study's file."""
        return canonical_json(self.as_json()).encode()

    @property
    def sha256(self) -> str:
        """The item's digest."""
        return hashlib.sha256(self.content).hexdigest()


class GraphItem(Shown):
    """A task: a graph to build, mend or extend."""

    # Graphs come as dicts of any JSON, and `cached_property` needs a place to keep its value.
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, ignored_types=(cached_property,)
    )

    kind: Literal["graph"] = "graph"
    start: dict[str, Any]
    """The starting graph as a document."""

    @cached_property
    def _start(self) -> Graph:
        return from_document(self.start, file=self.id)

    def graph(self) -> Graph:
        """A fresh copy of the starting graph."""
        return self._start.copy()


class Row(Record):
    """One labelled value of a card."""

    label: str
    value: str


class Option(Record):
    """One choice. `letter` is the one models read; people see letters in the order of their own session."""

    candidate_id: str
    letter: str
    rows: list[Row] = Field(default_factory=list)
    """What differs between the choices."""
    model: list[str] = Field(default_factory=list)
    optimizer: list[str] = Field(default_factory=list)
    loss: list[str] = Field(default_factory=list)


class QuestionItem(Shown):
    """A question with choices. `instructed` is the choice that an attention item asks for by name."""

    kind: Literal["question"] = "question"
    metric: str = ""
    shared: list[Row] = Field(default_factory=list)
    dataset: dict[str, Any] = Field(default_factory=dict)
    """The data set's card: family, parameters, plot, example. Never results."""
    options: Annotated[list[Option], Field(min_length=2)]
    instructed: str | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """Candidate ids in the order of the models' letters."""
        return tuple(option.candidate_id for option in self.options)


Item = GraphItem | QuestionItem


class GraphKey(Record):
    """The limits a task is graded against, and which generator made it."""

    kind: Literal["graph"] = "graph"
    task_id: str
    task_kind: Kind
    spec: str
    budget: dict[str, Any]
    constraints: dict[str, Any]
    origin: dict[str, Any] | None = None

    def task(self, item: GraphItem, actions_limit: int | None = None) -> FiledTask:
        """The task as the grader takes it; a limit on actions of the study's own binds where it is lower."""
        constraints = dict(self.constraints)
        if actions_limit is not None:
            given = constraints.get("maxActions")
            constraints["maxActions"] = actions_limit if given is None else min(given, actions_limit)
        origin = None if self.origin is None else Origin(**self.origin)
        start = to_plain(item.graph())
        return FiledTask(self.task_id, self.task_kind, self.spec, self.budget, constraints, start, origin=origin)


class QuestionKey(Record):
    """The right choice, and the mean of the metric that each choice ended with (None: every seed failed)."""

    kind: Literal["question"] = "question"
    correct: str
    means: dict[str, float | None]
    metric: str


Key = GraphKey | QuestionKey


def text_digest(text: str) -> str:
    """sha256 of a text's bytes."""
    return hashlib.sha256(text.encode()).hexdigest()


def chance(item: Item) -> float:
    """What guessing scores: 1 / choices for a question, 0 for a graph."""
    return 0.0 if isinstance(item, GraphItem) else 1 / len(item.options)


def letters(count: int) -> list[str]:
    """A, B, C, …"""
    return [chr(ord("A") + place) for place in range(count)]


def shown_letters(order: tuple[str, ...] | list[str]) -> Mapping[str, str]:
    """Which letter each candidate goes by in the order people see."""
    return dict(zip(order, letters(len(order)), strict=True))
