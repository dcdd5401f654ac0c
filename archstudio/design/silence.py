"""Edits that ask a graph's remarks of one kind to be silent, with a reason, or to be heard again."""

from __future__ import annotations

from archstudio.edits import Edit, SetMeta
from archstudio.graph import Graph
from archstudio.verify.advice.silence import KEY, silenced


def silence(graph: Graph, code: str, reason: str = "") -> Edit:
    """The edit after which remarks of this code are not made; the reason is kept in the file."""
    return SetMeta(KEY, {**silenced(graph), code: reason})


def hear_again(graph: Graph, code: str) -> Edit:
    """The edit after which remarks of this code are made again."""
    rest = {c: reason for c, reason in silenced(graph).items() if c != code}
    return SetMeta(KEY, rest or None)
