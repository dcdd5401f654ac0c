"""Every fact of every brief can fail alone: a corrected solution with one thing spoiled fails that fact and no other.

Some facts presuppose another (a setting of a layer presupposes the layer); these are named in `follows`.
"""

from collections.abc import Callable
from typing import Any

import pytest

from archstudio.bench.brief import brief_facts
from archstudio.bench.facts import (
    Bottleneck,
    EndsIn,
    Fact,
    Input,
    Keeps,
    KeepsTheRest,
    KvLimit,
    Layers,
    OneVectorEach,
    OnPath,
    OutputWidth,
    ParameterRange,
    Setting,
    SplitsIntoHeads,
    Stages,
    Towers,
)
from archstudio.bench.generate import FAMILIES, TIERS, GeneratedTask, generated_task
from archstudio.bench.grade import Submission
from archstudio.bench.policies import corrected
from archstudio.bench.tasks import Task, curated_tasks
from archstudio.bench.three_verdicts import judge_model
from archstudio.bench.vocabulary import WITH_HEADS
from archstudio.edits.actions import apply
from archstudio.edits.actions.model import Component, Model

AnyMade = Task | GeneratedTask
Spoil = Callable[[Any, Model], Model]

GENERATED = [generated_task(tier, 5, place) for tier in TIERS for place in range(len(FAMILIES[tier]))]
PAIRS = [(task, place) for task in (*curated_tasks(), *GENERATED) for place in range(len(brief_facts(task)))]


def change(model: Model, *actions: dict[str, Any]) -> Model:
    done = apply(model, list(actions))
    assert done.errors == []
    return done.model


def of(model: Model, *kinds: str) -> list[Component]:
    return [item for item in model["components"] if item["type"] in kinds]


def update(component: Component, **params: Any) -> dict[str, Any]:
    return {"type": "update_params", "name": component["name"], "params": params}


def delete(component: Component) -> dict[str, Any]:
    return {"type": "delete_component", "name": component["name"]}


def insert(after: Component, kind: str, name: str, **params: Any) -> dict[str, Any]:
    return {"type": "add_component", "componentType": kind, "name": name, "afterName": after["name"], "params": params}


def retype(model: Model, components: list[Component], kind: str, **params: Any) -> Model:
    names = [item["name"] for item in components]
    for item in of(model, *{item["type"] for item in components}):
        if item["name"] in names:
            item["type"] = kind
            item["params"] = {**item["params"], **params}
    return model


def head(model: Model) -> Component:
    return of(model, "linear")[-1]


def another_input(fact: Input, model: Model) -> Model:
    spoilt = next(item for item in of(model, "input") if tuple(item["params"]["shape"][1:]) == fact.shape)
    return change(model, update(spoilt, shape=[1, *fact.shape[:-1], fact.shape[-1] + 1]))


def one_more_output(fact: OutputWidth, model: Model) -> Model:
    return change(model, update(head(model), outFeatures=head(model)["params"]["outFeatures"] + max(fact.sizes)))


def stages(fact: Stages, model: Model) -> Model:
    """One too many where that breaks it, else none closed, else all layers of the kind turned into another."""
    if fact.most is not None:
        return one_stage_more(fact, model)
    if fact.closers:
        return change(model, *(delete(item) for item in of(model, *fact.closers)))
    if "linear" in fact.kinds:
        return retype(model, of(model, "linear")[1:], "customProjection")
    attention = {"numKVHeads": of(model, *fact.kinds)[0]["params"]["numHeads"]}
    return retype(model, of(model, *fact.kinds), "groupedQueryAttention", **attention)


def one_stage_more(fact: Stages, model: Model) -> Model:
    assert fact.most is not None
    for extra in range(fact.most - fact.least + 1):
        last = [item for item in of(model, *fact.kinds) if item is not head(model)][-1]
        closers = [item for item in of(model, *fact.closers) if last["id"] in item["inputs"]]
        wide = {"inFeatures": last["params"].get("outFeatures")} if last["type"] == "linear" else {}
        wide |= {"inChannels": last["params"].get("outChannels")} if last["type"] == "conv2d" else {}
        end = (closers or [last])[-1]
        new = {**end, "name": f"more{extra}"}
        added = [insert(end, last["type"], new["name"], **{**last["params"], **wide})]
        added += [insert(new, closer["type"], f"close{extra}", **closer["params"]) for closer in closers[-1:]]
        model = change(model, *added)
        model["components"].sort(key=lambda item: item["name"] == "head")
    return model


def ends_in_something_else(fact: EndsIn, model: Model) -> Model:
    return change(model, insert(head(model), "conv1d", "last", kernelSize=1))


def wider_bottleneck(fact: Bottleneck, model: Model) -> Model:
    if fact.below is not None:
        wide = (update(item, inFeatures=fact.below, outFeatures=fact.below) for item in of(model, "linear"))
        return change(model, *wide)
    enc, dec = of(model, "linear")[1:3]
    width = (fact.width or 0) + 1
    return change(model, update(enc, outFeatures=width), update(dec, inFeatures=width))


def lame_tower(fact: Towers, model: Model) -> Model:
    return change(model, delete(next(item for item in of(model, "linear") if item["name"].endswith("fc2"))))


def layer_lost(fact: OnPath | Layers, model: Model) -> Model:
    """Layers of another type in place; where attention is asked for, full attention that states a false width."""
    there = of(model, *fact.kinds)
    if "groupedQueryAttention" in fact.kinds:
        width = there[0]["params"]["embedDim"]
        return retype(model, there, "multiHeadAttention", embedDim="16", hiddenDim=width)
    if "transformerBlock" in fact.kinds:
        return retype(model, there, "selfAttention")
    return retype(model, there[isinstance(fact, Layers) :], "somethingElse")


def uneven_heads(fact: SplitsIntoHeads, model: Model) -> Model:
    layer = of(model, *WITH_HEADS)[0]
    if layer["type"] == "groupedQueryAttention":
        return change(model, update(layer, numKVHeads=1.5))
    key = next(name for name in ("embedDim", "hiddenDim") if name in layer["params"])
    return change(model, update(layer, **{key: layer["params"][key] + 1}))


def too_many_parameters(fact: ParameterRange, model: Model) -> Model:
    width = head(model)["params"]["outFeatures"]
    dead = {
        "type": "add_component",
        "componentType": "linear",
        "name": "dead",
        "params": {"inFeatures": width, "outFeatures": fact.most},
    }
    return change(model, dead, {"type": "add_connection", "fromName": head(model)["name"], "toName": "dead"})


def another_setting(fact: Setting, model: Model) -> Model:
    layer = of(model, *fact.kinds)[0]
    key = next(name for name in fact.names if name in layer["params"])
    if key == "numHeads" and layer["type"] == "groupedQueryAttention":
        width = layer["params"]["embedDim"] // fact.value
        return change(model, update(layer, numHeads=2 * fact.value, headDim=width // 2))
    value = {"numHeads": fact.value // 2, "numExperts": fact.value - 1, "topK": fact.value % 4 + 1}
    return change(model, update(layer, **{key: value.get(key, fact.value - 1)}))


def cached_twice(fact: KvLimit, model: Model) -> Model:
    layer = of(model, *WITH_HEADS)[0]
    return change(model, insert(layer, layer["type"], "again", **layer["params"]))


def renamed(fact: Keeps, model: Model) -> Model:
    return change(model, {"type": "rename_component", "name": fact.layers[-2:][0][0], "newName": "renamed"})


def rest_changed(fact: KeepsTheRest, model: Model) -> Model:
    return change(model, update(of(model, "embedding")[0], numEmbeddings=77))


def one_each_position(fact: OneVectorEach, model: Model) -> Model:
    return change(model, delete(of(model, "mean")[0]))


SPOIL: dict[type, Spoil] = {
    Input: another_input,
    OutputWidth: one_more_output,
    Stages: stages,
    EndsIn: ends_in_something_else,
    Bottleneck: wider_bottleneck,
    Towers: lame_tower,
    OnPath: layer_lost,
    Layers: layer_lost,
    SplitsIntoHeads: uneven_heads,
    ParameterRange: too_many_parameters,
    Setting: another_setting,
    KvLimit: cached_twice,
    Keeps: renamed,
    KeepsTheRest: rest_changed,
    OneVectorEach: one_each_position,
}


def follows(fact: Fact, other: Fact) -> bool:
    """Whether `other` cannot hold where `fact` fails in the way it is spoiled here."""
    if isinstance(fact, OnPath) and fact.kinds == ("mla",):
        return isinstance(other, KvLimit) or (isinstance(other, Setting) and other.kinds == ("mla",))
    return isinstance(fact, Keeps) and isinstance(other, KeepsTheRest)


@pytest.mark.parametrize(("task", "place"), PAIRS, ids=lambda value: getattr(value, "id", str(value)))
def test_a_solution_with_one_thing_spoiled_fails_that_fact_alone(task: AnyMade, place: int) -> None:
    facts = brief_facts(task)
    fact = facts[place]
    model = apply(task.model(), corrected(task)).model
    spoilt = SPOIL[type(fact)](fact, model)
    made = judge_model(task, spoilt, Submission())
    failed = {result.text for result in made.facts if result.holds is False}
    assert fact.text in failed
    assert failed - {other.text for other in facts if follows(fact, other)} == {fact.text}, made.facts


def test_every_kind_of_fact_is_spoiled_somewhere() -> None:
    assert {type(brief_facts(task)[place]) for task, place in PAIRS} == set(SPOIL)
