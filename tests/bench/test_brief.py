"""What the brief asks is checked beside the rubric, which can be passed without reading it."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from archstudio.bench.brief import brief_facts, check_brief, does_the_brief
from archstudio.bench.facts import Exact
from archstudio.bench.generate import TIERS, GeneratedTask, Tier, generate
from archstudio.bench.grade import Submission, grade
from archstudio.bench.rubric import assess
from archstudio.bench.tasks import Task, curated_task, curated_tasks
from archstudio.edits.actions.engine import apply
from archstudio.edits.actions.model import Model

Actions = list[dict[str, Any]]


def solved(task: Task | GeneratedTask) -> Model:
    return apply(task.model(), task.reference()).model


def shapes(model: Model, *shape: int) -> Exact:
    """The exact verdict of a graph whose outputs all have this shape, batch included."""
    outputs = [item["name"] for item in model["components"] if item["type"] == "output"]
    return Exact(int(assess(model).params), dict.fromkeys(outputs, shape))


def failing(task: Task | GeneratedTask, model: Model, exact: Exact | None = None) -> list[str]:
    return [fact.text for fact in check_brief(task, model, exact) if fact.holds is False]


# The references ------------------------------------------------------------------------------------------------------

SHORTFALLS = {
    "deepen-resnet": ["At least 3 conv stages with ReLU (1 at the start, a couple more asked for)"],
    "two-tower-retrieval": ["Two towers of at least 2 linear layers each"],
    "dlrm-ctr-ranking": ["At least 2 embedding tables for categorical features"],
}


@pytest.mark.parametrize("task", curated_tasks(), ids=lambda task: task.id)
def test_curated_references_do_their_brief_but_for_the_known_shortfalls(task: Task) -> None:
    assert failing(task, solved(task)) == SHORTFALLS.get(task.id, [])


@pytest.mark.parametrize("task_id", ["text-encoder", "semantic-search-encoder"])
def test_exact_shapes_tell_one_vector_a_text_from_one_a_token(task_id: str) -> None:
    task = curated_task(task_id)
    model = solved(task)
    assert does_the_brief(check_brief(task, model, shapes(model, 4, 128))) is True
    assert does_the_brief(check_brief(task, model, shapes(model, 4, 128, 4))) is False
    assert does_the_brief(check_brief(task, model)) is None


@pytest.mark.parametrize("tier", TIERS)
def test_generated_references_do_their_brief_and_stubs_do_not(tier: Tier) -> None:
    for task in generate(tier, 60, 5):
        model = solved(task)
        exact = Exact(int(assess(model).params), {})
        assert failing(task, model) == [], task.id
        assert brief_facts(task)
        known = [fact.text for fact in check_brief(task, model, exact) if fact.holds is None]
        assert all(text.startswith("The output has") for text in known), task.id
        assert does_the_brief(check_brief(task, task.model())) is not True


# Passing the rubric without the brief --------------------------------------------------------------------------------


def hollow(task: Task | GeneratedTask) -> Actions:
    """One chain of the required types without any sizes, padded with ReLU to twenty layers."""
    limits = task.constraints
    kinds = [*limits.get("mustContainTypes", []), *limits.get("mustContainTypesAny", [])[:1]]
    names = [f"x{place}" for place in range(len(kinds))]
    pads = [f"pad{place}" for place in range(18 - len(kinds))]
    middle = [*zip(kinds, names, strict=True), *(("relu", pad) for pad in pads)]
    layers = [("input", "input"), *middle, ("output", "output")]
    return [
        {
            "type": "replace_model",
            "components": [{"componentType": kind, "name": name, "params": {}} for kind, name in layers],
            "connections": [{"from": a[1], "to": b[1]} for a, b in pairwise(layers)],
        }
    ]


def passes_rubric_but_not_brief(task: Task | GeneratedTask, actions: Actions, exact: bool = False) -> None:
    model = apply(task.model(), actions).model
    assert grade(task, model, Submission.of(actions)).failures == (), task.id
    figures = Exact(int(assess(model).params), {}) if exact else None
    assert does_the_brief(check_brief(task, model, figures)) is False, task.id


DESIGN = [task for task in curated_tasks() if task.kind == "design"]


@pytest.mark.parametrize("task", DESIGN, ids=lambda task: task.id)
def test_a_hollow_chain_passes_the_rubric_and_fails_the_brief(task: Task) -> None:
    passes_rubric_but_not_brief(task, hollow(task))


@pytest.mark.parametrize("task_id", ["deepen-resnet", "add-normalization"])
def test_a_hollow_chain_passes_extension_tasks_too(task_id: str) -> None:
    passes_rubric_but_not_brief(curated_task(task_id), hollow(curated_task(task_id)))


@pytest.mark.parametrize(
    "actions",
    [
        [{"type": "update_params", "name": "attn", "params": {"numHeads": 0}}],
        [{"type": "update_params", "name": "attn", "params": {"numHeads": "7"}}],
        [{"type": "update_params", "name": "attn", "params": {"numHeads": -7}}],
        [{"type": "delete_component", "name": "attn"}],
        [{"type": "clear_canvas"}, *hollow(curated_task("fix-broken-attention"))],
    ],
)
def test_false_repairs_pass_the_rubric_and_fail_the_brief(actions: Actions) -> None:
    passes_rubric_but_not_brief(curated_task("fix-broken-attention"), actions)


def test_norms_on_a_dead_end_pass_the_rubric_and_fail_the_brief() -> None:
    dead = {"type": "add_component", "componentType": "batchNorm1d", "name": "bn", "afterName": "output"}
    passes_rubric_but_not_brief(curated_task("add-normalization"), [dead])


def dead_weight(vocabulary: int, width: int) -> dict[str, Any]:
    params = {"numEmbeddings": vocabulary, "embeddingDim": width}
    return {
        "type": "add_component",
        "componentType": "embedding",
        "name": "dead",
        "afterName": "output",
        "params": params,
    }


def test_weights_behind_the_output_pass_the_rubric_and_do_not_count_for_the_brief() -> None:
    passes_rubric_but_not_brief(curated_task("scale-under-budget"), [dead_weight(10_000, 1_000)], exact=True)


def _fix(task: GeneratedTask) -> Actions:
    return [{"type": "delete_component", "name": "attn"}, {"type": "add_component", "componentType": "relu",
             "name": "r", "afterName": "embed"}]  # fmt: skip


def _trim(task: GeneratedTask) -> Actions:
    return [{"type": "scale_params", "paramKey": key, "factor": 0} for key in ("inFeatures", "outFeatures")]


def _norm(task: GeneratedTask) -> Actions:
    count = task.constraints["maxActions"] - 1
    return [
        {"type": "add_component", "componentType": "batchNorm1d", "name": f"bn{place}", "afterName": "output"}
        for place in range(count)
    ]


def _swap(task: GeneratedTask) -> Actions:
    empty = {"type": "add_component", "componentType": "mla", "name": "m", "afterName": "embed"}
    shrink = {"type": "update_params", "name": "embed", "params": {"numEmbeddings": 1}}
    return [empty, {"type": "delete_component", "name": "attn"}, *([shrink] if task.family == "eshrink" else [])]


EXPLOITS: dict[str, Callable[[GeneratedTask], Actions]] = {
    "fix": _fix,
    "trim": _trim,
    "norm": _norm,
    "grow": lambda task: [dead_weight(1000, 1000)],
    "fkv": _swap,
    "eshrink": _swap,
}


@pytest.mark.parametrize("tier", TIERS)
def test_policies_that_never_read_the_brief_pass_the_rubric_only(tier: Tier) -> None:
    for task in generate(tier, 60, 17):
        if task.family != "fmoe":
            passes_rubric_but_not_brief(task, EXPLOITS.get(task.family, hollow)(task), exact=True)


def test_a_band_of_parameters_resists_the_hollow_chain() -> None:
    task = next(iter(generate("frontier", 1, 17)))
    model = apply(task.model(), hollow(task)).model
    assert not grade(task, model, Submission()).passed


# Single facts --------------------------------------------------------------------------------------------------------


def outcome(task_id: str, actions: Actions, exact: Exact | None = None) -> dict[str, tuple[bool | None, str]]:
    task = curated_task(task_id)
    model = apply(task.model(), actions).model
    return {fact.text: (fact.holds, fact.value) for fact in check_brief(task, model, exact)}


def test_a_first_layer_of_the_wrong_size_does_not_take_the_input() -> None:
    task = curated_task("cnn-cifar")
    actions = [*task.reference(), {"type": "update_params", "name": "conv1", "params": {"inChannels": 1}}]
    assert outcome("cnn-cifar", actions)["The input has shape 3×32×32"] == (False, "conv1 takes 1")


def test_a_layer_off_the_path_is_not_between_input_and_output() -> None:
    task = curated_task("bst-sequence-ranking")
    hang = {"type": "add_component", "componentType": "embedding", "name": "aside", "afterName": "output"}
    actions = [*task.reference(), {"type": "delete_component", "name": "embed"}, hang]
    assert outcome(task.id, actions)["embedding between input and output"] == (False, "only off the path")


def test_a_skip_around_the_bottleneck_is_noticed() -> None:
    task = curated_task("autoencoder")
    fact = "Everything passes a bottleneck narrower than 784"
    assert outcome(task.id, task.reference())[fact] == (True, "narrowest 64")
    inside = {"type": "add_connection", "fromName": "enc1", "toName": "dec2"}
    assert outcome(task.id, [*task.reference(), inside])[fact][0] is True
    around = {"type": "add_connection", "fromName": "input", "toName": "dec2"}
    assert outcome(task.id, [*task.reference(), around])[fact][0] is False


def test_a_repair_that_touches_more_than_asked_is_noticed() -> None:
    actions = [
        {"type": "update_params", "name": "attn", "params": {"numHeads": 5}},
        {"type": "update_params", "name": "embed", "params": {"numEmbeddings": 10}},
    ]
    assert outcome("fix-broken-attention", actions)["Nothing but attn changed"] == (False, "changed: embed")


def test_totals_are_unknown_while_the_exact_verdict_has_none() -> None:
    fact = "At most 5,000,000 parameters"
    reference = curated_task("mlp-tabular").reference()
    assert outcome("mlp-tabular", reference)[fact] == (None, "unknown")
    assert outcome("mlp-tabular", reference, Exact())[fact] == (None, "unknown")
    assert outcome("mlp-tabular", reference, Exact(4_258))[fact] == (True, "4,258")
    assert outcome("mlp-tabular", reference, Exact(5_000_001))[fact] == (False, "5,000,001")


def test_exact_shapes_decide_the_output_width_where_they_are_known() -> None:
    task = curated_task("cnn-cifar")
    model = solved(task)
    fact = "The output has 10 classes"
    assert outcome(task.id, task.reference())[fact] == (True, "10")
    assert outcome(task.id, task.reference(), shapes(model, 4, 11))[fact] == (False, "11")
    assert outcome(task.id, task.reference(), Exact(1, {"output": None}))[fact] == (None, "unknown")


def two_towers(merge: bool) -> Actions:
    layers: list[tuple[str, str, dict[str, Any]]] = []
    wires = []
    for side in ("query", "item"):
        layers += [
            (f"{side}", "input", {"shape": [1, 128]}),
            (f"{side}_embed", "embedding", {"numEmbeddings": 100, "embeddingDim": 8}),
            (f"{side}_fc1", "linear", {"inFeatures": 8, "outFeatures": 8}),
            (f"{side}_act", "relu", {}),
            (f"{side}_fc2", "linear", {"inFeatures": 8, "outFeatures": 8}),
        ]
        names = [name for name, _, _ in layers[-5:]]
        wires += list(zip(names, [*names[1:], "merge" if merge else f"{side}_out"], strict=True))
    ends = [("merge", "concatenate", {}), ("out", "output", {})]
    layers += ends if merge else [("query_out", "output", {}), ("item_out", "output", {})]
    wires += [("merge", "out")] if merge else []
    components = [{"componentType": kind, "name": name, "params": params} for name, kind, params in layers]
    connections = [{"from": a, "to": b} for a, b in wires]
    return [{"type": "replace_model", "components": components, "connections": connections}]


@pytest.mark.parametrize("merge", [True, False])
def test_two_real_towers_do_the_retrieval_brief(merge: bool) -> None:
    facts = outcome("two-tower-retrieval", two_towers(merge), Exact(2_000))
    assert [holds for holds, _ in facts.values()] == [True, True, True]


def test_a_graph_with_a_cycle_counts_no_stages_on_it() -> None:
    task = curated_task("mlp-tabular")
    loop = {"type": "add_connection", "fromName": "act2", "toName": "fc1"}
    fact = "2 to 3 hidden linear layers with ReLU"
    assert outcome(task.id, [*task.reference(), loop])[fact] == (False, "0")
