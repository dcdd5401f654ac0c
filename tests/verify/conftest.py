"""Small graphs written as lines, for tests of the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from archstudio.graph import Connection, Graph, Node

Build: TypeAlias = Callable[[Mapping[str, tuple[str, Mapping[str, Any]]], Iterable[str]], Graph]


@pytest.fixture
def build() -> Build:
    """Makes a graph of nodes by name and wires like `lstm.output -> head` or `x -> mix.query`; ids are names."""
    return _build


def _build(nodes: Mapping[str, tuple[str, Mapping[str, Any]]], wires: Iterable[str]) -> Graph:
    graph = Graph()
    for name, (kind, params) in nodes.items():
        graph.insert_node(Node(name, kind, name, dict(params)))
    for k, wire in enumerate(wires):
        (source, _, out), (target, _, into) = (end.strip().partition(".") for end in wire.split("->"))
        graph.insert_connection(Connection(f"c{k}", source, target, out or None, into or None))
    return graph


@pytest.fixture
def cnn(build: Build) -> Graph:
    """An image into a convolution, an activation and a linear layer that should have been flattened before."""
    return build(
        {
            "image": ("input", {"shape": [1, 3, 32, 32]}),
            "conv1": ("conv2d", {"inChannels": 3, "outChannels": 16, "kernelSize": 3}),
            "act1": ("relu", {}),
            "head": ("linear", {"inFeatures": 16, "outFeatures": 10}),
            "output": ("output", {}),
        },
        ["image -> conv1", "conv1 -> act1", "act1 -> head", "head -> output"],
    )


@pytest.fixture
def cases() -> Path:
    """The folder of recorded cases."""
    return Path(__file__).parents[1] / "cases"
