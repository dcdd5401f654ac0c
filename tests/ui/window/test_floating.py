"""What is told floats over the canvas: nothing moves under the pointer."""

from __future__ import annotations

from typing import Any


def test_a_notice_moves_nothing_and_stays_inside(window: Any, qtbot: Any) -> None:
    window.open_task("fix-broken-attention")
    qtbot.wait(10)
    canvas, notice = window.canvas, window.central.notice
    before = (canvas.geometry(), canvas.mapFromScene(0, 0))
    window.view.notify("Not saved", "The disk is full. " * 12, fault=True)
    qtbot.wait(10)
    assert notice.isVisible()
    assert (canvas.geometry(), canvas.mapFromScene(0, 0)) == before
    assert window.central.rect().contains(notice.geometry())
    assert not notice.geometry().intersects(canvas.minimap.geometry().translated(canvas.pos()))
    window.resize(900, 700)
    qtbot.wait(10)
    assert window.central.rect().contains(notice.geometry())
