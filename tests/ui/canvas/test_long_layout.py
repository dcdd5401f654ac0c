"""A layout that takes long is computed by another process, can be cancelled, and is one step."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from archstudio.app.layout import auto_layout
from archstudio.app.layout_process import answer_layout, layout_request, read_layout


def test_the_process_finds_what_the_window_would(hand: Any) -> None:
    graph = hand.canvas.document.graph
    found = read_layout(answer_layout(layout_request(graph, None, 900.0)))
    assert found == auto_layout(graph, width=900.0)
    some = read_layout(answer_layout(layout_request(graph, {"act1", "head"}, 900.0)))
    assert set(some) == {"act1", "head"}


@pytest.mark.parametrize("answer", [b"", b"[]", b"{", b'{"a": [1]}'])
def test_an_answer_that_is_none_is_a_fault(answer: bytes) -> None:
    with pytest.raises(ValueError):
        read_layout(answer)


def test_it_is_one_step_when_it_arrives(hand: Any, qtbot: Any) -> None:
    canvas = hand.canvas
    canvas.document.graph.set_positions({n: (0.0, 50.0 * k) for k, n in enumerate(canvas.document.graph.node_ids)})
    canvas.lay_out_apart(None)
    assert canvas.long_layout.banner.isVisible()
    assert hand.steps == []
    qtbot.waitUntil(lambda: hand.steps == ["Lay out"], timeout=20_000)
    assert not canvas.long_layout.banner.isVisible()
    assert canvas.document.graph.layout["head"][0] > canvas.document.graph.layout["conv1"][0]


def test_cancelled_it_changes_nothing(hand: Any, qtbot: Any) -> None:
    canvas, before = hand.canvas, hand.picture()
    canvas.lay_out_apart(None)
    assert canvas.long_layout.is_running
    canvas.long_layout.banner.button.click()
    assert not canvas.long_layout.is_running
    canvas.lay_out_apart(None)
    hand.key(Qt.Key.Key_Escape)
    assert not canvas.long_layout.is_running
    assert not canvas.long_layout.banner.isVisible()
    qtbot.wait(50)
    assert (hand.picture(), hand.steps) == (before, [])


def test_a_process_that_fails_is_told(hand: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archstudio.ui.canvas.long_layout.layout_command", lambda: ["/nowhere/at/all"])
    with qtbot.waitSignal(hand.canvas.refused) as told:
        hand.canvas.lay_out_apart(None)
    assert "could not be started" in told.args[0]
    assert not hand.canvas.long_layout.is_running
