"""The lower half of the Tasks dock: brief, limits and progress of a task; goal and hints of an exercise."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.commands import command as command_row
from archstudio.app.document import Document
from archstudio.app.tasks.details import difficulty_text, limits_text, progress_title, verdict_marks
from archstudio.app.tasks.entry import TaskEntry
from archstudio.app.tasks.practice import gives_hints, still_missing
from archstudio.app.words import said, said_made
from archstudio.bench.broken import Exercise, exercise
from archstudio.bench.tasks import UnknownName
from archstudio.files.unusable import UnusableFile
from archstudio.study.visibility import Visibility
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.panels.rows import Mark, Row, Rows


class TaskDetails(QWidget):
    """Tells about one task. `run` carries the id of a command to be run, `open_asked` the ref of a task to open."""

    run = Signal(str)
    open_asked = Signal(str)

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application
        self._entry: TaskEntry | None = None
        self._scroll = QScrollArea()
        self.title = label("", "title", wrap=True)
        self.brief = label("", wrap=True)
        self.brief.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.limits, self.difficulty = label("", "muted", wrap=True), label("", "muted", wrap=True)
        self.progress = Rows(self.tr("Progress"))
        self.hints, self.standing = label("", wrap=True), label("", "muted", wrap=True)
        self.open_button = self._button("openTask", self.tr("Open"), "primary")
        self.open_button.clicked.connect(self._open)
        self.hint_button = self._command("nextHint", "task.hint", self.tr("Next hint"))
        self.submit_button = self._command("submitTask", "task.submit", self.tr("Submit…"))
        self.compare_button = self._command("compareTask", "task.compare", self.tr("Compare…"))
        self.next_button = self._command("nextTask", "task.next", self.tr("Next task"))
        self._arrange()
        self.show_entry(None)

    def _arrange(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(2, 8, 6, 8)
        column.setSpacing(7)
        parts: tuple[QLabel | Rows, ...] = (
            self.title, self.brief, self.standing, self.hints, self.progress, self.limits, self.difficulty,
        )  # fmt: skip
        for part in parts:
            column.addWidget(part)
        column.addStretch(1)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidget(body)
        buttons = FlowLayout(spacing=6)
        for button in (
            self.open_button, self.submit_button, self.hint_button, self.compare_button, self.next_button,
        ):  # fmt: skip
            buttons.addWidget(button)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(6)
        outer.addWidget(self._scroll, 1)
        outer.addLayout(buttons)

    def _button(self, name: str, text: str, role: str = "") -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        if role:
            button.setProperty("role", role)
        return button

    def _command(self, name: str, command: str, text: str) -> QPushButton:
        button = self._button(name, text)
        button.setToolTip(said(command_row(command).help))
        button.clicked.connect(lambda: self.run.emit(command))
        return button

    # ------------------------------------------------------------- showing

    @property
    def entry(self) -> TaskEntry | None:
        """The task told about."""
        return self._entry

    def show_entry(self, entry: TaskEntry | None) -> None:
        """Tell about this task, as it stands."""
        if entry is None or self._entry is None or entry.ref != self._entry.ref:
            self._scroll.verticalScrollBar().setValue(0)
        self._entry = entry
        self.setVisible(entry is not None)
        if entry is None:
            return
        document = self._document(entry)
        seen = self._application.visibility if document is None else document.visibility
        self.title.setText(entry.title)
        self.brief.setText(entry.text)
        self.open_button.setVisible(document is None or document is not self._application.current)
        for part in (self.limits, self.difficulty, self.hints, self.standing):
            part.setVisible(False)
        self.progress.show_rows([])
        if entry.is_practice:
            self._show_exercise(exercise(entry.id), document, seen)
        else:
            self._show_task(entry, document, seen)

    def _document(self, entry: TaskEntry) -> Document | None:
        """The document of the task, the one in front first."""
        current = self._application.current
        if current is not None and current.task_id == entry.ref:
            return current
        return next((d for d in self._application.documents if d.task_id == entry.ref), None)

    def _show_task(self, entry: TaskEntry, document: Document | None, seen: Visibility) -> None:
        in_front = document is not None and document is self._application.current
        self.hint_button.setVisible(False)
        self.submit_button.setVisible(in_front)
        room = self._application.tasks
        self.next_button.setVisible(seen.task_verdict and in_front and room.attempts.solved(entry.ref))
        if not seen.task_verdict:
            self.compare_button.setVisible(False)
            return
        try:
            _say(self.limits, limits_text(room.library.task(entry.ref)))
        except (UnknownName, UnusableFile) as fault:
            _say(self.limits, str(fault), "error")
        _say(self.difficulty, difficulty_text(room.results.difficulty(entry)))
        self._show_progress(entry, seen)
        may_compare = seen.exact_verdict and seen.brief_verdict and in_front
        self.compare_button.setVisible(may_compare and room.attempts.solved(entry.ref))

    def _show_progress(self, entry: TaskEntry, seen: Visibility) -> None:
        reached = self._application.tasks.attempts.progress(entry.ref)
        if reached is None:
            return
        shown = (seen.exact_verdict, seen.task_verdict, seen.brief_verdict)
        marks = [mark for mark, visible in zip(verdict_marks(reached.best), shown, strict=True) if visible]
        rows = [Row(progress_title(reached), "", strong=False)]
        self.progress.show_rows(rows + [Row(text, value, _mark(holds)) for text, holds, value in marks])

    def _show_exercise(self, held: Exercise, document: Document | None, seen: Visibility) -> None:
        in_front = document is not None and document is self._application.current
        for button in (self.submit_button, self.compare_button):
            button.setVisible(False)
        state = self._application.tasks.practice.state(held.name)
        may_hint = gives_hints(self._application.visibility, seen)
        told = held.hints[: state.hints] if may_hint else ()
        _say(self.hints, "\n\n".join(f"{k}.  {said(text)}" for k, text in enumerate(told, 1)))
        self.hint_button.setText(self.tr("Hint {k} of {n}").format(k=state.hints + 1, n=len(held.hints)))
        left = may_hint and in_front and state.hints < len(held.hints)
        mended_now = self._say_standing(held, document if in_front and seen.exact_verdict else None, state.mended)
        self.hint_button.setVisible(left and not mended_now)
        self.next_button.setVisible(mended_now)

    def _say_standing(self, held: Exercise, document: Document | None, mended_before: bool) -> bool:
        """What is still missing, or that it is mended and why it was broken; returns whether it is mended now."""
        missing = [""] if document is None else still_missing(document)
        if not missing:
            _say(self.standing, self.tr("✔ Mended. {why}").format(why=said(held.explanation)), "ok")
        elif document is not None:
            _say(self.standing, " ".join(said_made(text) for text in missing), "muted")
        elif mended_before and self._application.visibility.exact_verdict:
            _say(self.standing, self.tr("Mended before."), "ok")
        return not missing

    def _open(self) -> None:
        if self._entry is not None:
            self.open_asked.emit(self._entry.ref)


def _say(part: QLabel, text: str, role: str = "") -> None:
    part.setText(text)
    part.setVisible(bool(text))
    if role:
        set_role(part, role)


def _mark(holds: bool | None) -> Mark:
    return "unknown" if holds is None else "ok" if holds else "error"
