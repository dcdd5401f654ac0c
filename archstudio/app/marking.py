"""Edits that mark parts of a graph for people and leave the network as it is: locks, colours, comments, frames."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from archstudio.app.selection import Selection
from archstudio.edits import Batch, ChangeNode, Edit, EditRefused, SetFrame, SetNote
from archstudio.graph import Frame, Graph, Node, Note, Point

NOTE_SIZE = (200.0, 84.0)
LEAST_NOTE = (90.0, 36.0)
"""A comment cannot be made smaller than this, in canvas units."""


def toggle_lock(graph: Graph, ids: Collection[str]) -> Edit:
    """Keep nodes where they are when others are dragged or laid out; or, if all are kept, let go of them."""
    nodes = [graph.node(n) for n in graph.node_ids if n in ids]
    on = not all(is_locked(n) for n in nodes)
    return Batch(tuple(_with_meta(n, "locked", True if on else None) for n in nodes), "Lock" if on else "Unlock")


def fresh_key(part_id: str) -> str:
    """The merge key of making a part and of the first words written for it: both are one step."""
    return f"fresh {part_id}"


def is_locked(node: Node) -> bool:
    """Whether a node stays where it is."""
    return bool(node.meta.get("locked", False))


def colour_nodes(graph: Graph, ids: Collection[str], colour: str | None) -> Edit:
    """Give nodes a colour of their own: the name of a family's hue; None gives them back that of their family."""
    return Batch(tuple(_with_meta(graph.node(n), "colour", colour) for n in graph.node_ids if n in ids), "Colour")


def _with_meta(node: Node, key: str, value: Any) -> Edit:
    meta = {k: v for k, v in node.meta.items() if k != key}
    return ChangeNode(replace(node, meta=meta if value is None else {**meta, key: value}))


def chosen_frame(graph: Graph, selection: Selection) -> Frame | None:
    """The frame that holds exactly the selected nodes, else the smallest one that holds all of them."""
    nodes = selection.nodes
    around = [f for f in graph.frames.values() if nodes and nodes <= set(f.nodes)]
    return min(around, key=lambda f: len(f.nodes), default=None)


def colour_frame(frame: Frame, colour: str | None) -> Edit:
    """Give a frame a colour: the name of a family's hue, or None for grey."""
    return SetFrame(frame.id, replace(frame, colour=colour))


def fold_frame(frame: Frame) -> Edit:
    """Draw an open frame as one node, or a collapsed one as its layers."""
    return SetFrame(frame.id, replace(frame, collapsed=not frame.collapsed))


def title_frame(frame: Frame, title: str) -> Edit:
    """Give a frame another title; EditRefused if it is empty."""
    title = title.strip()
    if not title:
        raise EditRefused("a frame needs a title")
    return SetFrame(frame.id, replace(frame, title=title))


def add_note(graph: Graph, at: Point, text: str = "") -> tuple[Edit, str]:
    """A comment with its top-left corner at a point, and the id it gets."""
    note_id = graph.fresh_id("t")
    return SetNote(note_id, Note(note_id, text, at, NOTE_SIZE)), note_id


def write_note(note: Note, text: str) -> Edit:
    """Give a comment another text."""
    return SetNote(note.id, replace(note, text=text))


def place_note(note: Note, at: Point, size: Point) -> Edit:
    """Give a comment another place or size."""
    size = (max(size[0], LEAST_NOTE[0]), max(size[1], LEAST_NOTE[1]))
    return SetNote(note.id, replace(note, position=at, size=size))


def delete_notes(ids: Collection[str]) -> list[Edit]:
    """The edits that remove comments."""
    return [SetNote(n, None) for n in ids]
