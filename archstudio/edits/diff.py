"""The exact difference of two graphs, as an edit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from archstudio.edits.base import Batch, Edit
from archstudio.edits.primitives import (
    AddConnection,
    AddNode,
    ChangeConnection,
    ChangeNode,
    Move,
    MoveConnection,
    MoveNodeInOrder,
    RemoveConnection,
    RemoveNode,
    RenameGraph,
    SetFrame,
    SetMeta,
    SetNote,
)
from archstudio.graph import Graph


def diff(a: Graph, b: Graph, label: str = "") -> Edit | None:
    """The edit that turns graph `a` into graph `b`, list orders and layout included; None if they are equal.

    Parts are matched by id. Unknown top-level keys of files (`extra`) are not edited and stay as they are.
    """
    scratch = _Scratch(a.copy())
    _remove_parts(scratch, b)
    _change_nodes(scratch, b)
    _order_nodes(scratch, b)
    _match_connections(scratch, b)
    _match_rest(scratch, b)
    return Batch(tuple(scratch.edits), label) if scratch.edits else None


class _Scratch:
    """A copy of the first graph, changed step by step while the edits are written down."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.edits: list[Edit] = []

    def make(self, edit: Edit) -> None:
        edit.apply(self.graph)
        self.edits.append(edit)


def _remove_parts(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph
    for wire in list(graph.connections):
        if not b.has_connection(wire.id) or wire.source not in b or wire.target not in b:
            scratch.make(RemoveConnection(wire.id))
    for node_id in graph.node_ids:
        if node_id not in b:
            scratch.make(RemoveNode(node_id))


def _change_nodes(scratch: _Scratch, b: Graph) -> None:
    """Bring the nodes that stay up to date; names that change hands go by way of a name nobody has."""
    graph = scratch.graph
    for node in list(graph.nodes):
        wanted = b.node(node.id)
        holder = graph.named(wanted.name)
        if holder is not None and holder.id != node.id:
            scratch.make(ChangeNode(replace(holder, name=graph.unique_name(f"{holder.name}'"))))
        if not _identical(graph.node(node.id), wanted):
            scratch.make(ChangeNode(wanted))


def _order_nodes(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph

    def put(node_id: str, index: int) -> None:
        edit: Edit = MoveNodeInOrder(node_id, index) if node_id in graph else AddNode(b.node(node_id), index)
        scratch.make(edit)

    _bring_into_order(graph.node_ids, b.node_ids, put, graph.index_of_node)


def _match_connections(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph
    for wire in list(graph.connections):
        if not _identical(wire, b.connection(wire.id)):
            scratch.make(ChangeConnection(b.connection(wire.id)))

    def put(wire_id: str, index: int) -> None:
        known = graph.has_connection(wire_id)
        scratch.make(MoveConnection(wire_id, index) if known else AddConnection(b.connection(wire_id), index))

    _bring_into_order(graph.connection_ids, b.connection_ids, put, graph.index_of_connection)


def _bring_into_order(
    have: Sequence[str], want: Sequence[str], put: Callable[[str, int], None], index_of: Callable[[str], int]
) -> None:
    """Add what is missing and move as few of the others as possible; `put` gives a part its place."""
    staying = _longest_in_order(have, want)
    present = set(have)
    before: str | None = None
    for part in want:
        if part not in staying:
            place = 0 if before is None else index_of(before) + 1
            put(part, place - 1 if part in present and index_of(part) < place else place)
        before = part


def _longest_in_order(have: Sequence[str], want: Sequence[str]) -> set[str]:
    """The largest set of parts that already stand in the wanted order (longest increasing subsequence)."""
    place = {part: k for k, part in enumerate(want)}
    ends: list[int] = []
    parts: list[str] = []
    previous: dict[str, str | None] = {}
    for part in have:
        at = bisect_left(ends, place[part])
        previous[part] = parts[at - 1] if at else None
        ends[at : at + 1] = [place[part]]
        parts[at : at + 1] = [part]
    found: set[str] = set()
    last = parts[-1] if parts else None
    while last is not None:
        found.add(last)
        last = previous[last]
    return found


def _match_rest(scratch: _Scratch, b: Graph) -> None:
    graph = scratch.graph
    moved = {n: b.layout.get(n) for n in b.node_ids if graph.layout.get(n) != b.layout.get(n)}
    if moved:
        scratch.make(Move(moved))
    _match_mapping(scratch, graph.frames, b.frames, SetFrame)
    _match_mapping(scratch, graph.notes, b.notes, SetNote)
    _match_mapping(scratch, graph.meta, b.meta, SetMeta)
    if graph.name != b.name:
        scratch.make(RenameGraph(b.name))


def _match_mapping(
    scratch: _Scratch, have: Mapping[str, Any], want: Mapping[str, Any], edit: Callable[[str, Any, int | None], Edit]
) -> None:
    """Make an ordered mapping of the graph equal another, order included."""
    for key in [k for k in have if k not in want]:
        scratch.make(edit(key, None, None))
    for key in [k for k in have if not _identical(have[k], want[k])]:
        scratch.make(edit(key, want[key], None))

    def put(key: str, index: int) -> None:
        if key in have:
            scratch.make(edit(key, None, None))
        scratch.make(edit(key, want[key], index))

    _bring_into_order(list(have), list(want), put, lambda key: list(have).index(key))


def _identical(a: Any, b: Any) -> bool:
    """Equal and written alike: 12 is not 12.0, true is not 1, and the order of keys counts."""
    return a is b or (bool(a == b) and repr(a) == repr(b))
