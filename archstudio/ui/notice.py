"""A line that tells something without stopping anybody: saved, refused, a fault with details to copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton

from archstudio.app.words import said_made
from archstudio.ui.panels.panel import label, set_role

QUIET_AFTER_MS = 4000
"""A plain notice goes by itself; a fault stays until it is dismissed."""


class Notice(QFrame):
    """Shown over the status bar while there is something to tell."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._text = label("", "strong")
        self._detail = label("", "muted", wrap=True)
        self._copy = QPushButton(self.tr("Copy details"))
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.full_text))
        close = QToolButton()
        close.setText("×")
        close.setAccessibleName(self.tr("Dismiss"))
        close.clicked.connect(self.hide)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 6, 8, 6)
        line.addWidget(self._text)
        line.addWidget(self._detail, 1)
        self._answers = QHBoxLayout()
        line.addLayout(self._answers)
        line.addWidget(self._copy)
        line.addWidget(close)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_AFTER_MS)
        self._quiet.timeout.connect(self.hide)
        self.hide()

    @property
    def full_text(self) -> str:
        """Everything told, as it is copied."""
        return f"{self._text.text()}\n{self._detail.text()}".strip()

    def tell(self, text: str, detail: str = "", *, fault: bool = False) -> None:
        """Show a text; a fault stays."""
        self._text.setText(said_made(text))
        self._detail.setText(said_made(detail))
        self._copy.setVisible(fault)
        self._offer(())
        set_role(self, "fault" if fault else "")
        self.show()
        if fault:
            self._quiet.stop()
        else:
            self._quiet.start()

    def ask(self, text: str, detail: str, answers: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Show a question that can wait: it stays until it is answered, dismissed or something else is told."""
        self.tell(text, detail)
        self._quiet.stop()
        self._offer(answers)

    def _offer(self, answers: Sequence[tuple[str, Callable[[], None]]]) -> None:
        while (item := self._answers.takeAt(0)) is not None:
            button = item.widget()
            if button is not None:
                button.hide()
                button.deleteLater()
        for title, run in answers:
            made = QPushButton(title)
            made.clicked.connect(self.hide)
            made.clicked.connect(run)
            self._answers.addWidget(made)

    @property
    def answers(self) -> list[QPushButton]:
        """The buttons that answer the question shown."""
        items = (self._answers.itemAt(k) for k in range(self._answers.count()))
        return [button for item in items if item is not None and isinstance(button := item.widget(), QPushButton)]
