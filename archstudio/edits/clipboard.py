"""Copying part of a graph as readable JSON text, and pasting such text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from archstudio.edits.base import Batch, Edit, EditRefused
from archstudio.edits.compose import Ids, Names
from archstudio.edits.primitives import AddConnection, AddNode, SetFrame, SetNote
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Connection, Graph, GraphError, Point, from_document, write_graph

INCOMING = "incoming"
"""Key of the copied graph's `meta` that lists the wires from layers that were not copied, by those layers' names."""


def extract(graph: Graph, ids: Collection[str], notes: Collection[str] = ()) -> Graph:
    """The chosen nodes with their places, the wires among them, the frames around them alone, and chosen comments."""
    part = Graph(graph.name)
    for node in graph.nodes:
        if node.id in ids:
            part.insert_node(node)
            if node.id in graph.layout:
                part.layout[node.id] = graph.layout[node.id]
    for wire in graph.connections:
        if wire.source in ids and wire.target in ids:
            part.insert_connection(wire)
    part.frames = {f.id: f for f in graph.frames.values() if f.nodes and all(n in ids for n in f.nodes)}
    part.notes = {n.id: n for n in graph.notes.values() if n.id in notes}
    return part


def copy_text(graph: Graph, ids: Collection[str], notes: Collection[str] = ()) -> str:
    """The chosen nodes as the text of a graph file; it also says what fed them, for a paste that keeps that."""
    part = extract(graph, ids, notes)
    fed = [
        {"from": graph.node(wire.source).name, "fromPort": wire.source_port, "to": node.id, "toPort": wire.target_port,
         "place": place}
        for node in part.nodes
        for place, wire in enumerate(graph.incoming(node.id))
        if wire.source not in part
    ]  # fmt: skip
    if fed:
        part.meta[INCOMING] = fed
    return write_graph(part).decode("utf-8")


def paste_text(
    graph: Graph, text: str, at: Point | None = None, *, keep_incoming: bool = False
) -> tuple[Edit, tuple[str, ...]]:
    """The edit that pastes copied text, and the ids the pasted nodes get. EditRefused if the text is no graph.

    With `keep_incoming` the layers that fed the copied ones feed the pasted ones too, where layers of their names are.
    """
    try:
        data = text.encode("utf-8", "surrogatepass")  # half characters are refused by the reader, with their place
        part = from_document(read_json(data, name="the clipboard"), file="the clipboard")
    except (UnusableFile, GraphError) as fault:
        raise EditRefused(str(fault)) from fault
    if not len(part) and not part.notes:
        raise EditRefused("the clipboard holds no layers")
    fed = part.meta.get(INCOMING) if keep_incoming else None
    return paste(graph, part, at, fed=fed if isinstance(fed, list) else ())


def paste(
    graph: Graph, part: Graph, at: Point | None = None, *, fed: Collection[Any] = ()
) -> tuple[Edit, tuple[str, ...]]:
    """The edit that adds a copy of another graph, with fresh ids and names; `at` is where its top left corner goes.

    `fed` are records of wires from outside, as `copy_text` writes them.
    """
    ids = Ids(graph)
    renamed = {node.id: ids.fresh("n") for node in part.nodes}
    names = Names(graph)
    shift = _shift(part, at)
    edits: list[Edit] = []
    for node in part.nodes:
        place = part.layout.get(node.id)
        position = None if place is None else (place[0] + shift[0], place[1] + shift[1])
        edits.append(AddNode(replace(node, id=renamed[node.id], name=names.fresh(node.name)), position=position))
    wires = _wires_of(graph, part, renamed, fed)
    edits.extend(AddConnection(replace(wire, id=ids.fresh("c"))) for wire in wires)
    for frame in part.frames.values():
        inside = tuple(renamed[n] for n in frame.nodes)
        frame_id = ids.fresh("f")
        edits.append(SetFrame(frame_id, replace(frame, id=frame_id, nodes=inside)))
    for note in part.notes.values():
        note_id, (x, y) = ids.fresh("t"), note.position
        edits.append(SetNote(note_id, replace(note, id=note_id, position=(x + shift[0], y + shift[1]))))
    return Batch(tuple(edits), "Paste"), tuple(renamed.values())


def _wires_of(graph: Graph, part: Graph, renamed: dict[str, str], fed: Collection[Any]) -> list[Connection]:
    """The wires of a pasted part between its new nodes, and those from outside at their old places."""
    inner = [replace(w, source=renamed[w.source], target=renamed[w.target]) for w in part.connections]
    outer = [found for record in fed if (found := _from_outside(graph, renamed, record)) is not None]
    if not outer:
        return inner
    wires: list[Connection] = []
    for node in renamed.values():
        into = [w for w in inner if w.target == node]
        for place, outside in outer:
            if outside.target == node:
                into.insert(place, outside)
        wires += into
    return wires


def _from_outside(graph: Graph, renamed: dict[str, str], record: Any) -> tuple[int, Connection] | None:
    """One recorded wire and its place among the inputs; None where the record makes no sense here."""
    if not isinstance(record, dict):
        return None
    name, to, place = record.get("from"), record.get("to"), record.get("place")
    source = graph.named(name) if isinstance(name, str) else None
    if source is None or not isinstance(to, str) or to not in renamed or not isinstance(place, int):
        return None
    ports = [port if isinstance(port := record.get(key), str) else None for key in ("fromPort", "toPort")]
    return max(place, 0), Connection("", source.id, renamed[to], ports[0], ports[1])


def _shift(part: Graph, at: Point | None) -> Point:
    """How far copies move: to `at`, or a little aside so that they do not hide the originals."""
    places = [*part.layout.values(), *(note.position for note in part.notes.values())]
    if not places or at is None:
        return (32.0, 32.0)
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return (at[0] - left, at[1] - top)
