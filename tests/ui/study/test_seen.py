"""What each condition lets be seen: every text of the window is read, drawn ones and those of the item models too."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView, QWidget

from archstudio.app.application import Application
from archstudio.app.layer_list import layer_entries
from archstudio.app.recent_layers import RecentLayers
from archstudio.app.templates import Templates
from archstudio.app.zoo import zoo_graph
from archstudio.edits import ChangeNode
from archstudio.study.conditions import CONDUCTS
from archstudio.study.records import GRAPH_CONDITIONS

_ASKED = ("text", "title", "windowTitle", "toolTip", "statusTip", "whatsThis", "accessibleName",
          "accessibleDescription", "placeholderText", "toPlainText", "currentText")  # fmt: skip
_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole,
          Qt.ItemDataRole.AccessibleDescriptionRole, *range(257, 264))  # fmt: skip
HIDDEN_DOCKS = {"verdict", "problems", "table"}
TWO_GRAPHS = {
    "items": [{"kind": "curated", "tasks": ["fix-broken-attention", "deepen-resnet"]}],
    "order": {"rule": "fixed"},
    "practice": [],
    "attention": [],
}


def everything_said(window: QWidget) -> Iterator[str]:
    """All texts of widgets that can be seen, of item models, of what the canvas draws, and of accessibility."""
    for widget in (window, *window.findChildren(QWidget)):
        if widget is not window and not widget.isVisibleTo(window):
            continue
        for name in _ASKED:
            ask = getattr(widget, name, None)
            if callable(ask):
                try:
                    yield str(ask())
                except TypeError:
                    continue
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _model_texts(widget.model(), QModelIndex())
    yield from (action.text() + action.toolTip() + action.statusTip() for action in window.actions())
    canvas = window.central.canvas
    if canvas is not None:
        scene = canvas.graph_scene
        yield from (repr(item.face) for item in (*scene.nodes.values(), *scene.wires.values()))
        yield from (canvas.tip_of(node) for node in scene.nodes)
        access = QAccessible.queryAccessibleInterface(canvas)
        for k in range(access.childCount()):
            yield access.child(k).text(QAccessible.Text.Name) + access.child(k).text(QAccessible.Text.Description)


def _model_texts(model, parent: QModelIndex) -> Iterator[str]:
    for row in range(model.rowCount(parent)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
            index = model.index(row, column, parent)
            yield from (str(said) for role in _ROLES if (said := model.data(index, role)) is not None)


def on_the_first_item(study_window, study):
    hand = study_window(study)
    hand.to_items()
    document = hand.window.items.graph.document
    document.selection.set([document.graph.named("attn").id])
    hand.window.docks.inspector.refresh()
    hand.qtbot.wait(80)
    return hand, document


@pytest.mark.parametrize("condition", ["single_shot", "verifier_turns_3", "verifier_tool"])
def test_nothing_tells_validity_shapes_or_counts(study_window, graphs, condition) -> None:
    hand, document = on_the_first_item(study_window, graphs(condition, **TWO_GRAPHS))
    said = "\n".join(everything_said(hand.window))
    assert "attn" in said  # the walk reads what is there
    brief = document.desk.item.brief
    rest = said.replace(brief, "")
    for told in ("1×128×100", "B×128", "128×100", "3,000,000", "40,400", "MAC", "KiB", "MiB", "rubric", "blocker"):
        assert told not in rest, told
    assert not re.search(
        r"\b(in)?valid\b|divisible|divisor|\d problems?|\bfails?\b|\bfailed\b|Audit \d|Submission \d", rest
    )
    assert not HIDDEN_DOCKS & set(hand.window.docks.docks)


@pytest.mark.parametrize("condition", ["single_shot", "verifier_turns_3", "verifier_tool"])
def test_a_broken_graph_and_a_mended_one_look_alike(study_window, graphs, condition) -> None:
    """Seven heads are refused, ten are not: but for the number itself every text stays the same."""
    hand, document = on_the_first_item(study_window, graphs(condition, **TWO_GRAPHS))

    def heads(count: int) -> list[str]:
        node = document.graph.named("attn")
        document.push(ChangeNode(node.with_params(numHeads=count)), "Set numHeads")
        hand.qtbot.wait(80)
        said = "\n".join(everything_said(hand.window)).replace(f"{count} heads", "N heads")
        return [line if line != str(count) else "N" for line in said.splitlines()]

    heads(9)
    refused, taken = heads(7), heads(10)
    strip = [re.sub(r"Set numHeads\n?", "", "\n".join(each)).strip() for each in (refused, taken)]
    assert strip[0] == strip[1]


def test_the_whole_studio_is_there_when_assisted(study_window, graphs) -> None:
    hand, document = on_the_first_item(study_window, graphs("assisted", **TWO_GRAPHS))
    assert set(hand.window.docks.docks) >= HIDDEN_DOCKS
    hand.window.docks.panels["verdict"].refresh_report()
    said = "\n".join(everything_said(hand.window))
    assert "not divisible" in said
    assert "128×100" in said
    assert document.task is not None


@pytest.mark.parametrize("condition", GRAPH_CONDITIONS)
def test_only_the_feedback_of_the_condition_is_told(study_window, graphs, condition) -> None:
    hand, _ = on_the_first_item(study_window, graphs(condition, **TWO_GRAPHS))
    assert hand.window.actions_of["study.audit"].isVisible() == CONDUCTS[condition].audits
    brief = hand.window.docks.brief
    hand.submit()
    if condition == "verifier_turns_3":
        assert brief.heading.text() == "Submission 1: failed"
        assert "not divisible by numHeads 7" in brief.failures.toPlainText()
    else:
        assert hand.session.desk.item.id == "deepen-resnet"
        assert hand.window.docks.brief.heading.text() == ""


def test_an_audit_tells_and_is_counted(study_window, graphs) -> None:
    hand, document = on_the_first_item(study_window, graphs("verifier_tool", **TWO_GRAPHS))
    hand.do("study.audit")
    hand.do("study.audit")
    assert document.desk.shown.count("audit") == 2
    assert hand.window.docks.brief.heading.text() == "Audit 2: failed"
    assert "not divisible" in hand.window.docks.brief.failures.toPlainText()


def test_another_type_is_given_no_sizes(study_window, graphs) -> None:
    hand, document = on_the_first_item(study_window, graphs("single_shot", **TWO_GRAPHS))
    hand.window.items.add_layer("relu")
    hand.window.view.choose_type = lambda name: "linear"
    hand.window.commands.action("graph.replaceType").trigger()
    made = document.graph.node(document.selection.single)
    assert made.type == "linear"
    assert 100 not in made.params.values()
    assert made.inferred == ()


def test_blind_questions_have_no_key_and_tell_nothing(study_window, questions) -> None:
    study = questions("blind", attention=[])
    assert study.pack.keys == {}
    hand = study_window(study)
    hand.to_items()
    before = hand.session.state.current
    said = "\n".join(everything_said(hand.window))
    assert "width" in said
    for told in ("0.5", "0.625", "0.75", "d_0", "d_1", "q_0", "c_0", "right"):
        assert told not in said, told
    hand.answer(1)
    hand.next_painted()
    assert before.answered is not None
    assert before.answered.revealed is None
    after = "\n".join(everything_said(hand.window))
    assert "Brier" not in after
    assert "Right:" not in after


def test_with_feedback_the_answer_comes_after_the_probabilities(study_window, questions) -> None:
    hand = study_window(questions("full_sequential_feedback", attention=[]))
    hand.to_items()
    shown = hand.session.state.current
    assert not re.search(r"0\.625|Brier|Lowest first", "\n".join(everything_said(hand.window)))
    hand.answer(1)
    hand.qtbot.wait(30)
    assert shown.answered.revealed is not None
    assert "Lowest first" in "\n".join(everything_said(hand.window))
    quiz = hand.window.items.quiz
    quiz.foot.edit.setPlainText("Narrow ones learn faster.")
    hand.press(quiz.foot.next_button)
    hand.next_painted()
    assert shown.answered.lesson == "Narrow ones learn faster."


@pytest.mark.parametrize("condition", GRAPH_CONDITIONS)
def test_all_begin_with_the_same_layers(study_window, graphs, condition) -> None:
    """What a person kept, marked and used outside the study would give one an advantage over another."""
    own = Application()
    own.favourites.toggle("mla")
    RecentLayers(own.settings).add("kan")
    block = zoo_graph("lenet-5")
    Templates().save("myblock", "a secret weapon", block, {node.id for node in block.nodes})
    hand, _ = on_the_first_item(study_window, graphs(condition, **TWO_GRAPHS))
    layers = hand.window.docks.layers
    assert layers.kinds() == [entry.kind for entry in layer_entries("", (), (), ()) if not entry.is_heading]
    canvas = hand.window.central.canvas
    canvas.begin_search()
    canvas.popup.field.setText("myblock")
    assert canvas.popup.shown_types == []
    said = "\n".join(everything_said(hand.window))
    assert "secret weapon" not in said
    assert [action.text() for action in layers.menu_for("relu").actions()] == ["Add to the graph"]
    canvas.popup.close_popup()
    assert own.favourites.types == ("mla",)
    assert RecentLayers(own.settings).types == ("kan",)
