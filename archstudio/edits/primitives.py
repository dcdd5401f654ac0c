"""The smallest edits; every gesture and every action of the benchmark is made of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from archstudio.edits.base import Edit, EditRefused
from archstudio.graph import Connection, Frame, Graph, Node, Note, Point


def existing_node(graph: Graph, node_id: str) -> Node:
    """The node of this id; EditRefused if there is none."""
    if node_id not in graph:
        raise EditRefused(f"no node has the id {node_id!r}")
    return graph.node(node_id)


def existing_connection(graph: Graph, connection_id: str) -> Connection:
    """The connection of this id; EditRefused if there is none."""
    if not graph.has_connection(connection_id):
        raise EditRefused(f"no connection has the id {connection_id!r}")
    return graph.connection(connection_id)


def node_record(node: Node) -> dict[str, Any]:
    """A node's fields as JSON values."""
    return {
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "params": dict(node.params),
        "meta": dict(node.meta),
        "extra": dict(node.extra),
    }


def node_from_record(record: dict[str, Any]) -> Node:
    """The node that `node_record` wrote."""
    return Node(**record)


def connection_record(connection: Connection) -> dict[str, Any]:
    """A connection's fields as JSON values."""
    return {
        "id": connection.id,
        "source": connection.source,
        "target": connection.target,
        "source_port": connection.source_port,
        "target_port": connection.target_port,
        "extra": dict(connection.extra),
    }


def _place(parts: Mapping[str, Any], part: str) -> int | None:
    """Where a part stands in an ordered mapping; None if it is not there."""
    return list(parts).index(part) if part in parts else None


@dataclass(frozen=True)
class AddNode(Edit, kind="add-node"):
    """Put a node into the graph, at a place in file order and, if given, on the canvas."""

    node: Node
    index: int | None = None
    position: Point | None = None

    def apply(self, graph: Graph) -> Edit:
        try:
            graph.insert_node(self.node, self.index)
        except ValueError as error:
            raise EditRefused(str(error)) from None
        if self.position is not None:
            graph.set_positions({self.node.id: self.position})
        return RemoveNode(self.node.id)

    def record(self) -> dict[str, Any]:
        return {
            "node": node_record(self.node),
            "index": self.index,
            "position": None if self.position is None else list(self.position),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        position = record["position"]
        return cls(node_from_record(record["node"]), record["index"], None if position is None else tuple(position))


@dataclass(frozen=True)
class RemoveNode(Edit, kind="remove-node"):
    """Take a node out; its connections are removed by edits before this one."""

    id: str

    def apply(self, graph: Graph) -> Edit:
        node = existing_node(graph, self.id)
        inverse = AddNode(node, graph.index_of_node(self.id), graph.layout.get(self.id))
        try:
            graph.remove_node(self.id)
        except ValueError as error:
            raise EditRefused(str(error)) from None
        graph.layout.pop(self.id, None)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"id": self.id}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(record["id"])


@dataclass(frozen=True)
class ChangeNode(Edit, kind="change-node"):
    """Put another version of a node in its place (type, name, params or meta differ)."""

    node: Node

    def apply(self, graph: Graph) -> Edit:
        old = existing_node(graph, self.node.id)
        try:
            graph.replace_node(self.node)
        except ValueError as error:
            raise EditRefused(str(error)) from None
        return ChangeNode(old)

    def record(self) -> dict[str, Any]:
        return {"node": node_record(self.node)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(node_from_record(record["node"]))


@dataclass(frozen=True)
class MoveNodeInOrder(Edit, kind="move-node-in-order"):
    """Move a node to another place in file order."""

    id: str
    index: int
    """The place it has afterwards."""

    def apply(self, graph: Graph) -> Edit:
        existing_node(graph, self.id)
        inverse = MoveNodeInOrder(self.id, graph.index_of_node(self.id))
        graph.move_node_in_order(self.id, self.index)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"id": self.id, "index": self.index}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(record["id"], record["index"])


@dataclass(frozen=True)
class AddConnection(Edit, kind="add-connection"):
    """Draw a wire, at a place in file order (default: as the target's last input)."""

    connection: Connection
    index: int | None = None

    def apply(self, graph: Graph) -> Edit:
        try:
            graph.insert_connection(self.connection, self.index)
        except ValueError as error:
            raise EditRefused(str(error)) from None
        return RemoveConnection(self.connection.id)

    def record(self) -> dict[str, Any]:
        return {"connection": connection_record(self.connection), "index": self.index}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(Connection(**record["connection"]), record["index"])


@dataclass(frozen=True)
class RemoveConnection(Edit, kind="remove-connection"):
    """Take a wire away."""

    id: str

    def apply(self, graph: Graph) -> Edit:
        inverse = AddConnection(existing_connection(graph, self.id), graph.index_of_connection(self.id))
        graph.remove_connection(self.id)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"id": self.id}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(record["id"])


@dataclass(frozen=True)
class ChangeConnection(Edit, kind="change-connection"):
    """Put another version of a wire in its place: same id and place in order, other ends or ports."""

    connection: Connection

    def apply(self, graph: Graph) -> Edit:
        old = existing_connection(graph, self.connection.id)
        try:
            graph.replace_connection(self.connection)
        except ValueError as error:
            raise EditRefused(str(error)) from None
        return ChangeConnection(old)

    def record(self) -> dict[str, Any]:
        return {"connection": connection_record(self.connection)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(Connection(**record["connection"]))


@dataclass(frozen=True)
class MoveConnection(Edit, kind="move-connection"):
    """Move a wire to another place in file order: the way a node's inputs are reordered."""

    id: str
    index: int

    def apply(self, graph: Graph) -> Edit:
        existing_connection(graph, self.id)
        inverse = MoveConnection(self.id, graph.index_of_connection(self.id))
        graph.move_connection(self.id, self.index)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"id": self.id, "index": self.index}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(record["id"], record["index"])


@dataclass(frozen=True)
class Move(Edit, kind="move"):
    """Place nodes on the canvas; None takes a position away."""

    positions: dict[str, Point | None]

    def apply(self, graph: Graph) -> Edit:
        inverse = Move({part: graph.layout.get(part) for part in self.positions})
        graph.set_positions(self.positions)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"positions": {k: None if p is None else list(p) for k, p in self.positions.items()}}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls({k: None if p is None else (p[0], p[1]) for k, p in record["positions"].items()})


@dataclass(frozen=True)
class SetFrame(Edit, kind="set-frame"):
    """Put, change or (None) remove a frame; `index` is the place of a new one among the frames (default: last)."""

    id: str
    frame: Frame | None
    index: int | None = None

    def apply(self, graph: Graph) -> Edit:
        inverse = SetFrame(self.id, graph.frames.get(self.id), _place(graph.frames, self.id))
        graph.set_frame(self.id, self.frame, self.index)
        return inverse

    def record(self) -> dict[str, Any]:
        f = self.frame
        if f is None:
            return {"id": self.id, "frame": None, "index": self.index}
        fields: dict[str, Any] = {"title": f.title, "nodes": list(f.nodes), "colour": f.colour}
        fields.update({"collapsed": f.collapsed, "extra": dict(f.extra)})
        return {"id": self.id, "frame": fields, "index": self.index}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        f = record["frame"]
        frame = None if f is None else Frame(record["id"], **{**f, "nodes": tuple(f["nodes"])})
        return cls(record["id"], frame, record.get("index"))


@dataclass(frozen=True)
class SetNote(Edit, kind="set-note"):
    """Put, change or (None) remove a comment; `index` is the place of a new one among them (default: last)."""

    id: str
    note: Note | None
    index: int | None = None

    def apply(self, graph: Graph) -> Edit:
        inverse = SetNote(self.id, graph.notes.get(self.id), _place(graph.notes, self.id))
        graph.set_note(self.id, self.note, self.index)
        return inverse

    def record(self) -> dict[str, Any]:
        n = self.note
        if n is None:
            return {"id": self.id, "note": None, "index": self.index}
        fields = {"text": n.text, "position": list(n.position), "size": list(n.size), "extra": dict(n.extra)}
        return {"id": self.id, "note": fields, "index": self.index}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        n = record["note"]
        note = None
        if n is not None:
            note = Note(record["id"], **{**n, "position": tuple(n["position"]), "size": tuple(n["size"])})
        return cls(record["id"], note, record.get("index"))


@dataclass(frozen=True)
class SetMeta(Edit, kind="set-meta"):
    """Set one key of the graph's meta (`batch`, `sequence`, `mode`, …); None removes it.

    `index` is the place of a new key among the others (default: last).
    """

    key: str
    value: Any
    index: int | None = None

    def apply(self, graph: Graph) -> Edit:
        inverse = SetMeta(self.key, graph.meta.get(self.key), _place(graph.meta, self.key))
        graph.set_meta(self.key, self.value, self.index)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"key": self.key, "value": self.value, "index": self.index}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(record["key"], record["value"], record.get("index"))


@dataclass(frozen=True)
class RenameGraph(Edit, kind="rename-graph"):
    """Give the graph another name."""

    name: str

    def apply(self, graph: Graph) -> Edit:
        inverse = RenameGraph(graph.name)
        graph.rename(self.name)
        return inverse

    def record(self) -> dict[str, Any]:
        return {"name": self.name}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Edit:
        return cls(record["name"])


def set_params(node: Node, /, **changes: Any) -> ChangeNode:
    """Set parameters of a node; a key so set no longer follows the wire."""
    kept = [k for k in node.inferred if k not in changes]
    meta = {k: v for k, v in node.meta.items() if k != "inferred"}
    if kept:
        meta["inferred"] = kept
    return ChangeNode(replace(node, params={**node.params, **changes}, meta=meta))
