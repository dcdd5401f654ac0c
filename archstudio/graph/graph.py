"""The one mutable graph; every room above reads it, and edits change it through the few methods here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from archstudio.graph.change import Change, ChangeKind
from archstudio.graph.parts import Connection, Frame, Node, Note, Point

Watcher: TypeAlias = Callable[[Change], None]
Part = TypeVar("Part")


def name_stem(name: str) -> str:
    """What numbers are put behind to tell like-named nodes apart: `conv` for `conv1`."""
    return name.rstrip("0123456789") or name


class Graph:
    """Nodes and connections in file order, with the wiring indexed both ways.

    Ids are unique; node names are kept unique by whoever adds nodes (`unique_name`). Each mutator keeps the indexes
    true, tells the watchers, and costs the size of the change (a mid-list insertion also moves list entries).
    Mutators are called by edits only: everybody else pushes an edit so that it can be undone.
    """

    def __init__(self, name: str = "untitled") -> None:
        self.name = name
        self.meta: dict[str, Any] = {}
        self.extra: dict[str, Any] = {}
        self.layout: dict[str, Point] = {}
        self.frames: dict[str, Frame] = {}
        self.notes: dict[str, Note] = {}
        self._nodes: dict[str, Node] = {}
        self._order: list[str] = []
        self._connections: dict[str, Connection] = {}
        self._connection_order: list[str] = []
        self._ranks: dict[str, float] | None = None
        """Numbers that rise along `_connection_order`; None until somebody needs them."""
        self._incoming: dict[str, list[str]] = {}
        self._outgoing: dict[str, list[str]] = {}
        self._by_name: dict[str, str] = {}
        self._watchers: list[Watcher] = []

    # ---------------------------------------------------------------- reading

    def __len__(self) -> int:
        return len(self._nodes)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._nodes

    @property
    def nodes(self) -> Iterator[Node]:
        """All nodes, in file order."""
        return (self._nodes[i] for i in self._order)

    @property
    def node_ids(self) -> tuple[str, ...]:
        """Ids of all nodes, in file order."""
        return tuple(self._order)

    @property
    def connections(self) -> Iterator[Connection]:
        """All connections, in file order, which is also the order of each node's inputs."""
        return (self._connections[i] for i in self._connection_order)

    @property
    def connection_ids(self) -> tuple[str, ...]:
        """Ids of all connections, in file order."""
        return tuple(self._connection_order)

    def node(self, node_id: str) -> Node:
        """The node with this id; KeyError if there is none."""
        return self._nodes[node_id]

    def connection(self, connection_id: str) -> Connection:
        """The connection with this id; KeyError if there is none."""
        return self._connections[connection_id]

    def has_connection(self, connection_id: str) -> bool:
        """Whether a connection of this id exists."""
        return connection_id in self._connections

    def named(self, name: str) -> Node | None:
        """The node of this name, if any."""
        node_id = self._by_name.get(name)
        return None if node_id is None else self._nodes[node_id]

    def incoming(self, node_id: str) -> list[Connection]:
        """Connections into a node, in input order."""
        return [self._connections[i] for i in self._incoming[node_id]]

    def incoming_count(self, node_id: str) -> int:
        """How many connections lead into a node."""
        return len(self._incoming[node_id])

    def outgoing(self, node_id: str) -> list[Connection]:
        """Connections out of a node, in file order."""
        return [self._connections[i] for i in self._outgoing[node_id]]

    def between(self, source: str, target: str) -> list[Connection]:
        """Connections from one node straight to another, in file order."""
        return [c for c in self.outgoing(source) if c.target == target]

    def index_of_node(self, node_id: str) -> int:
        """Position of a node in file order."""
        return self._order.index(node_id)

    def index_of_connection(self, connection_id: str) -> int:
        """Position of a connection in file order."""
        return self._connection_order.index(connection_id)

    def place_among_inputs(self, connection_id: str) -> int:
        """Which of the connections into its target it is, in file order, from 0."""
        return self._incoming[self._connections[connection_id].target].index(connection_id)

    def fresh_id(self, prefix: str) -> str:
        """An id `prefix<k>` that no part of this graph uses."""
        k = len(self._nodes) + len(self._connections)
        while any(f"{prefix}{k}" in taken for taken in (self._nodes, self._connections, self.frames, self.notes)):
            k += 1
        return f"{prefix}{k}"

    def unique_name(self, wanted: str) -> str:
        """`wanted`, or `wanted2`, `wanted3`, … if a node has that name already."""
        if wanted not in self._by_name:
            return wanted
        stem = name_stem(wanted)
        k = 2
        while f"{stem}{k}" in self._by_name:
            k += 1
        return f"{stem}{k}"

    def copy(self) -> Graph:
        """Another graph of the same parts (they are immutable), which nobody watches yet."""
        twin = Graph(self.name)
        twin.meta, twin.extra, twin.layout = dict(self.meta), dict(self.extra), dict(self.layout)
        twin.frames, twin.notes = dict(self.frames), dict(self.notes)
        twin._nodes, twin._order, twin._by_name = dict(self._nodes), list(self._order), dict(self._by_name)
        twin._connections, twin._connection_order = dict(self._connections), list(self._connection_order)
        twin._incoming = {n: list(wires) for n, wires in self._incoming.items()}
        twin._outgoing = {n: list(wires) for n, wires in self._outgoing.items()}
        return twin

    # --------------------------------------------------------------- watching

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Call `watcher` after each change; returns the function that ends it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def _tell(self, kind: ChangeKind, part: str, nodes: tuple[str, ...] = ()) -> None:
        for watcher in tuple(self._watchers):
            watcher(Change(kind, part, nodes))

    # ------------------------------------------- mutators (called by edits only)

    def insert_node(self, node: Node, index: int | None = None) -> None:
        """Add a node at a place in file order (default: last)."""
        if node.id in self._nodes:
            raise ValueError(f"node id {node.id!r} is taken")
        if node.name in self._by_name:
            raise ValueError(f"node name {node.name!r} is taken")
        self._nodes[node.id] = node
        self._by_name[node.name] = node.id
        self._order.insert(len(self._order) if index is None else index, node.id)
        self._incoming[node.id] = []
        self._outgoing[node.id] = []
        self._tell(ChangeKind.NODE_ADDED, node.id)

    def remove_node(self, node_id: str) -> None:
        """Take a node out; its connections must be gone already."""
        if self._incoming[node_id] or self._outgoing[node_id]:
            raise ValueError(f"node {self._nodes[node_id].name!r} still has connections")
        node = self._nodes.pop(node_id)
        del self._by_name[node.name]
        self._order.remove(node_id)
        del self._incoming[node_id], self._outgoing[node_id]
        self._tell(ChangeKind.NODE_REMOVED, node_id)

    def replace_node(self, node: Node) -> None:
        """Put another version of a node (same id) in its place."""
        old = self._nodes[node.id]
        if node.name != old.name:
            if node.name in self._by_name:
                raise ValueError(f"node name {node.name!r} is taken")
            del self._by_name[old.name]
            self._by_name[node.name] = node.id
        self._nodes[node.id] = node
        self._tell(ChangeKind.NODE_CHANGED, node.id)

    def move_node_in_order(self, node_id: str, index: int) -> None:
        """Move a node to another place in file order."""
        self._order.remove(node_id)
        self._order.insert(index, node_id)
        self._tell(ChangeKind.META, node_id)

    def insert_connection(self, connection: Connection, index: int | None = None) -> None:
        """Add a connection at a place in file order (default: last); both ends must exist."""
        if connection.id in self._connections:
            raise ValueError(f"connection id {connection.id!r} is taken")
        for end in (connection.source, connection.target):
            if end not in self._nodes:
                raise ValueError(f"connection {connection.id!r} names node {end!r}, which does not exist")
        self._connections[connection.id] = connection
        at_end = index is None or index >= len(self._connection_order)
        self._connection_order.insert(len(self._connection_order) if index is None else index, connection.id)
        self._rank_at(len(self._connection_order) - 1 if at_end or index is None else index)
        self._incoming[connection.target].append(connection.id)
        self._outgoing[connection.source].append(connection.id)
        if not at_end:
            self._restore_order(connection)
        self._tell(ChangeKind.CONNECTION_ADDED, connection.id, (connection.target,))

    def remove_connection(self, connection_id: str) -> None:
        """Take a connection out."""
        connection = self._connections.pop(connection_id)
        self._connection_order.remove(connection_id)
        if self._ranks is not None:
            del self._ranks[connection_id]
        self._incoming[connection.target].remove(connection_id)
        self._outgoing[connection.source].remove(connection_id)
        self._tell(ChangeKind.CONNECTION_REMOVED, connection_id, (connection.target,))

    def replace_connection(self, connection: Connection) -> None:
        """Put another version of a connection (same id, same place in order) in its place; ends may differ."""
        old = self._connections[connection.id]
        for end in (connection.source, connection.target):
            if end not in self._nodes:
                raise ValueError(f"connection {connection.id!r} names node {end!r}, which does not exist")
        self._connections[connection.id] = connection
        self._incoming[old.target].remove(connection.id)
        self._outgoing[old.source].remove(connection.id)
        self._incoming[connection.target].append(connection.id)
        self._outgoing[connection.source].append(connection.id)
        self._restore_order(connection)
        nodes = (old.target,) if old.target == connection.target else (old.target, connection.target)
        self._tell(ChangeKind.CONNECTION_CHANGED, connection.id, nodes)

    def move_connection(self, connection_id: str, index: int) -> None:
        """Move a connection to another place in file order, which may reorder its target's inputs."""
        connection = self._connections[connection_id]
        self._connection_order.remove(connection_id)
        self._connection_order.insert(index, connection_id)
        if self._ranks is not None:
            del self._ranks[connection_id]
            self._rank_at(min(index, len(self._connection_order) - 1))
        self._restore_order(connection)
        self._tell(ChangeKind.CONNECTION_CHANGED, connection_id, (connection.target,))

    def _restore_order(self, connection: Connection) -> None:
        """Sort the two wiring lists a connection is in by file order again."""
        touched = (self._incoming[connection.target], self._outgoing[connection.source])
        if all(len(wiring) < 2 for wiring in touched):
            return
        if self._ranks is None:
            self._ranks = {c: float(k) for k, c in enumerate(self._connection_order)}
        for wiring in touched:
            wiring.sort(key=self._ranks.__getitem__)

    def _rank_at(self, index: int) -> None:
        """Give the new wire at this index a rank between its neighbours'; where there is none, all are counted anew."""
        ranks, order = self._ranks, self._connection_order
        if ranks is None:
            return
        before = ranks[order[index - 1]] if index > 0 else None
        after = ranks[order[index + 1]] if 0 <= index < len(order) - 1 else None
        if before is None or after is None:
            rank = before + 1 if before is not None else after - 1 if after is not None else 0.0
        else:
            rank = (before + after) / 2
        if rank in (before, after) or index < 0:
            self._ranks = None
        else:
            ranks[order[index]] = rank

    def set_positions(self, positions: Mapping[str, Point | None]) -> None:
        """Place nodes on the canvas; None takes a position away."""
        for part, point in positions.items():
            if point is None:
                self.layout.pop(part, None)
            else:
                self.layout[part] = point
            self._tell(ChangeKind.MOVED, part)

    def set_frame(self, frame_id: str, frame: Frame | None, index: int | None = None) -> None:
        """Put (at a place in their order, default last), change or (None) remove a frame."""
        _put(self.frames, frame_id, frame, index)
        self._tell(ChangeKind.FRAMES, frame_id)

    def set_note(self, note_id: str, note: Note | None, index: int | None = None) -> None:
        """Put (at a place in their order, default last), change or (None) remove a note."""
        _put(self.notes, note_id, note, index)
        self._tell(ChangeKind.NOTES, note_id)

    def set_meta(self, key: str, value: Any, index: int | None = None) -> None:
        """Set one key of the graph's `meta` (batch, sequence, mode, …), if new at a place; None removes it."""
        _put(self.meta, key, value, index)
        self._tell(ChangeKind.META, key)

    def rename(self, name: str) -> None:
        """Give the graph another name."""
        self.name = name
        self._tell(ChangeKind.META, "name")


def _put(parts: dict[str, Part], part_id: str, part: Part | None, index: int | None) -> None:
    """Set one entry of an ordered dict; None removes it, and `index` is the place of one that is new."""
    if part is None:
        parts.pop(part_id, None)
        return
    behind: dict[str, Part] = {}
    if index is not None and part_id not in parts:
        behind = {k: parts.pop(k) for k in list(parts)[index:]}
    parts[part_id] = part
    parts.update(behind)
