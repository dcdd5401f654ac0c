"""The line at the bottom: how large the graph is, how long checking took, and the zoom."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QStatusBar

from archstudio.app.document import Document
from archstudio.app.figures import milliseconds_text, plural
from archstudio.app.words import said
from archstudio.ui.panels.panel import set_role


class StatusLine:
    """Three texts in the window's status bar."""

    def __init__(self, bar: QStatusBar) -> None:
        self.left, self.opinion, self.right = QLabel(), QLabel(), QLabel()
        self.left.setContentsMargins(8, 0, 0, 0)
        self.right.setContentsMargins(0, 0, 8, 0)
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.left)
        bar.addWidget(self.opinion, 1)
        bar.addPermanentWidget(self.right)

    def show_document(self, document: Document | None) -> None:
        """Tell about a graph; nothing if none is open."""
        self.left.setText("" if document is None else status_text(document))
        if document is None:
            self.right.setText("")

    def show_opinion(self, text: str, *, wrong: bool) -> None:
        """What PyTorch itself says; `wrong` where it says something else than the rules."""
        if text != self.opinion.text():
            self.opinion.setText(text)
            self.opinion.setToolTip(text)
        set_role(self.opinion, "error" if wrong else "")

    def show_zoom(self, factor: float) -> None:
        """Tell the zoom (1 = 100 %)."""
        self.right.setText(f"{factor * 100:.0f} %")


def status_text(document: Document) -> str:
    """`7 layers · 6 connections · checked in 0.02 ms`."""
    parts = [plural(len(document.graph), "layer"), plural(len(document.graph.connection_ids), "connection")]
    if document.visibility.exact_verdict and document.checked_ms is not None:
        parts.append(said("checked in {time}").format(time=milliseconds_text(document.checked_ms)))
    return " · ".join(parts)
