"""The Training dock: runs start, hold, go on and stop, fail with a reason, and are kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import psutil
import pytest
from PySide6.QtCore import Qt

from archstudio.app.commands import run_command
from archstudio.design.fixes import fixes_for
from archstudio.edits import AddNode, ChangeNode
from archstudio.graph import Node
from archstudio.ui.start import make_window
from archstudio.ui.window import MainWindow

LONG = 50_000_000
"""Samples of a run that does not end by itself during a test."""
PATIENCE_MS = 120_000


@pytest.fixture
def ready(window: MainWindow, qtbot):
    """The window on a graph that can be trained, with the Training dock in front."""
    mend(window)
    window.view.show_dock("training")
    qtbot.waitUntil(window.docks.training.start_button.isEnabled)
    return window


def mend(window: MainWindow) -> None:
    window.open_task("deepen-resnet")
    document = window.application.current
    fix = fixes_for(document.graph, document.verdict.errors[0], document.verdict)[0]
    document.push(fix.edit, fix.label)


def train(window: MainWindow, samples: int, seeds: int = 1):
    """Start a run; returns its row."""
    panel = window.docks.training
    panel.form.budget.setValue(samples)
    panel.form.seeds.setValue(seeds)
    panel.start()
    return panel.book.rows[0]


def workers() -> list[psutil.Process]:
    return [p for p in psutil.Process().children() if "archstudio.training.worker" in " ".join(p.cmdline())]


def test_the_dock_says_what_is_trained_on_what_in_words(ready) -> None:
    panel = ready.docks.training
    assert panel.form.loss.currentText() == "cross-entropy"
    assert panel.form.optimiser.currentText() == "AdamW"
    assert panel.form.lr.text() == "0.001"
    assert "10" in panel.message


def test_a_graph_that_pytorch_refuses_is_not_trained_and_says_so(window: MainWindow, qtbot) -> None:
    window.open_task("deepen-resnet")
    window.view.show_dock("training")
    qtbot.waitUntil(lambda: "problems that PyTorch refuses" in window.docks.training.message)
    assert not window.docks.training.start_button.isEnabled()
    run_command("train.start", window.context)
    assert window.docks.training.book.rows == []


def test_a_run_is_held_goes_on_and_is_stopped(ready, qtbot) -> None:
    panel = ready.docks.training
    row = train(ready, LONG)
    qtbot.waitUntil(lambda: row.state == "running" and row.samples > 0, timeout=PATIENCE_MS)
    assert panel.pause_button.text() == "Pause"
    qtbot.mouseClick(panel.pause_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.state == "paused", timeout=PATIENCE_MS)
    held_at = row.samples
    assert panel.pause_button.text() == "Resume"
    qtbot.mouseClick(panel.pause_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.state == "running" and row.samples > held_at, timeout=PATIENCE_MS)
    qtbot.mouseClick(panel.stop_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: row.state == "stopped", timeout=PATIENCE_MS)
    assert not panel.stop_button.isEnabled()
    assert panel.curves.plot is not None


def test_a_worker_that_dies_fails_its_run_with_the_reason_and_the_window_lives_on(ready, qtbot) -> None:
    panel = ready.docks.training
    row = train(ready, LONG)
    qtbot.waitUntil(lambda: row.state == "running" and row.samples > 0, timeout=PATIENCE_MS)
    for worker in workers():
        worker.kill()
    qtbot.waitUntil(lambda: row.state == "failed", timeout=PATIENCE_MS)
    assert "The worker process" in row.failure
    assert row.failure in panel.message
    assert panel.table.item(0, 1).toolTip() == row.failure
    again = train(ready, 640)
    qtbot.waitUntil(lambda: again.state == "finished", timeout=PATIENCE_MS)


def test_closing_while_a_run_trains_asks_and_the_run_goes_on_next_time(ready, qtbot, monkeypatch) -> None:
    row = train(ready, LONG)
    qtbot.waitUntil(lambda: row.state == "running" and row.samples > 0, timeout=PATIENCE_MS)
    asked: list[str] = []
    monkeypatch.setattr(ready.view, "ask_confirm", lambda *texts: asked.append(texts[0]) or False)
    assert not ready.close()
    assert asked == ["Close while runs are training?"]
    monkeypatch.setattr(ready.view, "ask_confirm", lambda *texts: True)
    monkeypatch.setattr(ready.view, "ask_unsaved", lambda title: "discard")
    assert ready.close()
    second = make_window()
    second.show()
    second.view.show_dock("training")
    panel = second.docks.training
    qtbot.waitUntil(lambda: [r.run_id for r in panel.book.rows] == [row.run_id])
    kept = panel.book.rows[0]
    assert kept.state == "interrupted"
    before = kept.samples
    panel.table.select({kept.run_id})
    assert panel.pause_button.text() == "Resume"
    qtbot.mouseClick(panel.pause_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: kept.state == "running" and kept.samples > before, timeout=PATIENCE_MS)
    panel.stop()
    qtbot.waitUntil(lambda: kept.state == "stopped", timeout=PATIENCE_MS)
    second.close()
    second.deleteLater()


def test_runs_are_listed_after_a_restart_and_deleted_when_told(ready, qtbot, monkeypatch) -> None:
    row = train(ready, 640)
    qtbot.waitUntil(lambda: row.state == "finished", timeout=PATIENCE_MS)
    monkeypatch.setattr(ready.view, "ask_unsaved", lambda title: "discard")
    ready.close()
    second = make_window()
    second.show()
    second.view.show_dock("training")
    panel = second.docks.training
    qtbot.waitUntil(lambda: panel.table.rowCount() == 1)
    assert panel.table.item(0, 0).text() == "AdamW 0.001 · deepen-resnet"
    assert panel.table.item(0, 1).text() == "finished, 640 samples"
    panel.table.select({row.run_id})
    panel.copy_csv()
    assert row.run_id in second.view.clipboard_text()
    monkeypatch.setattr(second.view, "ask_confirm", lambda *texts: False)
    panel.delete_asked.emit(panel.table.chosen_rows())
    assert panel.table.rowCount() == 1
    monkeypatch.setattr(second.view, "ask_confirm", lambda *texts: True)
    panel.delete_asked.emit(panel.table.chosen_rows())
    assert panel.table.rowCount() == 0
    assert panel.desk.stored_ids() == []
    second.close()
    second.deleteLater()


def test_seeds_are_a_mean_with_a_band_and_axis_and_smoothing_follow_their_fields(ready, qtbot) -> None:
    panel = ready.docks.training
    row = train(ready, 1_280, seeds=3)
    qtbot.waitUntil(lambda: row.state == "finished", timeout=PATIENCE_MS)
    assert row.samples == 3 * 1_280
    assert "n = 3" in row.result_text
    import pyqtgraph as pg

    plot = panel.curves.plot.plot
    items = plot.getPlotItem().items
    assert any(isinstance(item, pg.FillBetweenItem) for item in items)
    (mean,) = [i for i in items if isinstance(i, pg.PlotDataItem) and i.name()]
    assert "n = 3" in mean.name()
    x, y = mean.getOriginalDataset()
    seeds = panel.book.series(row.run_id, "val_loss")
    assert np.allclose(y[-1], np.mean([values[-1] for _, values in seeds]))
    assert x[-1] == 1_280
    panel.curves.log_axis.setChecked(True)
    assert plot.getPlotItem().ctrl.logYCheck.isChecked()
    lines = len([i for i in plot.getPlotItem().items if isinstance(i, pg.PlotDataItem)])
    panel.curves.smoothing.setValue(500)
    smoothed = len([i for i in plot.getPlotItem().items if isinstance(i, pg.PlotDataItem)])
    assert smoothed == lines + 3  # each raw curve stays, faint


def test_gradients_of_a_run_warm_the_layers_of_its_graph(ready, qtbot) -> None:
    heat = ready.commands.action("view.heat.gradient")
    ready.commands.update()
    assert not heat.isEnabled()
    row = train(ready, 640)
    with qtbot.waitSignal(ready.docks.training.run_ended, timeout=PATIENCE_MS):
        pass
    assert row.state == "finished"
    document, canvas = ready.application.current, ready.central.canvas
    heat.trigger()
    with_weights = {n.id for n in document.graph.nodes if document.verdict.nodes[n.id].parameters}
    warm = {node for node, item in canvas.graph_scene.nodes.items() if item.warmth.text}
    assert warm == with_weights
    assert all(float(canvas.graph_scene.nodes[node].warmth.text) > 0 for node in warm)
    renamed = document.graph.node(min(with_weights))
    document.push(ChangeNode(replace(renamed, name="another_name")), "Rename")
    assert ready.view.gradients()["another_name"] > 0
    document.push(AddNode(Node("extra", "relu", "extra")), "Add")
    assert ready.view.gradients() == {}  # another network: what the run measured is not its own
    document.undo()
    assert set(ready.view.gradients()) == {document.graph.node(node).name for node in with_weights}
