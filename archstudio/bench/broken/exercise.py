"""One broken graph with its hints and repair: drawn as a chain of layers, kept as a file, read back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from archstudio.bench.generate.chains import Layer, chain_wires
from archstudio.bench.tasks import UnknownName
from archstudio.edits.actions.model import Model, clone, hydrate
from archstudio.files.data import data_path
from archstudio.files.strict_json import read_json

SCHEMA: Final = "archstudio.broken/1"


@dataclass(frozen=True)
class Exercise:
    """A broken graph. `goal` says what it should be, `hints` where, what and how, in this order."""

    name: str
    title: str
    code: str
    goal: str
    hints: tuple[str, ...]
    explanation: str
    start: Mapping[str, Any]
    repair: tuple[Mapping[str, Any], ...]

    def model(self) -> Model:
        """A fresh copy of the broken graph."""
        return hydrate(clone(dict(self.start)))

    def actions(self) -> list[dict[str, Any]]:
        """The actions of one repair; others may do as well."""
        listed: list[dict[str, Any]] = clone([dict(action) for action in self.repair])
        return listed

    def plain(self) -> dict[str, Any]:
        """The exercise as its file holds it."""
        return {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "code": self.code,
            "goal": self.goal,
            "hints": list(self.hints),
            "explanation": self.explanation,
            "start": dict(self.start),
            "repair": [dict(action) for action in self.repair],
        }


def drawn(
    title: str,
    code: str,
    *,
    goal: str,
    layers: Sequence[Layer],
    hints: tuple[str, str, str],
    explanation: str,
    repair: Sequence[Mapping[str, Any]],
    wires: Sequence[tuple[str, str]] | None = None,
) -> Exercise:
    """An exercise on a chain of layers, or on layers wired as `wires` says (by name)."""
    name = title.lower().replace(" ", "-").replace(",", "").replace("’", "")
    ids = {item.name: f"n{place}" for place, item in enumerate(layers)}
    components = [
        {"id": ids[item.name], "type": item.kind, "name": item.name, "params": clone(item.params)} for item in layers
    ]
    connections = [
        {"id": f"c{place}", "from": ids[left], "to": ids[right]}
        for place, (left, right) in enumerate(chain_wires(layers) if wires is None else wires)
    ]
    start = {"name": name, "components": components, "connections": connections}
    return Exercise(name, title, code, goal, hints, explanation, start, tuple(repair))


def exercise_names() -> tuple[str, ...]:
    """The names of all exercises, in the order they are offered."""
    content: Any = read_json(data_path("fixtures", "broken", "index.json"))
    return tuple(content["exercises"])


@cache
def exercise(name: str) -> Exercise:
    """The exercise of this name; raises UnknownName."""
    names = exercise_names()
    if name not in names:
        raise UnknownName("exercise", name, names)
    held: Any = read_json(data_path("fixtures", "broken", f"{name}.json"))
    return Exercise(
        name=held["name"],
        title=held["title"],
        code=held["code"],
        goal=held["goal"],
        hints=tuple(held["hints"]),
        explanation=held["explanation"],
        start=held["start"],
        repair=tuple(held["repair"]),
    )
