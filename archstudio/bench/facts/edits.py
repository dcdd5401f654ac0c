"""Facts about what an edit must leave as it was."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from archstudio.bench.facts.view import Judgement, View
from archstudio.edits.actions.javascript import json_text
from archstudio.edits.actions.model import Model, Wiring, name_text, type_of


@dataclass(frozen=True)
class Keeps:
    """Layers of these names (with their types) are still there, between input and output."""

    layers: tuple[tuple[str, str], ...]

    @classmethod
    def all_of(cls, start: Model) -> "Keeps":
        """Every layer of the starting graph."""
        return cls(tuple((name_text(item), type_of(item)) for item in start["components"]))

    @property
    def text(self) -> str:
        if len(self.layers) <= 3:
            return f"{', '.join(name for name, _ in self.layers)} kept"
        return "Every layer of the starting graph kept"

    def judge(self, view: View) -> Judgement:
        there = {(view.name(place), view.kind(place)) for place in view.wiring.on_path}
        gone = [name for name, kind in self.layers if (name, kind) not in there]
        return not gone, f"missing: {', '.join(gone)}" if gone else "all there"


@dataclass(frozen=True)
class KeepsTheRest:
    """Apart from the parameters of the layers named in `but`, the graph is the starting graph."""

    start: Mapping[str, Any]
    but: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"Nothing but {', '.join(self.but)} changed"

    def judge(self, view: View) -> Judgement:
        before, now = _described(dict(self.start), self.but), _described(view.model, self.but)
        changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
        return not changed, f"changed: {', '.join(changed)}" if changed else "unchanged"


def _described(model: Model, but: Collection[str]) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """By name: type, parameters (left out for `but`) and the names of what feeds it, in order."""
    wiring = Wiring(model)
    described = {}
    for place, item in enumerate(wiring.components):
        name = name_text(item)
        params = "" if name in but else json_text(dict(sorted(item["params"].items())))
        feeds = tuple(name_text(wiring.components[parent]) for parent in wiring.parents[place])
        described[name] = (type_of(item), params, feeds)
    return described
