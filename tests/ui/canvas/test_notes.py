"""Comments are selected, dragged, resized, copied and deleted as layers are."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from archstudio.graph import Note


@pytest.fixture
def noted(hand: Any) -> Any:
    hand.canvas.document.graph.set_note("t1", Note("t1", "why", (0.0, 200.0)))
    hand.canvas.graph_scene.settle()
    return hand


def test_dragging_a_comment_is_one_step(noted: Any) -> None:
    noted.drag((60.0, 230.0), (100.0, 330.0))
    assert noted.canvas.document.graph.notes["t1"].position == (40.0, 300.0)
    assert noted.steps == ["Move comment"]
    noted.canvas.document.undo()
    assert noted.canvas.document.graph.notes["t1"].position == (0.0, 200.0)


def test_its_corner_resizes_it_down_to_a_least_size(noted: Any) -> None:
    noted.drag((176.0, 277.0), (276.0, 327.0))
    assert noted.canvas.document.graph.notes["t1"].size == (280.0, 130.0)
    noted.drag((276.0, 327.0), (-400.0, -400.0))
    assert noted.canvas.document.graph.notes["t1"].size == (90.0, 36.0)
    assert noted.steps == ["Resize comment", "Resize comment"]


def test_escape_during_the_drag_leaves_no_trace(noted: Any) -> None:
    before = noted.picture()
    noted.hold((60.0, 230.0), (100.0, 330.0))
    noted.key(Qt.Key.Key_Escape)
    noted.release((100.0, 330.0))
    assert noted.picture() == before
    assert noted.steps == []
    assert not noted.canvas.document.selection
    assert noted.canvas.graph_scene.decorations.notes["t1"].box.topLeft().y() == 200.0


def test_a_click_selects_it_and_a_box_takes_it_along(noted: Any) -> None:
    selection = noted.canvas.document.selection
    noted.click((60.0, 230.0))
    assert selection.notes == {"t1"}
    assert noted.canvas.graph_scene.decorations.notes["t1"].chosen
    assert "why" in noted.canvas.accessibleDescription()
    noted.click((60.0, 400.0))
    assert not selection
    noted.drag((-60.0, 400.0), (80.0, -60.0))
    assert (selection.notes, selection.nodes) == ({"t1"}, {"input"})


def test_words_that_do_not_fit_are_cut_off_and_none_leaves_the_paper(noted: Any) -> None:
    noted.canvas.document.graph.set_note("t1", Note("t1", "word " * 2_000 + "x" * 500, (0.0, 200.0)))
    noted.canvas.graph_scene.settle()
    note = noted.canvas.graph_scene.decorations.notes["t1"]
    assert note._shown.text().endswith("…")
    assert len(note._shown.text()) < 300
    assert note._shown.size().height() <= note.box.height() - 14
    assert note._shown.size().width() <= note.box.width() - 18
