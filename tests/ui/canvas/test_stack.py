"""Traps of the Qt binding that would take the window down."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from archstudio.app.document import Document
from archstudio.ui.canvas import CanvasView
from archstudio.ui.theme import Theme


def test_twenty_thousand_void_calls_do_not_crash_the_interpreter(hand: Any) -> None:
    item = hand.canvas.graph_scene.nodes["conv1"]
    for _ in range(20_000):
        item.update()
    assert item.isVisible()


def test_closed_canvases_are_forgotten(qapp: QApplication, residual: Any) -> None:
    document = Document(residual)
    kept = [weakref.ref(closed_canvas(document)) for _ in range(4)]
    for _ in range(3):  # wrappers of children are freed a round after their parent
        gc.collect()
    assert sum(ref() is not None for ref in kept) <= 1  # the binding may hold on to the first of its kind


def closed_canvas(document: Document) -> CanvasView:
    canvas = CanvasView(document, Theme.named("light"))
    canvas.show()
    canvas.dispose()
    canvas.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return canvas
