"""A task is proven when its reference passes and no plan that reads no number does."""

from __future__ import annotations

from typing import Any

import pytest

from archstudio.bench.generate import FAMILIES, TIERS, generated_task
from archstudio.bench.proofs import Proof, is_proven, prove
from archstudio.bench.shortcuts import shortcuts
from archstudio.bench.task_files import FiledTask, Origin
from archstudio.bench.task_writing import filed
from archstudio.bench.tasks import curated_task, curated_tasks
from archstudio.edits.actions.model import Model

LIMITS: dict[str, Any] = {
    "forbidBlockers": True,
    "mustReachOutput": True,
    "mustRun": True,
    "mustContainTypes": ["relu"],
}
WIDER = [{"type": "update_params", "name": "a", "params": {"outFeatures": 128}}]


def authored(start: Model, limits: dict[str, Any], actions: list[dict[str, Any]] | None) -> FiledTask:
    return FiledTask("mine", "extend", "Widen it.", {}, limits, start, actions)


def failed(proofs: list[Proof]) -> list[str]:
    return [f"{each.text}: {each.reason}" for each in proofs if not each.holds]


def widened() -> list[dict[str, Any]]:
    return [*WIDER, {"type": "update_params", "name": "b", "params": {"inFeatures": 128}}]


def test_a_task_with_a_bound_that_only_the_reference_meets_is_proven(mlp: Model) -> None:
    proofs = prove(authored(mlp, {**LIMITS, "minParams": 5_000}, widened()))
    assert failed(proofs) == []
    assert is_proven(proofs)
    assert {each.claim for each in proofs} == {"satisfiable", "not vacuous"}


def test_a_task_that_the_start_passes_is_vacuous(mlp: Model) -> None:
    proofs = prove(authored(mlp, LIMITS, widened()))
    assert not is_proven(proofs)
    assert any(line.startswith("The start does not pass: it passes with score") for line in failed(proofs))


def test_a_reference_that_fails_is_named_with_the_reason(mlp: Model) -> None:
    proofs = prove(authored(mlp, {**LIMITS, "minParams": 10**6}, widened()))
    assert failed(proofs) == ["The reference passes: params 5120 < required minimum 1000000"]


def test_a_reference_whose_actions_fail_is_no_proof(mlp: Model) -> None:
    ghost = [*widened(), {"type": "delete_component", "name": "ghost"}]
    assert '"ghost" not found' in failed(prove(authored(mlp, {**LIMITS, "minParams": 5_000}, ghost)))[0]


def test_without_a_reference_nothing_is_proven(mlp: Model) -> None:
    assert failed(prove(authored(mlp, {**LIMITS, "minParams": 5_000}, None)))[0].endswith("there is no reference yet")
    assert not is_proven([])


@pytest.mark.parametrize("task", curated_tasks(), ids=lambda task: task.id)
def test_every_published_task_is_passed_by_a_shortcut(task) -> None:
    limits = dict(task.constraints)
    as_published = FiledTask(task.id, task.kind, task.spec, task.budget, limits, task.model(), task.reference())
    assert any(not each.holds for each in prove(as_published))


@pytest.mark.parametrize("place", [(tier, k) for tier in TIERS for k in range(len(FAMILIES[tier]))])
def test_every_family_but_the_two_sided_one_is_passed_by_a_shortcut(place: tuple[Any, int]) -> None:
    task = generated_task(place[0], 5, place[1])
    proofs = prove(filed(task, Origin(place[0], 5, place[1])))
    assert proofs[0].holds, proofs[0]
    assert proofs[1].holds, "an untouched start passes"
    assert is_proven(proofs) is (task.family == "fmoe")


def test_each_shortcut_is_there_once_and_the_empty_one_first() -> None:
    for task in curated_tasks():
        plans = [each.actions for each in shortcuts(task)]
        assert plans[0] == []
        assert all(plan not in plans[:k] for k, plan in enumerate(plans))


def test_shortcuts_of_attention_are_tried_where_there_is_attention() -> None:
    texts = {each.text for each in shortcuts(curated_task("fix-broken-attention"))}
    assert {"Heads are set to 0", "Attention is deleted"} <= texts
    assert "Heads are set to 0" not in {each.text for each in shortcuts(curated_task("mlp-tabular"))}
