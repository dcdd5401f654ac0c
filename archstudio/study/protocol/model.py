"""The fields of a study's protocol, with the checks that hold between them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import Field, model_validator

from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.records import BY_HAND, Record, checked
from archstudio.study.conditions import CONDUCTS
from archstudio.study.protocol.sources import Count, Seed, Source
from archstudio.study.records import Benchmark, Condition, Phase

SCHEMA: Final = 1
Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,79}$")]
TextName = Literal["consent", "instructions", "tutorial", "questionnaire", "debrief"]
TEXTS: Final[tuple[TextName, ...]] = get_args(TextName)
"""The texts of a study, in the order in which people see them."""


class TextSource(Record):
    """A Markdown text: a file beside the protocol, or one of the templates that ship with the program."""

    version: Text = "1"
    file: str | None = None
    template: str | None = None

    @model_validator(mode="after")
    def _comes_from_one_place(self) -> Self:
        if (self.file is None) == (self.template is None):
            raise ValueError("give either 'file' or 'template'")
        return self


def _templates() -> dict[TextName, TextSource]:
    return {name: TextSource(template=name) for name in TEXTS}


class Sampling(Record):
    """Which of the sources' items are in the study, and how many of those each person gets.

    `first`: the first `count`; `random`: `count` drawn by seed; `stratified`: drawn evenly from the families.
    """

    rule: Literal["all", "first", "random", "stratified"] = "all"
    count: Count | None = None
    per_person: Count | None = None
    seed: Seed = 0

    @model_validator(mode="after")
    def _count_fits_the_rule(self) -> Self:
        if (self.rule == "all") != (self.count is None):
            raise ValueError("the rule 'all' takes no count, every other rule needs one")
        return self


class Order(Record):
    """The order of items: as in the study, shuffled for each person, or shuffled once and rotated from person to
    person so that each item comes equally often at each place (every second round runs backwards)."""

    rule: Literal["fixed", "random", "counterbalanced"] = "counterbalanced"
    seed: Seed = 1
    permute_options: bool = True


class Assignment(Record):
    """Which condition a person gets: blocks that hold each condition once, shuffled by seed."""

    method: Literal["balanced_blocks"] = "balanced_blocks"
    seed: Seed = 2


class ItemLimits(Record):
    """What binds one item. None: no limit of the study's own."""

    active_minutes: Annotated[float, Field(gt=0, le=24 * 60)] | None = None
    attempts: Count | None = None
    actions: Count | None = None


class Attention(Record):
    """A question with an instructed answer, before the main item of place `before` (from 1). It never scores."""

    id: Name
    text: Text
    choices: Annotated[list[Text], Field(min_length=2, max_length=8)]
    instructed: Annotated[int, Field(ge=0)]
    before: Count = 1

    @model_validator(mode="after")
    def _instructs_a_choice(self) -> Self:
        if self.instructed >= len(self.choices):
            raise ValueError(f"choice {self.instructed} is instructed, there are {len(self.choices)} (from 0)")
        return self


class ResumePolicy(Record):
    """What opening a session again does. `max_age_hours`: an older one counts as ended."""

    incomplete: Literal["resume", "restart", "block"] = "resume"
    completed: Literal["restart", "block"] = "block"
    max_age_hours: Annotated[float, Field(gt=0)] | None = None


class ExclusionPlan(Record):
    """A rule registered before data. `measure` lets the program apply it; without one it is applied by hand."""

    id: Name
    text: Text
    registered_at: str | None = None
    measure: (
        Literal["attention_failed", "seen_before", "too_fast", "not_completed", "author", "clock_jumps", "repeated"]
        | None
    ) = None
    at_least: float | None = None
    """Attention items failed, clock jumps; or for `too_fast` the seconds of active time an item takes at least."""


class EthicsPlan(Record):
    """Where the ethics review stands."""

    status: Literal["approved", "exempt", "not required", "pending", "none"] = "none"
    ref: str | None = None


class CompensationPlan(Record):
    """What people are paid."""

    scheme: Text = "none"
    currency: str | None = None
    amount: Annotated[float, Field(ge=0)] | None = None
    per: str | None = None
    bonus: str | None = None


class PreregistrationPlan(Record):
    """The registered plan."""

    url: Text
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    at: Text


class Change(Record):
    """A change of the plan after the first response."""

    version: Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of the plan before the change."""
    at: Text
    reason: Text


class Protocol(Record):
    """A study. Everything random in it follows from the seeds."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    id: Name
    title: Text
    benchmark: Benchmark
    split: Text
    """As model rows name it: what result files are matched by."""
    phase: Phase = "pilot"
    plan_version: Count = 1
    changes: list[Change] = Field(default_factory=list)
    conditions: Annotated[list[Condition], Field(min_length=1)]
    items: Annotated[list[Source], Field(min_length=1)]
    practice: list[Source] = Field(default_factory=list)
    attention: list[Attention] = Field(default_factory=list)
    sampling: Sampling = Sampling()
    order: Order = Order()
    assignment: Assignment = Assignment()
    limits: ItemLimits = ItemLimits()
    session_minutes: Annotated[float, Field(gt=0)] | None = None
    """What people are told it takes; not enforced."""
    texts: dict[TextName, TextSource] = Field(default_factory=_templates)
    resume: ResumePolicy = ResumePolicy()
    exclusions: list[ExclusionPlan] = Field(default_factory=list)
    compensation: CompensationPlan = CompensationPlan()
    ethics: EthicsPlan = EthicsPlan()
    preregistration: PreregistrationPlan | None = None
    planned_participants: Count | None = None
    stopping_rule: Text | None = None

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        kind = "graph" if self.benchmark == "arch-bench" else "question"
        for condition in self.conditions:
            if CONDUCTS[condition].item_kind != kind:
                raise ValueError(f"the condition {condition} is not one of {self.benchmark}")
        if len(set(self.conditions)) < len(self.conditions):
            raise ValueError("a condition is named twice")
        for source in (*self.items, *self.practice):
            if (source.kind == "questions") != (kind == "question"):
                raise ValueError(f"items of the kind '{source.kind}' are not of {self.benchmark}")
        if missing := [name for name in TEXTS if name not in self.texts]:
            raise ValueError(f"the texts {', '.join(missing)} are missing")
        for what, ids in (("rule", self.exclusions), ("attention item", self.attention)):
            if len({each.id for each in ids}) < len(ids):
                raise ValueError(f"two {what}s have the same id")
        return self

    @property
    def has_feedback(self) -> bool:
        """Whether any condition needs the answers while a session runs."""
        return any(CONDUCTS[c].item_kind == "graph" or CONDUCTS[c].reveals for c in self.conditions)


def read_protocol(path: Path) -> Protocol:
    """Read a protocol; raises `UnusableFile` with the place."""
    return checked_protocol(read_json(path), path.name)


def checked_protocol(value: object, name: str) -> Protocol:
    """Return parsed JSON as a protocol; raises `UnusableFile`."""
    schema = value.get("schema") if isinstance(value, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        raise UnusableFile(
            name,
            place="$.schema",
            value=str(schema),
            problem=f"is of a newer version; this program reads up to {SCHEMA}",
            remedy="Update Arch Studio.",
        )
    return checked(Protocol, value, name, remedy=BY_HAND)
