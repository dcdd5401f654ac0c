"""What the endpoints take and give, for the OpenAPI document."""

from typing import Any, Final

_ACTIONS: Final = {"type": "array", "items": {"type": "object"}, "description": "Actions, applied in order."}
_SPLIT: Final = {"type": "string", "enum": ["generated", "core", "frontier", "edge", "curated"]}
_PLACE: Final[dict[str, Any]] = {
    "taskId": {"type": "string", "description": "A curated task; or else its place in a split:"},
    "split": {**_SPLIT, "default": "generated"},
    "seed": {"type": "integer", "minimum": 0, "maximum": 2**32 - 1, "default": 1},
    "count": {"type": "integer", "minimum": 1, "maximum": 100_000, "default": 256},
    "index": {"type": "integer", "minimum": 0},
}
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
_NUMBER: Final = {"type": ["number", "null"]}
_GRADE: Final[dict[str, Any]] = {
    "taskId": {"type": "string"},
    "pass": {"type": "boolean"},
    "score": _NUMBER,
    "params": _NUMBER,
    "blockers": _TEXTS,
    "failures": _TEXTS,
    "applied": {"type": "integer"},
    "applyErrors": _TEXTS,
    "reward": {"type": "number"},
}
_COMPONENT: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "type": {"type": "string"},
        "name": {"type": "string"},
        "params": {"type": "object"},
    },
}
_CONNECTION: Final = {
    "type": "object",
    "properties": {"from": {"type": "string"}, "to": {"type": "string"}},
    "required": ["from", "to"],
}
_GRAPH: Final = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "components": {"type": "array", "items": _COMPONENT},
        "connections": {"type": "array", "items": _CONNECTION},
    },
    "required": ["components", "connections"],
}
_PROBLEM: Final = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "severity": {"type": "string", "enum": ["error", "mistake", "advice"]},
        "layer": {"type": "string"},
        "title": {"type": "string"},
        "needs": {"type": "string"},
        "gets": {"type": "string"},
        "fixes": {"type": "array", "items": {"type": "object"}},
    },
}
_VERDICT: Final[dict[str, Any]] = {
    "schema": {"type": "string"},
    "name": {"type": "string"},
    "runs": {"type": "boolean", "description": "Whether PyTorch would run it."},
    "parameters": {"type": ["integer", "null"]},
    "buffers": {"type": ["integer", "null"]},
    "macs": {"type": ["integer", "null"]},
    "layers": {"type": "array", "items": {"type": "object"}},
    "problems": {"type": "array", "items": _PROBLEM},
    "silenced": {"type": "array", "items": {"type": "object"}},
    "rubric": {"type": "object", "description": "Score, parameter estimate, KV bytes a token and blockers."},
}


def _object(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "object", "properties": properties}
    return {**made, "required": required} if required else made


def _described(answer: dict[str, Any], body: dict[str, Any] | None = None) -> dict[str, Any]:
    """An operation's part of the document."""
    error = {"content": {"application/json": {"schema": _object({"error": {"type": "string"}}, ["error"])}}}
    made: dict[str, Any] = {
        "responses": {
            "200": {"description": "The answer.", "content": {"application/json": {"schema": answer}}},
            "4XX": {"description": "What is wrong with the request.", **error},
        }
    }
    if body is not None:
        made["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return made


_TASK: Final = {"taskId": {"type": "string"}, "spec": {"type": "string"}, "observation": {"type": "string"}}
_EPISODE: Final = {"episodeId": {"type": "string"}, **_TASK, "turn": {"type": "integer"}}

HEALTH: Final = _described(_object({"ok": {"type": "boolean"}, "benchmark": {"type": "integer"}}))
CHECK: Final = _described(_object(_VERDICT), _GRAPH)
GRADE: Final = _described(
    _object(_GRADE), _object({**_PLACE, "actions": _ACTIONS, "verdicts": {"type": "boolean"}}, ["actions"])
)
START: Final = _described(
    _object({**_EPISODE, "maxTurns": {"type": "integer"}}),
    _object({**_PLACE, "maxTurns": {"type": "integer", "default": 3, "description": "Brought within 1 to 16."}}),
)
STEP: Final = _described(
    _object(
        {
            **_GRADE,
            "observation": {"type": "string"},
            "feedback": _TEXTS,
            "turn": {"type": "integer"},
            "done": {"type": "boolean"},
        }
    ),
    _object({"episodeId": {"type": "string"}, "actions": _ACTIONS}, ["episodeId", "actions"]),
)
TASKS: Final = {
    **_described({"type": "array", "items": _object({"index": {"type": "integer"}, **_TASK})}),
    "parameters": [
        {"name": name, "in": "query", "schema": _PLACE[name], "required": False} for name in ("count", "seed", "split")
    ],
}
SECURITY: Final = {"type": "http", "scheme": "bearer", "description": "Where the service was started with a token."}
