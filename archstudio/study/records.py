"""What a study comes to: one frozen row type a table, made from session logs and read by reports and exports.

Every table is derived: the session logs stay the truth, and making the tables again gives the same rows. Rows refer to
each other by ids (`study_id`, `participant_id`, `session_id`, `item_id`); nothing in them says who a person is. Times
of day are ISO 8601 in UTC ("2026-05-04T09:30:00.000Z"), durations are whole milliseconds, shares and probabilities run
from 0 to 1, digests are hexadecimal sha256. None means "not known" or "not asked", never zero.

`simulated` stands in every row that comes from a participant, so that no figure can mix people and policies unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeAlias, get_args

Benchmark: TypeAlias = Literal["arch-bench", "architectureiq"]
Phase: TypeAlias = Literal["pilot", "main"]
Condition: TypeAlias = Literal[
    "single_shot", "verifier_turns_3", "verifier_tool", "assisted", "blind", "full_sequential_feedback"
]
Block: TypeAlias = Literal["practice", "main", "attention"]
Relation: TypeAlias = Literal["author", "team", "colleague", "external"]
EndReason: TypeAlias = Literal["completed", "quit", "timeout", "crash", "withdrawn"]
ItemKind: TypeAlias = Literal["graph", "question"]
Wording: TypeAlias = Literal["byte-equal", "fact-equal", "richer"]
AttemptKind: TypeAlias = Literal["audit", "submit"]
PauseReason: TypeAlias = Literal["break", "dialog", "focus", "suspend", "crash", "other"]
Scope: TypeAlias = Literal["participant", "session", "presentation"]

CONDITIONS: Final[tuple[Condition, ...]] = get_args(Condition)
GRAPH_CONDITIONS: Final[tuple[Condition, ...]] = CONDITIONS[:4]
QUESTION_CONDITIONS: Final[tuple[Condition, ...]] = CONDITIONS[4:]
WORDINGS: Final[tuple[Wording, ...]] = get_args(Wording)


@dataclass(frozen=True, slots=True)
class Document:
    """A text people were shown (consent, instructions, tutorial, questionnaire): which version, and its digest."""

    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What binds one item. None: no limit. `time_ms` counts active time; `actions` binds the plan of a submission."""

    time_ms: int | None = None
    attempts: int | None = None
    actions: int | None = None


@dataclass(frozen=True, slots=True)
class Preregistration:
    """Where and when the plan was registered before data."""

    url: str
    sha256: str
    at: str


@dataclass(frozen=True, slots=True)
class Ethics:
    """Where the ethics review stands ("approved", "exempt", "not required", "pending", "none"), and its reference."""

    status: str = "none"
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Compensation:
    """What people are paid: `amount` in `currency` per `per` ("hour", "session"), with a `bonus` in words."""

    scheme: str = "none"
    currency: str | None = None
    amount: float | None = None
    per: str | None = None
    bonus: str | None = None


@dataclass(frozen=True, slots=True)
class ExclusionRule:
    """A reason to leave rows out, with the words it was registered in."""

    id: str
    text: str
    registered_at: str | None = None


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A change of the frozen plan after the first response."""

    version: int
    sha256: str
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Study:
    """The frozen plan, and the versions of everything that decides a grade."""

    id: str
    title: str
    benchmark: Benchmark
    split: str
    """As model rows name it (`bench.results.outcomes.split_text`): "curated", "core, seed 7"; or a question pack."""
    item_ids: tuple[str, ...]
    conditions: tuple[Condition, ...]
    phase: Phase
    app_version: str
    grader_version: str
    commit: str | None = None
    item_pack_sha256: str | None = None
    key_pack_sha256: str | None = None
    plan_version: int = 1
    plan_sha256: str | None = None
    plan_changes: tuple[PlanChange, ...] = ()
    planned_participants: int | None = None
    sampling_rule: str | None = None
    sampling_seed: int | None = None
    order_rule: str | None = None
    limits: Limits = Limits()
    documents: Mapping[str, Document] = field(default_factory=dict)
    """By name: "consent", "instructions", "tutorial", "questionnaire"."""
    preregistration: Preregistration | None = None
    ethics: Ethics = Ethics()
    compensation: Compensation = Compensation()
    exclusion_rules: tuple[ExclusionRule, ...] = ()
    stopping_rule: str | None = None
    resume_policy: str | None = None
    simulated: bool = False
    """Whether any of its participants is simulated."""


@dataclass(frozen=True, slots=True)
class Expertise:
    """What a person said about their experience; years, counts, and a self-rating from 1 to 5."""

    years_ml: float | None = None
    years_pytorch: float | None = None
    models_trained: str | None = None
    self_rating: int | None = None
    role: str | None = None
    domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Consent:
    """Which text was agreed to, when, to which points; and the hash of the code that withdraws."""

    version: str
    sha256: str
    agreed_at: str
    agreed_items: tuple[str, ...] = ()
    withdrawal_code_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Device:
    """What the person worked on. No host name, no user name, no serial number."""

    os: str | None = None
    screen: str | None = None
    scale: float | None = None
    input: str | None = None
    qt: str | None = None
    python: str | None = None


@dataclass(frozen=True, slots=True)
class Participant:
    """One person under a random id; who that is stands elsewhere. After a withdrawal only the id is left."""

    id: str
    study_id: str
    simulated: bool
    relation: Relation | None = None
    recruitment: str | None = None
    expertise: Expertise = Expertise()
    screening: str | None = None
    education: str | None = None
    languages: tuple[str, ...] = ()
    ai_literacy: int | None = None
    prior_exposure: Mapping[str, str] = field(default_factory=dict)
    """By benchmark: "none", "heard of it", "read its tasks", "worked on it"."""
    demographics: Mapping[str, str] = field(default_factory=dict)
    """Only what was asked and answered; "prefer not to say" is an answer."""
    consent: Consent | None = None
    device: Device = Device()
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting (with its resumptions) of one person in one condition."""

    id: str
    study_id: str
    participant_id: str
    simulated: bool
    condition: Condition
    assignment_method: str
    order_seed: int
    order: tuple[str, ...]
    """Item ids in the order in which they were to be shown."""
    started_at: str
    ended_at: str | None
    end_reason: EndReason | None
    """None while it can still go on."""
    assignment_block: int | None = None
    option_orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By question: candidate ids as they were shown, first to last."""
    resumes: int = 0
    breaks: int = 0
    clock_jumps: int = 0
    n_events: int = 0
    log_sha256: str | None = None
    """The last hash of the session's chain."""
    app_version: str | None = None
    plan_version: int = 1


@dataclass(frozen=True, slots=True)
class Flag:
    """A person said that something is wrong with an item."""

    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Presentation:
    """One item shown in one session. wall = active + paused + crash gap; idle and unfocused lie within active."""

    session_id: str
    participant_id: str
    item_id: str
    simulated: bool
    position: int
    """From 1, over all blocks of the session."""
    block: Block
    item_sha256: str
    prompt_sha256: str | None
    shown_at: str
    wall_ms: int
    active_ms: int
    paused_ms: int = 0
    crash_gap_ms: int = 0
    idle_ms: int = 0
    unfocused_ms: int = 0
    first_action_ms: int | None = None
    """Active time until the first input."""
    locked_at: str | None = None
    """When the answer became final; None if it never did."""
    timed_out: bool = False
    focus_losses: int = 0
    revisits: int = 0
    seen_before: bool | None = None
    flag: Flag | None = None


@dataclass(frozen=True, slots=True)
class Grade:
    """What the benchmark's grader said of a submission. `failures` and `failure_categories` run in parallel."""

    passed: bool
    score: float | None = None
    params: float | None = None
    kv_bytes_per_token: float | None = None
    failures: tuple[str, ...] = ()
    failure_categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One submission of a graph, or one audit before it."""

    session_id: str
    participant_id: str
    item_id: str
    simulated: bool
    block: Block
    number: int
    """From 1, audits and submissions counted apart."""
    kind: AttemptKind
    at: str
    active_ms: int
    """Active time of the item until this attempt."""
    graph_digest: str
    """Of the architecture as submitted."""
    plan: tuple[Mapping[str, Any], ...]
    """What is graded: actions of the benchmark's vocabulary, from the graph that the attempt started from."""
    n_gestures: int
    """Edits since the attempt before it on this item, of either kind; those taken back later included."""
    n_undo: int
    """Undo steps since the attempt before it."""
    n_actions_net: int
    """Actions of the plan."""
    grade: Grade
    runs: bool | None = None
    """The exact verdict: whether PyTorch accepts it."""
    exact_problems: tuple[str, ...] = ()
    does_the_brief: bool | None = None
    feedback_shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """One answer to a question."""

    session_id: str
    participant_id: str
    item_id: str
    simulated: bool
    block: Block
    at: str
    active_ms: int
    choice: str
    """The letter as shown."""
    candidate_id: str
    probabilities: Mapping[str, float]
    """By candidate id, in the order shown; their sum is 1."""
    correct: bool | None
    """None until the key is opened."""
    brier: float | None = None
    """Sum over choices of (probability - truth)^2: 0 is best, 2 worst."""
    log_score: float | None = None
    """ln of the probability given to the right choice, at least ln 0.001: 0 is best (`stats.forecasts`)."""
    explanation: str = ""
    lesson: str = ""


@dataclass(frozen=True, slots=True)
class Pause:
    """An interval in which an item was hidden and its clock stood still."""

    session_id: str
    participant_id: str
    item_id: str
    simulated: bool
    started_at: str
    duration_ms: int
    reason: PauseReason


@dataclass(frozen=True, slots=True)
class Item:
    """One task or question of the study."""

    id: str
    study_id: str
    kind: ItemKind
    block: Block
    split: str
    """As model rows name it: "curated", "core, seed 7", "frontier, seed 7"; or a question pack."""
    family: str
    instance: str
    """What model rows are clustered by: a question's dataset, a task itself."""
    sha256: str
    prompt_sha256: str | None
    wording: Wording
    """Whether people read the models' own text, our wording of the same facts, or more than the models had."""
    chance: float
    """What guessing scores: 1 / choices for a question, 0 for a graph."""
    n_choices: int | None = None
    key: str | None = None
    """The right candidate's id; None until the key is opened."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A mark that leaves a person, a session or one presentation out of the default figures; the rows stay."""

    scope: Scope
    participant_id: str
    simulated: bool
    rule: str
    """The id of a registered rule, or "unregistered"."""
    reason: str
    at: str
    session_id: str | None = None
    item_id: str | None = None


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A tombstone: this person took their data back, and every personal value of theirs is gone."""

    participant_id: str
    at: str
    simulated: bool
    sessions: int = 0
    """How many sessions were erased."""


class _FromParticipant(Protocol):
    @property
    def simulated(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Records:
    """All tables of one study."""

    study: Study
    items: tuple[Item, ...]
    participants: tuple[Participant, ...] = ()
    sessions: tuple[Session, ...] = ()
    presentations: tuple[Presentation, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    responses: tuple[Response, ...] = ()
    pauses: tuple[Pause, ...] = ()
    exclusions: tuple[Exclusion, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()

    @property
    def simulated(self) -> bool:
        """Whether any row is simulated."""
        tables: tuple[tuple[_FromParticipant, ...], ...] = (
            *(self.participants, self.sessions, self.presentations, self.attempts, self.responses),
            *(self.pauses, self.exclusions, self.withdrawals),
        )
        return self.study.simulated or any(row.simulated for table in tables for row in table)
