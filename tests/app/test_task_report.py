"""How a document stands against its task: what would be submitted is what is judged."""

from __future__ import annotations

from archstudio.app.task_report import task_report
from archstudio.app.tasks.opening import task_document
from archstudio.edits import set_params
from archstudio.edits.compose import delete_nodes, rename


def test_a_repaired_model_passes_and_does_what_the_brief_asks():
    document = task_document("fix-broken-attention")
    document.push(set_params(document.graph.named("attn"), numHeads=5), "Set numHeads")
    report = task_report(document)
    assert report.grade.passed
    assert report.does_the_brief is True
    assert [action["type"] for action in report.plan.actions] == ["update_params"]


def test_a_layer_that_was_only_renamed_leaves_every_fact_as_it_was():
    document = task_document("mlp-tabular")
    before = [(fact.text, fact.holds, fact.value) for fact in task_report(document).facts]
    document.push(rename(document.graph, document.graph.named("output").id, "result"), "Rename output")
    report = task_report(document)
    assert report.plan.actions == []
    assert [(fact.text, fact.holds, fact.value) for fact in report.facts] == before
    assert any(holds is not None for _, holds, _ in before)


def test_outside_a_task_there_is_no_report():
    document = task_document("mlp-tabular")
    document.task_id = None
    assert task_report(document) is None


def test_a_graph_without_any_layer_is_judged_too():
    document = task_document("mlp-tabular")
    document.push(delete_nodes(document.graph, document.graph.node_ids), "Delete all")
    report = task_report(document)
    assert not report.grade.passed
    assert report.does_the_brief is False
    assert [fact.text for fact in report.facts if fact.holds] == ["At most 5,000,000 parameters"]
