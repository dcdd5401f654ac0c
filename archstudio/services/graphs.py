"""Graphs as clients send them: our file form, or the benchmark's looser one, read as what they mean."""

from collections.abc import Mapping
from typing import Any

from archstudio.graph import Graph, GraphError, from_document
from archstudio.services.requests import BadRequest


def graph_of(value: Any, field: str = "graph") -> Graph:
    """The graph; components may say `componentType` and have no ids, connections may be by name. BadRequest."""
    if not isinstance(value, dict):
        raise BadRequest("A graph is an object with the lists 'components' and 'connections'.", field=field)
    components = _objects(value, "components", field)
    connections = _objects(value, "connections", field)
    if not all("id" in item and "type" in item for item in components):
        components = [_identified(item, place) for place, item in enumerate(components)]
    ids = {item["id"] for item in components if isinstance(item["id"], str)}
    by_name = {item["name"]: item["id"] for item in reversed(components) if isinstance(item.get("name"), str)}
    if not all(_end(wire, "from") in ids and _end(wire, "to") in ids for wire in connections):
        connections = [_by_id(wire, ids, by_name) for wire in connections]
    try:
        return from_document({**value, "components": components, "connections": connections}, file=field)
    except GraphError as error:
        raise BadRequest(str(error), status=422, field=f"{field}.{error.place}") from None


def _objects(graph: Mapping[str, Any], name: str, field: str) -> list[dict[str, Any]]:
    listed = graph.get(name)
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise BadRequest(f"{field}.{name} must be a list of objects.", field=f"{field}.{name}")
    return listed


def _identified(item: dict[str, Any], place: int) -> dict[str, Any]:
    given = {key: value for key, value in item.items() if key != "componentType"}
    kind = item.get("type", item.get("componentType"))
    name = item.get("name", item.get("id"))
    return {**given, "id": item.get("id", f"n{place}"), "type": kind, "name": name}


def _end(wire: Mapping[str, Any], end: str) -> str:
    given = wire.get(end)
    return given if isinstance(given, str) else ""


def _by_id(wire: dict[str, Any], ids: set[str], by_name: Mapping[str, str]) -> dict[str, Any]:
    """The connection with names replaced by ids; what is neither is left for the reader to refuse."""
    ends = {end: wire.get(end, wire.get(f"{end}Name")) for end in ("from", "to")}
    for end, given in ends.items():
        if isinstance(given, str) and given not in ids:
            ends[end] = by_name.get(given, given)
    return {**{key: value for key, value in wire.items() if key not in ("fromName", "toName")}, **ends}
