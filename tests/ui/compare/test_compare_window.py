"""The comparison as a person sees it: two canvases, marks that need no colour, a list for the keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from archstudio.app.commands import run_command
from archstudio.edits import set_params
from archstudio.graph import write_graph
from archstudio.ui.chooser import Chooser
from archstudio.ui.compare.canvas import _PATTERNS, SIGNS
from archstudio.ui.compare.choosing import comparable
from archstudio.ui.compare.window import CompareWindow
from archstudio.ui.window import MainWindow


@pytest.fixture
def edited(window: MainWindow):
    """The task's network with a layer deleted and another one widened."""
    window.open_task("deepen-resnet")
    document = window.application.current
    document.push(set_params(document.graph.named("conv1"), outChannels=64), "Wider")
    document.selection.set([document.graph.named("act1").id])
    run_command("edit.delete", window.context)
    return document


def compared(window: MainWindow, monkeypatch, typed: str) -> CompareWindow:
    """Run the command and choose what is typed; the window that opens."""

    def answer(chooser: Chooser) -> int:
        chooser.field.setText(typed)
        chooser._pick(chooser.list.currentItem())
        return 1

    before = set(window.findChildren(CompareWindow))
    monkeypatch.setattr(Chooser, "exec", answer)
    run_command("view.compare", window.context)
    (made,) = set(window.findChildren(CompareWindow)) - before
    return made


def test_the_start_of_the_task_is_offered_first(window, edited) -> None:
    titles = [choice.title for choice in comparable(window.application, edited)]
    assert titles == ["The start of the task", "Another file…"]


def test_differences_are_listed_and_marked_on_their_sides(window, edited, monkeypatch) -> None:
    shown = compared(window, monkeypatch, "start")
    assert "− removed layer act1 (relu)" in shown.lines
    assert "~ changed layer conv1: outChannels 16 → 64" in shown.lines
    assert shown.summary.text() == f"{len(shown.lines)} differences"
    left, right = shown.canvases
    act, conv = edited.start.named("act1").id, edited.graph.named("conv1").id
    assert (left.side.marks[act], left.side.marks[conv], right.side.marks[conv]) == ("removed", "changed", "changed")
    shown.close()


def test_each_kind_has_a_sign_and_a_pattern_of_its_own() -> None:
    assert len(set(SIGNS.values())) == len(set(_PATTERNS.values())) == 3


def test_arrow_keys_walk_the_list_and_both_canvases_follow(window, edited, monkeypatch, qtbot) -> None:
    shown = compared(window, monkeypatch, "start")
    row = next(k for k, line in enumerate(shown.lines) if "conv1: outChannels" in line)
    shown.list.setCurrentCell(row - 1, 0)
    qtbot.keyClick(shown.list, Qt.Key.Key_Down)
    assert [c.document.selection.single for c in shown.canvases] == [edited.graph.named("conv1").id] * 2
    for _ in shown.lines:
        shown.step(1)
    assert shown.list.currentRow() == row
    shown.close()


def test_enter_goes_to_the_layer_in_the_graph_itself(window, edited, monkeypatch, qtbot) -> None:
    shown = compared(window, monkeypatch, "start")
    row = next(k for k, line in enumerate(shown.lines) if "conv1: outChannels" in line)
    window.application.new_document()
    shown.list.setCurrentCell(row, 0)
    qtbot.keyClick(shown.list, Qt.Key.Key_Return)
    assert window.application.current is edited
    assert edited.selection.single == edited.graph.named("conv1").id
    shown.close()


def test_two_open_graphs_are_compared_alone_and_against_the_start(window, edited, monkeypatch) -> None:
    window.application.save(edited, Path(window.application.settings.path.parent) / "mine.arch.json")
    window.application.new_document()
    window.application.make_current(edited)
    shown = compared(window, monkeypatch, "each against")
    assert shown.list.columnCount() == 4
    assert any(line.endswith("mine") for line in shown.lines)
    shown.close()
    shown = compared(window, monkeypatch, "another open")
    assert shown.list.columnCount() == 3
    shown.close()


def test_the_saved_file_shows_what_saving_would_change(window, edited, monkeypatch, tmp_path: Path) -> None:
    window.application.save(edited, tmp_path / "mine.arch.json")
    shown = compared(window, monkeypatch, "mine.arch.json")
    assert shown.lines == []
    assert "say the same" in shown.summary.text()
    shown.close()


def test_another_file_and_one_that_is_no_graph(window, edited, monkeypatch, tmp_path: Path) -> None:
    path = tmp_path / "theirs.json"
    path.write_bytes(write_graph(edited.start))
    monkeypatch.setattr(window.view, "ask_open", lambda: [path])
    shown = compared(window, monkeypatch, "another file")
    assert "theirs.json" in shown.windowTitle()
    shown.close()
    path.write_text("nonsense", encoding="utf-8")
    with pytest.raises(ValueError, match="not enough values"):
        compared(window, monkeypatch, "another file")
    assert "Cannot be compared" in window.central.notice.full_text


def test_comparing_changes_neither_graph(window, edited, monkeypatch) -> None:
    before = write_graph(edited.graph), edited.history.position
    shown = compared(window, monkeypatch, "start")
    shown.step(1)
    shown.close()
    assert (write_graph(edited.graph), edited.history.position) == before


def test_both_sides_move_together_unless_told_otherwise(window, edited, monkeypatch) -> None:
    shown = compared(window, monkeypatch, "start")
    left, right = shown.canvases
    left.zoom_by(0.5)
    assert right.camera.zoom == pytest.approx(left.camera.zoom)
    shown.together.setChecked(False)
    left.zoom_by(0.5)
    assert right.camera.zoom != pytest.approx(left.camera.zoom)
    shown.close()
