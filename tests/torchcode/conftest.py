"""Small graphs, and one thread for PyTorch."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
import torch

from archstudio.graph import Graph, from_document

Build = Callable[..., Graph]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def graph() -> Build:
    """Builds a graph from {name: (type, params)} and wires `a -> b`, `a.port -> b` or `a -> b.port`.

    Ids are the names; without wires the nodes form a chain.
    """

    def build(nodes: dict[str, tuple[str, dict[str, Any]]], *wires: str, **meta: Any) -> Graph:
        listed = [_wire(w) for w in wires] or [{"from": a, "to": b} for a, b in pairwise(nodes)]
        components = [{"id": name, "name": name, "type": kind, "params": p} for name, (kind, p) in nodes.items()]
        return from_document({"name": "net", "components": components, "connections": listed, "meta": meta})

    return build


def _wire(text: str) -> dict[str, str]:
    source, target = (end.split(".") for end in text.split(" -> "))
    ends = {"from": source[0], "to": target[0]}
    if len(source) > 1:
        ends["fromPort"] = source[1]
    if len(target) > 1:
        ends["toPort"] = target[1]
    return ends


@pytest.fixture
def cnn(graph: Build) -> Graph:
    """A small image classifier."""
    return graph(
        {
            "image": ("input", {"shape": [2, 3, 16, 16]}),
            "conv": ("conv2d", {"outChannels": 8, "kernelSize": 3, "padding": 1}),
            "act": ("relu", {}),
            "pool": ("globalAvgPool2d", {}),
            "head": ("linear", {"outFeatures": 10}),
            "scores": ("output", {}),
        }
    )
