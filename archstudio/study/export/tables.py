"""The tidy long tables of a study, each with its data dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from archstudio.study.export.columns import Column, Table, table
from archstudio.study.export.participants import participant_columns
from archstudio.study.records import (
    CONDITIONS,
    WORDINGS,
    Attempt,
    Exclusion,
    Item,
    Pause,
    Presentation,
    Records,
    Response,
    Session,
    Withdrawal,
)
from archstudio.study.redaction import Redactor
from archstudio.study.report.rows import Row

_BLOCKS: Final = ("practice", "main", "attention")
_STATES: Final = ("answered", "timeout", "unanswered", "unscored", "error")


def _attribute(name: str) -> Any:
    return lambda row: getattr(row, name)


def _column(name: str, kind: Any, description: str, unit: str = "", levels: tuple[str, ...] = ()) -> Column[Any]:
    """A column that is an attribute of the same name."""
    return Column(name, kind, description, _attribute(name), unit, levels)


def _flag(shown: Presentation) -> tuple[str | None, int | None]:
    return (None, None) if shown.flag is None else (shown.flag.reason, len(shown.flag.text))


_PARTICIPANT = _column("participant_id", "id", "Random id of the person; who that is stands nowhere here.")
_SESSION = _column("session_id", "id", "Random id of the session.")
_ITEM = _column("item_id", "id", "Id of the task or question.")
_SIMULATED = _column("simulated", "boolean", "Whether a program and no person made this row.")
_BLOCK = _column("block", "string", "Practice and attention items never enter scores.", levels=_BLOCKS)
_KEYS: Final = (_SESSION, _PARTICIPANT, _ITEM, _SIMULATED)

ITEMS: Final[Sequence[Column[Item]]] = (
    Column("item_id", "id", "Id of the task or question.", lambda item: item.id),
    _column("kind", "string", "A graph to edit or a question to answer.", levels=("graph", "question")),
    _BLOCK,
    _column("split", "string", "The set of tasks it is from, as model results name it."),
    _column("family", "id", "Family of tasks or data sets."),
    _column("instance", "id", "What model rows are clustered by: the data set of a question, or the task itself."),
    _column("sha256", "string", "Digest of the item."),
    _column("prompt_sha256", "string", "Digest of the text shown to models."),
    _column("wording", "string", "How the text people read stands to the models'.", levels=WORDINGS),
    _column("chance", "number", "What guessing scores.", "share"),
    _column("n_choices", "integer", "Choices of a question."),
    _column("key", "string", "The right candidate; empty until the key is opened."),
    _column("title", "string", "Title."),
)

SESSIONS: Final[Sequence[Column[Session]]] = (
    Column("session_id", "id", "Random id of the session.", lambda session: session.id),
    _PARTICIPANT,
    _SIMULATED,
    _column("condition", "string", "The protocol the person worked under.", levels=CONDITIONS),
    _column("assignment_method", "string", "How the condition was assigned."),
    _column("assignment_block", "integer", "Block of the assignment."),
    _column("order_seed", "integer", "Seed of the item order."),
    _column("order", "list", "Item ids in the order to be shown."),
    _column("option_orders", "json", "By question, candidate ids in the order shown."),
    _column("started_at", "datetime", "Start."),
    _column("ended_at", "datetime", "End."),
    _column(
        "end_reason", "string", "Why it ended.", levels=("completed", "quit", "timeout", "crash", "withdrawn")
    ),
    _column("resumes", "integer", "Times it was taken up again."),
    _column("breaks", "integer", "Breaks taken."),
    _column("clock_jumps", "integer", "Times that wall and monotonic clock drifted by more than 2 s."),
    _column("n_events", "integer", "Events in its log."),
    _column("log_sha256", "string", "Last hash of the log's chain."),
    _column("app_version", "string", "Version of the program."),
    _column("plan_version", "integer", "Version of the study's plan."),
)  # fmt: skip

PRESENTATIONS: Final[Sequence[Column[Presentation]]] = (
    *_KEYS,
    _column("position", "integer", "Place in the session, from 1."),
    _BLOCK,
    _column("item_sha256", "string", "Digest of the item as shown."),
    _column("prompt_sha256", "string", "Digest of the text shown to models."),
    _column("shown_at", "datetime", "When it was first fully shown."),
    _column("wall_ms", "integer", "Active, paused and crash time together.", "ms"),
    _column("active_ms", "integer", "Time on the item; limits count it.", "ms"),
    _column("paused_ms", "integer", "Time with the item hidden.", "ms"),
    _column("crash_gap_ms", "integer", "Time lost to crashes.", "ms"),
    _column("idle_ms", "integer", "Active time without input for 120 s or more, back-dated.", "ms"),
    _column("unfocused_ms", "integer", "Active time with another window in front.", "ms"),
    _column("first_action_ms", "integer", "Active time until the first input.", "ms"),
    _column("locked_at", "datetime", "When the answer became final."),
    _column("timed_out", "boolean", "Whether the limit ended it."),
    _column("focus_losses", "integer", "Times that another window came in front."),
    _column("revisits", "integer", "Times it was come back to."),
    _column("seen_before", "boolean", "Whether the person said they knew it."),
    Column("flag", "string", "Reason why the person flagged it.", lambda shown: _flag(shown)[0]),
    Column(
        "flag_chars", "integer", "Length of what they wrote; the text itself is not exported.",
        lambda shown: _flag(shown)[1],
    ),
)  # fmt: skip

ATTEMPTS: Final[Sequence[Column[Attempt]]] = (
    *_KEYS,
    _BLOCK,
    _column("kind", "string", "A submission, or a dry-run grade before it.", levels=("audit", "submit")),
    _column("number", "integer", "From 1, by kind."),
    _column("at", "datetime", "When."),
    _column("active_ms", "integer", "Active time of the item until then.", "ms"),
    _column("graph_digest", "string", "Digest of the architecture."),
    Column("passed", "boolean", "Whether the benchmark's grader passed it.", lambda each: each.grade.passed),
    Column("score", "number", "The grader's score.", lambda each: each.grade.score, "0 to 100"),
    Column("params", "number", "Parameters as the grader estimates them.", lambda each: each.grade.params),
    Column("kv_bytes_per_token", "number", "KV cache a token.", lambda each: each.grade.kv_bytes_per_token, "bytes"),
    Column("failures", "json", "What failed, in the grader's words.", lambda each: each.grade.failures),
    Column("failure_categories", "list", "Categories of failures.", lambda each: each.grade.failure_categories),
    _column("runs", "boolean", "Whether PyTorch accepts the graph."),
    _column("does_the_brief", "boolean", "Whether it does what the brief asks."),
    _column("n_gestures", "integer", "Edits since the attempt before."),
    _column("n_undo", "integer", "Undo steps since the attempt before."),
    _column("n_actions_net", "integer", "Actions of the plan."),
    _column("plan", "json", "The graded actions, from the graph the attempt started from."),
    Column("n_feedback", "integer", "Lines of feedback shown.", lambda each: len(each.feedback_shown)),
)

RESPONSES: Final[Sequence[Column[Response]]] = (
    *_KEYS,
    _BLOCK,
    _column("at", "datetime", "When."),
    _column("active_ms", "integer", "Active time of the item until then.", "ms"),
    _column("choice", "string", "The letter chosen, as shown."),
    _column("candidate_id", "string", "The candidate chosen."),
    _column("probabilities", "json", "Probability given to each candidate; their sum is 1."),
    _column("correct", "boolean", "Whether it is right; empty until the key is opened."),
    _column("brier", "number", "Sum over choices of (probability - truth)^2.", "0 to 2"),
    _column("log_score", "number", "ln of the probability given to the right choice, at least ln 0.001."),
    Column(
        "explanation_chars", "integer", "Length of the explanation; the text itself is not exported.",
        lambda answer: len(answer.explanation),
    ),
    Column(
        "lesson_chars", "integer", "Length of the note after feedback; the text itself is not exported.",
        lambda answer: len(answer.lesson),
    ),
)  # fmt: skip

PAUSES: Final[Sequence[Column[Pause]]] = (
    *_KEYS,
    _column("started_at", "datetime", "Start."),
    _column("duration_ms", "integer", "Length.", "ms"),
    _column(
        "reason", "string", "Why.", levels=("break", "dialog", "focus", "suspend", "crash", "other")
    ),
)  # fmt: skip

EXCLUSIONS: Final[Sequence[Column[Exclusion]]] = (
    _column("scope", "string", "What is left out.", levels=("participant", "session", "presentation")),
    _PARTICIPANT,
    _SESSION,
    _ITEM,
    _SIMULATED,
    _column("rule", "id", "The registered rule, or 'unregistered'."),
    _column("reason", "string", "Why it applies."),
    _column("at", "datetime", "When it was marked."),
)

WITHDRAWALS: Final[Sequence[Column[Withdrawal]]] = (
    _PARTICIPANT,
    _column("at", "datetime", "When the data were taken back."),
    _SIMULATED,
    _column("sessions", "integer", "Sessions erased."),
)

LONG: Final[Sequence[Column[Row]]] = (
    _column("respondent_type", "string", "A person or a model.", levels=("human", "model")),
    _column("respondent_id", "id", "The person's random id, or the model with its way and file."),
    _SIMULATED,
    _column("condition", "string", "The protocol, or the one a model's way is the counterpart of.", levels=CONDITIONS),
    _ITEM,
    _column("kind", "string", "A graph or a question.", levels=("graph", "question")),
    _column("family", "id", "Family of tasks or data sets."),
    _column("instance", "id", "Cluster of model rows."),
    _BLOCK,
    _column("wording", "string", "How the text people read stands to the models'.", levels=WORDINGS),
    _column("chance", "number", "What guessing scores.", "share"),
    _column("state", "string", "What became of it.", levels=_STATES),
    _column("passed", "boolean", "The result; empty where it counts for nothing."),
    _column("first_passed", "boolean", "The first submission's result."),
    _column("grader", "string", "Version of the grader; empty where a model's file does not say."),
    _column("source", "id", "The file a model row is from."),
    _column("way", "string", "How a model was run."),
    _column("relation", "string", "The person's relation to the study."),
    _SESSION,
    _column("position", "integer", "Place in the session."),
    _column("repeat", "boolean", "The person had the item in this condition before; never counted."),
    _column("excluded_by", "id", "The rule that leaves the row out of the default figures."),
    _column("score", "number", "The grader's score.", "0 to 100"),
    _column("runs", "boolean", "Whether PyTorch accepts the graph."),
    _column("does_the_brief", "boolean", "Whether it does what the brief asks."),
    _column("choice", "string", "The candidate chosen."),
    _column("confidence", "number", "Probability given to the choice.", "share"),
    _column("brier", "number", "Brier score.", "0 to 2"),
    _column("log_score", "number", "Log score."),
    _column("active_ms", "integer", "Active time on the item.", "ms"),
    _column("success_ms", "integer", "Active time until the submission that passed.", "ms"),
    _column("n_submits", "integer", "Submissions."),
    _column("n_audits", "integer", "Dry-run grades."),
    _column("n_gestures", "integer", "Edits."),
    _column("n_undo", "integer", "Undo steps."),
    _column("n_actions", "integer", "Actions of all plans."),
    _column("tokens", "number", "Tokens of a model."),
    _column("failure_categories", "list", "Categories of the last submission's failures."),
    _column("seen_before", "boolean", "Whether the person said they knew the item."),
    _column("flagged", "boolean", "Whether the person flagged the item."),
)


def study_tables(records: Records, rows: Sequence[Row], redactor: Redactor) -> tuple[Table, ...]:
    """All tables of a study; `rows` are the join table's."""
    r = redactor
    people = participant_columns(records.participants)
    return (
        table("participants", "People, under random ids.", people, records.participants, r),
        table("sessions", "Sittings of one person in one condition.", SESSIONS, records.sessions, r),
        table("presentations", "Items shown, with times.", PRESENTATIONS, records.presentations, r),
        table("attempts", "Submissions of graphs and dry-run grades.", ATTEMPTS, records.attempts, r),
        table("responses", "Answers to questions.", RESPONSES, records.responses, r),
        table("pauses", "Intervals with the item hidden.", PAUSES, records.pauses, r),
        table("items", "Tasks and questions.", ITEMS, records.items, r),
        table("exclusions", "Marks that leave rows out of the default figures.", EXCLUSIONS, records.exclusions, r),
        table("withdrawals", "People who took their data back.", WITHDRAWALS, records.withdrawals, r),
        table("responses_long", "People and models, one row a respondent and item.", LONG, rows, r),
    )
