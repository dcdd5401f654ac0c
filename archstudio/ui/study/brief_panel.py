"""The brief of the task at work, and what an audit or a failed submission told."""

from __future__ import annotations

import json

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from archstudio.study.session import Feedback
from archstudio.ui.panels.panel import label, set_role


class BriefPanel(QWidget):
    """The brief as plain text; below it the feedback, which is empty where the condition tells nothing."""

    def __init__(self, brief: str) -> None:
        super().__init__()
        self.brief = _reading(self.tr("Brief"), brief)
        self.heading = label("", "title", wrap=True)
        self.failures = _reading(self.tr("Feedback"), "")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 10)
        column.addWidget(self.brief, 3)
        column.addWidget(self.heading)
        column.addWidget(self.failures, 2)
        self.heading.hide()
        self.failures.hide()

    def show_feedback(self, feedback: Feedback, *, audit: bool) -> None:
        """Show what may be told: failures exactly as models read them, and for an audit the whole report."""
        if feedback.passed is None:
            return
        what = self.tr("Audit {n}: passed") if feedback.passed else self.tr("Audit {n}: failed")
        if not audit:
            what = self.tr("Submission {n}: passed") if feedback.passed else self.tr("Submission {n}: failed")
        self._show(what.format(n=feedback.number), feedback.failures, passed=feedback.passed)
        if feedback.report is not None:
            self.failures.appendPlainText("\n" + json.dumps(feedback.report, indent=1, ensure_ascii=False))
            self.failures.verticalScrollBar().setValue(0)

    def show_earlier(self, number: int, failures: tuple[str, ...], *, audit: bool, passed: bool) -> None:
        """Show again what was told before the program was closed."""
        self.show_feedback(Feedback(number, passed, failures, None, False), audit=audit)

    def _show(self, heading: str, failures: tuple[str, ...], *, passed: bool) -> None:
        self.heading.setText(heading)
        set_role(self.heading, "ok" if passed else "error")
        self.failures.setPlainText("\n".join(failures))
        self.heading.show()
        self.failures.show()


def _reading(name: str, text: str) -> QPlainTextEdit:
    made = QPlainTextEdit(text)
    made.setReadOnly(True)
    made.setTabChangesFocus(True)
    made.setAccessibleName(name)
    made.setFrameShape(QPlainTextEdit.Shape.NoFrame)
    return made
