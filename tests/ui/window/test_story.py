"""The main job, end to end: open a broken model, mend it, see it verified, train it, save it, undo it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QPushButton

from archstudio.app.commands import run_command
from archstudio.graph import read_graph, write_graph
from archstudio.ui.window import MainWindow


def _press(qtbot, window: MainWindow, name: str) -> None:
    button = window.findChild(QPushButton, name)
    assert button is not None, f"there is no button {name}"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def _marks(rows) -> list[str]:
    return [row.mark for row in rows.shown]


def _drag(qtbot, window: MainWindow, start, end) -> None:
    """A mouse drag on the canvas between two scene points."""
    canvas = window.canvas
    a, b = (canvas.mapFromScene(*p) for p in (start, end))
    port = canvas.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=a)
    for k in range(1, 6):
        qtbot.mouseMove(port, QPoint(a.x() + (b.x() - a.x()) * k // 5, a.y() + (b.y() - a.y()) * k // 5))
        qtbot.wait(5)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=b)
    qtbot.wait(10)


def test_a_broken_model_is_mended_verified_trained_saved_and_undone(qtbot, window: MainWindow, tmp_path, monkeypatch):
    _press(qtbot, window, "card-repair")
    document = window.application.current
    assert document is not None
    assert document.task_id == "fix-broken-attention"
    opened = write_graph(document.graph)

    qtbot.waitUntil(lambda: window.docks.problems.cards != [] and _marks(window.docks.verdict.task) != [])
    assert window.docks.problems.cards[0].told.code == "E-HEADS"
    assert _marks(window.docks.verdict.exact) == ["error"]
    assert _marks(window.docks.verdict.task)[0] == "error"

    first_fix = window.docks.problems.cards[0].buttons[0]
    assert first_fix.text().startswith("Use 5 heads")
    qtbot.mouseClick(first_fix, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: set(_marks(window.docks.verdict.task)) == {"ok"})
    assert _marks(window.docks.verdict.exact) == ["ok"]
    assert document.graph.named("attn").params["numHeads"] == 5
    assert [a["type"] for a in window.docks.verdict.report.plan.actions] == ["update_params"]

    window.docks.training.form.budget.setValue(640)
    assert run_command("train.start", window.context)
    qtbot.waitUntil(lambda: window.docks.training.book.rows[0].state == "finished", timeout=120_000)
    row = window.docks.training.book.rows[0]
    assert row.samples == 640
    losses = window.docks.training.book.series(row.run_id, "val_loss")
    assert len(losses) == 1
    assert len(losses[0][1]) > 3

    target = tmp_path / "mended.arch.json"
    monkeypatch.setattr(window.view, "ask_save", lambda suggestion: target)
    assert document.modified
    run_command("file.save", window.context)
    assert not document.modified
    assert read_graph(target).named("attn").params["numHeads"] == 5

    run_command("edit.undo", window.context)
    assert write_graph(document.graph) == opened
    assert document.modified
    run_command("edit.redo", window.context)
    saved = read_graph(target)
    assert saved.meta.pop("task") == "fix-broken-attention"
    assert write_graph(document.graph) == write_graph(saved)
    assert not document.modified


def test_the_same_repair_by_keyboard_alone(qtbot, window: MainWindow):
    window.open_task("fix-broken-attention")
    document = window.application.current
    canvas = window.canvas
    canvas.setFocus()
    for _ in range(3):
        qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert document.graph.node(document.selection.single).name == "attn"
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    field = window.docks.inspector.findChild(QLineEdit, "field-numHeads")
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "10")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: document.verdict.runs)
    assert document.history.labels == ["Set numHeads of attn"]


def test_steppers_of_heads_stop_at_divisors_only(qtbot, window: MainWindow):
    window.open_task("fix-broken-attention")
    document = window.application.current
    document.selection.set([document.graph.named("attn").id])
    window.docks.inspector.refresh()
    editor = window.docks.inspector._fields["numHeads"]
    editor.step(1)
    assert document.graph.named("attn").params["numHeads"] == 10
    editor.step(-1)
    assert document.graph.named("attn").params["numHeads"] == 5


def test_a_wire_is_drawn_with_the_mouse_and_taken_back(qtbot, window: MainWindow):
    window.open_task("deepen-resnet")
    document, canvas = window.application.current, window.canvas
    graph = document.graph
    wire = graph.between(graph.named("act1").id, graph.named("head").id)[0]
    document.selection.set(connections=[wire.id])
    run_command("edit.delete", window.context)
    assert not graph.has_connection(wire.id)
    canvas.fit()
    qtbot.wait(20)
    start = canvas.port_position(graph.named("act1").id, 0, output=True)
    end = canvas.port_position(graph.named("head").id, 0, output=False)
    _drag(qtbot, window, start, end)
    assert len(graph.between(graph.named("act1").id, graph.named("head").id)) == 1
    run_command("edit.undo", window.context)
    assert graph.between(graph.named("act1").id, graph.named("head").id) == []


def test_a_layer_put_into_a_wire_gets_its_sizes_and_is_one_step(qtbot, window: MainWindow):
    window.open_task("deepen-resnet")
    document = window.application.current
    graph = document.graph
    opened = write_graph(graph)
    wire = graph.between(graph.named("act1").id, graph.named("head").id)[0]
    document.selection.set(connections=[wire.id])
    window.add_layer("conv2d")
    made = graph.node(document.selection.single)
    assert made.params["inChannels"] == 16
    assert made.inferred == ("inChannels",)
    assert [c.source for c in graph.incoming(made.id)] == [graph.named("act1").id]
    assert [c.target for c in graph.outgoing(made.id)] == [graph.named("head").id]
    assert len(document.history.labels) == 1
    run_command("edit.undo", window.context)
    assert write_graph(graph) == opened


def test_a_deleted_layer_leaves_the_chain_whole(qtbot, window: MainWindow):
    window.open_task("deepen-resnet")
    document = window.application.current
    graph = document.graph
    document.selection.set([graph.named("act1").id])
    run_command("edit.delete", window.context)
    assert len(graph.between(graph.named("conv1").id, graph.named("head").id)) == 1


def test_layers_are_copied_between_graphs_as_text(qtbot, window: MainWindow):
    window.open_task("deepen-resnet")
    document = window.application.current
    document.selection.set([document.graph.named(n).id for n in ("conv1", "act1")])
    run_command("edit.copy", window.context)
    assert '"conv2d"' in window.view.clipboard_text()
    run_command("file.new", window.context)
    run_command("edit.paste", window.context)
    pasted = window.application.current.graph
    assert {n.type for n in pasted.nodes} == {"input", "output", "conv2d", "relu"}
    assert len(pasted.between(pasted.named("conv1").id, pasted.named("act1").id)) == 1


def test_a_file_that_is_no_graph_is_told_and_nothing_opens(qtbot, window: MainWindow, tmp_path: Path, monkeypatch):
    bad = tmp_path / "bad.json"
    bad.write_text('{"components": 3}', encoding="utf-8")
    monkeypatch.setattr(window.view, "ask_open", lambda: [bad])
    run_command("file.open", window.context)
    assert window.application.documents == []
    assert "bad.json" in window.central.notice.full_text
    assert "components" in window.central.notice.full_text
