"""One page before or after the items: text at reading width, what is asked, and the way on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from archstudio.ui.panels.panel import label

READING_PX = 820


class StudyPage(QWidget):
    """A heading over a middle that scrolls over a line of buttons; `column` takes the middle's parts."""

    go_on = Signal()
    refused = Signal()

    def __init__(self, heading: str, go_on: str, refuse: str = "") -> None:
        super().__init__()
        self.setObjectName("studyPage")
        self.setAccessibleName(heading)
        self.column = QVBoxLayout()
        self.column.setSpacing(10)
        self.problem = label("", "error", wrap=True)
        self.problem.hide()
        self.on_button = QPushButton(go_on)
        self.on_button.setObjectName("goOn")
        self.on_button.setProperty("role", "primary")
        self.on_button.setMinimumHeight(32)
        self.on_button.setAutoDefault(True)
        self.on_button.clicked.connect(self.go_on)
        self.refuse_button = QPushButton(refuse)
        self.refuse_button.setObjectName("refuse")
        self.refuse_button.setAutoDefault(True)
        self.refuse_button.setVisible(bool(refuse))
        self.refuse_button.clicked.connect(self.refused)
        self._arrange(heading)

    def _arrange(self, heading: str) -> None:
        inner = QWidget()
        inner.setMaximumWidth(READING_PX)
        column = QVBoxLayout(inner)
        column.setContentsMargins(24, 22, 24, 18)
        column.setSpacing(12)
        column.addWidget(label(heading, "heading", wrap=True))
        body = QWidget()
        body.setLayout(self.column)
        self.column.setContentsMargins(0, 0, 8, 0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column.addWidget(scroll, 1)
        column.addWidget(self.problem)
        buttons = QHBoxLayout()
        buttons.addWidget(self.refuse_button)
        buttons.addStretch(1)
        buttons.addWidget(self.on_button)
        column.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)

    def tell_problem(self, text: str) -> None:
        """Say what is missing; empty takes it back."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def first(self) -> QWidget:
        """What gets the keyboard when the page opens."""
        return self.on_button

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.first().setFocus(Qt.FocusReason.OtherFocusReason)
