"""What the window's process and the judging process say to each other: one JSON object a line, with a version."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from archstudio.torchcode.child_process import from_line


class Message(BaseModel):
    """A frozen message; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    v: Literal[1] = 1


class Ask(Message):
    """Compare this graph (its file form); `number` comes back with the answer. A newer question replaces older ones."""

    type: Literal["ask"] = "ask"
    number: int
    document: dict[str, Any]


class Ready(Message):
    """PyTorch is imported, questions are taken."""

    type: Literal["ready"] = "ready"
    torch: str


class Unavailable(Message):
    """PyTorch cannot be imported here; the process ends."""

    type: Literal["unavailable"] = "unavailable"
    reason: str


class Failed(Message):
    """A question that could not be answered, and why."""

    type: Literal["failed"] = "failed"
    number: int
    reason: str


class Answer(Message):
    """How what PyTorch did with a graph compares with what the rules say of it.

    `compared` names the counts that were compared (shapes, parameters, FLOPs); `differences` are sentences, empty if
    all agrees. `ran` are the first and the last layer that both let run, `refused` those that both refuse, `unasked`
    those that no program can hold (loops, unknown types, missing inputs).
    """

    type: Literal["answer"] = "answer"
    number: int = 0
    torch: str
    where: Literal["cpu", "meta"]
    batch: int | None = None
    compared: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    ran: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()


Said = Annotated[Ready | Unavailable | Failed | Answer, Field(discriminator="type")]
"""What the judging process says."""

_ASK: TypeAdapter[Ask] = TypeAdapter(Ask)
_SAID: TypeAdapter[Said] = TypeAdapter(Said)


def read_ask(line: bytes) -> Ask:
    """A question; NotAMessage for anything else."""
    return from_line(_ASK, line)


def read_said(line: bytes) -> Said:
    """Something the judging process said; NotAMessage for anything else."""
    return from_line(_SAID, line)
