"""Copying part of a graph as readable JSON text, and pasting such text."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from archstudio.edits.base import Batch, Edit, EditRefused
from archstudio.edits.compose import Ids, Names
from archstudio.edits.primitives import AddConnection, AddNode, SetFrame
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Graph, GraphError, Point, from_document, write_graph


def extract(graph: Graph, ids: Collection[str]) -> Graph:
    """The chosen nodes with their places, the wires among them and the frames around them alone, as a graph."""
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
    return part


def copy_text(graph: Graph, ids: Collection[str]) -> str:
    """The chosen nodes as the text of a graph file."""
    return write_graph(extract(graph, ids)).decode("utf-8")


def paste_text(graph: Graph, text: str, at: Point | None = None) -> tuple[Edit, tuple[str, ...]]:
    """The edit that pastes copied text, and the ids the pasted nodes get. EditRefused if the text is no graph."""
    try:
        part = from_document(read_json(text.encode("utf-8"), name="the clipboard"), file="the clipboard")
    except (UnusableFile, GraphError) as fault:
        raise EditRefused(str(fault)) from fault
    if not len(part):
        raise EditRefused("the clipboard holds no layers")
    return paste(graph, part, at)


def paste(graph: Graph, part: Graph, at: Point | None = None) -> tuple[Edit, tuple[str, ...]]:
    """The edit that adds a copy of another graph, with fresh ids and names; `at` is where its top left corner goes."""
    ids = Ids(graph)
    renamed = {node.id: ids.fresh("n") for node in part.nodes}
    names = Names(graph)
    shift = _shift(part, at)
    edits: list[Edit] = []
    for node in part.nodes:
        place = part.layout.get(node.id)
        position = None if place is None else (place[0] + shift[0], place[1] + shift[1])
        edits.append(AddNode(replace(node, id=renamed[node.id], name=names.fresh(node.name)), position=position))
    for wire in part.connections:
        source, target = renamed[wire.source], renamed[wire.target]
        edits.append(AddConnection(replace(wire, id=ids.fresh("c"), source=source, target=target)))
    for frame in part.frames.values():
        inside = tuple(renamed[n] for n in frame.nodes)
        frame_id = ids.fresh("f")
        edits.append(SetFrame(frame_id, replace(frame, id=frame_id, nodes=inside)))
    return Batch(tuple(edits), "Paste"), tuple(renamed.values())


def _shift(part: Graph, at: Point | None) -> Point:
    """How far copies move: to `at`, or a little aside so that they do not hide the originals."""
    if not part.layout or at is None:
        return (32.0, 32.0)
    left = min(x for x, _ in part.layout.values())
    top = min(y for _, y in part.layout.values())
    return (at[0] - left, at[1] - top)
