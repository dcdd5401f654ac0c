"""Tells assistive technology what changed on a canvas: focus and selection, names, parts that came and went."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleEvent

from archstudio.graph import Change, ChangeKind

if TYPE_CHECKING:
    from archstudio.ui.accessible.canvas import CanvasAccess, Key

SINGLY = 16
"""More parts than this that are selected or let go at once are told as one change within the canvas."""

_STRUCTURE = {
    ChangeKind.NODE_ADDED,
    ChangeKind.NODE_REMOVED,
    ChangeKind.CONNECTION_ADDED,
    ChangeKind.CONNECTION_REMOVED,
    ChangeKind.FRAMES,
    ChangeKind.NOTES,
}


class Announcer:
    """Follows one canvas while it lives."""

    def __init__(self, canvas: CanvasAccess) -> None:
        self._canvas = canvas
        self._before: set[Key] = set()
        view = canvas.view
        self._endings: list[Callable[[], None]] = [
            view.document.graph.watch(self._changed),
            view.document.selection.watch(self._selected),
        ]
        self._reordered = False
        self._renamed: set[str] = set()
        view.graph_scene.drawn.connect(self._drawn)

    def end(self) -> None:
        """Stop following."""
        for end in self._endings:
            end()
        self._endings.clear()
        self._canvas.view.graph_scene.drawn.disconnect(self._drawn)

    def _changed(self, change: Change) -> None:
        if change.kind in _STRUCTURE:
            self._canvas.structure_changed()
            self._reordered = True
        elif change.kind is ChangeKind.NODE_CHANGED:
            self._renamed.add(change.id)

    def _drawn(self) -> None:
        renamed, self._renamed = self._renamed, set()
        reordered, self._reordered = self._reordered, False
        if reordered:
            self._canvas.tidy()
        if not is_heard():
            return
        if reordered:
            self._send(QAccessible.Event.ObjectReorder, -1)
        for node in sorted(renamed)[:SINGLY]:
            self._send(QAccessible.Event.NameChanged, self._canvas.place("node", node))

    def _selected(self) -> None:
        if not is_heard():
            return
        chosen = self._canvas.chosen()
        now, before = set(chosen), self._before
        self._before = now
        if len(now ^ before) > SINGLY:
            self._send(QAccessible.Event.SelectionWithin, -1)
        else:
            for key in sorted(before - now):
                self._send(QAccessible.Event.SelectionRemove, self._canvas.place(*key))
            for key in sorted(now - before):
                event = QAccessible.Event.Selection if len(now) == 1 else QAccessible.Event.SelectionAdd
                self._send(event, self._canvas.place(*key))
        if chosen and self._canvas.view.hasFocus():
            self._send(QAccessible.Event.Focus, self._canvas.place(*chosen[-1]))

    def _send(self, kind: QAccessible.Event, child: int) -> None:
        """Tell about a child by its index, or (-1) about the canvas itself."""
        event = QAccessibleEvent(self._canvas.view, kind)
        if child >= 0:
            event.setChild(child)
        send(event)


def send(event: QAccessibleEvent) -> None:
    """Hand an event to the platform."""
    QAccessible.updateAccessibility(event)


def is_heard() -> bool:
    """Whether assistive technology listens."""
    return QAccessible.isActive()
