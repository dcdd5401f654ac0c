"""Which module makes which command, so that a command loads only what it needs."""

from collections.abc import Mapping
from types import MappingProxyType

ROOMS: Mapping[str, str] = MappingProxyType(
    {
        "check": "check",
        "explain": "explain",
        "summary": "summary",
        "export": "export",
        "picture": "picture",
        "grade": "grade",
        "apply": "plans",
        "plan": "plans",
        "tasks": "tasks",
        "bench": "bench",
        "train": "train",
        "predict": "predict",
        "runs": "runs",
        "iq": "iq",
        "study": "study",
        "zoo": "zoo",
        "conform": "conform",
        "serve": "serve",
        "mcp": "mcp",
        "demo": "window",
        "open": "window",
    }
)
"""Module of each command, in the order of `--help`; each has `register(app)`. What is no command here is a file."""
