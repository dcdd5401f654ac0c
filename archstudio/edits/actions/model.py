"""Arch-Bench's graph as lenient plain data: fixtures made whole, and the wiring every later step walks along.

A model is a dict {name, components, connections}; a component {id, type, name, params, inputs, outputs}; a connection
{id, from, to} of component ids. Nothing about it is guaranteed: names may repeat or be missing, wires may dangle,
types may be null. The order of both lists is part of the meaning.
"""

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from archstudio.edits.actions.javascript import UNDEFINED, double, is_number, key, spread, to_text, truthy

Model: TypeAlias = dict[str, Any]
Component: TypeAlias = dict[str, Any]


def clone(value: Any) -> Any:
    """A deep copy of JSON-like data."""
    if isinstance(value, dict):
        return {name: clone(item) for name, item in value.items()}
    if isinstance(value, list):
        return [clone(item) for item in value]
    return value


def hydrate(fixture: Mapping[str, Any]) -> Model:
    """The model a compact fixture stands for: connections get ids c0, c1, … and components their neighbours."""
    components = [
        {**item, "id": item.get("id"), "params": spread(item.get("params"))} for item in fixture["components"]
    ]
    connections = [
        {"id": item.get("id", f"c{place}"), "from": item.get("from"), "to": item.get("to")}
        for place, item in enumerate(fixture["connections"])
    ]
    model: Model = {"name": fixture.get("name"), "components": components, "connections": connections}
    relink(model)
    return model


def relink(model: Model) -> None:
    """Rebuild every component's `inputs` and `outputs` in connection order, duplicates kept."""
    into: dict[Hashable, list[Any]] = {}
    out_of: dict[Hashable, list[Any]] = {}
    for wire in model["connections"]:
        into.setdefault(key(wire["to"]), []).append(wire["from"])
        out_of.setdefault(key(wire["from"]), []).append(wire["to"])
    for component in model["components"]:
        component["inputs"] = list(into.get(key(component.get("id", UNDEFINED)), []))
        component["outputs"] = list(out_of.get(key(component.get("id", UNDEFINED)), []))


def type_of(component: Component) -> str:
    """The component's type, or "" where it has none that could mean anything."""
    kind = component.get("type")
    return kind if isinstance(kind, str) else ""


def name_text(component: Component) -> str:
    """The component's name as it stands in messages; a missing one reads "undefined"."""
    return to_text(component.get("name", UNDEFINED))


def number(component: Component, name: str) -> float:
    """The parameter `name` where it is a number (NaN included), else 0: booleans and quoted digits are none."""
    value = component["params"].get(name)
    return double(value) if is_number(value) else 0.0


def size(component: Component, *names: str) -> float:
    """The first of these parameters that is a number and neither 0 nor NaN, else 0 (a falsy chain)."""
    values = (number(component, name) for name in names)
    return next((value for value in values if truthy(value)), 0.0)


class Wiring:
    """Who feeds whom in one model, by position in its component list; wires with an unknown end are left out."""

    def __init__(self, model: Model) -> None:
        self.components: list[Component] = model["components"]
        self.children: list[list[int]] = [[] for _ in self.components]
        self.parents: list[list[int]] = [[] for _ in self.components]
        self.fed: set[int] = set()
        places = {key(item.get("id", UNDEFINED)): place for place, item in enumerate(self.components)}
        for wire in model["connections"]:
            self._add(places.get(key(wire["from"])), places.get(key(wire["to"])))

    def _add(self, source: int | None, target: int | None) -> None:
        if target is None:
            return
        self.fed.add(target)
        if source is not None:
            self.children[source].append(target)
            self.parents[target].append(source)

    def of_type(self, *kinds: str) -> list[int]:
        """Positions of the components of these types, in list order."""
        return [place for place, item in enumerate(self.components) if type_of(item) in kinds]

    @cached_property
    def after_inputs(self) -> frozenset[int]:
        """Everything an input reaches, inputs included."""
        return _closure(self.of_type("input"), self.children)

    @cached_property
    def before_outputs(self) -> frozenset[int]:
        """Everything that reaches an output, outputs included."""
        return _closure(self.of_type("output"), self.parents)

    @property
    def on_path(self) -> frozenset[int]:
        """Every component on some directed path from an input to an output."""
        return self.after_inputs & self.before_outputs

    @property
    def reaches(self) -> bool:
        """Whether some input has a directed path to some output."""
        return any(place in self.after_inputs for place in self.of_type("output"))

    @cached_property
    def order(self) -> list[int]:
        """Kahn's order: ready components first come, first served, children in wire order; cycles never come."""
        waiting = [len(parents) for parents in self.parents]
        order = [place for place, count in enumerate(waiting) if count == 0]
        for place in order:  # grows while it is walked
            for child in self.children[place]:
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        return order


def _closure(start: Iterable[int], neighbours: list[list[int]]) -> frozenset[int]:
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for place in neighbours[waiting.pop()]:
            if place not in seen:
                seen.add(place)
                waiting.append(place)
    return frozenset(seen)
