"""Writing a task beside the canvas: brief, start and limits at the left, reference and proofs at the right."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.action_text import action_text
from archstudio.app.commands import Context
from archstudio.app.figures import plural
from archstudio.app.tasks.authoring import Draft, prove_draft, reference_document, refusals
from archstudio.app.tasks.entry import MINE
from archstudio.bench.proofs import Proof
from archstudio.bench.task_writing import filed_row
from archstudio.bench.tasks import Kind
from archstudio.edits import EditRefused
from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.strict_json import dump_json
from archstudio.ui.bench.limit_form import LimitForm
from archstudio.ui.panels.panel import label
from archstudio.ui.panels.rows import Mark, Row, Rows

PROVE_DELAY_MS = 150
MOST_REASONS = 2
"""Reasons told beside the button; the checklist has all."""
_SIZE_PX = (980, 720)


class AuthoringWindow(QDialog):
    """One draft at a time. Saving is refused, with the reasons, until everything that must be shown of it is."""

    def __init__(self, parent: QWidget, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._draft = Draft(context.document.graph.copy())
        self._kept = self._draft
        self.proofs: list[Proof] = []
        self.name, self.kind, self.brief = QLineEdit(), QComboBox(), QPlainTextEdit()
        self.limits = LimitForm()
        self._start, self._reference = label("", wrap=True), label("", wrap=True)
        self._cannot, self.reasons = label("", "warn", wrap=True), label("", "muted", wrap=True)
        self._actions = QListWidget()
        self.checklist = Rows(self.tr("Proofs"))
        self.use_start = self._button("useStart", self.tr("Start from the open graph"), self._take_start)
        self.solve = self._button("solveDraft", self.tr("Solve it in a tab"), self._solve)
        self.use_reference = self._button("useReference", self.tr("Use the open graph"), self._take_reference)
        self.save = self._button("saveTask", self.tr("Save the task"), self._save)
        self.copy = self._button("saveTaskCopy", self.tr("Save a copy…"), self._save_copy)
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(PROVE_DELAY_MS)
        self._due.timeout.connect(self.prove)
        self._prepare()
        self._arrange()

    def _button(self, name: str, text: str, run: object) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(run)
        return button

    def _prepare(self) -> None:
        self.setWindowTitle(self.tr("Write a task"))
        self.setModal(False)
        self.save.setProperty("role", "primary")
        for kind in get_args(Kind):
            self.kind.addItem(kind.capitalize(), kind)
        self.name.setPlaceholderText(self.tr("widen-the-mlp"))
        self.brief.setPlaceholderText(self.tr("What is asked for, with every number that binds."))
        self.brief.setTabChangesFocus(True)
        self._actions.setAccessibleName(self.tr("Actions of the reference"))
        for field, name in ((self.name, self.tr("Name")), (self.kind, self.tr("Kind")), (self.brief, self.tr("Brief"))):
            field.setAccessibleName(name)
        self.name.textChanged.connect(self._changed)
        self.kind.currentIndexChanged.connect(self._changed)
        self.brief.textChanged.connect(self._changed)
        self.limits.changed.connect(self._changed)

    def _arrange(self) -> None:
        halves = QHBoxLayout()
        halves.setSpacing(20)
        halves.addWidget(self._left(), 5)
        halves.addWidget(self._right(), 4)
        foot = QHBoxLayout()
        foot.addWidget(self.reasons, 1)
        foot.addWidget(self.copy)
        foot.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(12)
        column.addLayout(halves, 1)
        column.addLayout(foot)
        self.resize(*_SIZE_PX)

    def _left(self) -> QWidget:
        form = QFormLayout()
        form.setHorizontalSpacing(14)
        form.addRow(self.tr("Name"), self.name)
        form.addRow(self.tr("Kind"), self.kind)
        self.brief.setFixedHeight(112)
        form.addRow(self.tr("Brief"), self.brief)
        start = QHBoxLayout()
        start.addWidget(self._start, 1)
        start.addWidget(self.use_start)
        form.addRow(self.tr("Start"), start)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(10)
        column.addLayout(form)
        column.addWidget(label(self.tr("Graded with"), "title"))
        column.addWidget(self.limits)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setWidget(body)
        return scroll

    def _right(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(label(self.tr("Reference"), "title"))
        column.addWidget(self._reference)
        buttons = QHBoxLayout()
        buttons.addWidget(self.solve)
        buttons.addWidget(self.use_reference)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addWidget(self._actions, 1)
        column.addWidget(self._cannot)
        column.addWidget(label(self.tr("What has to be shown"), "title"))
        column.addWidget(self.checklist)
        column.addStretch(1)
        return side

    # ------------------------------------------------------------- the draft

    @property
    def draft(self) -> Draft:
        """The task as the form says it now."""
        return replace(
            self._draft,
            id=self.name.text().strip(),
            kind=cast(Kind, self.kind.currentData()),
            brief=self.brief.toPlainText().strip(),
            limits=self.limits.limits,
        )

    def show_draft(self, draft: Draft) -> None:
        """Begin to write this draft; one with changes that were not saved is asked about first."""
        if self.isVisible() and not self._may_drop():
            self.raise_()
            return
        self._draft = draft
        for part in (self.name, self.kind, self.brief):
            part.blockSignals(True)
        self.name.setText(draft.id)
        self.kind.setCurrentIndex(max(self.kind.findData(draft.kind), 0))
        self.brief.setPlainText(draft.brief)
        self.limits.show_limits(draft.limits)
        for part in (self.name, self.kind, self.brief):
            part.blockSignals(False)
        self._kept = self.draft
        self._show_graphs(())
        self.prove()
        self.show()
        self.raise_()
        self.name.setFocus()

    def _show_graphs(self, inexpressible: tuple[str, ...]) -> None:
        start, actions = self._draft.start, self._draft.actions
        layers, wires = plural(len(start), "layer"), plural(len(start.connection_ids), "connection")
        self._start.setText(f"{start.name}: {layers}, {wires}")
        if actions is None:
            self._reference.setText(self.tr("Solve the task yourself; your edits become its reference."))
        else:
            self._reference.setText(plural(len(actions), "action"))
        self._actions.clear()
        self._actions.addItems([f"{k}.  {action_text(a)}" for k, a in enumerate(actions or (), 1)])
        self._actions.setVisible(bool(actions))
        self._cannot.setText("\n".join(inexpressible))
        self._cannot.setVisible(bool(inexpressible))

    def _changed(self) -> None:
        self._due.start()

    def prove(self) -> None:
        """Bring the proofs, and the reasons why it cannot be saved yet, up to date."""
        self._due.stop()
        draft = self.draft
        self.proofs = prove_draft(draft)
        self.checklist.show_rows([row for each in self.proofs for row in _rows(each)])
        why = [*self.limits.faults, *refusals(draft, self.proofs)]
        self.save.setEnabled(not why)
        self.copy.setEnabled(not why)
        more = f" {self.tr('And {n} more.').format(n=len(why) - MOST_REASONS)}" if len(why) > MOST_REASONS else ""
        told = self.tr("Not yet. {why}").format(why=" ".join(why[:MOST_REASONS]) + more)
        self.reasons.setText(told if why else self.tr("All is shown."))

    # ------------------------------------------------------------- buttons

    def _take_start(self) -> None:
        document = self._context.application.current
        if document is not None:
            self._draft = self._draft.with_start(document.graph)
            self._show_graphs(())
            self.prove()

    def _solve(self) -> None:
        try:
            self._context.application.adopt(reference_document(self.draft))
        except EditRefused as refusal:
            self._context.view.notify(str(refusal))
            return
        self._context.view.notify(self.tr("Solve the task here, then press “Use the open graph” beside it"))

    def _take_reference(self) -> None:
        document = self._context.application.current
        if document is not None:
            self._draft, inexpressible = self._draft.with_reference(document.graph)
            self._show_graphs(inexpressible)
            self.prove()

    def _save(self) -> None:
        self.prove()
        draft = self.draft
        if not self.save.isEnabled() or not self._may_replace(draft):
            return
        try:
            self._context.application.tasks.library.keep_own(draft.task())
        except SaveFailed as failed:
            self._context.view.notify(self.tr("The task was not saved"), str(failed), fault=True)
            return
        self._kept = draft
        self._context.view.bench.show_suite(MINE)
        self._context.view.notify(self.tr("Saved {task}").format(task=draft.id))

    def _save_copy(self) -> None:
        draft = self.draft
        suggested = str(Path.home() / f"{draft.id}.task.json")
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Save a copy"), suggested, "Task files (*.json)")
        if not name:
            return
        content = dump_json({"version": 1, "tasks": [filed_row(draft.task())]})
        try:
            save_atomic(Path(name), content.encode())
        except SaveFailed as failed:
            self._context.view.notify(self.tr("The copy was not saved"), str(failed), fault=True)

    def _may_replace(self, draft: Draft) -> bool:
        """Ask before another own task of this name is replaced."""
        own = {entry.id for entry in self._context.application.tasks.library.suite(MINE).entries()}
        if draft.id == self._kept.id or draft.id not in own:
            return True
        detail = self.tr("The task that has this name now is kept as a backup beside it.")
        question = self.tr("Replace your task {task}?").format(task=draft.id)
        return self._context.view.ask_confirm(question, detail, self.tr("Replace"))

    # ------------------------------------------------------------- closing

    def _may_drop(self) -> bool:
        now, kept = self.draft, self._kept
        if now == kept:
            return True
        question = self.tr("Give up what was written?")
        detail = self.tr("The draft has changes that were not saved as a task.")
        return self._context.view.ask_confirm(question, detail, self.tr("Give up"))

    def reject(self) -> None:
        """Escape closes as the window's button does."""
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about changes that were not saved."""
        if self.isVisible() and not self._may_drop():
            event.ignore()
            return
        self._due.stop()
        event.accept()


def _rows(proof: Proof) -> list[Row]:
    """A proof, and below one that fails the reason."""
    mark: Mark = "ok" if proof.holds else "error"
    row = Row(proof.text, "", mark, tip=proof.reason)
    return [row] if proof.holds else [row, Row(proof.reason, "", tip=proof.reason)]
