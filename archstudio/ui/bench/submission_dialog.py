"""Before submitting: exactly what will be sent, what cannot be said, and what comes of it where that may be seen."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QPushButton, QVBoxLayout, QWidget

from archstudio.app.action_text import action_text
from archstudio.app.figures import plural
from archstudio.app.task_report import TaskReport
from archstudio.study.visibility import Visibility
from archstudio.ui.panels.panel import label
from archstudio.ui.panels.rows import Mark, Row, Rows


class SubmissionDialog(QDialog):
    """The actions with their count against the limit, over the three verdicts on what they bring about."""

    def __init__(self, parent: QWidget, report: TaskReport, seen: Visibility) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Submit {task}").format(task=report.task.id))
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        actions = report.plan.actions
        most = report.task.constraints.get("maxActions")
        count = plural(len(actions), "action") + ("" if most is None else f" of at most {most}")
        column.addWidget(label(count, "title"))
        listed = QListWidget()
        listed.setAccessibleName(self.tr("Actions to submit"))
        listed.addItems([f"{k}.  {action_text(a)}" for k, a in enumerate(actions, 1)])
        column.addWidget(listed, 1)
        for text in report.plan.inexpressible:
            column.addWidget(label(self.tr("Not sent: {what}").format(what=text), "warn", wrap=True))
        self.verdicts = Rows(self.tr("Verdicts on what is sent"))
        self.verdicts.show_rows(verdict_rows(report, seen))
        column.addWidget(self.verdicts)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.send = QPushButton(self.tr("Submit"))
        self.send.setDefault(True)
        buttons.addButton(self.send, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(540, 400)


def verdict_rows(report: TaskReport, seen: Visibility) -> list[Row]:
    """The verdicts that may be seen; below a failing grade why it fails."""
    rows = []
    if seen.exact_verdict:
        rows.append(Row("Runs in PyTorch", "", _mark(report.runs)))
    if seen.task_verdict:
        rows.append(Row("Passes the task", f"rubric v3 · {report.grade.score:g}", _mark(report.grade.passed)))
        rows += [Row(failure.text, "", tip=failure.text) for failure in report.grade.failures]
    if seen.brief_verdict and report.facts:
        value = f"{report.facts_met} of {len(report.facts)}"
        rows.append(Row("Does what the brief asks", value, _mark(report.does_the_brief)))
    return rows


def _mark(holds: bool | None) -> Mark:
    return "unknown" if holds is None else "ok" if holds else "error"
