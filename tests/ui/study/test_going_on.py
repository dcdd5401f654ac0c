"""Pauses, limits, crashes, two windows, quitting, withdrawing: a session goes on, or ends, as it should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from archstudio.study.log.chain import verify_chain
from archstudio.study.replay import verify
from archstudio.ui.study.small_dialogs import LONGEST_COMMENT, CommentField, FlagDialog
from archstudio.ui.study.window import StudyWindow

ONE_GRAPH = {
    "items": [{"kind": "curated", "tasks": ["fix-broken-attention", "deepen-resnet"]}],
    "order": {"rule": "fixed"},
    "practice": [],
    "attention": [],
}


def test_the_clock_starts_when_the_item_is_painted_and_stands_in_a_pause(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    shown = hand.session.state.current
    canvas = hand.window.items.graph.canvas
    hand.clock.advance(9)
    hand.do("study.pause")
    assert not canvas.isVisible()
    assert not any(dock.isVisible() for dock in hand.window.docks.all())
    hand.clock.advance(100)
    hand.press(hand.window.page.on_button)
    hand.qtbot.waitUntil(lambda: shown.time.running)
    assert canvas.isVisible()
    assert shown.time.active_ms == 10_000
    assert shown.time.paused_ms >= 100_000
    assert [pause.reason for pause in shown.time.pauses] == ["break"]


def test_an_item_out_of_time_gives_way_and_the_time_left_is_shown(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", limits={"active_minutes": 1}, **ONE_GRAPH))
    hand.to_items()
    first = hand.session.state.current
    hand.window.tick()
    assert hand.window.bar.left.text() == "0:59 left"
    hand.do("study.submit")  # an open dialog goes with its item
    hand.clock.advance(60)
    hand.window.tick()
    hand.wait_painted()
    assert first.lock_reason == "time"
    assert hand.session.state.current is not first
    assert hand.window.dialog is None


def test_flag_seen_before_and_text_for_models_are_recorded(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    shown = hand.session.state.current
    hand.do("study.flag")
    assert isinstance(hand.window.dialog, FlagDialog)
    hand.window.dialog.comment.setPlainText("The brief says two things.")
    hand.window.dialog.accept()
    hand.do("study.seen")
    hand.do("study.text")
    assert hand.window.dialog.text.toPlainText() == shown.item.text
    hand.window.dialog.reject()
    assert shown.flag["text"] == "The brief says two things."
    assert shown.seen_before is True
    assert shown.text_opened == 1


def test_edits_undo_and_redo_are_recorded_as_they_are_made(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    document = hand.window.items.graph.document
    hand.window.items.add_layer("relu")
    document.undo()
    document.redo()
    work = hand.session.state.current.work
    assert (work.gestures, work.undos) == (1, 1)
    assert document.is_recorded
    hand.submit()
    found = verify(hand.session.path, hand.window.pack)
    assert found.holds, found.problems


def test_killed_in_the_middle_it_goes_on_with_the_same_item_and_graph(study_window, graphs, tmp_path: Path) -> None:
    study = graphs("single_shot", **ONE_GRAPH)
    file, folder = tmp_path / "small-graphs.study", tmp_path / "sessions"
    folder.mkdir()
    file.write_bytes(study.content)
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("killed_window.py")), str(file), str(folder)],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == -9, ran.stderr
    item, layers, order = ran.stdout.split()
    hand = study_window(study)
    assert hand.window.page.on_button.text() == "Go on"
    hand.begin()
    hand.wait_painted()
    assert hand.session.desk.item.id == item
    assert len(hand.window.items.graph.document.graph) == int(layers)
    assert ",".join(hand.session.state.order) == order
    assert hand.session.state.resumes == 1
    assert verify_chain(hand.session.path).holds


def test_a_second_window_on_the_session_is_refused_and_says_why(study_window, graphs) -> None:
    study = graphs("single_shot", **ONE_GRAPH)
    first = study_window(study)
    first.begin()
    second = study_window(study)
    second.press(second.window.page.on_button)
    assert second.session is None
    assert "open" in second.window.page.problem.text()
    assert first.session.stage == "consent"


def test_declining_keeps_nothing(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    session = hand.begin()
    hand.press(hand.window.page.refuse_button)
    assert session.state.end_reason == "withdrawn"
    assert "kept" in hand.window.page.told.text()


def test_quitting_early_is_a_normal_end(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    hand.window.view.ask_confirm = lambda *_: True
    hand.do("study.quit")
    assert hand.session.state.end_reason == "quit"
    assert str(hand.session.path) in hand.window.page.told.text()
    assert hand.window.items.graph is None


def test_withdrawing_erases_everything(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    path = hand.session.path
    hand.window.view.ask_confirm = lambda *_: True
    hand.do("study.withdraw")
    report = verify_chain(path)
    assert report.holds
    assert report.erased > 0


def test_a_missing_answer_is_named_at_its_question(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.begin()
    hand.agree()
    hand.press(hand.window.page.on_button)
    assert hand.session.stage == "questionnaire"
    assert "is not answered" in hand.window.page.problem.text()
    field = hand.window.page.fields["years_ml"]
    field.prefer_not.setChecked(True)
    assert field.answer == "prefer not to say"
    field.text.setText("3")
    field.text.textEdited.emit("3")
    assert field.answer == 3.0


def test_ten_megabytes_pasted_into_a_comment_are_cut(qtbot, qapp) -> None:
    field = CommentField("Why?")
    qtbot.addWidget(field)
    qapp.clipboard().setText("x" * 10_000_000)
    field.paste()
    assert 0 < len(field.comment) <= LONGEST_COMMENT


def test_a_full_disk_is_told_and_nothing_acknowledged_is_lost(study_window, graphs, monkeypatch) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    writer = hand.session._recorder.writer
    from archstudio.study.log.store import LogFailed

    def full(*_: object) -> None:
        raise LogFailed(writer.path, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(writer, "append", full)
        shown = hand.session.state.current
        hand.do("study.submit")
        hand.press(hand.window.dialog.send)
        assert shown.count("submit") == 0
        assert "did not happen" in hand.window.notice.full_text
        assert "No space left" in hand.window.notice.full_text
    hand.submit()
    assert shown.count("submit") == 1


@pytest.mark.parametrize("spoil", ["newer", "cut", "hash"])
def test_a_study_that_cannot_be_used_is_refused_with_the_reason(window, graphs, tmp_path: Path, spoil: str) -> None:
    from archstudio.app.commands.file import open_path
    from archstudio.files.zips import read_zip, zip_bytes

    members = dict(read_zip(graphs("single_shot", **ONE_GRAPH).content, name="a.study"))
    if spoil == "newer":
        members["manifest.json"] = members["manifest.json"].replace(b'"version": 1,', b'"version": 9,', 1)
    if spoil == "hash":
        members["texts/consent.md"] += b"and one thing more"
    content = zip_bytes(members)
    path = tmp_path / "spoilt.study"
    path.write_bytes(content[:-200] if spoil == "cut" else content)
    open_path(window.context, path)
    told = window.central.notice.full_text
    assert "spoilt.study" in told
    assert {"newer": "newer", "hash": "altered", "cut": "spoilt.study"}[spoil] in told
    assert window.view.studies.opened == []


def test_a_study_opens_beside_the_window(window, graphs, tmp_path: Path, qtbot) -> None:
    from archstudio.app.commands.file import open_path

    path = tmp_path / "small-graphs.study"
    path.write_bytes(graphs("single_shot", **ONE_GRAPH).content)
    open_path(window.context, path)
    (opened,) = window.view.studies.opened
    assert isinstance(opened, StudyWindow)
    opened.close()
    qtbot.waitUntil(lambda: window.view.studies.opened == [])


def test_losing_the_focus_and_idle_time_are_recorded(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    shown = hand.session.state.current
    attending = hand.window._attending
    attending._changed(hand.window.windowHandle())
    losses, unfocused_ms = shown.time.focus_losses, shown.time.unfocused_ms
    attending._changed(None)
    hand.clock.advance(5)
    attending._changed(hand.window.windowHandle())
    hand.clock.advance(200)
    hand.window.tick()
    hand.clock.advance(1)
    hand.window._touched()
    assert shown.time.focus_losses == losses + 1
    assert shown.time.unfocused_ms == unfocused_ms + 5000
    assert shown.time.idle_ms >= 200_000


def test_the_whole_screen_can_be_used(study_window, graphs) -> None:
    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.begin()
    hand.do("study.fullScreen")
    assert hand.window.isFullScreen()
    hand.do("study.fullScreen")
    assert not hand.window.isFullScreen()


def test_with_the_keyboard_alone_a_layer_is_changed_and_submitted(study_window, graphs, qtbot) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QApplication

    hand = study_window(graphs("single_shot", **ONE_GRAPH))
    hand.to_items()
    canvas = hand.window.items.graph.canvas
    document = hand.window.items.graph.document
    shown = hand.session.state.current
    document.selection.set([document.graph.named("attn").id])
    hand.window.activateWindow()
    qtbot.waitUntil(hand.window.isActiveWindow)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)  # into the first parameter
    qtbot.wait(20)
    seen = set()
    for _ in range(8):
        hand.window.next_region(1)
        seen.add(type(QApplication.focusWidget()).__name__)
    assert len(seen) >= 3
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: hand.window.dialog is not None)
    qtbot.waitUntil(lambda: hand.window.dialog.send.hasFocus())
    qtbot.keyClick(hand.window.dialog.send, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shown.locked)
