"""The file form of a graph: Arch-Bench's JSON plus optional fields that other readers ignore."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from itertools import count
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from archstudio.files.strict_json import dump_json, read_json
from archstudio.graph.graph import Graph
from archstudio.graph.parts import Connection, Frame, Node, Note

SCHEMA = 1
"""Version of the document form written; older ones are migrated when read."""


DERIVED = frozenset({"inputs", "outputs"})
"""Lists of neighbours that Arch-Bench keeps in components: the connections say the same, and go on being true."""

_DANGLING = "Remove the connection or add the component it names."


class GraphError(ValueError):
    """A graph file that cannot be used, with the place, the value and the remedy."""

    def __init__(self, file: str, place: str, problem: str, remedy: str) -> None:
        super().__init__(f"{file}: {place}: {problem}. {remedy}")
        self.file, self.place, self.problem, self.remedy = file, place, problem, remedy


class _Record(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)


PointRecord: TypeAlias = Annotated[tuple[float, float], Field(strict=False)]
"""Two numbers; JSON has lists where Python has tuples."""


class ComponentRecord(_Record):
    """A node as written in a file."""

    id: str = Field(min_length=1)
    type: str = Field(min_length=1)
    name: str = Field(min_length=1)
    params: dict[str, Any] = Field(default_factory=dict)
    meta: dict[str, Any] = Field(default_factory=dict)


class ConnectionRecord(_Record):
    """A wire as written in a file; `id` may be absent (fixture form) and is then c0, c1, …"""

    id: str | None = None
    source: str = Field(alias="from")
    target: str = Field(alias="to")
    source_port: str | None = Field(default=None, alias="fromPort")
    target_port: str | None = Field(default=None, alias="toPort")


class FrameRecord(_Record):
    """A frame as written in a file."""

    id: str
    title: str = ""
    nodes: list[str] = Field(default_factory=list)
    colour: str | None = None
    collapsed: bool = False


class NoteRecord(_Record):
    """A comment as written in a file."""

    id: str
    text: str = ""
    position: PointRecord = (0.0, 0.0)
    size: PointRecord = (180.0, 80.0)


class GraphRecord(_Record):
    """A whole graph file."""

    schema_: int = Field(default=SCHEMA, alias="schema", ge=1)
    name: str = "untitled"
    components: list[ComponentRecord]
    connections: list[ConnectionRecord]
    layout: dict[str, PointRecord] = Field(default_factory=dict)
    frames: list[FrameRecord] = Field(default_factory=list)
    notes: list[NoteRecord] = Field(default_factory=list)
    meta: dict[str, Any] = Field(default_factory=dict)


def from_document(document: object, *, file: str = "graph") -> Graph:
    """Build a graph from parsed JSON; GraphError names file, place, value and remedy."""
    try:
        record = GraphRecord.model_validate(document)
    except ValidationError as error:
        raise _first_error(error, file) from None
    if record.schema_ > SCHEMA:
        raise GraphError(
            file, "schema", f"is {record.schema_}, this program reads up to {SCHEMA}", "Update Arch Studio."
        )
    graph = Graph(record.name)
    graph.meta = {k: v for k, v in record.meta.items() if v is not None}
    graph.extra = dict(record.model_extra or {})
    _refuse_infinite(record.meta, "meta", file)
    _refuse_infinite(graph.extra, "", file)
    _add_nodes(graph, record, file)
    _add_connections(graph, record, file)
    _add_drawing(graph, record, file)
    return graph


def _refuse_infinite(value: Any, place: str, file: str) -> None:
    """GraphError at the first NaN or infinity: JSON has no such numbers, so the graph could not be saved."""
    if isinstance(value, float) and not math.isfinite(value):
        raise GraphError(file, place, f"is {value}", "Give it a finite number.")
    if isinstance(value, dict):
        for k, inner in value.items():
            _refuse_infinite(inner, f"{place}.{k}" if place else k, file)
    elif isinstance(value, list | tuple):
        for k, inner in enumerate(value):
            _refuse_infinite(inner, f"{place}[{k}]", file)


def _extra(record: _Record, derived: Collection[str] = ()) -> dict[str, Any]:
    return {k: v for k, v in (record.model_extra or {}).items() if k not in derived}


def _add_drawing(graph: Graph, record: GraphRecord, file: str) -> None:
    """What only the canvas shows: positions, frames and comments. Nodes that do not exist are left out."""
    graph.layout = {k: (float(x), float(y)) for k, (x, y) in record.layout.items() if k in graph}
    _refuse_infinite(graph.layout, "layout", file)
    for k, f in enumerate(record.frames):
        if f.id in graph.frames:
            raise GraphError(file, f"frames[{k}]", f"frame id {f.id!r} is taken", "Give every frame an id of its own.")
        nodes = tuple(n for n in f.nodes if n in graph)
        graph.frames[f.id] = Frame(f.id, f.title, nodes, f.colour, f.collapsed, _extra(f))
    for k, n in enumerate(record.notes):
        if n.id in graph.notes:
            raise GraphError(file, f"notes[{k}]", f"note id {n.id!r} is taken", "Give every note an id of its own.")
        graph.notes[n.id] = Note(n.id, n.text, n.position, n.size, _extra(n))
        _refuse_infinite([*n.position, *n.size], f"notes[{k}]", file)


def _add_nodes(graph: Graph, record: GraphRecord, file: str) -> None:
    for k, c in enumerate(record.components):
        node = Node(c.id, c.type, c.name, dict(c.params), dict(c.meta), _extra(c, DERIVED))
        _refuse_infinite({"params": c.params, "meta": c.meta, **node.extra}, f"components[{k}]", file)
        try:
            graph.insert_node(node)
        except ValueError as error:
            remedy = "Give every component an id and a name of its own."
            raise GraphError(file, f"components[{k}]", str(error), remedy) from None


def _add_connections(graph: Graph, record: GraphRecord, file: str) -> None:
    given = {c.id for c in record.connections if c.id}
    for k, c in enumerate(record.connections):
        wire_id = c.id or next(i for i in (f"c{j}" for j in count(k)) if i not in given)
        given.add(wire_id)
        wire = Connection(wire_id, c.source, c.target, c.source_port, c.target_port, _extra(c))
        _refuse_infinite(wire.extra, f"connections[{k}]", file)
        try:
            graph.insert_connection(wire)
        except ValueError as error:
            taken = graph.has_connection(wire.id)
            remedy = "Give every connection an id of its own, or none." if taken else _DANGLING
            raise GraphError(file, f"connections[{k}]", str(error), remedy) from None


_EXPECTED: Mapping[str, str] = {
    "model_type": "an object",
    "dict_type": "an object",
    "list_type": "a list",
    "string_type": "text",
    "string_too_short": "text that is not empty",
    "int_type": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list of two numbers",
    "too_long": "a list of two numbers",
    "greater_than_equal": "at least 1",
}
"""What a field should have held, by pydantic's name of the error."""


def _first_error(error: ValidationError, file: str) -> GraphError:
    first = error.errors()[0]
    steps, kind, value = first["loc"], first["type"], first.get("input")
    if kind == "missing" and isinstance(steps[-1], int):  # half a point: it is the whole that is wrong
        steps, kind = steps[:-1], "tuple_type"
    place = ""
    for step in steps:
        place += f"[{step}]" if isinstance(step, int) else ("." if place else "") + str(step)
    if kind == "missing":
        problem = "is missing"
    elif kind in _EXPECTED:
        problem = f"should be {_EXPECTED[kind]}, is {_shown(value)}"
    else:
        problem = f"{first['msg']}, got {_shown(value)}"
    more = f" ({error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return GraphError(file, place or "top level", problem + more, _remedy(kind, place))


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr, skipkeys=True)
    return text if len(text) <= 60 else text[:57] + "..."


def _remedy(kind: str, place: str) -> str:
    if kind == "missing":
        return f"Add the field {place.rsplit('.', 1)[-1]!r}."
    if not place:
        return "A graph is an object with the lists 'components' and 'connections'."
    return "Correct the value."


def to_document(graph: Graph) -> dict[str, Any]:
    """The JSON form of a graph; optional fields appear only where they hold something."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "name": graph.name,
        "components": [_component(n) for n in graph.nodes],
        "connections": [_connection(c) for c in graph.connections],
    }
    optional: Mapping[str, Any] = {
        "layout": {n: list(graph.layout[n]) for n in graph.node_ids if n in graph.layout},
        "frames": [_frame(f, graph) for f in graph.frames.values()],
        "notes": [
            {"id": n.id, "text": n.text, "position": list(n.position), "size": list(n.size), **n.extra}
            for n in graph.notes.values()
        ],
        "meta": graph.meta,
    }
    document.update({k: v for k, v in optional.items() if v})
    document.update(graph.extra)
    return document


def _component(node: Node) -> dict[str, Any]:
    record: dict[str, Any] = {"id": node.id, "type": node.type, "name": node.name, "params": dict(node.params)}
    if node.meta:
        record["meta"] = dict(node.meta)
    return {**record, **node.extra}


def _connection(connection: Connection) -> dict[str, Any]:
    record: dict[str, Any] = {"id": connection.id, "from": connection.source, "to": connection.target}
    if connection.source_port is not None:
        record["fromPort"] = connection.source_port
    if connection.target_port is not None:
        record["toPort"] = connection.target_port
    return {**record, **connection.extra}


def _frame(frame: Frame, graph: Graph) -> dict[str, Any]:
    nodes = [n for n in frame.nodes if n in graph]
    record: dict[str, Any] = {"id": frame.id, "title": frame.title, "nodes": nodes}
    if frame.colour is not None:
        record["colour"] = frame.colour
    if frame.collapsed:
        record["collapsed"] = True
    return {**record, **frame.extra}


def read_graph(path: Path) -> Graph:
    """Read a graph file strictly; GraphError or UnusableFile says what is wrong with it."""
    return from_document(read_json(path, name=path.name), file=path.name)


def write_graph(graph: Graph) -> bytes:
    """The bytes of a graph file: readable JSON, the same bytes for the same graph."""
    return dump_json(to_document(graph)).encode("utf-8")
