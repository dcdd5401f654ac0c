"""Remarks that a graph asks not to hear, each with the reason a person gave."""

from __future__ import annotations

from collections.abc import Mapping

from archstudio.graph import Graph

KEY = "silenced"
"""The key of the graph's meta: {code: reason}, or a list of codes without reasons."""


def silenced(graph: Graph) -> Mapping[str, str]:
    """Codes not to be told, with their reasons (empty where none was given)."""
    said = graph.meta.get(KEY)
    if isinstance(said, Mapping):
        return {str(code): str(reason or "") for code, reason in said.items()}
    if isinstance(said, list | tuple):
        return {str(code): "" for code in said}
    return {}
