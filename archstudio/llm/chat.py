"""What is asked of a model and what it answers, as plain values; equal questions have equal names."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Role = Literal["system", "user", "assistant", "tool"]
TokenLimitName = Literal["max_tokens", "max_completion_tokens"]
CUT_SHORT: Final = frozenset({"length", "max_tokens"})
"""Reasons for an end that mean: the limit of tokens was reached."""


@dataclass(frozen=True)
class ToolCall:
    """A call of a function that a model asks for; `arguments` is the text it wrote, not yet read."""

    id: str
    name: str
    arguments: str

    def as_json(self) -> dict[str, Any]:
        """The call as the protocol writes it."""
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


@dataclass(frozen=True)
class Message:
    """One message; `calls` are an assistant's, `call_id` says which call a tool's message answers."""

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The message as the protocol writes it."""
        written: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.calls:
            written["tool_calls"] = [call.as_json() for call in self.calls]
        if self.call_id is not None:
            written["tool_call_id"] = self.call_id
        return written


@dataclass(frozen=True)
class Sampling:
    """How a model answers; what is None is not sent, and the service decides."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    token_limit_name: TokenLimitName = "max_tokens"

    def as_json(self) -> dict[str, Any]:
        """The fields that are sent."""
        given = {"temperature": self.temperature, "top_p": self.top_p, self.token_limit_name: self.max_tokens}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class ChatRequest:
    """One question to a model. `repeat` tells several tries at one question apart; it is not sent."""

    model: str
    messages: tuple[Message, ...]
    sampling: Sampling = Sampling()
    tools: Sequence[Mapping[str, Any]] = ()
    repeat: int = 0

    def body(self) -> dict[str, Any]:
        """The body that is sent."""
        body = {"model": self.model, "messages": [m.as_json() for m in self.messages], **self.sampling.as_json()}
        return {**body, "tools": list(self.tools)} if self.tools else body

    @property
    def digest(self) -> str:
        """The name of the request: sha256 over its body and its repeat."""
        text = json.dumps({"body": self.body(), "repeat": self.repeat}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Usage:
    """Tokens as a service counts them; None where it does not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None

    @property
    def total(self) -> int:
        """All that is known to have been used."""
        return (self.input_tokens or 0) + (self.output_tokens or 0)


@dataclass(frozen=True)
class ChatReply:
    """One answer. `attempts` counts the requests it took, `seconds` the time of the last of them."""

    text: str
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    attempts: int = 1
    seconds: float = 0.0

    @property
    def cut_short(self) -> bool:
        """Whether the limit of tokens ended it."""
        return self.finish_reason in CUT_SHORT

    def as_json(self) -> dict[str, Any]:
        """The reply as it is kept."""
        return {
            "text": self.text,
            "reasoning": self.reasoning,
            "calls": [call.as_json() for call in self.calls],
            "finish_reason": self.finish_reason,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "model": self.model,
            "attempts": self.attempts,
            "seconds": self.seconds,
        }
