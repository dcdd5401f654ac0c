"""What all panels share: they follow the current document and redraw at most once a turn of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractSpinBox, QLabel, QWidget

from archstudio.app.application import Application
from archstudio.app.document import Document

LARGE = 400
"""From so many layers on, what follows the graph may take longer than a frame, so it waits until editing pauses."""
_LARGE_DELAY_MS = 300
_MARGIN_PX = 7


class Panel(QWidget):
    """A view of the current document. Subclasses draw it in `refresh`, and hear the selection in `selected`."""

    def __init__(self, application: Application) -> None:
        super().__init__()
        self.application = application
        self._shown: Document | None = None
        self._endings: list[Callable[[], None]] = []
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(0)
        self._due.timeout.connect(self._redraw)
        self._stop_watching = application.watch(self._follow)
        self.destroyed.connect(self._stop_watching)
        self._follow()

    @property
    def document(self) -> Document | None:
        """The document shown."""
        return self.application.current

    def refresh(self) -> None:
        """Draw the document as it is."""

    def selected(self) -> None:
        """The selection changed; by default nothing is to be drawn."""

    def schedule(self) -> None:
        """Draw soon: once, however often this is called in one turn, and only while the panel can be seen."""
        self._due.start()

    def close_panel(self) -> None:
        """Stop following; called when the window closes."""
        self._due.stop()
        for end in self._endings:
            end()
        self._endings.clear()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.schedule()

    def _follow(self) -> None:
        document = self.application.current
        if document is not self._shown:
            for end in self._endings:
                end()
            self._endings.clear()
            self._shown = document
            if document is not None:
                self._endings += [document.watch(self.schedule), document.selection.watch(self.selected)]
        self.schedule()

    @property
    def can_be_seen(self) -> bool:
        """Whether any of it is on the screen; a dock behind another's tab is visible to Qt, but outside the window."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def patience_ms(self, usual: int) -> int:
        """How long work behind the graph waits for typing to pause: longer where it takes longer than a frame."""
        return _LARGE_DELAY_MS if self.document is not None and len(self.document.graph) >= LARGE else usual

    def _redraw(self) -> None:
        if self.can_be_seen:
            self.refresh()


def label(text: str = "", role: str = "", *, wrap: bool = False) -> QLabel:
    """A plain-text label; `role` (heading, title, muted, mono, ok, error, warn) picks its look in the style sheet."""
    made = QLabel(text)
    made.setTextFormat(made.textFormat().PlainText)
    if role:
        made.setProperty("role", role)
    made.setWordWrap(wrap)
    return made


SpinBox = TypeVar("SpinBox", bound=QAbstractSpinBox)


def roomy(box: SpinBox) -> SpinBox:
    """A number field whose digits keep their distance from its frame, which the style sheet cannot give it."""
    box.lineEdit().setTextMargins(_MARGIN_PX, 0, 0, 0)
    return box


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another role and let the style sheet look again."""
    if widget.property("role") != role:
        widget.setProperty("role", role)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
