"""Names, titles and comments are typed where they stand."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from archstudio.app.marking import add_note, fresh_key
from archstudio.edits.compose import frame_nodes
from archstudio.graph import Note

CTRL = Qt.KeyboardModifier.ControlModifier


def type_over(hand: Any, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
    field = hand.canvas.words.field
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, key)


def test_a_name_typed_over_the_old_one_is_one_step(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1"])
    hand.canvas.begin_rename()
    box = hand.canvas.mapFromScene(hand.canvas.graph_scene.nodes["conv1"].body()).boundingRect()
    assert box.intersects(hand.canvas.words.field.geometry())
    type_over(hand, "stem")
    assert hand.canvas.document.graph.node("conv1").name == "stem"
    assert hand.steps == ["Rename conv1"]
    assert hand.canvas.words.field is None
    assert hand.canvas.hasFocus()


def test_escape_forgets_what_was_typed(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1"])
    hand.canvas.begin_rename()
    type_over(hand, "stem", Qt.Key.Key_Escape)
    assert hand.canvas.document.graph.node("conv1").name == "conv1"
    assert hand.steps == []
    assert hand.canvas.words.field is None


def test_a_name_that_is_taken_is_refused_at_the_field(hand: Any, qtbot: Any) -> None:
    hand.canvas.document.selection.set(["conv1"])
    hand.canvas.begin_rename()
    with qtbot.waitSignal(hand.canvas.refused) as told:
        type_over(hand, "head")
    assert "head" in told.args[0]
    assert hand.canvas.words.field is not None
    assert "head" in hand.canvas.words.field.toolTip()
    type_over(hand, "neck")
    assert hand.steps == ["Rename conv1"]


def test_the_same_name_is_no_step(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1"])
    hand.canvas.begin_rename()
    type_over(hand, "conv1")
    assert hand.steps == []


def test_the_field_follows_the_view(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1"])
    hand.canvas.begin_rename()
    before = hand.canvas.words.field.pos()
    hand.canvas.camera.scroll_by(30, 0)
    assert hand.canvas.words.field.pos().x() == before.x() - 30


def test_a_frame_gets_its_title(hand: Any) -> None:
    document = hand.canvas.document
    hand.canvas.push(frame_nodes(document.graph, ["conv1", "act1"], "Group"), "Frame")
    document.selection.set(["conv1", "act1"])
    hand.canvas.begin_rename()
    type_over(hand, "Stem")
    assert [f.title for f in document.graph.frames.values()] == ["Stem"]
    document.undo()
    document.undo()
    assert not document.graph.frames


def test_a_comment_is_written_in_several_lines(hand: Any) -> None:
    document = hand.canvas.document
    edit, note = add_note(document.graph, (0.0, 300.0))
    hand.canvas.push(edit, "Comment")
    hand.canvas.write_note(note)
    field = hand.canvas.words.field
    QTest.keyClicks(field, "first")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "second")
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert document.graph.notes[note].text == "first\nsecond"
    assert hand.steps == ["Comment", "Write comment"]


def test_a_double_click_on_a_comment_lets_it_be_written(hand: Any) -> None:
    hand.canvas.document.graph.set_note("t1", Note("t1", "why", (0.0, 200.0)))
    hand.canvas.graph_scene.settle()
    hand.double_click((60.0, 230.0))
    assert hand.canvas.words.field.toPlainText() == "why"


def test_leaving_the_field_takes_the_words(hand: Any) -> None:
    hand.canvas.document.selection.set(["conv1"])
    hand.canvas.begin_rename()
    hand.canvas.words.field.setText("stem")
    hand.canvas.setFocus()
    assert hand.canvas.document.graph.node("conv1").name == "stem"


def test_a_layer_deleted_meanwhile_is_not_renamed(hand: Any) -> None:
    document = hand.canvas.document
    document.push(frame_nodes(document.graph, ["conv1"], "Group"), "Frame")
    document.selection.set(["conv1", "act1"])
    document.selection.set(["conv1"])
    hand.canvas.begin_titling()
    document.undo()
    type_over(hand, "Stem")
    assert not document.graph.frames


@pytest.mark.parametrize("typed", ["", "why this is here"])
@pytest.mark.parametrize("escape", [False, True])
def test_a_comment_and_its_first_words_are_one_step_and_an_empty_one_is_given_up(
    hand: Any, typed: str, escape: bool
) -> None:
    document, canvas = hand.canvas.document, hand.canvas
    before = hand.picture()
    edit, note = add_note(document.graph, (40.0, 300.0))
    document.push(edit, "Comment", fresh_key(note))
    canvas.write_note(note)
    QTest.keyClicks(canvas.words.field, typed)
    if escape:
        QTest.keyClick(canvas.words.field, Qt.Key.Key_Escape)
    else:
        canvas.words.take()
    if typed and not escape:
        assert hand.steps == ["Comment"]
        assert document.graph.notes[note].text == typed
        document.undo()
    assert hand.picture() == before
    assert document.history.can_redo == bool(typed and not escape)


def test_a_frame_and_its_first_title_are_one_step_and_the_next_title_is_another(hand: Any) -> None:
    document, canvas = hand.canvas.document, hand.canvas
    edit = frame_nodes(document.graph, ["conv1", "act1"], "Group")
    document.push(edit, "Frame", fresh_key(edit.id))
    for title in ("Stem", "Body"):
        canvas.words.title_frame(document.graph.frames[edit.id])
        canvas.words.field.setText(title)
        canvas.words.take()
    assert hand.steps == ["Frame", "Rename frame Stem"]
    assert document.graph.frames[edit.id].title == "Body"
    document.undo()
    assert document.graph.frames[edit.id].title == "Stem"
    document.undo()
    assert not document.graph.frames
