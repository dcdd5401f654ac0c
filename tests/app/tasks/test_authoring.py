"""A draft says what it lacks, and what has to be shown before it is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archstudio.app.tasks.authoring import (
    LIMIT_FIELDS,
    Draft,
    draft_of,
    machine_names,
    names_in,
    prove_draft,
    reference_document,
    refusals,
)
from archstudio.app.tasks.opening import task_document
from archstudio.bench.task_files import read_tasks
from archstudio.bench.task_writing import filed_row
from archstudio.edits import set_params
from archstudio.files.strict_json import dump_json
from archstudio.graph import Graph


@pytest.fixture
def start() -> Graph:
    return task_document("add-normalization").graph


@pytest.fixture
def draft(start: Graph) -> Draft:
    return Draft(start, "widen", "extend", "Make it wider.")


def solved(draft: Draft) -> Draft:
    document = reference_document(draft)
    document.push(set_params(document.graph.named("fc1"), outFeatures=512), "Wider")
    document.push(set_params(document.graph.named("fc2"), inFeatures=512), "Follow")
    return draft.with_reference(document.graph)[0]


def test_the_plan_from_start_to_solution_becomes_the_reference(draft: Draft) -> None:
    made = solved(draft)
    assert made.actions is not None
    assert [action["type"] for action in made.actions] == ["update_params", "update_params"]


def test_solving_goes_on_from_the_reference_there_is(draft: Draft) -> None:
    document = reference_document(solved(draft))
    assert document.graph.named("fc1").params["outFeatures"] == 512
    assert document.start.named("fc1").params["outFeatures"] == 128
    assert document.title == "widen (reference)"


def test_what_is_missing_is_said_in_sentences(start: Graph) -> None:
    assert Draft(start).faults() == ["Give the task a name.", "Write what is asked for."]
    assert Draft(start, "a/b", "design", "x").faults() == ["A name has no slash."]
    odd = Draft(start, "a", "design", "x", {"maxDecodeMs": {"value": 1, "machine": "abacus"}})
    assert odd.faults() == ["No machine is called 'abacus'."]


def test_only_a_proven_draft_has_no_refusals(draft: Draft) -> None:
    told = refusals(draft, prove_draft(draft))
    assert any("no reference yet" in text for text in told)
    made = solved(draft)
    assert any("The start does not pass" in text for text in refusals(made, prove_draft(made)))
    made = replace(made, limits={**made.limits, "minParams": 30_000})
    assert refusals(made, prove_draft(made)) == []
    assert refusals(made, []) == ["Nothing is proven yet."]


def test_limits_that_cannot_be_read_prove_nothing(draft: Draft) -> None:
    odd = replace(draft, limits={"maxMacs": "many"})
    assert prove_draft(odd) == []
    assert any("maxMacs" in text for text in refusals(odd, []))


def test_a_cap_on_parameters_is_the_budget_that_scoring_reads(draft: Draft) -> None:
    assert dict(replace(draft, limits={"maxParams": 9}).task().budget) == {"maxParams": 9}
    assert dict(draft.task().budget) == {}


def test_a_draft_survives_its_file(draft: Draft, tmp_path) -> None:
    made = replace(solved(draft), limits={**draft.limits, "minParams": 30_000, "mustContainTypesOnPath": ["linear"]})
    path = tmp_path / "widen.task.json"
    path.write_text(dump_json({"version": 1, "tasks": [filed_row(made.task())]}), encoding="utf-8")
    (read,) = read_tasks(path)
    again = draft_of(read)  # type: ignore[arg-type]
    assert (again.id, again.kind, again.brief, again.limits) == (made.id, made.kind, made.brief, made.limits)
    assert again.actions == made.actions
    assert refusals(again, prove_draft(again)) == []


def test_another_start_makes_the_reference_void(draft: Draft) -> None:
    made = solved(draft).with_start(task_document("cnn-cifar").graph)
    assert made.actions is None
    assert len(made.start) == 2


def test_every_limit_has_a_title_a_help_and_a_value_to_begin_with() -> None:
    assert len({field.title for field in LIMIT_FIELDS}) == len(LIMIT_FIELDS)
    assert all(field.help.endswith(".") and field.usual for field in LIMIT_FIELDS)
    usual = next(field.usual for field in LIMIT_FIELDS if field.form == "decode")
    assert usual["machine"] in machine_names()


def test_names_are_separated_by_commas_or_spaces() -> None:
    assert names_in(" conv2d,relu  linear ,") == ["conv2d", "relu", "linear"]
