"""A file that another program writes while it is open: the window asks, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from archstudio.app.commands import run_command
from archstudio.app.document import Document
from archstudio.edits import set_params
from archstudio.graph import read_graph, write_graph
from archstudio.ui.window import MainWindow


@pytest.fixture
def opened(window: MainWindow, tmp_path: Path) -> Document:
    """A file of the broken network, open in the window."""
    window.open_task("deepen-resnet")
    document = window.application.current
    window.application.save(document, tmp_path / "net.arch.json")
    return document


def write(document: Document, channels: int) -> None:
    graph = read_graph(document.path)
    set_params(graph.named("conv1"), outChannels=channels).apply(graph)
    document.path.write_bytes(write_graph(graph))


def width(document: Document) -> int:
    return int(document.graph.named("conv1").params["outChannels"])


def press(window: MainWindow, title: str) -> None:
    (button,) = (b for b in window.central.notice.answers if b.text() == title)
    button.click()


def asked(window: MainWindow) -> bool:
    return "was changed on disk" in window.central.notice.full_text and window.central.notice.isVisible()


def test_a_change_on_disk_is_asked_about_and_taken_over(window, opened, qtbot) -> None:
    write(opened, 99)
    qtbot.waitUntil(lambda: asked(window))
    press(window, "Reload")
    assert width(opened) == 99
    assert not opened.modified
    run_command("edit.undo", window.context)
    assert width(opened) == 16


def test_a_declined_change_is_not_asked_about_twice_but_saving_still_asks(window, opened, qtbot, monkeypatch) -> None:
    write(opened, 99)
    qtbot.waitUntil(lambda: asked(window))
    press(window, "Keep mine")
    window.disk_watch.look()
    assert not asked(window)
    assert width(opened) == 16
    questions = []
    monkeypatch.setattr(window.view, "ask_changed", lambda name: questions.append(name) or "cancel")
    run_command("file.save", window.context)
    assert questions == ["net.arch.json"]
    write(opened, 100)
    qtbot.waitUntil(lambda: asked(window))


def test_our_own_saving_is_no_change(window, opened, qtbot) -> None:
    opened.push(set_params(opened.graph.named("conv1"), outChannels=20), "Wider")
    run_command("file.save", window.context)
    qtbot.wait(250)
    assert not asked(window)


def test_the_question_waits_until_its_graph_is_in_front(window, opened, qtbot) -> None:
    other = window.application.new_document()
    write(opened, 99)
    qtbot.wait(250)
    assert not asked(window)
    window.application.make_current(opened)
    assert asked(window)
    window.application.make_current(other)
    assert not asked(window)


def test_a_deleted_file_marks_its_tab_unsaved(window, opened, qtbot) -> None:
    opened.path.unlink()
    qtbot.waitUntil(lambda: opened.modified)
    qtbot.waitUntil(lambda: "●" in window.central.tabs.tabText(0))


def test_the_question_of_saving_names_the_file_and_the_ways_out(window, qtbot, monkeypatch) -> None:
    from PySide6.QtWidgets import QMessageBox

    from archstudio.ui.dialogs import ask_changed

    for title, answer in (("Reload", "reload"), ("Save as…", "saveAs"), ("Overwrite", "overwrite")):

        def click(box: QMessageBox, title: str = title) -> int:
            assert "net.arch.json" in box.text()
            next(b for b in box.buttons() if b.text() == title).click()
            return 0

        monkeypatch.setattr(QMessageBox, "exec", click)
        assert ask_changed(window, "net.arch.json") == answer
