"""The docks follow the graph and the selection, and what is done in them is done to the graph."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QListWidget, QPushButton, QTableView

from archstudio.app.commands import run_command
from archstudio.app.task_report import task_report
from archstudio.app.tasks.attempts import attempts_file
from archstudio.edits import set_params
from archstudio.study.visibility import EVERYTHING
from archstudio.ui.bench.submission_dialog import SubmissionDialog
from archstudio.ui.panels.elided import ElidedLabel
from archstudio.ui.window import MainWindow


@pytest.fixture
def resnet(window: MainWindow, qtbot):
    window.open_task("deepen-resnet")
    qtbot.wait(5)
    return window.application.current


def show(window: MainWindow, dock: str, qtbot) -> None:
    window.view.show_dock(dock)
    qtbot.wait(5)


def widen(document, channels: int) -> None:
    document.push(set_params(document.graph.named("conv1"), outChannels=channels), f"Widen to {channels}")


# ------------------------------------------------------------------------ history


def test_a_click_in_the_history_goes_back_and_forth(window: MainWindow, resnet, qtbot) -> None:
    for channels in (17, 18, 19):
        widen(resnet, channels)
    show(window, "history", qtbot)
    steps = window.docks.history.findChild(QListWidget)
    assert [steps.item(k).text() for k in range(steps.count())] == [
        "Opened",
        "Widen to 17",
        "Widen to 18",
        "Widen to 19",
    ]
    assert steps.currentRow() == 3
    qtbot.mouseClick(steps.viewport(), Qt.MouseButton.LeftButton, pos=steps.visualItemRect(steps.item(1)).center())
    assert resnet.graph.named("conv1").params["outChannels"] == 17
    qtbot.waitUntil(lambda: steps.currentRow() == 1)
    qtbot.mouseClick(steps.viewport(), Qt.MouseButton.LeftButton, pos=steps.visualItemRect(steps.item(3)).center())
    assert resnet.graph.named("conv1").params["outChannels"] == 19


# -------------------------------------------------------------------- layer table


def names(window: MainWindow) -> list[str]:
    return [row.name for row in window.docks.table.model.rows]


def test_the_table_and_the_canvas_share_one_selection(window: MainWindow, resnet, qtbot) -> None:
    show(window, "table", qtbot)
    table = window.docks.table.findChild(QTableView)
    assert names(window) == ["input", "conv1", "act1", "head", "output"]
    table.selectRow(1)
    assert resnet.selection.nodes == {resnet.graph.named("conv1").id}
    resnet.selection.set([resnet.graph.named("head").id, resnet.graph.named("act1").id])
    assert {i.row() for i in table.selectionModel().selectedRows()} == {2, 3}
    assert len(resnet.selection.nodes) == 2


def test_the_table_sorts_by_number_and_keeps_the_order_after_an_edit(window: MainWindow, resnet, qtbot) -> None:
    show(window, "table", qtbot)
    table = window.docks.table.findChild(QTableView)
    table.sortByColumn(3, Qt.SortOrder.DescendingOrder)
    assert names(window)[:2] == ["conv1", "head"]
    widen(resnet, 2)
    qtbot.waitUntil(lambda: names(window)[:2] == ["head", "conv1"])
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert names(window) == sorted(names(window))


def test_the_table_copies_as_markdown_by_its_own_ctrl_c(window: MainWindow, resnet, qtbot) -> None:
    show(window, "table", qtbot)
    table = window.docks.table.findChild(QTableView)
    table.setFocus()
    resnet.selection.set([resnet.graph.named("conv1").id])
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].startswith("| Name | Type | Output |")
    assert any(line.startswith("| conv1 | conv2d | B×16×30×30 | 448 |") for line in lines)
    assert lines[-1].startswith("| **Total** |")


# --------------------------------------------------------------- plan, submission


def test_the_plan_counts_actions_against_the_limit(window: MainWindow, qtbot) -> None:
    window.open_task("fix-broken-attention")
    document = window.application.current
    show(window, "plan", qtbot)
    plan = window.docks.plan
    plan.refresh_plan()
    assert plan._count.text() == "No edits yet"
    document.push(set_params(document.graph.named("attn"), numHeads=5), "Heads")
    qtbot.waitUntil(lambda: plan._count.text().startswith("1 action of at most "))
    qtbot.waitUntil(lambda: window.docks.docks["plan"].windowTitle() == "Plan 1")
    shown = plan.findChild(QListWidget, "plan")
    assert shown.item(0).text() == "1.  Set numHeads = 5 in attn"


def test_the_submission_says_exactly_what_is_sent_and_keeps_it(window: MainWindow, qtbot, monkeypatch) -> None:
    window.open_task("fix-broken-attention")
    document = window.application.current
    document.push(set_params(document.graph.named("attn"), numHeads=5), "Heads")
    seen: list[list[str]] = []

    def send(dialog: SubmissionDialog) -> int:
        listed = dialog.findChild(QListWidget)
        seen.append([listed.item(k).text() for k in range(listed.count())])
        return 1

    monkeypatch.setattr(SubmissionDialog, "exec", send)
    run_command("task.submit", window.context)
    assert seen == [["1.  Set numHeads = 5 in attn"]]
    (line,) = attempts_file().read_text(encoding="utf-8").splitlines()
    kept = json.loads(line)
    assert kept["task"] == "fix-broken-attention"
    assert kept["pass"] is True
    assert kept["actions"] == task_report(document).plan.actions
    assert "passes" in window.central.notice.full_text


def test_a_submission_that_is_cancelled_is_not_kept(window: MainWindow, monkeypatch) -> None:
    window.open_task("fix-broken-attention")
    monkeypatch.setattr(SubmissionDialog, "exec", lambda dialog: 0)
    run_command("task.submit", window.context)
    assert not attempts_file().exists()


def test_the_submission_dialog_has_submit_and_cancel(window: MainWindow) -> None:
    window.open_task("fix-broken-attention")
    dialog = SubmissionDialog(window, task_report(window.application.current), EVERYTHING)
    assert dialog.send.isDefault()
    assert dialog.findChild(QDialogButtonBox) is not None
    assert [(row.text, row.mark) for row in dialog.verdicts.shown][:2] == [
        ("Runs in PyTorch", "error"),
        ("Passes the task", "error"),
    ]
    assert dialog.verdicts.shown[-1].text == "Does what the brief asks"
    dialog.deleteLater()


# ----------------------------------------------------------------------- problems


def test_a_problem_centres_its_layer_and_its_fix_is_one_step(window: MainWindow, resnet, qtbot) -> None:
    panel = window.docks.problems
    qtbot.waitUntil(lambda: panel.cards != [])
    card = panel.cards[0]
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert resnet.selection.nodes == {resnet.graph.named("head").id}
    qtbot.mouseClick(card.buttons[0], Qt.MouseButton.LeftButton)
    assert resnet.verdict.runs
    assert len(resnet.history.labels) == 1
    qtbot.waitUntil(lambda: window.docks.docks["problems"].windowTitle() == "Problems")
    assert panel.cards == []


def test_a_problem_opens_by_keyboard(window: MainWindow, resnet, qtbot) -> None:
    qtbot.waitUntil(lambda: window.docks.problems.cards != [])
    card = window.docks.problems.cards[0]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert resnet.selection.single == resnet.graph.named("head").id
    assert all(isinstance(b, QPushButton) and b.focusPolicy() & Qt.FocusPolicy.TabFocus for b in card.buttons)


# ------------------------------------------------------------------------ verdict


def test_the_batch_size_changes_what_the_wires_carry(window: MainWindow, resnet, qtbot) -> None:
    batch = window.docks.verdict._batch
    batch.setValue(32)
    assert resnet.graph.meta["batch"] == 32
    conv = resnet.verdict.nodes[resnet.graph.named("conv1").id].value
    assert tuple(map(int, conv.shape)) == (32, 16, 30, 30)
    assert resnet.history.labels == ["Set batch to 32"]
    run_command("edit.undo", window.context)
    qtbot.waitUntil(lambda: batch.value() == 1)


def test_a_line_of_the_verdict_folds_its_rows(window: MainWindow, resnet, qtbot) -> None:
    rows = window.docks.verdict.task
    qtbot.waitUntil(lambda: len(rows.shown) > 3)
    first = rows.findChild(ElidedLabel, "row-0")
    second = rows.findChild(ElidedLabel, "row-1")
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert not second.isVisible()
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Space)
    assert second.isVisible()


def test_the_first_line_leads_to_the_problems(window: MainWindow, resnet, qtbot) -> None:
    window.view.show_dock("history")
    window.docks.verdict.exact.press()
    qtbot.wait(5)
    assert not window.docks.docks["problems"].visibleRegion().isEmpty()


def test_a_long_text_is_cut_and_told_as_a_tip(qtbot) -> None:
    cut = ElidedLabel("x" * 60)
    qtbot.addWidget(cut)
    cut.resize(100, 20)
    cut.show()
    assert cut.shown.endswith("…")
    assert cut.toolTip() == "x" * 60
    cut.resize(2000, 20)
    assert cut.toolTip() == ""


# ------------------------------------------------------------------- tasks, layers


def test_common_layers_come_first_and_enter_adds_what_was_found(window: MainWindow, resnet, qtbot) -> None:
    layers = window.docks.layers
    assert [layers._list.item(k).text() for k in range(4)] == ["input", "output", "linear", "relu"]
    resnet.selection.set([resnet.graph.named("act1").id])
    layers._search.setFocus()
    qtbot.keyClicks(layers._search, "flat")
    qtbot.keyClick(layers._search, Qt.Key.Key_Return)
    assert resnet.history.labels == ["Add flatten"]


# ------------------------------------------------------------------------- speed


def test_docks_behind_another_tab_are_not_drawn_until_they_come_to_the_front(
    window, resnet, qtbot, monkeypatch
) -> None:
    show(window, "history", qtbot)
    drawn: list[str] = []
    for name in ("table", "training", "problems", "plan", "history"):
        panel = window.docks.panels[name]
        monkeypatch.setattr(panel, "refresh", lambda name=name: drawn.append(name))
    widen(resnet, 17)
    qtbot.wait(20)
    assert drawn == ["history"]
    show(window, "table", qtbot)
    assert "table" in drawn
    assert "training" not in drawn


def test_one_edit_draws_a_panel_once(window, resnet, qtbot, monkeypatch) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(window.docks.verdict, "refresh", lambda: drawn.append(1))
    for channels in range(17, 30):
        widen(resnet, channels)
    qtbot.wait(20)
    assert drawn == [1]


def test_many_problems_are_counted_and_only_some_are_drawn(window, qtbot) -> None:
    from archstudio.app.document import Document
    from archstudio.graph import Connection, Graph, Node
    from archstudio.ui.panels.problems import SHOWN

    graph = Graph("wrong")
    graph.insert_node(Node("n0", "input", "input", {"shape": [1, 8]}))
    for k in range(1, 61):
        graph.insert_node(Node(f"n{k}", "linear", f"fc{k}", {"inFeatures": 9, "outFeatures": 8}))
        graph.insert_connection(Connection(f"c{k}", "n0", f"n{k}"))
    window.application.adopt(Document(graph))
    qtbot.waitUntil(lambda: window.docks.docks["problems"].windowTitle().startswith("Problems "))
    count = len(window.application.current.verdict.errors)
    assert count == 60
    qtbot.waitUntil(lambda: len(window.docks.problems.cards) == SHOWN)
    assert window.docks.docks["problems"].windowTitle() == f"Problems {count}"


@pytest.mark.parametrize(
    ("width", "told", "title"),
    [(8, "no problems", "Problems"), (9, "1 problem", "Problems 1")],
)
def test_the_tab_of_problems_and_the_verdict_count_alike(
    window: MainWindow, qtbot, width: int, told: str, title: str
) -> None:
    from archstudio.app.document import Document
    from archstudio.app.verdict_lines import exact_line, problem_counts
    from archstudio.graph import Connection, Graph, Node
    from archstudio.layers import Severity

    graph = Graph("advised")
    graph.insert_node(Node("x", "input", "x", {"shape": [1, 8]}))
    graph.insert_node(Node("h", "linear", "h", {"inFeatures": width, "outFeatures": 8}))
    graph.insert_connection(Connection("c", "x", "h"))
    graph.insert_node(Node("y", "output", "y"))
    graph.insert_connection(Connection("d", "h", "y"))
    document = Document(graph)
    window.application.adopt(document)
    qtbot.waitUntil(lambda: window.docks.docks["problems"].windowTitle() == title)
    remarks = problem_counts(document)[Severity.ADVICE]
    expected = told if not remarks else f"{remarks} remark" + ("s" if remarks > 1 else "")
    if width == 9 and remarks:
        expected = f"{told} · {expected}"
    assert exact_line(document).reason == expected


def test_opening_a_graph_without_problems_says_so_in_place_of_no_graph(window: MainWindow, qtbot) -> None:
    from PySide6.QtWidgets import QLabel

    def shown() -> list[str]:
        window.docks.problems.refresh()
        qtbot.wait(5)
        return [told.text() for told in window.docks.problems.findChildren(QLabel) if not told.isHidden()]

    assert shown() == ["No graph is open."]
    window.open_network("lenet-5")
    assert shown() == ["Nothing is wrong: PyTorch would run this graph."]
