"""The Plan dock: the actions that would be submitted, their count against the limit, and Submit."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QPushButton, QVBoxLayout

from archstudio.app.action_text import action_text
from archstudio.app.application import Application
from archstudio.app.figures import plural
from archstudio.app.task_report import document_plan
from archstudio.bench.tasks import curated_task
from archstudio.edits.plan import Plan
from archstudio.ui.panels.panel import Panel, label, set_role
from archstudio.ui.panels.verdict import REPORT_DELAY_MS


class PlanPanel(Panel):
    """Every edit so far in the vocabulary that models use. `submit_asked` asks the window to show the submission."""

    submit_asked = Signal()

    def __init__(self, application: Application) -> None:
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
        head = QHBoxLayout()
        head.addWidget(self._count)
        head.addStretch(1)
        head.addWidget(self.submit)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.addLayout(head)
        column.addWidget(self._cannot)
        column.addWidget(self._list)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.refresh_plan)

    def refresh(self) -> None:
        self._late.start(self.patience_ms(REPORT_DELAY_MS))

    def refresh_plan(self) -> None:
        """Bring the plan up to date."""
        document = self.document
        self.plan = None if document is None else document_plan(document)
        self._list.clear()
        self.submit.setEnabled(document is not None and document.task_id is not None)
        if document is None or self.plan is None:
            self._count.setText("")
            return
        self._list.addItems([f"{k}.  {action_text(a)}" for k, a in enumerate(self.plan.actions, 1)])
        most = None if document.task_id is None else curated_task(document.task_id).constraints.get("maxActions")
        count = len(self.plan.actions)
        over = most is not None and count > most
        limit = "" if most is None else self.tr(" of at most {n}").format(n=most)
        self._count.setText(plural(count, "action") + limit if count else self.tr("No edits yet"))
        set_role(self._count, "error" if over else "title")
        self._cannot.setText("\n".join(self.plan.inexpressible))
        self._cannot.setVisible(bool(self.plan.inexpressible))
