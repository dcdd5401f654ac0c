"""One side of the middle of the window: the canvases of the documents that were shown there."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from archstudio.app.document import Document
from archstudio.ui.canvas import CanvasView
from archstudio.ui.panels.elided import ElidedLabel
from archstudio.ui.panels.panel import set_role


class Pane(QWidget):
    """Keeps one canvas for each document shown here. Its heading is seen only while there are two sides."""

    canvas_shown = Signal()

    def __init__(self, make: Callable[[Document], CanvasView], otherwise: QWidget | None = None) -> None:
        super().__init__()
        self._make = make
        self.views: dict[Document, CanvasView] = {}
        self.document: Document | None = None
        self.heading = ElidedLabel("", "muted")
        self.heading.setContentsMargins(12, 3, 12, 3)
        self.heading.hide()
        self._stack = QStackedWidget()
        self._otherwise = otherwise or QWidget()
        self._stack.addWidget(self._otherwise)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self._stack, 1)

    @property
    def canvas(self) -> CanvasView | None:
        """The canvas in front."""
        return None if self.document is None else self.views.get(self.document)

    def prepare(self, documents: Iterable[Document]) -> None:
        """Have a canvas ready for each of these."""
        for document in documents:
            self._view(document)

    def show_document(self, document: Document | None) -> None:
        """Show a document's canvas; None shows what stands there otherwise."""
        self.document = document
        self._stack.setCurrentWidget(self._otherwise if document is None else self._view(document))
        self.canvas_shown.emit()

    def show_otherwise(self) -> None:
        """Show what stands there without a document, over the canvases."""
        self._stack.setCurrentWidget(self._otherwise)

    def forget(self, open_documents: Iterable[Document]) -> None:
        """Let go of the canvases of documents that are no longer open."""
        kept = set(open_documents)
        for gone in [d for d in self.views if d not in kept]:
            view = self.views.pop(gone)
            self._stack.removeWidget(view)
            view.dispose()
            view.deleteLater()
        if self.document is not None and self.document not in kept:
            self.document = None

    def tell_heading(self, *, shown: bool, active: bool) -> None:
        """Say above the canvas which graph it is, in bold on the side that commands act on."""
        self.heading.setVisible(shown)
        if self.document is not None:
            self.heading.setText(self.document.title + ("  ●" if self.document.modified else ""))
        set_role(self.heading, "strong" if active else "muted")
        self.heading.retell()

    def _view(self, document: Document) -> CanvasView:
        if document not in self.views:
            self.views[document] = self._make(document)
            self._stack.addWidget(self.views[document])
        return self.views[document]
