"""The Plan dock: the actions that would be submitted, their count against the limit, Submit, and earlier attempts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton, QSplitter, QVBoxLayout, QWidget

from archstudio.app.action_text import action_text
from archstudio.app.application import Application
from archstudio.app.figures import plural
from archstudio.app.task_report import document_plan
from archstudio.app.tasks.library import task_of
from archstudio.edits.plan import Plan
from archstudio.ui.bench.attempts_table import AttemptsTable
from archstudio.ui.panels.panel import Panel, label, set_role
from archstudio.ui.panels.verdict import REPORT_DELAY_MS
from archstudio.ui.theme import Theme


class PlanPanel(Panel):
    """Every edit so far in the vocabulary that models use. `submit_asked` asks the window to show the submission.

    `attempt_asked` asks for the chosen attempt in a tab.
    """

    submit_asked = Signal()
    attempt_asked = Signal()
    attempt_chosen = Signal()

    def __init__(self, application: Application, theme: Theme) -> None:
        self._end_attempts: Callable[[], None] | None = None
        super().__init__(application)
        self.plan: Plan | None = None
        self._count = label("", "title")
        self._cannot = label("", "warn", wrap=True)
        self._list = QListWidget()
        self._list.setObjectName("plan")
        self._list.setAccessibleName(self.tr("Plan"))
        self.submit = QPushButton(self.tr("Submit…"))
        self.submit.setObjectName("submit")
        self.submit.clicked.connect(self.submit_asked)
        self._heading = label("", "title")
        self._none = label(self.tr("Nothing was submitted for this task yet."), "muted", wrap=True)
        self.attempts = AttemptsTable(theme)
        self.attempts.open_asked.connect(self.attempt_asked)
        self.attempts.itemSelectionChanged.connect(self.attempt_chosen)
        self._why = label("", "muted", wrap=True)
        self.open_attempt = QPushButton(self.tr("Open in a tab"))
        self.open_attempt.setObjectName("openAttempt")
        self.open_attempt.clicked.connect(self.attempt_asked)
        self.attempt_chosen.connect(self._enable_open)
        self._tried = QWidget()
        self._arrange()
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.refresh_plan)
        self._end_attempts = application.tasks.attempts.watch(self.schedule)

    def _arrange(self) -> None:
        left = QWidget()
        _column(left, self._count, self.submit, (self._cannot, self._list))
        _column(self._tried, self._heading, self.open_attempt, (self._none, self.attempts, self._why))
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(self._tried)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(splitter)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.attempts.set_theme(theme)

    def close_panel(self) -> None:
        super().close_panel()
        if self._end_attempts is not None:
            self._end_attempts()
            self._end_attempts = None

    def refresh(self) -> None:
        self._show_attempts()
        self._late.start(self.patience_ms(REPORT_DELAY_MS))

    def _show_attempts(self) -> None:
        document = self.document
        task = None if document is None else task_of(document.task_id)
        self._tried.setVisible(task is not None)
        if document is None or document.task_id is None:
            return
        made = self.application.tasks.attempts.of(document.task_id)
        self._heading.setText(plural(len(made), "attempt") if made else self.tr("Attempts"))
        self._none.setVisible(not made)
        self.attempts.setVisible(bool(made))
        self.open_attempt.setVisible(bool(made))
        self.attempts.show_attempts(made, document.visibility)
        self._enable_open()

    def _enable_open(self) -> None:
        chosen, document = self.attempts.chosen(), self.document
        self.open_attempt.setEnabled(chosen is not None)
        shown = chosen is not None and document is not None and document.visibility.task_verdict
        self._why.setText("; ".join(chosen.failures) if chosen is not None and shown else "")
        self._why.setVisible(bool(self._why.text()))

    def focus_attempts(self) -> None:
        """Give the keyboard to the attempts, the newest chosen."""
        self._show_attempts()
        if self.attempts.rowCount():
            self.attempts.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if self.attempts.chosen() is None:
                self.attempts.selectRow(0)

    def refresh_plan(self) -> None:
        """Bring the plan up to date."""
        document = self.document
        self.plan = None if document is None else document_plan(document)
        self._list.clear()
        task = None if document is None else task_of(document.task_id)
        self.submit.setEnabled(task is not None)
        if document is None or self.plan is None:
            self._count.setText("")
            return
        self._list.addItems([f"{k}.  {action_text(a)}" for k, a in enumerate(self.plan.actions, 1)])
        most = None if task is None else task.constraints.get("maxActions")
        count = len(self.plan.actions)
        over = most is not None and count > most
        limit = "" if most is None else self.tr(" of at most {n}").format(n=most)
        self._count.setText(plural(count, "action") + limit if count else self.tr("No edits yet"))
        set_role(self._count, "error" if over else "title")
        self._cannot.setText("\n".join(self.plan.inexpressible))
        self._cannot.setVisible(bool(self.plan.inexpressible))


def _column(place: QWidget, heading: QWidget, button: QWidget, parts: tuple[QWidget, ...]) -> None:
    """A heading with a button at its right over some parts."""
    head = QHBoxLayout()
    head.addWidget(heading)
    head.addStretch(1)
    head.addWidget(button)
    column = QVBoxLayout(place)
    column.setContentsMargins(12, 8, 12, 8)
    column.addLayout(head)
    for part in parts:
        column.addWidget(part)
    column.addStretch(0)
