"""The Problems dock: what is wrong, both shapes with the wrong axis marked, where the numbers come from, and fixes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.figures import count_text
from archstudio.app.problem_words import fix_label, needs_text, problem_explanation, problem_title, waiting_text
from archstudio.app.words import said
from archstudio.design.fixes import Fix, fixes_for
from archstudio.edits import EditRefused
from archstudio.layers import Severity
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import LARGE, Panel, label
from archstudio.verify.report import ProblemReport, report

SHOWN = 40
"""Problems drawn at once; the rest are counted. Mending the first ones usually ends many others."""

_MARKS = {Severity.ERROR: ("!", "badgeError"), Severity.MISTAKE: ("!", "badgeMistake"), Severity.ADVICE: ("i", "badge")}
_SPOKEN = {Severity.ERROR: "error", Severity.MISTAKE: "mistake", Severity.ADVICE: "advice"}
_BADGE_PX = 16


class ProblemsPanel(Panel):
    """A card for each problem. `center_asked` names the node of a pressed card; `refused` says why no fix is made."""

    center_asked = Signal(str)
    refused = Signal(str)

    def __init__(self, application: Application) -> None:
        super().__init__(application)
        self.cards: list[ProblemCard] = []
        self._column = QVBoxLayout()
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.setSpacing(10)
        body = QWidget()
        body.setLayout(self._column)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        scroll.setAccessibleName(self.tr("Problems"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self._told: list[ProblemReport] = []
        self._last_told = ""
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._open_first)

    def refresh(self) -> None:
        document = self.document
        reports: list[ProblemReport] = []
        if document is not None and document.visibility.exact_verdict:
            verdict = document.verdict
            reports = [report(document.graph, verdict, p) for p in verdict.problems]
            if not document.visibility.fixes:
                reports = [r for r in reports if r.severity is not Severity.ADVICE]
        last_line = self._last_line(len(reports))
        if reports == self._told and last_line == self._last_told and self._column.count():
            return
        self._told, self._last_told = reports, last_line
        self._clear()
        for told in reports[:SHOWN]:
            card = ProblemCard(told, self._open, self._fixes, self._apply)
            self.cards.append(card)
            self._column.addWidget(card)
        self._column.addWidget(label(last_line, "muted"))
        self._column.addStretch(1)
        if document is not None and len(document.graph) >= LARGE:
            self._late.start(self.patience_ms(0))
        else:
            self._open_first()

    def _open_first(self) -> None:
        """Show details and fixes of the first problem; trying fixes on a large graph takes a while."""
        if self.cards:
            self.cards[0].open()

    def _last_line(self, count: int) -> str:
        if self.document is None:
            return self.tr("No graph is open.")
        if not self.document.visibility.exact_verdict:
            return self.tr("Problems are not shown in this condition.")
        if count > SHOWN:
            return self.tr("and {n} more").format(n=count - SHOWN)
        return "" if count else self.tr("Nothing is wrong: PyTorch would run this graph.")

    def _clear(self) -> None:
        self._late.stop()
        self.cards.clear()
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _open(self, card: ProblemCard) -> None:
        for other in self.cards:
            if other is not card:
                other.close_details()
        document = self.document
        node = card.told.problem.node
        if document is not None and node in document.graph:
            document.selection.set([node])
            self.center_asked.emit(node)

    def _fixes(self, told: ProblemReport) -> list[Fix]:
        document = self.document
        if document is None or not document.visibility.fixes:
            return []
        return fixes_for(document.graph, told.problem, document.verdict)

    def _apply(self, fix: Fix) -> None:
        if self.document is not None:
            try:
                self.document.push(fix.edit, fix.label)
            except EditRefused as refusal:  # the graph changed since the fix was tried
                self._told = []
                self.schedule()
                self.refused.emit(str(refusal))


class ProblemCard(QFrame):
    """One problem. Its details and fixes are made when it is opened."""

    def __init__(
        self,
        told: ProblemReport,
        opened: Callable[[ProblemCard], None],
        fixes: Callable[[ProblemReport], list[Fix]],
        apply: Callable[[Fix], None],
    ) -> None:
        super().__init__()
        self.told = told
        self._opened, self._fixes, self._apply = opened, fixes, apply
        self._details: QWidget | None = None
        self.setObjectName("problem")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        title_text = problem_title(told.problem, told.node_name)
        self.setAccessibleName(title_text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(_badge(told.severity), 0, Qt.AlignmentFlag.AlignTop)
        title = label(title_text, "title", wrap=True)
        head.addWidget(title, 1)
        head.addWidget(label(told.code, "mono"))
        self._column.addLayout(head)

    @property
    def buttons(self) -> list[QPushButton]:
        """The fix buttons, once the card is open."""
        return [] if self._details is None else self._details.findChildren(QPushButton)

    def open(self) -> None:
        """Show details and fixes."""
        if self._details is None:
            self._details = self._make_details()
            self._column.addWidget(self._details)
        self._details.show()

    def close_details(self) -> None:
        """Show the title only."""
        if self._details is not None:
            self._details.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.open()
        self._opened(self)

    def keyPressEvent(self, event: object) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):  # type: ignore[attr-defined]
            self.open()
            self._opened(self)
            return
        super().keyPressEvent(event)  # type: ignore[arg-type]

    def _make_details(self) -> QWidget:
        told = self.told
        details = QWidget()
        column = QVBoxLayout(details)
        column.setContentsMargins(22, 0, 0, 4)
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(2, 1)
        row = 0
        for name, shape, why, role in (
            (self.tr("needs"), told.needs, needs_text(told), "mono"),
            (self.tr("gets"), told.gets, told.gets_why, "monoError"),
        ):
            if shape or why:
                grid.addWidget(label(name, "muted"), row, 0)
                grid.addWidget(label(shape, role), row, 1)
                grid.addWidget(label(why, "muted", wrap=True), row, 2)
                row += 1
        column.addLayout(grid)
        if not row:
            column.addWidget(label(problem_explanation(told.problem), "muted", wrap=True))
        fixes = self._fixes(told)
        if fixes:
            buttons = FlowLayout(spacing=8)
            for fix in fixes:
                buttons.addWidget(self._fix_button(fix))
            column.addLayout(buttons)
        if told.waiting:
            column.addWidget(label(waiting_text(told), "muted", wrap=True))
        return details

    def _fix_button(self, fix: Fix) -> QPushButton:
        change = fix.preview.d_parameters
        effect = (
            "" if change is None else "±0" if change == 0 else f"{'+' if change > 0 else '−'}{count_text(abs(change))}"
        )
        button = QPushButton(f"{fix_label(fix)}    {effect}".rstrip())
        button.setProperty("role", "fix")
        button.setToolTip(_preview_text(fix))
        button.setAccessibleDescription(_preview_text(fix))
        button.clicked.connect(lambda: self._apply(fix))
        return button


def _badge(severity: Severity) -> QLabel:
    """A round mark: filled for errors, outlined for mistakes and advice."""
    sign, role = _MARKS[severity]
    made = label(sign, role)
    made.setFixedSize(_BADGE_PX, _BADGE_PX)
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setAccessibleName(_SPOKEN[severity])
    return made


def _preview_text(fix: Fix) -> str:
    parts = [said("then {shape}").format(shape=fix.preview.shape)] if fix.preview.shape else []
    if fix.preview.d_parameters is not None:
        parts.append(said("{n} parameters").format(n=f"{fix.preview.d_parameters:+,}"))
    if fix.preview.d_macs is not None:
        parts.append(f"{fix.preview.d_macs:+,} MACs")
    return ", ".join(parts)
