"""Reads what a service sends back; anything that is not a chat completion is garbage, and says in which way."""

import json
from collections.abc import Mapping
from typing import Any, Final

from archstudio.llm.chat import ChatReply, ToolCall, Usage

_REASONING_FIELDS: Final = ("reasoning_content", "reasoning", "thought", "thinking")
"""Where services put what a model thought; there is no standard."""


class Garbage(ValueError):
    """A body that is no chat completion."""


def read_reply(body: bytes) -> ChatReply:
    """The first choice of a completion; raises Garbage."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Garbage(f"the body is not JSON ({type(error).__name__})") from None
    choices = value.get("choices") if isinstance(value, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Garbage("the body holds no choices")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise Garbage("the first choice holds no message")
    text, calls = _text(message.get("content")), _calls(message.get("tool_calls"))
    finish = choices[0].get("finish_reason")
    return ChatReply(
        text=text,
        reasoning="\n".join(filter(None, (_text(message.get(name)) for name in _REASONING_FIELDS))),
        calls=calls,
        finish_reason=finish if isinstance(finish, str) else None,
        usage=_usage(value.get("usage")),
        model=value["model"] if isinstance(value.get("model"), str) else None,
    )


def reply_from_json(kept: Mapping[str, Any]) -> ChatReply:
    """A reply as `ChatReply.as_json` wrote it; raises Garbage."""
    try:
        return ChatReply(
            text=str(kept["text"]),
            reasoning=str(kept["reasoning"]),
            calls=_calls(kept["calls"]),
            finish_reason=kept["finish_reason"],
            usage=Usage(_count(kept["input_tokens"]), _count(kept["output_tokens"])),
            model=kept["model"],
            attempts=int(kept["attempts"]),
            seconds=float(kept["seconds"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Garbage(f"not a kept reply: {error}") from None


def _text(content: object) -> str:
    """A text, also one that comes in parts; nothing for null."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return ""


def _calls(listed: object) -> tuple[ToolCall, ...]:
    made = []
    for place, call in enumerate(listed if isinstance(listed, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise Garbage(f"call {place} of a tool names no function")
        arguments = function.get("arguments")
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        made.append(ToolCall(str(call.get("id") or f"call_{place}"), function["name"], text))
    return tuple(made)


def _usage(usage: object) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
