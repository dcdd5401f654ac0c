"""Checks the parts of a task row, so that no task reaches the grader whose limits it would misread."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from archstudio.edits.actions.javascript import is_number


class RowFault(ValueError):
    """A part of a task row cannot be used; `place` is its path in the row, `problem` says what is wrong."""

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.place = place
        self.problem = problem


def checked_limits(value: Any) -> dict[str, Any]:
    """The constraints of a task; a limit the grader does not know is refused, not ignored."""
    if not isinstance(value, dict):
        raise RowFault("constraints", "must be an object of limits")
    for name, limit in value.items():
        check = _LIMITS.get(name)
        if check is None:
            raise RowFault(f"constraints.{name}", f"is no limit this program knows ({', '.join(_LIMITS)})")
        wrong = check(limit)
        if wrong:
            raise RowFault(f"constraints.{name}", wrong)
    return dict(value)


def checked_budget(value: Any) -> dict[str, Any]:
    """The budget that scoring reads; absent or null is none."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RowFault("budget", "must be an object")
    if "maxParams" in value and not is_number(value["maxParams"]):
        raise RowFault("budget.maxParams", "must be a number")
    return dict(value)


def checked_graph(value: Any) -> dict[str, Any]:
    """The components and connections of a starting graph: typed, named, with ids of their own and no loose wire."""
    if not isinstance(value, dict):
        raise RowFault("start", "must be the name of a starting graph, or a graph")
    components, connections = _objects(value, "components"), _objects(value, "connections")
    ids: set[str] = set()
    for place, item in enumerate(components):
        _check_component(f"start.components[{place}]", item)
        if item["id"] in ids:
            raise RowFault(f"start.components[{place}].id", f"{item['id']!r} is taken")
        ids.add(item["id"])
    for place, wire in enumerate(connections):
        for end in ("from", "to"):
            given = wire.get(end)
            if not isinstance(given, str) or given not in ids:
                raise RowFault(f"start.connections[{place}].{end}", f"{given!r} is no component's id")
    return {"components": components, "connections": connections}


def checked_actions(value: Any) -> list[dict[str, Any]] | None:
    """The actions of a reference solution, given as a list or as an object with the list `actions`."""
    listed = value.get("actions") if isinstance(value, dict) else value
    if listed is None:
        return None
    if not isinstance(listed, list) or not all(isinstance(action, dict) for action in listed):
        raise RowFault("reference", "must be a list of actions")
    return list(listed)


def _check_component(place: str, item: Mapping[str, Any]) -> None:
    for name in ("id", "type", "name"):
        if not isinstance(item.get(name), str) or not item[name]:
            raise RowFault(f"{place}.{name}", "must be text that is not empty")
    if not isinstance(item.get("params", {}), dict):
        raise RowFault(f"{place}.params", "must be an object")


def _objects(graph: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    listed = graph.get(name)
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        raise RowFault(f"start.{name}", "must be a list of objects")
    return list(listed)


def _number(limit: Any) -> str | None:
    return None if is_number(limit) else "must be a number"


def _switch(limit: Any) -> str | None:
    return None if isinstance(limit, bool) else "must be true or false"


def _names(limit: Any) -> str | None:
    listed = isinstance(limit, list) and all(isinstance(name, str) and name for name in limit)
    return None if listed else "must be a list of names"


def _decode_limit(limit: Any) -> str | None:
    if not isinstance(limit, dict) or not is_number(limit.get("value")) or not isinstance(limit.get("machine"), str):
        return "must be an object with a number 'value' (ms) and the name of a 'machine'"
    return None


_LIMITS: Final[Mapping[str, Callable[[Any], str | None]]] = {
    "forbidBlockers": _switch,
    "minScore": _number,
    "maxParams": _number,
    "minParams": _number,
    "maxKvBytesPerToken": _number,
    "minComponents": _number,
    "mustContainTypes": _names,
    "mustContainTypesAny": _names,
    "mustReachOutput": _switch,
    "maxActions": _number,
    "forbidActionTypes": _names,
    "mustContainTypesOnPath": _names,
    "maxDecodeMs": _decode_limit,
    "maxMacs": _number,
    "maxActivationBytes": _number,
    "mustRun": _switch,
}
