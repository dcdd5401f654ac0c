"""Every command about tasks, by the name of its action, in the real window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFileDialog, QProgressDialog

from archstudio.app.commands import all_commands
from archstudio.app.tasks.suites import GeneratedSuite
from archstudio.bench.broken import exercise
from archstudio.edits import set_params
from archstudio.graph import write_graph
from archstudio.ui.bench.generate_dialog import GenerateDialog
from archstudio.ui.bench.import_report import ImportReport
from archstudio.ui.compare.window import CompareWindow
from archstudio.ui.window import MainWindow

HEADS = "seven-heads-for-a-hundred"


def picks(monkeypatch: pytest.MonkeyPatch, *paths: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *a: ([str(path) for path in paths], ""))


def answers(monkeypatch: pytest.MonkeyPatch, dialog: type, result: int, seen: list[Any]) -> None:
    """Whatever dialog of this type opens next is looked at and answered."""

    def answer(shown: Any) -> int:
        seen.append(shown)
        if result:
            shown.accept()
        return result

    monkeypatch.setattr(dialog, "exec", answer)


def task_file(path: Path, *rows: Any) -> Path:
    path.write_text(json.dumps({"version": 1, "tasks": list(rows)}), encoding="utf-8")
    return path


ROW: dict[str, Any] = {"id": "grow", "spec": "Grow it.", "constraints": {"minComponents": 3}, "start": "empty-tabular"}


def test_every_task_command_is_in_the_menu_and_the_palette(window: MainWindow) -> None:
    named = {a.objectName() for a in window.commands.menu("Task").actions() if a.objectName()}
    assert named == {row.id for row in all_commands() if row.menu == "Task"}
    assert {a.objectName() for a in window.docks.tasks.menu_button.menu().actions()} >= named


def test_find(window: MainWindow, act, qtbot) -> None:
    act("task.find")
    assert window.docks.tasks.search.hasFocus()
    keys = window.findChild(QAction, "task.find").shortcut()
    assert keys == QKeySequence("Ctrl+Shift+T")


def test_next_opens_the_first_that_is_not_done(window: MainWindow, act, solved, qtbot) -> None:
    qtbot.waitUntil(lambda: window.docks.tasks.details.title.text() == "fix-broken-attention")
    act("task.next")
    assert window.application.current.task_id == "deepen-resnet"


def test_next_says_when_all_is_done(window: MainWindow, act, mlp) -> None:
    window.docks.tasks.show_suite("mine")
    act("task.next")
    assert "done" in window.central.notice.full_text
    assert window.application.documents == []


def test_generate_keeps_a_suite_and_remembers_the_answer(window: MainWindow, act, monkeypatch) -> None:
    seen: list[GenerateDialog] = []

    def fill(dialog: GenerateDialog) -> int:
        seen.append(dialog)
        if len(seen) == 1:
            dialog.tier.setCurrentIndex(dialog.tier.findData("edge"))
            dialog.count.setText("1,200")
            dialog.seed.setText("4294967295")
            dialog.accept()
            return 1
        assert (dialog.count.text(), dialog.seed.text(), dialog.tier.currentData()) == ("1200", "4294967295", "edge")
        return 0

    monkeypatch.setattr(GenerateDialog, "exec", fill)
    act("task.generate")
    assert window.docks.tasks.suite == "edge-4294967295"
    assert window.application.tasks.library.suite("edge-4294967295").title == "Edge, seed 4294967295"
    act("task.generate")
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("count", "seed", "fault"),
    [("0", "7", "count"), ("10,000,000", "7", "count"), ("many", "7", "count"), ("120", "4294967296", "seed"),
     ("120", "-1", "seed"), ("120", "", "seed"), ("120", "1.5", "seed"), ("1" * 5_000, "7", "count")],
)  # fmt: skip
def test_generate_refuses_what_cannot_be_drawn(window: MainWindow, count: str, seed: str, fault: str) -> None:
    dialog = GenerateDialog(window, window.application.settings)
    dialog.count.setText(count)
    dialog.seed.setText(seed)
    assert fault in dialog.fault
    assert not dialog.make.isEnabled()
    assert dialog.recipe is None
    dialog.deleteLater()


def test_generate_shows_the_first_brief_in_the_wording_chosen(window: MainWindow) -> None:
    dialog = GenerateDialog(window, window.application.settings)
    complete = dialog._example.text()
    dialog.wording.setCurrentIndex(1)
    assert len(dialog._example.text()) < len(complete)
    dialog.deleteLater()


def test_import_shows_the_suite_and_tells_every_rejected_row(window: MainWindow, act, monkeypatch, tmp_path) -> None:
    picks(monkeypatch, task_file(tmp_path / "mine.json", ROW, {**ROW, "id": "odd", "constraints": {"wish": 1}}, 3))
    seen: list[ImportReport] = []
    answers(monkeypatch, ImportReport, 0, seen)
    act("task.import")
    (report,) = seen
    assert [report.table.item(k, 1).text() for k in range(2)] == ["odd", ""]
    assert "wish" in report.table.item(0, 2).text()
    report.copy()
    assert len(window.view.clipboard_text().splitlines()) == 2
    assert [entry.id for entry in window.docks.tasks.model.entries] == ["grow"]
    window.open_task(window.docks.tasks.model.entries[0].ref)
    assert window.application.current.graph.name == "grow"


def test_import_of_a_good_file_needs_no_dialog(window: MainWindow, act, monkeypatch, tmp_path) -> None:
    picks(monkeypatch, task_file(tmp_path / "mine.json", ROW))
    act("task.import")
    assert "1 task imported from mine.json" in window.central.notice.full_text


def test_import_of_something_else_is_told(window: MainWindow, act, monkeypatch, tmp_path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[", encoding="utf-8")
    picks(monkeypatch, path)
    act("task.import")
    assert "x.json could not be imported" in window.central.notice.full_text


def test_a_long_import_can_be_cancelled_and_keeps_nothing(window: MainWindow, act, monkeypatch, tmp_path) -> None:
    picks(monkeypatch, task_file(tmp_path / "mine.json", *({**ROW, "id": f"grow-{k}"} for k in range(50))))
    monkeypatch.setattr(QProgressDialog, "wasCanceled", lambda dialog: True)
    act("task.import")
    assert [suite.title for suite in window.application.tasks.library.suites()] == ["Curated", "Practice", "Mine"]


def test_remove_asks_once_and_forgets_the_suite(window: MainWindow, act, monkeypatch) -> None:
    assert not window.commands.action("task.removeSuite").isEnabled()
    window.application.tasks.library.keep_generated(GeneratedSuite("core", 7, 10))
    window.docks.tasks.show_suite("core-7")
    asked: list[str] = []
    monkeypatch.setattr(window.view, "ask_confirm", lambda *a: asked.append(a[0]) or len(asked) > 1)
    act("task.removeSuite")
    assert window.docks.tasks.suite == "core-7"
    act("task.removeSuite")
    assert window.docks.tasks.suite == "curated"
    assert asked == ["Remove the suite Core, seed 7?"] * 2


def test_submit_and_start_over_stand_with_the_other_task_commands(window: MainWindow, act, solved) -> None:
    act("task.startOver")
    assert solved.graph.named("attn").params["numHeads"] == 7
    assert solved.history.labels[-1] == "Start over"


def test_attempts_are_listed_newest_first_with_the_keyboard_in_them(window: MainWindow, act, solved, submit) -> None:
    solved.undo()
    submit(window)
    act("task.attempts")
    table = window.docks.plan.attempts
    assert table.hasFocus()
    assert [table.item(row, 0).text() for row in range(table.rowCount())] == ["2", "1"]
    assert [table.item(row, 3).text() for row in range(2)] == ["✖", "✔"]
    assert "not divisible" in table.item(0, 3).toolTip()


def test_an_attempt_opens_in_a_tab_as_it_was_submitted(window: MainWindow, act, solved, qtbot) -> None:
    submitted = write_graph(solved.graph)
    solved.undo()
    act("task.attempts")
    qtbot.keyClick(window.docks.plan.attempts, Qt.Key.Key_Return)
    opened = window.application.current
    assert opened is not solved
    assert opened.title == "fix-broken-attention, attempt 1"
    assert opened.task_id == "fix-broken-attention"
    opened.graph.name = "fix-broken-attention"
    assert write_graph(opened.graph) == submitted
    qtbot.waitUntil(lambda: window.docks.plan._count.text().startswith("1 action of at most 4"))


def test_open_attempt_by_command(window: MainWindow, act, solved) -> None:
    assert not window.commands.action("task.openAttempt").isEnabled()
    act("task.attempts")
    act("task.openAttempt")
    assert len(window.application.documents) == 2


def compared(window: MainWindow) -> CompareWindow:
    (shown,) = (each for each in window.findChildren(CompareWindow) if each.isVisible())
    return shown


def test_compare_only_after_solving(window: MainWindow, act, solved) -> None:
    window.open_task("deepen-resnet")
    window.commands.update()
    assert not window.commands.action("task.compare").isEnabled()
    assert not window.commands.action("task.openReference").isEnabled()
    window.application.make_current(solved)
    act("task.compare")
    shown = compared(window)
    assert shown.comparison.rows == ()
    shown.close()


def test_compare_shows_what_the_reference_does_otherwise(window: MainWindow, act, solved) -> None:
    solved.push(set_params(solved.graph.named("attn"), numHeads=10), "Heads")
    act("task.compare")
    shown = compared(window)
    (row,) = shown.comparison.rows
    assert row.kind == "changed"
    assert "attn" in row.text
    assert "numHeads" in row.text
    shown.close()


def test_open_reference_opens_a_network_that_runs(window: MainWindow, act, solved) -> None:
    act("task.openReference")
    reference = window.application.current
    assert reference.title == "fix-broken-attention (reference)"
    assert reference.task_id is None
    assert reference.verdict.runs


def test_hint_shows_one_more_each_time_until_there_is_none(window: MainWindow, act, qtbot) -> None:
    window.open_task(f"practice/{HEADS}")
    details = window.docks.tasks.details
    for count in (1, 2, 3):
        act("task.hint")
        qtbot.waitUntil(lambda count=count: f"{count}.  " in details.hints.text())
        assert f"{count + 1}.  " not in details.hints.text()
        assert details.hints.text().startswith("1.  " + exercise(HEADS).hints[0])
    window.commands.update()
    assert not window.commands.action("task.hint").isEnabled()
    assert not details.hint_button.isVisible()


def test_hint_is_for_exercises_only(window: MainWindow) -> None:
    window.open_task("cnn-cifar")
    window.commands.update()
    assert not window.commands.action("task.hint").isEnabled()


def test_a_mended_exercise_is_noticed_explained_and_remembered(window: MainWindow, act, qtbot) -> None:
    window.docks.tasks.show_suite("practice")
    window.open_task(f"practice/{HEADS}")
    document, details = window.application.current, window.docks.tasks.details
    qtbot.waitUntil(lambda: "still refuse" in details.standing.text())
    name = exercise(HEADS).repair[0]["name"]
    window.docks.docks["tasks"].hide()  # it is noticed whatever docks are open
    document.push(set_params(document.graph.named(name), numHeads=10), "Heads")
    qtbot.waitUntil(lambda: window.application.tasks.practice.state(HEADS).mended)
    assert exercise(HEADS).explanation in window.central.notice.full_text
    window.view.show_dock("tasks")
    qtbot.waitUntil(lambda: exercise(HEADS).explanation in details.standing.text())
    assert not window.commands.action("task.submit").isEnabled()
    act("task.next")
    assert window.application.current.task_id != f"practice/{HEADS}"


def test_cutting_the_fault_out_is_not_mending(window: MainWindow, qtbot) -> None:
    from archstudio.edits.compose import delete_nodes

    window.open_task(f"practice/{HEADS}")
    document = window.application.current
    name = exercise(HEADS).repair[0]["name"]
    document.push(delete_nodes(document.graph, [document.graph.named(name).id]), "Delete")
    qtbot.waitUntil(lambda: "is gone" in window.docks.tasks.details.standing.text())
    assert not window.application.tasks.practice.state(HEADS).mended


def test_results_and_import_results(window: MainWindow, act, monkeypatch, tmp_path) -> None:
    act("task.results")
    results = window.view.bench.results
    assert results.isVisible()
    assert results.empty.isVisible()
    path = tmp_path / "calib.json"
    path.write_text(json.dumps({
        "who": "m", "seed": 11, "perFamily": 12, "generatedAt": "2026-08-01",
        "rows": [{"family": "tower", "n": 4, "passes": 1, "rate": 0.25, "ci": [0.0456, 0.6994], "band": "EASY"}],
    }))  # fmt: skip
    picks(monkeypatch, path)
    act("task.importResults")
    assert "1 result file imported" in window.central.notice.full_text
    assert results.tabs.isVisible()
    assert results.runs.rows.rowCount() == 1


def test_import_results_says_what_is_wrong(window: MainWindow, act, monkeypatch, tmp_path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}", encoding="utf-8")
    picks(monkeypatch, path)
    act("task.importResults")
    assert "holds no results of a known form" in window.central.notice.full_text


def test_a_task_whose_suite_is_gone_says_so_when_opened(window: MainWindow) -> None:
    window.open_task("core-99/gen-mlp-0")
    assert "could not be opened" in window.central.notice.full_text
    assert window.application.documents == []
