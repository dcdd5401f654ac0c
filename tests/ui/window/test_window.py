"""Tabs, palette, notices, files dropped on the window, saving that fails, and keys that mean one thing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QPushButton

from archstudio.app.commands import all_commands, run_command
from archstudio.app.storage import save_document
from archstudio.files import atomic
from archstudio.files.log import catch_faults
from archstudio.graph import read_graph
from archstudio.ui.chooser import Chooser
from archstudio.ui.palette import command_chooser, layer_chooser, type_chooser
from archstudio.ui.start import tell_fault
from archstudio.ui.window import MainWindow


@pytest.fixture
def resnet(window: MainWindow, qtbot):
    """The document of deepen-resnet, open in the window."""
    window.open_task("deepen-resnet")
    qtbot.wait(5)
    return window.application.current


# -------------------------------------------------------------------------- tabs


def test_each_graph_has_a_tab_and_a_dot_while_it_is_unsaved(window: MainWindow, resnet, qtbot) -> None:
    window.open_task("cnn-cifar")
    tabs = window.central.tabs
    assert [tabs.tabText(k) for k in range(tabs.count())] == ["deepen-resnet", "cnn-cifar"]
    tabs.setCurrentIndex(0)
    assert window.application.current is resnet
    resnet.selection.set([resnet.graph.named("act1").id])
    run_command("edit.delete", window.context)
    qtbot.waitUntil(lambda: tabs.tabText(0) == "deepen-resnet  ●")
    assert window.isWindowModified()
    run_command("edit.undo", window.context)
    qtbot.waitUntil(lambda: tabs.tabText(0) == "deepen-resnet")
    assert not window.isWindowModified()


def test_the_cross_of_a_tab_asks_about_unsaved_edits(window: MainWindow, resnet, monkeypatch) -> None:
    resnet.selection.set([resnet.graph.named("act1").id])
    run_command("edit.delete", window.context)
    asked: list[str] = []
    monkeypatch.setattr(window.view, "ask_unsaved", lambda title: asked.append(title) or "cancel")
    window.central.tabs.tabCloseRequested.emit(0)
    assert asked == ["deepen-resnet"]
    assert window.application.documents == [resnet]
    monkeypatch.setattr(window.view, "ask_unsaved", lambda title: "discard")
    window.central.tabs.tabCloseRequested.emit(0)
    assert window.application.documents == []
    assert window.central.welcome.isVisible()


def test_closing_the_window_can_be_cancelled(window: MainWindow, resnet, monkeypatch) -> None:
    resnet.selection.set([resnet.graph.named("act1").id])
    run_command("edit.delete", window.context)
    monkeypatch.setattr(window.view, "ask_unsaved", lambda title: "cancel")
    assert not window.close()
    assert window.isVisible()
    assert window.application.documents == [resnet]


# ----------------------------------------------------------------------- choosers


def pick(monkeypatch, typed: str) -> None:
    """Whatever chooser opens next: type this and press Enter."""

    def answer(chooser: Chooser) -> int:
        chooser.field.setText(typed)
        chooser._pick(chooser.list.currentItem())
        return 1

    monkeypatch.setattr(Chooser, "exec", answer)


def test_the_palette_runs_what_is_typed(window: MainWindow, resnet, monkeypatch) -> None:
    pick(monkeypatch, "select all")
    run_command("view.palette", window.context)
    assert resnet.selection.nodes == set(resnet.graph.node_ids)


def test_the_palette_finds_every_command_that_can_run(window: MainWindow, resnet) -> None:
    for document in (resnet, None):
        window.application.make_current(document)
        chooser = command_chooser(window, window.context)
        for row in all_commands():
            chooser.field.setText(row.title)
            assert (row.id in chooser.found_keys(but="")) == row.when(window.context), row.id
        chooser.deleteLater()
    window.application.make_current(resnet)


def test_keys_move_in_the_chooser_and_enter_picks(window: MainWindow, qtbot) -> None:
    chooser = command_chooser(window, window.context)
    qtbot.keyClicks(chooser.field, "theme")
    second = chooser.titles[1]
    qtbot.keyClick(chooser.field, Qt.Key.Key_Down)
    qtbot.keyClick(chooser.field, Qt.Key.Key_Return)
    assert chooser.chosen is not None
    assert {row.id: row.title for row in all_commands()}[chooser.chosen] == second
    qtbot.keyClicks(chooser.field, " no such thing")
    assert chooser.titles == []
    chooser.deleteLater()


def test_find_selects_one_layer_or_all_that_were_found(window: MainWindow, resnet, monkeypatch) -> None:
    pick(monkeypatch, "problem")
    run_command("edit.find", window.context)
    assert {resnet.graph.node(n).name for n in resnet.selection.nodes} == {"head"}
    chooser = layer_chooser(window, resnet)
    chooser.field.setText("put")
    assert chooser.titles == ["input", "output", "Select all 2 layers"]
    chooser.deleteLater()


def test_a_layer_becomes_one_of_another_type(window: MainWindow, resnet, monkeypatch) -> None:
    chooser = type_chooser(window, "act1")
    chooser.field.setText("gelu")
    assert chooser.titles[0] == "gelu"
    chooser.deleteLater()
    pick(monkeypatch, "gelu")
    resnet.selection.set([resnet.graph.named("act1").id])
    run_command("graph.replaceType", window.context)
    assert resnet.graph.named("act1").type == "gelu"


# -------------------------------------------------------------------------- files


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    nothing = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, data, *nothing))


def test_files_dropped_on_the_window_are_opened(window: MainWindow, resnet, tmp_path: Path) -> None:
    save_document(resnet, tmp_path / "a.arch.json")
    window.application.close(resnet)
    (tmp_path / "b.json").write_text("[]", encoding="utf-8")
    drop(window, tmp_path / "a.arch.json", tmp_path / "b.json")
    assert [d.title for d in window.application.documents] == ["a"]
    assert "b.json could not be opened" in window.central.notice.full_text
    window.application.close(window.application.current)
    assert [p.name for p in window.application.recent.paths()] == ["a.arch.json"]


def test_a_read_only_folder_is_told(window: MainWindow, resnet, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(window.view, "ask_save", lambda suggestion: tmp_path / "mine.arch.json")
    opened = os.open

    def refuse(path, flags, *mode) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *mode)

    with monkeypatch.context() as patched:  # the tests may run as a user who may write anywhere
        patched.setattr(atomic.os, "open", refuse)
        run_command("file.save", window.context)
    assert "you may not write there" in window.central.notice.full_text
    assert list(tmp_path.iterdir()) == []


def test_a_failing_disk_is_told_and_the_edits_stay(window: MainWindow, resnet, tmp_path: Path, monkeypatch) -> None:
    target = tmp_path / "mine.arch.json"
    monkeypatch.setattr(window.view, "ask_save", lambda suggestion: target)
    resnet.selection.set([resnet.graph.named("act1").id])
    run_command("edit.delete", window.context)

    def broken(descriptor: int, data: bytes) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(atomic, "write_all", broken)
        run_command("file.save", window.context)
    assert window.central.notice.isVisible()
    assert "the disk reports a fault" in window.central.notice.full_text
    assert resnet.modified
    assert not target.exists()
    run_command("file.save", window.context)
    assert read_graph(target).named("act1") is None


def test_a_journal_that_cannot_be_written_is_told_once(window: MainWindow, resnet, monkeypatch, qtbot) -> None:
    from archstudio.files import journal

    def full(descriptor: int, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(journal, "write_all", full)
        resnet.selection.set([resnet.graph.named("act1").id])
        run_command("edit.delete", window.context)
        qtbot.waitUntil(lambda: "cannot be kept safe" in window.central.notice.full_text)
        window.central.notice.hide()
        qtbot.wait(120)
        assert not window.central.notice.isVisible()
    run_command("edit.undo", window.context)
    qtbot.waitUntil(lambda: window.application.journal_failure() is None)


# ------------------------------------------------------------------------ notices


def test_a_fault_in_a_slot_is_told_with_details_to_copy_and_the_window_lives_on(
    window: MainWindow, resnet, qtbot, capsys
) -> None:
    def broken() -> None:
        raise RuntimeError("the slot is broken")

    with qtbot.captureExceptions() as raised:
        undo = catch_faults(lambda fault: tell_fault(window, fault))
        QTimer.singleShot(0, broken)
        qtbot.waitUntil(lambda: raised != [])
        undo()
    notice = window.central.notice
    qtbot.waitUntil(notice.isVisible)
    copy = next(b for b in notice.findChildren(QPushButton) if b.text() == "Copy details")
    assert copy.isVisible()
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert "RuntimeError: the slot is broken" in copied
    assert "test_window.py" in copied
    capsys.readouterr()
    resnet.selection.set([resnet.graph.named("act1").id])
    assert run_command("edit.delete", window.context)


def test_a_plain_notice_has_nothing_to_copy(window: MainWindow) -> None:
    window.view.notify("Saved")
    buttons = window.central.notice.findChildren(QPushButton)
    assert not any(b.isVisible() for b in buttons)


# --------------------------------------------------------------------------- keys


def test_menus_show_the_shortcuts(window: MainWindow) -> None:
    for row in all_commands():
        if row.shortcut:
            action = window.commands.action(row.id)
            assert action.shortcut() == QKeySequence(row.shortcut.split("; ")[0])


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        ((Qt.Key.Key_D, Qt.KeyboardModifier.NoModifier), "Bypass act1"),
        ((Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier), "Delete act1"),
        ((Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier), "Delete act1"),
        ((Qt.Key.Key_Delete, Qt.KeyboardModifier.AltModifier), "Delete act1"),
        ((Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier), "Duplicate act1"),
        ((Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier), "Frame"),
        ((Qt.Key.Key_X, Qt.KeyboardModifier.ControlModifier), "Delete act1"),
    ],
)
def test_keys_on_the_canvas_make_one_step(window: MainWindow, resnet, qtbot, keys, step: str) -> None:
    window.canvas.setFocus()
    resnet.selection.set([resnet.graph.named("act1").id])
    qtbot.keyClick(window.canvas, *keys)
    assert resnet.history.labels == [step]


def test_tab_searches_and_what_is_chosen_goes_behind_the_selected_layer(window: MainWindow, resnet, qtbot) -> None:
    window.canvas.setFocus()
    resnet.selection.set([resnet.graph.named("act1").id])
    qtbot.keyClick(window.canvas, Qt.Key.Key_Tab)
    popup = window.canvas.popup
    assert popup is not None
    qtbot.keyClicks(popup.field, "flatten")
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    graph = resnet.graph
    made = graph.node(resnet.selection.single)
    assert made.type == "flatten"
    assert [graph.node(c.source).name for c in graph.incoming(made.id)] == ["act1"]
    assert [graph.node(c.target).name for c in graph.outgoing(made.id)] == ["head"]


def test_letters_typed_into_a_field_are_only_typed(window: MainWindow, resnet, qtbot) -> None:
    resnet.selection.set([resnet.graph.named("act1").id])
    search = window.docks.layers._search
    search.setFocus()
    qtbot.keyClicks(search, "dfr")
    qtbot.keyClick(search, Qt.Key.Key_Backspace)
    qtbot.keyClick(search, Qt.Key.Key_Delete)
    assert search.text() == "df"
    assert resnet.history.labels == []


def test_f6_goes_round_the_canvas_and_every_dock_that_can_be_seen(window: MainWindow, resnet, qtbot) -> None:
    window.canvas.setFocus()
    seen = []
    for _ in range(6):
        run_command("view.nextRegion", window.context)
        focus = QGuiApplication.focusObject()
        seen.append(next((n for n, p in window.docks.panels.items() if p is focus or p.isAncestorOf(focus)), "canvas"))
    assert seen[-1] == "canvas" or "canvas" in seen
    assert {"tasks", "layers", "verdict", "problems"} <= set(seen)
    window.canvas.setFocus()
    run_command("view.previousRegion", window.context)
    assert QGuiApplication.focusObject() is not window.canvas


def test_the_status_line_tells_size_and_how_long_checking_took(window: MainWindow, resnet, qtbot) -> None:
    qtbot.waitUntil(lambda: window.status.left.text().startswith("5 layers · 4 connections · checked in "))
    assert window.status.left.text().endswith(" ms")
    run_command("view.zoom100", window.context)
    assert window.status.right.text() == "100 %"
