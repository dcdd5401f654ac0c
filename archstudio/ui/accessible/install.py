"""Makes Qt ask us about canvases; one factory a process."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface

from archstudio.ui.accessible.canvas import CanvasAccess
from archstudio.ui.canvas import CanvasView

_installed = False
_kept: dict[int, list[CanvasAccess]] = {}
"""Interfaces of the canvases that live, by the identity of the canvas: Qt does not keep Python's side of them alive."""


def install_accessibility() -> None:
    """Let assistive technology walk canvases from now on; done once, later calls change nothing."""
    global _installed
    if not _installed:
        _installed = True
        QAccessible.installFactory(_made)


def _made(key: str, asked: QObject) -> QAccessibleInterface | None:
    """An interface of its own for each question: Qt asks anew as the canvas is made, owns each, and hears the last."""
    if not isinstance(asked, CanvasView):
        return None
    earlier = _kept.setdefault(id(asked), [])
    for access in earlier:
        access.end()
    access = CanvasAccess(asked)
    earlier.append(access)
    if len(earlier) == 1:
        asked.ending.connect(lambda: _forget(asked))
    if asked.is_ready:
        access.begin()
    else:
        asked.ready.connect(lambda: _begin(asked))
    return access


def _begin(view: CanvasView) -> None:
    """Let the interface of a canvas that is made now speak, if it does not yet."""
    last = _kept[id(view)][-1]
    if not last.lives:
        last.begin()


def _forget(view: CanvasView) -> None:
    for access in _kept.pop(id(view), ()):
        access.end()
