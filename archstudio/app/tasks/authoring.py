"""Writing a task of one's own: brief, start, limits and reference, and whether it may be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from archstudio.app.document import Document, copy_graph
from archstudio.app.tasks.opening import model_graph
from archstudio.bench.proofs import Proof, is_proven, prove
from archstudio.bench.task_files import FiledTask
from archstudio.bench.task_rows import RowFault, checked_limits
from archstudio.bench.tasks import Kind
from archstudio.edits.from_actions import actions_to_edit
from archstudio.edits.plain import to_plain
from archstudio.edits.plan import plan
from archstudio.files.strict_json import canonical_json
from archstudio.graph import Graph
from archstudio.verify.costs.machines import machines

LimitForm: TypeAlias = Literal["switch", "number", "names", "decode"]


@dataclass(frozen=True, slots=True)
class LimitField:
    """One limit as a field of the form."""

    key: str
    title: str
    form: LimitForm
    help: str
    usual: Any
    """What the field holds when the limit is switched on."""


LIMIT_FIELDS = (
    LimitField("forbidBlockers", "No structural blockers", "switch", "The rubric finds no structural fault.", True),
    LimitField("mustReachOutput", "Input reaches output", "switch", "A path leads from an input to an output.", True),
    LimitField("mustRun", "Runs in PyTorch", "switch", "The exact verdict finds no error.", True),
    LimitField("minScore", "Score at least", "number", "The rubric's score, 0 to 100.", 50),
    LimitField("minParams", "Parameters at least", "number", "By the rubric's estimate.", 1_000),
    LimitField("maxParams", "Parameters at most", "number", "By the rubric's estimate.", 1_000_000),
    LimitField("minComponents", "Layers at least", "number", "Input and output included.", 5),
    LimitField("maxActions", "Actions at most", "number", "Length of the submitted plan.", 10),
    LimitField("maxMacs", "Multiply–accumulates at most", "number", "Exact, at the graph's own sizes.", 10_000_000),
    LimitField("maxActivationBytes", "Peak activation bytes at most", "number", "Between layers, in inference.", 2**20),
    LimitField("maxKvBytesPerToken", "KV cache bytes per token at most", "number", "By the rubric's estimate.", 4096),
    LimitField("mustContainTypes", "Contains every type of", "names", "Anywhere in the graph.", ["linear", "relu"]),
    LimitField("mustContainTypesAny", "Contains one type of", "names", "Anywhere in the graph.", ["layerNorm"]),
    LimitField("mustContainTypesOnPath", "On a path from input to output", "names", "Every type named.", ["linear"]),
    LimitField("forbidActionTypes", "Actions not allowed", "names", "Types of actions.", ["replace_model"]),
    LimitField(
        "maxDecodeMs", "Decode step at most (ms)", "decode", "At best, by the roofline of a machine.",
        {"value": 10.0, "machine": "A100-80GB SXM"},
    ),
)  # fmt: skip
"""Every limit that a task can set, those that most tasks want first."""

USUAL_LIMITS: Mapping[str, Any] = {"forbidBlockers": True, "mustReachOutput": True, "mustRun": True, "minScore": 50}
"""What a new draft starts with."""


@dataclass(frozen=True)
class Draft:
    """A task being written. `start` is the graph it begins from, `actions` the reference, None before there is one."""

    start: Graph
    id: str = ""
    kind: Kind = "design"
    brief: str = ""
    limits: Mapping[str, Any] = field(default_factory=lambda: dict(USUAL_LIMITS))
    actions: tuple[Mapping[str, Any], ...] | None = None

    def with_start(self, start: Graph) -> Draft:
        """The same from another start; a reference made for the old one goes."""
        return replace(self, start=copy_graph(start), actions=None)

    def with_reference(self, solved: Graph) -> tuple[Draft, tuple[str, ...]]:
        """The same with the plan from its start to a solved graph as its reference, and what no plan can say."""
        made = plan(self.start, solved)
        return replace(self, actions=tuple(made.actions)), made.inexpressible

    def task(self) -> FiledTask:
        """The task as it would be kept."""
        actions = None if self.actions is None else [dict(action) for action in self.actions]
        budget = {"maxParams": self.limits["maxParams"]} if "maxParams" in self.limits else {}
        model = to_plain(self.start)
        model["name"] = self.id
        return FiledTask(self.id, self.kind, self.brief, budget, dict(self.limits), model, actions)

    def faults(self) -> list[str]:
        """What is missing or wrong in the form itself, before anything is proven."""
        told = []
        if not self.id.strip():
            told.append("Give the task a name.")
        elif "/" in self.id:
            told.append("A name has no slash.")
        if not self.brief.strip():
            told.append("Write what is asked for.")
        try:
            checked_limits(dict(self.limits))
        except RowFault as fault:
            told.append(f"{fault}.")
        decode = self.limits.get("maxDecodeMs")
        if isinstance(decode, dict) and decode.get("machine") not in machine_names():
            told.append(f"No machine is called {decode.get('machine')!r}.")
        return told


def prove_draft(draft: Draft) -> list[Proof]:
    """The proofs as they stand; none while the limits cannot be read."""
    try:
        checked_limits(dict(draft.limits))
    except RowFault:
        return []
    return prove(draft.task())


def refusals(draft: Draft, proofs: list[Proof]) -> list[str]:
    """Why the task cannot be kept yet, as sentences; none if it can."""
    told = draft.faults()
    told += [f"{each.text}: {each.reason}." for each in proofs if not each.holds]
    return told if told or is_proven(proofs) else ["Nothing is proven yet."]


def draft_of(task: FiledTask) -> Draft:
    """A kept task to go on with; GraphError if its start is no network."""
    actions = task.reference()
    made = None if actions is None else tuple(actions)
    return Draft(model_graph(task.model(), task.id), task.id, task.kind, task.spec, dict(task.constraints), made)


def reference_document(draft: Draft) -> Document:
    """A document in which the author solves the draft, as far as it is solved; its plan starts from the start."""
    graph = copy_graph(draft.start)
    if draft.actions:
        edit = actions_to_edit(graph, [dict(action) for action in draft.actions]).edit
        if edit is not None:
            edit.apply(graph)
    graph.name = f"{draft.id or 'draft'} (reference)"
    return Document(graph, start=copy_graph(draft.start))


def machine_names() -> tuple[str, ...]:
    """The machines whose decode step can be limited."""
    return tuple(machines())


def names_in(text: str) -> list[str]:
    """Names typed in a line, separated by commas or spaces."""
    return [part for part in text.replace(",", " ").split() if part]


def limit_text(value: Any) -> str:
    """A limit's value as it stands in a field."""
    return ", ".join(map(str, value)) if isinstance(value, list) else canonical_json(value)
