"""What is kept of a session: everything given, in the order given, and nothing of the key."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from archstudio.intuition.records import Record

Protocol = Literal["blind", "full_sequential_feedback", "practice"]
Share = Annotated[float, Field(ge=0, le=1)]
LONGEST_TEXT = 20_000
Words = Annotated[str, Field(max_length=LONGEST_TEXT)]
_SUM_SLACK = 1e-9


class Answer(Record):
    """One answer, as it was given before anything was revealed. `lesson` is added afterwards."""

    item: str
    kind: Literal["choice", "ranking"]
    choice: str | None = None
    probabilities: dict[str, Share] | None = None
    order: list[str] | None = None
    reason: Words = ""
    lesson: Words = ""
    seconds: Annotated[float, Field(ge=0)]
    """Between the question's first showing and the answer, without the time the program was closed."""
    answered_at: str

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.kind == "ranking":
            if self.order is None or len(set(self.order)) < len(self.order):
                raise ValueError("a ranking is answered by an order of different labels")
            return self
        if self.choice is None or self.probabilities is None or self.choice not in self.probabilities:
            raise ValueError("a choice is answered by a letter with probabilities")
        if abs(sum(self.probabilities.values()) - 1) > _SUM_SLACK:
            raise ValueError(f"the probabilities sum to {sum(self.probabilities.values())}, not to 1")
        return self


class SessionRecord(Record):
    """A session on disk. `pack_sha256` names the very bytes that were asked from."""

    schema_name: Literal["archstudio.quiz_session/1"] = Field(default="archstudio.quiz_session/1", alias="schema")
    session: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    pack_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    pack_name: str
    pack_title: str
    protocol: Protocol
    seed: Annotated[int, Field(ge=0)] | None = None
    """What the order follows from; None for the pack's own order."""
    order: Annotated[list[str], Field(min_length=1)]
    position: Annotated[int, Field(ge=0)]
    """The question in front; the number of questions once all are over."""
    answers: list[Answer]
    started_at: str
    finished_at: str | None = None

    @model_validator(mode="after")
    def _answers_are_to_questions(self) -> Self:
        if len(set(self.order)) < len(self.order):
            raise ValueError("a question is listed twice")
        if self.position > len(self.order):
            raise ValueError(f"there is no question number {self.position + 1}")
        answered = [answer.item for answer in self.answers]
        if len(set(answered)) < len(answered) or not set(answered) <= set(self.order):
            raise ValueError("the answers are not those to the questions listed")
        return self
