"""Lays a graph out in a process of its own: `python -m archstudio.app.layout_process` reads a graph, writes places."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from typing import Any

from archstudio.app.layout import auto_layout
from archstudio.graph import Graph, Point, from_document, to_document

FROZEN_FLAG = "--layout-worker"
"""The argument by which a frozen program knows that it is to lay out."""


def layout_command() -> list[str]:
    """How the process is started."""
    if getattr(sys, "frozen", False):
        return [sys.executable, FROZEN_FLAG]
    return [sys.executable, "-P", "-m", "archstudio.app.layout_process"]


def layout_request(graph: Graph, only: Collection[str] | None, width: float) -> bytes:
    """What is sent to the process: the graph, which nodes to place (None: all) and the room there is."""
    return json.dumps(
        {"graph": to_document(graph), "only": None if only is None else sorted(only), "width": width}
    ).encode()


def read_layout(answer: bytes) -> dict[str, Point]:
    """The places that the process found; ValueError for anything that is no answer."""
    places: Any = json.loads(answer)
    if not isinstance(places, dict):
        raise ValueError("the layout is no object")
    return {str(node): (float(x), float(y)) for node, (x, y) in places.items()}


def answer_layout(request: bytes) -> bytes:
    """Lay out what was asked for."""
    asked = json.loads(request)
    only = asked["only"]
    found = auto_layout(
        from_document(asked["graph"], file="the layout"), only=None if only is None else set(only), width=asked["width"]
    )
    return json.dumps(found).encode()


def main() -> None:
    """Answer one request on the standard streams."""
    sys.stdout.buffer.write(answer_layout(sys.stdin.buffer.read()))


if __name__ == "__main__":
    main()
