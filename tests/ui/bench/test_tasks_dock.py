"""The Tasks dock is a browser: suites, search, filters, progress, keys, and it stays quick with thousands of tasks."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from archstudio.app.application import Application
from archstudio.app.tasks.suites import GeneratedSuite
from archstudio.study.visibility import SINGLE_SHOT
from archstudio.ui.bench.task_model import OPEN, PROGRESS, STATE
from archstudio.ui.panels.tasks import ALL, TasksPanel
from archstudio.ui.start import make_window
from archstudio.ui.window import MainWindow


def refs(tasks: TasksPanel) -> list[str]:
    return [entry.ref for entry in tasks.model.entries]


def of(tasks: TasksPanel, ref: str, role: int) -> Any:
    return tasks.model.data(tasks.model.index(tasks.model.row_of(ref)), role)


def choose(tasks: TasksPanel, *path: str) -> None:
    """Click through the filter's menu: `Family`, `Mlp`."""
    tasks.filter.fill()
    menu = tasks.filter.menu()
    for step in path[:-1]:
        menu = next(a.menu() for a in menu.actions() if a.text().startswith(step) and a.menu() is not None)
    next(a for a in menu.actions() if a.text() == path[-1]).trigger()


@pytest.fixture
def tasks(window: MainWindow) -> TasksPanel:
    return window.docks.tasks


# ------------------------------------------------------------------------- suites


def test_the_curated_suite_is_shown_first_and_all_suites_can_be(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    titles = [tasks.suites.itemText(k) for k in range(tasks.suites.count()) if tasks.suites.itemText(k)]
    assert titles == ["Curated", "Practice", "Mine", "All suites"]
    assert len(refs(tasks)) == 12
    tasks.show_suite(ALL)
    qtbot.waitUntil(lambda: len(refs(tasks)) == 12 + 61)


def test_an_empty_suite_says_how_to_fill_it(tasks: TasksPanel) -> None:
    tasks.show_suite("mine")
    assert tasks.empty.isVisible()
    assert "New from This Graph" in tasks.empty.text()
    assert not tasks.list.isVisible()


def test_the_suite_shown_is_shown_again_after_a_restart(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    window.application.tasks.library.keep_generated(GeneratedSuite("edge", 3, 8))
    tasks.show_suite("edge-3")
    again = TasksPanel(Application(), window.theme)
    assert again.suite == "edge-3"
    qtbot.waitUntil(lambda: not again.model.loading)
    assert refs(again) == [f"edge-3/gen-{'eedge' if k % 2 == 0 else 'eshrink'}-{k}" for k in range(8)]
    again.close_panel()
    again.deleteLater()


def test_thousands_of_tasks_come_in_pieces_and_can_be_searched(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    window.application.tasks.library.keep_generated(GeneratedSuite("core", 7, 3_000))
    tasks.show_suite("core-7")
    assert 0 < len(refs(tasks)) < 3_000
    qtbot.waitUntil(lambda: not tasks.model.loading, timeout=20_000)
    assert len(refs(tasks)) == 3_000
    assert tasks.count.text().startswith("3,000 tasks")
    tasks.search.setText("gen-tower-2998")
    qtbot.waitUntil(lambda: refs(tasks) == ["core-7/gen-tower-2998"])
    assert tasks.count.text().startswith("1 of 3,000 tasks")


def test_a_long_name_is_cut_in_the_middle_and_told_whole_as_a_tip(window: MainWindow, tasks: TasksPanel, mlp) -> None:
    from archstudio.bench.task_files import FiledTask

    name = "a-task-with-a-name-that-goes-on-and-on-" * 4
    window.application.tasks.library.keep_own(FiledTask(name, "design", "Do it.", {}, {}, mlp, []))
    tasks.show_suite("mine")
    assert name in of(tasks, f"mine/{name}", Qt.ItemDataRole.ToolTipRole)
    assert tasks.list.sizeHintForColumn(0) < 400


# ---------------------------------------------------------------- search and filters


def test_search_looks_at_names_families_and_briefs(tasks: TasksPanel, qtbot) -> None:
    tasks.search.setText("attention")
    qtbot.waitUntil(lambda: 0 < len(refs(tasks)) < 12)
    tasks.search.setText("no task says this")
    qtbot.waitUntil(lambda: tasks.empty.isVisible())
    assert "like that" in tasks.empty.text()
    tasks.search.clear()
    qtbot.waitUntil(lambda: len(refs(tasks)) == 12)


def test_filters_narrow_by_family_and_say_so(tasks: TasksPanel) -> None:
    choose(tasks, "Family", "Extend")
    assert refs(tasks) == ["deepen-resnet", "add-normalization", "scale-under-budget"]
    assert tasks.filter.text() == "Filter: extend ▾"
    choose(tasks, "Show All")
    assert len(refs(tasks)) == 12


def test_filters_narrow_by_tier_and_difficulty(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    window.application.tasks.library.keep_generated(GeneratedSuite("core", 7, 20))
    tasks.show_suite(ALL)
    qtbot.waitUntil(lambda: not tasks.model.loading)
    choose(tasks, "Tier", "Core")
    assert len(refs(tasks)) == 20
    choose(tasks, "Difficulty", "Too hard")
    assert {entry.family for entry in tasks.model.entries} == {"tower"}


def test_done_tasks_can_be_left_out(window: MainWindow, tasks: TasksPanel, solved) -> None:
    choose(tasks, "Progress", "Done")
    assert refs(tasks) == ["fix-broken-attention"]
    choose(tasks, "Progress", "Not tried")
    assert len(refs(tasks)) == 11


def test_another_suite_drops_the_filter_that_fitted_the_old_one(tasks: TasksPanel, qtbot) -> None:
    choose(tasks, "Family", "Extend")
    tasks.show_suite("practice")
    qtbot.waitUntil(lambda: len(refs(tasks)) == 61)
    assert tasks.filter.text() == "Filter ▾"


# ------------------------------------------------------------------------- progress


def test_an_attempt_marks_its_task_with_the_verdicts_it_passed(
    window: MainWindow, tasks: TasksPanel, submit, qtbot
) -> None:
    window.open_task("cnn-cifar")
    submit(window)
    assert of(tasks, "cnn-cifar", STATE) == "tried"
    best = of(tasks, "cnn-cifar", PROGRESS).best
    assert (best.runs, best.passed, best.does_the_brief) == (True, False, False)
    qtbot.waitUntil(lambda: [row.mark for row in tasks.details.progress.shown] == ["", "ok", "error", "error"])


def test_a_solved_task_is_ticked_and_stays_so_after_undo(window: MainWindow, tasks: TasksPanel, solved, qtbot) -> None:
    assert of(tasks, "fix-broken-attention", STATE) == "done"
    solved.undo()
    qtbot.wait(10)
    assert of(tasks, "fix-broken-attention", STATE) == "done"
    assert "1 done" in tasks.count.text()
    assert "done" in of(tasks, "fix-broken-attention", Qt.ItemDataRole.AccessibleTextRole)


def test_the_open_task_is_marked_and_told_about(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    window.open_task("deepen-resnet")
    qtbot.waitUntil(lambda: tasks.details.title.text() == "deepen-resnet")
    assert of(tasks, "deepen-resnet", OPEN)
    assert "80,000,000" in tasks.details.limits.text()
    assert tasks.details.difficulty.text().startswith("Difficulty: ")
    assert not tasks.details.open_button.isVisible()
    window.open_task("cnn-cifar")
    qtbot.waitUntil(lambda: tasks.details.title.text() == "cnn-cifar")
    assert not of(tasks, "deepen-resnet", OPEN)


def test_a_task_without_published_rows_is_unrated(window: MainWindow, tasks: TasksPanel, mlp, qtbot) -> None:
    from archstudio.bench.task_files import FiledTask

    window.application.tasks.library.keep_own(FiledTask("mine-1", "design", "Do it.", {}, {}, mlp, []))
    window.open_task("mine/mine-1")
    qtbot.waitUntil(lambda: tasks.details.difficulty.text() == "Difficulty: unrated")


# --------------------------------------------------------------------- mouse and keys


def test_a_click_tells_about_a_task_and_the_button_opens_it(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    index = tasks.model.index(tasks.model.row_of("mlp-tabular"))
    place = tasks.list.visualRect(index).center()
    qtbot.mouseClick(tasks.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tasks.details.title.text() == "mlp-tabular"
    assert window.application.documents == []
    qtbot.mouseClick(window.findChild(QPushButton, "openTask"), Qt.MouseButton.LeftButton)
    assert window.application.current.task_id == "mlp-tabular"


def test_a_double_click_opens(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    place = tasks.list.visualRect(tasks.model.index(0)).center()
    qtbot.mouseClick(tasks.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(tasks.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.application.current.task_id == "cnn-cifar"


def test_a_right_click_offers_to_open_and_to_copy_the_brief(window: MainWindow, tasks: TasksPanel) -> None:
    tasks.list.setCurrentIndex(tasks.model.index(tasks.model.row_of("autoencoder")))
    actions = {action.text(): action for action in tasks.list.actions()}
    actions["Copy Brief"].trigger()
    assert "784" in window.view.clipboard_text()
    actions["Open"].trigger()
    assert window.application.current.task_id == "autoencoder"


def test_from_the_search_field_keys_lead_to_the_graph(window: MainWindow, tasks: TasksPanel, qtbot) -> None:
    tasks.search.setFocus()
    qtbot.keyClicks(tasks.search, "retrieval")
    qtbot.keyClick(tasks.search, Qt.Key.Key_Return)
    assert window.application.current.task_id == "two-tower-retrieval"
    tasks.search.clear()
    qtbot.waitUntil(lambda: len(refs(tasks)) == 12)
    tasks.search.setFocus()
    tasks.list.setCurrentIndex(tasks.model.index(0))
    qtbot.keyClick(tasks.search, Qt.Key.Key_Down)
    assert tasks.list.hasFocus()
    qtbot.keyClick(tasks.list, Qt.Key.Key_Down)
    qtbot.keyClick(tasks.list, Qt.Key.Key_Return)
    assert window.application.current.task_id == "mlp-tabular"


# ------------------------------------------------------------------------ visibility


@pytest.fixture
def blind(qtbot, own_home):
    made = make_window(Application(SINGLE_SHOT))
    made.set_theme("light")
    made.show()
    made.open_task("deepen-resnet")
    qtbot.wait(20)
    yield made
    for document in list(made.application.documents):
        made.application.close(document)
    made.close()
    made.deleteLater()


def test_under_single_shot_the_dock_has_the_brief_and_nothing_that_tells(blind: MainWindow, submit, qtbot) -> None:
    submit(blind)
    qtbot.wait(20)
    tasks = blind.docks.tasks
    details = tasks.details
    assert details.brief.text()
    for part in (details.limits, details.difficulty, details.standing, details.hints, details.compare_button):
        assert not part.isVisible(), part.objectName() or part.text()
    assert details.progress.shown == []
    assert of(tasks, "deepen-resnet", STATE) == "untouched"
    assert of(tasks, "deepen-resnet", PROGRESS) is None
    assert "tried" not in of(tasks, "deepen-resnet", Qt.ItemDataRole.AccessibleTextRole)
    assert "done" not in tasks.count.text()
    tasks.filter.fill()
    assert [a.text() for a in tasks.filter.menu().actions() if a.menu() is not None] == ["Tier", "Family"]


def test_under_single_shot_an_exercise_gives_no_hints_and_no_verdict(blind: MainWindow, qtbot) -> None:
    blind.open_task("practice/seven-heads-for-a-hundred")
    qtbot.wait(20)
    details = blind.docks.tasks.details
    assert details.brief.text()
    assert not details.hint_button.isVisible()
    assert not details.standing.isVisible()


def test_under_single_shot_attempts_show_no_verdicts(blind: MainWindow, submit, qtbot) -> None:
    submit(blind)
    blind.view.show_dock("plan")
    qtbot.wait(20)
    table = blind.docks.plan.attempts
    shown = [table.horizontalHeaderItem(k).text() for k in range(table.columnCount()) if not table.isColumnHidden(k)]
    assert shown == ["#", "When (UTC)", "Actions", "Time"]
    assert table.item(0, 0).toolTip() == "1"


@pytest.mark.parametrize(
    "name", ["task.generate", "task.import", "task.new", "task.results", "task.compare", "task.hint"]
)
def test_under_single_shot_what_would_tell_cannot_be_run(blind: MainWindow, name: str) -> None:
    blind.commands.update()
    assert not blind.commands.action(name).isEnabled()
