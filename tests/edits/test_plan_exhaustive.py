"""On tiny networks everything that one, two or three actions can do is tried: no plan is ever longer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, TypeAlias

import pytest

from archstudio.edits.actions import apply
from archstudio.edits.plain import to_plain
from archstudio.edits.plan import plan
from archstudio.graph import Graph, from_document

Action: TypeAlias = dict[str, Any]
Model: TypeAlias = dict[str, Any]

TYPES = {"i": "input", "a": "linear", "b": "linear", "r": "relu", "j": "concatenate", "p": "add", "o": "output"}
STARTS = {
    "chain": ("i>a", "a>r", "r>o"),
    "diamond": ("i>a", "i>b", "a>j", "b>j", "j>o"),
    "residual": ("i>a", "a>p", "i>p", "p>o"),
    "fan-out": ("i>a", "a>o", "a>r"),
    "stub": ("i>o",),
}


def tiny(wires: tuple[str, ...]) -> Graph:
    names = dict.fromkeys(end for wire in wires for end in wire.split(">"))
    components = [{"id": n, "type": TYPES[n], "name": n} for n in names]
    connections = [dict(zip(("from", "to"), wire.split(">"), strict=True)) for wire in wires]
    return from_document({"components": components, "connections": connections})


def everything_possible(model: Model, step: int) -> Iterator[Action]:
    """Every surgical action on a model that could make a difference; new layers are called after the step."""
    name_of = {c["id"]: c["name"] for c in model["components"]}
    wires = {(name_of[w["from"]], name_of[w["to"]]) for w in model["connections"]}
    for name in name_of.values():
        yield {"type": "add_component", "componentType": "gelu", "name": f"new{step}", "afterName": name}
        yield {"type": "delete_component", "name": name}
        yield {"type": "update_params", "name": name, "params": {"units": step}}
    yield {"type": "add_component", "componentType": "gelu", "name": f"new{step}"}
    for source, target in permutations(name_of.values(), 2):
        kind = "delete_connection" if (source, target) in wires else "add_connection"
        yield {"type": kind, "fromName": source, "toName": target}


def identity(model: Model) -> object:
    """Equal for models between which a plan makes no difference."""
    name_of = {c["id"]: c["name"] for c in model["components"]}
    return frozenset(
        (
            c["name"],
            c["type"],
            str(c["params"]),
            tuple((sorted if c["type"] == "add" else list)(name_of[source] for source in c["inputs"])),
        )
        for c in model["components"]
    )


def reached(start: Graph, depth: int) -> list[tuple[Model, int]]:
    """Every model that up to `depth` actions lead to, with the fewest that do."""
    first = to_plain(start)
    known = {identity(first)}
    level: list[list[Action]] = [[]]
    found: list[tuple[Model, int]] = []
    for step in range(1, depth + 1):
        longer: list[list[Action]] = []
        for actions in level:
            for action in everything_possible(apply(first, actions).model, step):
                model = apply(first, [*actions, action]).model
                if identity(model) not in known:
                    known.add(identity(model))
                    longer.append([*actions, action])
                    found.append((model, step))
        level = longer
    return found


def assert_no_plan_is_longer(start: Graph, models: list[tuple[Model, int]]) -> None:
    for model, fewest in models:
        found = plan(start, from_document(model))
        assert found.inexpressible == ()
        assert identity(found.model) == identity(model)
        assert len(found.actions) <= fewest, (found.actions, fewest)


@pytest.mark.parametrize("name", STARTS)
def test_what_two_actions_can_do_is_planned_with_as_few(name: str) -> None:
    start = tiny(STARTS[name])
    assert_no_plan_is_longer(start, reached(start, 2))


@pytest.mark.parametrize("name", ["residual", "stub"])
def test_some_of_what_three_actions_can_do_is_planned_with_as_few(name: str) -> None:
    start = tiny(STARTS[name])
    models = reached(start, 3)
    assert_no_plan_is_longer(start, Random(5).sample(models, 400))


@pytest.mark.long
@pytest.mark.parametrize("name", STARTS)
def test_all_that_three_actions_can_do_is_planned_with_as_few(name: str) -> None:
    start = tiny(STARTS[name])
    assert_no_plan_is_longer(start, reached(start, 3))
