"""Corrected solutions pass all three verdicts, the references the first, and reading no numbers never passes all."""

from typing import Any

import pytest

from archstudio.bench.brief import brief_facts
from archstudio.bench.generate import FAMILIES, TIERS, Tier, generate, generated_task
from archstudio.bench.grade import Submission
from archstudio.bench.policies import corrected, noop, number_blind, reference
from archstudio.bench.task_files import FiledTask
from archstudio.bench.tasks import Task, UnknownName, corrected_solution, curated_task, curated_tasks
from archstudio.bench.three_verdicts import ThreeVerdicts, judge_actions, judge_model
from archstudio.edits.actions import apply
from archstudio.edits.actions.model import Model


def complaints(made: ThreeVerdicts) -> list[str]:
    return [
        *made.action_errors,
        *(failure.text for failure in made.grade.failures),
        *made.refusals,
        *(f"{fact.text}: {fact.value}" for fact in made.facts if fact.holds is not True),
    ]


@pytest.mark.parametrize("task", curated_tasks(), ids=lambda task: task.id)
def test_our_solution_of_a_curated_task_passes_all_three(task: Task) -> None:
    made = judge_actions(task, corrected(task))
    assert complaints(made) == []
    assert made.passes_all


@pytest.mark.parametrize("tier", TIERS)
def test_corrected_solutions_pass_all_three_and_references_the_rubric(tier: Tier) -> None:
    for task in generate(tier, 200, 3):
        assert complaints(judge_actions(task, corrected(task))) == [], task.id
        assert judge_actions(task, reference(task)).passes_rubric, task.id


@pytest.mark.parametrize("tier", TIERS)
def test_doing_nothing_passes_nothing(tier: Tier) -> None:
    for task in generate(tier, 60, 4):
        assert not judge_actions(task, noop(task)).passes_rubric, task.id


@pytest.mark.parametrize("tier", TIERS)
def test_reading_no_numbers_passes_the_rubric_and_never_all_three(tier: Tier) -> None:
    for task in generate(tier, 120, 17):
        made = judge_actions(task, number_blind(task))
        assert made.passes_rubric is (task.family != "fmoe"), task.id
        assert not made.passes_all, task.id


@pytest.mark.parametrize("task", curated_tasks(), ids=lambda task: task.id)
def test_reading_no_numbers_passes_every_curated_rubric_and_no_brief(task: Task) -> None:
    made = judge_actions(task, number_blind(task))
    assert made.passes_rubric
    assert not made.passes_all


@pytest.mark.long
@pytest.mark.parametrize("tier", TIERS)
def test_five_thousand_tasks_of_a_tier(tier: Tier) -> None:
    for task in generate(tier, 5_000, 21):
        assert complaints(judge_actions(task, corrected(task))) == [], task.id
        assert judge_actions(task, reference(task)).passes_rubric, task.id
        assert not judge_actions(task, noop(task)).passes_rubric, task.id
        assert not judge_actions(task, number_blind(task)).passes_all, task.id


@pytest.mark.parametrize("family", [(tier, place) for tier in TIERS for place in range(len(FAMILIES[tier]))])
def test_pytorch_itself_runs_the_corrected_solutions(family: tuple[Tier, int]) -> None:
    run_in_pytorch(generated_task(family[0], 5, family[1]))


@pytest.mark.parametrize("task", curated_tasks(), ids=lambda task: task.id)
def test_pytorch_itself_runs_our_curated_solutions(task: Task) -> None:
    run_in_pytorch(task)


def run_in_pytorch(task: Any) -> None:
    import torch

    from archstudio.graph.document import from_document
    from archstudio.torchcode.build import build
    from archstudio.verify.session import check

    torch.set_num_threads(1)
    graph = from_document({**apply(task.model(), corrected(task)).model, "name": task.id})
    network = build(graph, check(graph)).eval()
    inputs = [item for item in graph.nodes if item.type == "input"]
    fed = [
        torch.zeros(item.params["shape"], dtype=torch.int64 if eats_indices(graph, item.id) else torch.float32)
        for item in inputs
    ]
    with torch.no_grad():
        network(*fed)
    assert sum(weight.numel() for weight in network.parameters()) == judge_actions(task, corrected(task)).parameters


def eats_indices(graph: Any, input_id: str) -> bool:
    return any(graph.node(wire.target).type == "embedding" for wire in graph.outgoing(input_id))


# What the verdicts say -----------------------------------------------------------------------------------------------


def test_a_published_reference_can_pass_the_rubric_without_running() -> None:
    made = judge_actions(curated_task("cnn-cifar"), reference(curated_task("cnn-cifar")))
    assert (made.passes_rubric, made.runs, made.parameters, made.passes_all) == (True, False, None, False)
    assert made.refusals == ("head expects 64 features, the wire carries 28",)


def test_a_graph_that_is_no_network_has_no_second_verdict(mlp: Model) -> None:
    mlp["components"][1]["name"] = mlp["components"][2]["name"]
    made = judge_model(curated_task("mlp-tabular"), mlp, Submission())
    assert made.runs is None
    assert made.refusals
    assert made.parameters is None


def test_actions_that_fail_are_told() -> None:
    made = judge_actions(curated_task("mlp-tabular"), [{"type": "delete_component", "name": "ghost"}])
    assert made.action_errors == ('delete_component: "ghost" not found',)


def authored(model: Model, **constraints: Any) -> FiledTask:
    return FiledTask("mine", "design", "Build.", {}, constraints, model)


def test_a_task_without_known_facts_has_no_third_verdict(mlp: Model) -> None:
    task = authored(mlp)
    assert brief_facts(task) == ()
    made = judge_actions(task, [])
    assert (made.passes_rubric, made.runs, made.does_the_brief, made.passes_all) == (True, True, None, False)


@pytest.mark.parametrize(
    ("limits", "passes"),
    [
        ({"mustRun": True}, True),
        ({"maxMacs": 2_560}, True),
        ({"maxMacs": 2_559}, False),
        ({"maxActivationBytes": 4 * (64 + 64)}, True),
        ({"maxActivationBytes": 4 * (64 + 64) - 1}, False),
        ({"maxDecodeMs": {"value": 10.0, "machine": "A100-80GB SXM"}}, False),
        ({"maxDecodeMs": {"value": 10.0, "machine": "abacus"}}, False),
    ],
)
def test_limits_of_our_own_are_measured_here(mlp: Model, limits: dict[str, Any], passes: bool) -> None:
    assert judge_actions(authored(mlp, **limits), []).passes_rubric is passes


def test_a_graph_that_must_run_and_does_not_fails(mlp: Model) -> None:
    mlp["components"][3]["params"]["inFeatures"] = 65
    made = judge_actions(authored(mlp, mustRun=True), [])
    assert [failure.text for failure in made.grade.failures] == ["runs: no"]


def test_there_is_a_corrected_solution_of_every_curated_task_and_of_no_other(mlp: Model) -> None:
    assert all(corrected_solution(task.id) for task in curated_tasks())
    assert corrected(authored(mlp)) is None
    with pytest.raises(UnknownName, match=r"no task 'mine'"):
        corrected_solution("mine")
