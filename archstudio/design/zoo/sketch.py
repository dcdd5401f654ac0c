"""Draws a graph layer by layer, as the builders of known networks read best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from archstudio.graph import Connection, Frame, Graph, Node
from archstudio.verify import check


class Sketch:
    """A graph that grows by `add`; ids are names, and each call returns the name to connect from.

    Sizes that a wire gives are left out while drawing; `finished` writes them and lists them as following the wire.
    """

    def __init__(self, name: str) -> None:
        self._graph = Graph(name)
        self._framed: list[str] | None = None

    def input(self, name: str, shape: Sequence[int], **params: Any) -> str:
        """An argument of the network; its first axis is the batch."""
        return self.add("input", name, shape=list(shape), **params)

    def tokens(self, name: str, length: int) -> str:
        """One sequence of token numbers, whose length can be chosen for the whole graph."""
        return self.input(name, (1, length), dtype="int64", sequenceAxis=1)

    def add(self, kind: str, name: str, *sources: str, **params: Any) -> str:
        """A layer of a type, wired to its inputs in order."""
        self._graph.insert_node(Node(name, kind, name, params))
        for source in sources:
            self._graph.insert_connection(Connection(f"c{len(self._graph.connection_ids)}", source, name))
        if self._framed is not None:
            self._framed.append(name)
        return name

    def dense(self, x: str, prefix: str, widths: Sequence[int], activation: str, *, last: bool = False) -> str:
        """Linear layers of these widths with an activation between them, and behind the last if asked for."""
        for k, width in enumerate(widths, 1):
            x = self.add("linear", f"{prefix}{k}", x, outFeatures=width)
            if last or k < len(widths):
                x = self.add(activation, f"{prefix}{k}_act", x)
        return x

    @contextmanager
    def frame(self, title: str) -> Iterator[None]:
        """Layers added inside stand in one titled frame; frames do not nest."""
        if self._framed is not None:
            raise ValueError(f"frame {title!r} inside another")
        self._framed = []
        yield
        frame_id = f"f{len(self._graph.frames)}"
        self._graph.frames[frame_id] = Frame(frame_id, title, tuple(self._framed))
        self._framed = None

    def finished(self) -> Graph:
        """The graph, every size written; ValueError names the first layer that PyTorch would refuse."""
        verdict = check(self._graph)
        if verdict.first_error is not None:
            name = self._graph.node(verdict.first_error.node).name
            raise ValueError(f"{self._graph.name}: {verdict.first_error.title(name)}")
        for node in list(self._graph.nodes):
            sizes = verdict.nodes[node.id].inferred
            if sizes:
                written = {key: list(v) if isinstance(v, tuple) else v for key, v in sizes.items()}
                meta = {"inferred": sorted(written)}
                self._graph.replace_node(replace(node, params={**written, **node.params}, meta=meta))
        return self._graph
