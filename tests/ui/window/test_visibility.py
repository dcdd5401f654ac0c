"""In the condition single_shot nothing tells whether the graph is valid, what shapes flow, or how large it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPushButton, QTableView, QToolButton

from archstudio.app.application import Application
from archstudio.app.commands import run_command
from archstudio.study.visibility import SINGLE_SHOT
from archstudio.ui.bench.submission_dialog import SubmissionDialog
from archstudio.ui.bench.task_model import STATE
from archstudio.ui.palette import layer_chooser
from archstudio.ui.start import make_window
from archstudio.ui.window import MainWindow


@pytest.fixture
def blind(qtbot, own_home) -> Iterator[MainWindow]:
    """The window in the condition single_shot, on a graph that PyTorch refuses, with all docks drawn once."""
    made = make_window(Application(SINGLE_SHOT))
    made.set_theme("light")
    made.show()
    made.open_task("deepen-resnet")
    document = made.application.current
    document.selection.set([document.graph.named("conv1").id])
    for dock in made.docks.docks:
        made.view.show_dock(dock)
        qtbot.wait(5)
    made.docks.verdict.refresh_report()
    qtbot.wait(80)
    yield made
    for open_document in list(made.application.documents):
        made.application.close(open_document)
    made.close()
    made.deleteLater()


def texts(widget) -> str:
    """Everything that its labels and buttons show."""
    shown = [w.text() for kind in (QLabel, QPushButton) for w in widget.findChildren(kind) if w.isVisibleTo(widget)]
    return "\n".join(shown)


def test_the_verdict_says_nothing(blind) -> None:
    verdict = blind.docks.verdict
    for rows in (verdict.exact, verdict.task, verdict.brief, verdict.totals):
        assert rows.shown == []
    assert "448" not in texts(verdict)
    assert not verdict._batch.isVisibleTo(verdict)


def test_problems_and_fixes_are_not_listed(blind) -> None:
    problems = blind.docks.problems
    assert problems.cards == []
    assert "not shown" in texts(problems)
    assert blind.docks.docks["problems"].windowTitle() == "Problems"


def test_nodes_and_wires_carry_no_shapes_counts_or_red(blind) -> None:
    scene = blind.canvas.graph_scene
    for item in scene.nodes.values():
        assert "30" not in item.face.description
        assert "448" not in item.face.description
    for wire in scene.wires.values():
        assert "×" not in wire.face.tip
        assert not wire.face.faulty
        assert wire.face.shape == wire.face.fault == ""


def test_the_table_has_no_columns_of_sizes(blind) -> None:
    table = blind.docks.table.findChild(QTableView)
    hidden = [table.isColumnHidden(k) for k in range(table.model().columnCount())]
    assert hidden == [False, False, True, True, True, True, True]


def test_the_table_copies_no_sizes_either(blind) -> None:
    blind.docks.table.copy_markdown()
    copied = blind.view.clipboard_text()
    assert "conv1" in copied
    assert "448" not in copied
    assert "30×30" not in copied


def test_the_inspector_has_neither_formulas_nor_origins(blind) -> None:
    inspector = blind.docks.inspector
    inspector.refresh()
    told = texts(inspector)
    assert "448" not in told
    assert "nn.Conv2d" not in told
    assert all(not line.note.isVisible() for line in inspector.findChildren(QLineEdit) if hasattr(line, "note"))


def test_steppers_do_not_know_divisors(blind) -> None:
    blind.open_task("fix-broken-attention")
    document = blind.application.current
    document.selection.set([document.graph.named("attn").id])
    blind.docks.inspector.refresh()
    before = document.graph.named("attn").params["numHeads"]
    blind.docks.inspector._fields["numHeads"].step(1)
    assert document.graph.named("attn").params["numHeads"] == before + 1
    assert blind.docks.inspector.findChildren(QToolButton, "stepper")


def test_a_refused_value_is_refused_without_a_reason(blind) -> None:
    inspector = blind.docks.inspector
    inspector.refresh()
    editor = inspector._fields["outChannels"]
    inspector._typed(editor._row, "many")
    assert inspector.refusal == "This value does not fit the field."


def test_a_spliced_layer_is_not_given_sizes(blind) -> None:
    document = blind.application.current
    graph = document.graph
    wire = graph.between(graph.named("act1").id, graph.named("head").id)[0]
    document.selection.set(connections=[wire.id])
    blind.add_layer("conv2d")
    made = graph.node(document.selection.single)
    assert made.inferred == ()
    assert made.params.get("inChannels") != 16


def test_training_is_not_part_of_it(blind) -> None:
    assert not blind.docks.training.start_button.isEnabled()
    assert not run_command("train.start", blind.context)


def test_the_plan_is_shown_and_the_grade_is_not(blind) -> None:
    assert blind.docks.plan.submit.isEnabled()
    dialog = SubmissionDialog(blind, _report(blind), SINGLE_SHOT)
    assert "pass" not in texts(dialog).casefold()
    assert dialog.findChild(QListWidget) is not None
    dialog.deleteLater()


def test_tasks_are_not_ticked_and_the_status_tells_only_the_size(blind) -> None:
    model = blind.docks.tasks.model
    assert {model.data(model.index(k), STATE) for k in range(model.rowCount())} == {"untouched"}
    assert blind.status.left.text() == "5 layers · 4 connections"
    assert blind.status.opinion.text() == ""


def test_finding_layers_tells_no_shapes(blind) -> None:
    chooser = layer_chooser(blind, blind.application.current)
    assert all("×" not in chooser.list.item(k).data(role) for k in range(chooser.list.count()) for role in (257, 258))
    chooser.deleteLater()


def _report(window: MainWindow):
    from archstudio.app.task_report import task_report

    return task_report(window.application.current)
