"""Questions in the window: opened, left, gone on with, scored; and packs that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_packs import bake_content, pretended_set, write_pack
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QDialog
from quick_bench import QuickBench, net

from archstudio.app.commands import run_command
from archstudio.app.quiz.record import Protocol
from archstudio.ui.quiz.choice_board import ChoiceBoard
from archstudio.ui.quiz.host import QuizHost
from archstudio.ui.quiz.start_dialog import StartDialog
from archstudio.ui.window import MainWindow


@pytest.fixture
def host(window: MainWindow) -> QuizHost:
    return window.view.questions


@pytest.fixture
def begins(monkeypatch: pytest.MonkeyPatch):
    """Has the dialog that asks how to begin answered with a protocol."""

    def answer(protocol: Protocol) -> None:
        def run(dialog: StartDialog) -> int:
            dialog.radios[protocol].setChecked(True)
            return QDialog.DialogCode.Accepted

        monkeypatch.setattr(StartDialog, "exec", run)

    return answer


def open_pack(window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.view.questions, "ask_pack", lambda: path)
    window.commands.action("questions.open").trigger()


def answer_all(host: QuizHost, letter: str = "B") -> None:
    assert host.desk.page is not None
    while host.session is not None and not host.session.finished:
        assert isinstance(host.desk.page.board, ChoiceBoard)
        host.desk.page.board.pick(letter)
        host.desk.page.answer()
        host.desk.page.go_on()


def visible_docks(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.docks.items() if not dock.isHidden()}


def test_a_pack_is_opened_from_the_menu_and_takes_the_window(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch
) -> None:
    begins("full_sequential_feedback")
    window.open_task("deepen-resnet")
    docks = visible_docks(window)
    open_pack(window, pack_file, monkeypatch)
    assert host.in_front()
    assert host.desk.page is not None
    assert window.windowTitle() == "Questions – Arch Studio"
    assert not visible_docks(window)
    assert not window.commands.action("edit.undo").isEnabled()
    assert not window.commands.action("file.save").isEnabled()
    window.commands.action("questions.leave").trigger()
    assert not host.in_front()
    assert window.application.current is not None
    assert window.application.current.task_id == "deepen-resnet"
    assert visible_docks(window) == docks


def test_a_graph_that_is_opened_comes_to_the_front_and_the_question_waits(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch
) -> None:
    begins("practice")
    open_pack(window, pack_file, monkeypatch)
    run_command("file.new", window.context)
    assert not host.in_front()
    assert window.canvas is not None
    window.commands.action("questions.continue").trigger()
    assert host.in_front()
    assert window.application.current is None


def test_a_session_is_gone_on_with_in_a_new_window(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch, qtbot
) -> None:
    from archstudio.ui.start import make_window

    begins("full_sequential_feedback")
    open_pack(window, pack_file, monkeypatch)
    assert host.desk.page is not None
    host.desk.page.board.pick("A")  # type: ignore[union-attr]
    window.commands.action("questions.answer").trigger()
    window.commands.action("questions.next").trigger()
    pack_file.unlink()  # a copy is kept
    other = make_window()
    try:
        run_command("questions.continue", other.context)
        session = other.view.questions.session
        assert session is not None
        assert session.number == 2
        assert len(session.answers) == 1
    finally:
        other.close()
        other.deleteLater()


def test_after_the_last_question_the_results_stand_in_front_and_can_be_exported(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch, tmp_path: Path
) -> None:
    begins("blind")
    open_pack(window, pack_file, monkeypatch)
    answer_all(host)
    assert host.desk.results is not None
    assert host.desk.results.isVisible()
    assert host.desk.results.results.lines[0].right.right == 4
    assert host.desk.results.table.rowCount() == 4
    out = tmp_path / "answers.json"
    monkeypatch.setattr(host, "ask_answers_file", lambda suggestion: out)
    host.desk.results.export.click()
    written = json.loads(out.read_text("utf-8"))
    assert written["protocol"] == "blind"
    assert written["results"]["lines"][0]["right"] == 4


def test_results_of_a_blind_session_under_way_tell_nothing(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch
) -> None:
    begins("blind")
    open_pack(window, pack_file, monkeypatch)
    host.desk.page.board.pick("B")  # type: ignore[union-attr]
    host.desk.page.answer()  # type: ignore[union-attr]
    window.commands.action("questions.results").trigger()
    assert host.desk.results is not None
    assert host.desk.results.results.lines == ()
    assert host.desk.results.table.item(0, 4).text() == ""
    host.desk.results.back_asked.emit()
    assert host.desk.page.isVisible()  # type: ignore[union-attr]


def test_all_sessions_are_listed_gone_on_with_and_deleted(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch
) -> None:
    begins("practice")
    open_pack(window, pack_file, monkeypatch)
    window.commands.action("questions.all").trigger()
    home = host.desk.home
    assert home is not None
    assert home.table.rowCount() == 1
    assert home.table.item(0, 0).text() == "A small pack"
    home.go_on.click()
    assert host.desk.page is not None
    assert host.desk.page.isVisible()
    host.show_all()
    monkeypatch.setattr(window.view, "ask_confirm", lambda *args: False)
    home.forget.click()
    assert home.table.rowCount() == 1
    monkeypatch.setattr(window.view, "ask_confirm", lambda *args: True)
    home.forget.click()
    assert home.table.rowCount() == 0
    assert host.session is None


def test_a_pack_is_opened_by_file_open_and_by_dropping_it(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch
) -> None:
    begins("practice")
    monkeypatch.setattr(window.view, "ask_open", lambda: [pack_file])
    window.commands.action("file.open").trigger()
    assert host.in_front()
    assert window.application.documents == []
    host.leave()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(pack_file))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPoint(5, 5), actions, mime, buttons, Qt.KeyboardModifier.NoModifier))
    assert host.in_front()
    assert len(host.desk.shelf.records()[0]) == 2


def test_a_pack_that_cannot_be_used_is_told_with_its_name_and_the_place(
    window: MainWindow, host: QuizHost, tmp_path: Path, monkeypatch
) -> None:
    content = bake_content(("univariate_regression",))
    next(iter(content["byId"].values()))["reveal"]["correctLetter"] = "A"
    open_pack(window, write_pack(content, tmp_path / "bad.json"), monkeypatch)
    told = window.central.notice.full_text
    assert "bad.json could not be opened" in told
    assert "reveal.correctLetter" in told
    assert not host.in_front()
    assert not host.desk.shelf.sessions.exists()


def test_what_is_told_while_questions_are_in_front_is_seen_there(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch, tmp_path: Path
) -> None:
    begins("practice")
    open_pack(window, pack_file, monkeypatch)
    open_pack(window, write_pack([1], tmp_path / "list.json"), monkeypatch)
    assert host.place.notice.isVisible()
    assert "list.json" in host.place.notice.full_text


def test_the_dialog_offers_only_what_the_pack_can_give(qtbot, tmp_path: Path) -> None:
    from made_packs import ranking_content

    from archstudio.app.quiz.packs import open_pack as read

    sealed = read(write_pack(ranking_content(with_results=False), tmp_path / "r.json"))
    both = read(write_pack(bake_content(), tmp_path / "p.json"))
    dialog = StartDialog(None, [sealed, both])  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert dialog.protocol == "blind"
    assert not dialog.radios["practice"].isEnabled()
    dialog.which.setCurrentIndex(1)
    assert dialog.radios["practice"].isEnabled()
    assert len(dialog.items) == 4
    dialog._boxes["bigram_lm"].setChecked(False)
    assert len(dialog.items) == 3
    assert dialog.seed is None
    dialog.shuffled.setChecked(True)
    dialog.seed_box.setValue(9)
    assert dialog.seed == 9
    for box in dialog._boxes.values():
        box.setChecked(False)
    assert not dialog.begin.isEnabled()


def test_another_theme_reaches_the_questions(
    window: MainWindow, host: QuizHost, pack_file: Path, begins, monkeypatch
) -> None:
    begins("practice")
    open_pack(window, pack_file, monkeypatch)
    host.desk.page.board.pick("C")  # type: ignore[union-attr]
    window.set_theme("dark")
    assert host.desk.page.board.confidence.choice == "C"  # type: ignore[union-attr]


def test_a_folder_without_anything_is_told(window: MainWindow, host: QuizHost, tmp_path: Path, qtbot) -> None:
    host.new_practice(tmp_path)
    qtbot.waitUntil(lambda: "There is no data set in it" in window.central.notice.full_text, timeout=60_000)


def test_every_command_about_questions_is_in_the_menu_and_off_where_it_means_nothing(window: MainWindow) -> None:
    window.commands.update()
    off = ("answer", "next", "try", "leave", "results", "export", "addDesign")
    assert not [name for name in off if window.commands.action(f"questions.{name}").isEnabled()]
    on = ("open", "practice", "continue", "all")
    assert all(window.commands.action(f"questions.{name}").isEnabled() for name in on)
    window.commands.action("questions.continue").trigger()
    assert "Open a pack first" in window.central.notice.full_text


# --------------------------------------------------------------------- designs


def ask_among(window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window.view.questions, "ask_folder", lambda title: folder)
    window.commands.action("questions.addDesign").trigger()


def test_a_design_is_ranked_among_the_candidates_of_a_set(
    window: MainWindow, host: QuizHost, monkeypatch, tmp_path: Path, qtbot
) -> None:
    host.desk.bench = QuickBench()
    window.application.adopt(net())
    ask_among(window, pretended_set(tmp_path), monkeypatch)
    dialog = host.desk.design
    assert dialog is not None
    assert dialog.table.rowCount() == 3
    dialog.train.click()
    qtbot.waitUntil(lambda: dialog.verdict.text() == "Place 2 of 4: it beats 2 of 3 candidates.")
    assert dialog.table.rowCount() == 4
    assert dialog.table.item(1, 1).text() == "my net"
    assert [index.row() for index in dialog.table.selectionModel().selectedRows()] == [1]
    dialog.reject()


def test_a_design_that_does_not_fit_is_told_before_anything_is_asked(
    window: MainWindow, host: QuizHost, monkeypatch, tmp_path: Path
) -> None:
    window.application.adopt(net(3))
    ask_among(window, pretended_set(tmp_path), monkeypatch)
    assert host.desk.design is None
    assert "takes 1×3" in window.central.notice.full_text
    ask_among(window, tmp_path, monkeypatch)
    assert "There is no set of candidates in it" in window.central.notice.full_text
