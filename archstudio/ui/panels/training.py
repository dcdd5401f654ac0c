"""The Training dock: what will be trained on what, Start and Stop, the curves, and the runs that are kept."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QScrollArea, QSplitter, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.gradients import RunGradients
from archstudio.app.runs import RunRow, RunsBook
from archstudio.app.training import CannotTrain, TrainingDesk, trainable
from archstudio.app.training_data import read_for
from archstudio.app.training_engine import WHERE, as_stored, stored_choice, where_text
from archstudio.app.training_estimate import Estimating
from archstudio.app.training_settings import TrainSettings
from archstudio.app.words import said_made
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.training.engine import RunBusy
from archstudio.training.engines import NoEngine
from archstudio.ui.panels.curves import CurvesView
from archstudio.ui.panels.panel import Panel, label, set_role
from archstudio.ui.panels.training_data import DataDialog
from archstudio.ui.panels.training_form import TrainingForm
from archstudio.ui.panels.training_runs import RunsView
from archstudio.ui.panels.training_tools import RunTools
from archstudio.ui.panels.training_where import WhereDialog
from archstudio.ui.theme import Theme

POLL_MS = 100
"""How often what workers reported is read and drawn: ten times a second is as smooth as a curve needs."""
_FORM_PX = 330


class TrainingPanel(Panel):
    """Trains in child processes; the window only looks at their files. `delete_asked` names the runs to be deleted.

    `run_ended` follows the end of a run: what it measured can be shown.
    """

    delete_asked = Signal(object)
    run_ended = Signal()

    def __init__(self, application: Application, theme: Theme) -> None:
        self.desk = TrainingDesk(choice=stored_choice(application.settings.read().get(WHERE)))
        self.book = RunsBook(self.desk)
        self.gradients = RunGradients(self.book)
        super().__init__(application)
        self.form = TrainingForm()
        self.form.changed.connect(self.schedule)
        self.form.show_where(where_text(self.desk.choice))
        self.form.where_button.clicked.connect(lambda: self.ask_where())
        self.curves = CurvesView(self.book, theme)
        self.runs = RunsView(self.book, theme)
        self.table = self.runs.table
        self.table.chosen.connect(self._runs_chosen)
        self.table.delete_asked.connect(lambda: self.delete_asked.emit(self.table.chosen_rows()))
        self.table.copy_asked.connect(self.copy_csv)
        self.tools = RunTools(self, self.book)
        self.form.file_asked.connect(lambda: self._ask_data(folder=False))
        self.form.images_asked.connect(lambda: self._ask_data(folder=True))
        self._message = label("", "muted", wrap=True)
        self.start_button = QPushButton(self.tr("Train"))
        self.start_button.setProperty("role", "primary")
        self.start_button.clicked.connect(self.start)
        self.start_button.setEnabled(False)  # until it is known what would be trained
        self.pause_button = QPushButton(self.tr("Pause"))
        self.pause_button.clicked.connect(self.pause_or_resume)
        self.stop_button = QPushButton(self.tr("Stop"))
        self.stop_button.clicked.connect(self.stop)
        self.estimate_button = QPushButton(self.tr("Estimate"))
        self.estimate_button.setToolTip(self.tr("Try some steps, and say how long it will take and how much memory."))
        self.estimate_button.clicked.connect(self.estimate)
        self._estimating: Estimating | None = None
        self._arrange()
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._refresh_offer)
        self._poller = QTimer(self)
        self._poller.setInterval(POLL_MS)
        self._poller.timeout.connect(self._poll)

    def _arrange(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(14, 8, 0, 0)
        column.setSpacing(7)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 12, 0)
        for button in (self.start_button, self.pause_button, self.stop_button, self.estimate_button):
            buttons.addWidget(button)
        column.addLayout(buttons)
        self._message.setContentsMargins(0, 0, 12, 0)
        column.addWidget(self._message)  # what is said stays in sight while the fields scroll
        fields = QWidget()
        inner = QVBoxLayout(fields)
        inner.setContentsMargins(0, 0, 12, 8)
        inner.addWidget(self.form)
        inner.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(fields)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(scroll, 1)
        left.setMinimumWidth(fields.minimumSizeHint().width() + column.contentsMargins().left())
        splitter = QSplitter()
        splitter.setHandleWidth(1)
        for part in (left, self.curves, self.runs):
            splitter.addWidget(part)
        for place, share in enumerate((0, 3, 2)):
            splitter.setStretchFactor(place, share)
        splitter.setSizes([_FORM_PX, 480, 320])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(splitter)

    # ------------------------------------------------------------ refreshing

    def refresh(self) -> None:
        """Say what would be trained on what, or why nothing can be."""
        document = self.document
        if not self.book.loaded:
            self.book.load()
            self._show_runs()
            self.curves.draw()
        if document is None:
            self._say(self.tr("Open a graph to train it."), can_start=False)
            return
        if not document.visibility.training:
            self._say(self.tr("Training is not part of this condition."), can_start=False)
            return
        self._late.start(self.patience_ms(0))

    def _refresh_offer(self) -> None:
        """Losses that fit and the reasons; for a large graph this takes longer than a frame."""
        document = self.document
        if document is None or not document.visibility.training:
            return
        try:
            ready = trainable(document)
        except CannotTrain as reason:
            self._say(str(reason), can_start=False)
            return
        self.form.offer(ready)
        self._say(" ".join(ready.reasons(self.form.settings())), can_start=True)

    def _say(self, text: str, *, can_start: bool, role: str = "muted") -> None:
        self._message.setText(said_made(text))
        set_role(self._message, role)
        self.start_button.setEnabled(can_start)
        self.estimate_button.setEnabled(can_start and self._estimating is None)
        self._update_buttons()

    def say(self, text: str, *, role: str = "muted") -> None:
        """Tell something in the dock."""
        self._say(text, can_start=self.start_button.isEnabled(), role=role)

    @property
    def message(self) -> str:
        """What the dock says: what would be trained on what, or why nothing can be."""
        return self._message.text()

    def settings(self) -> TrainSettings:
        """What the fields say."""
        return self.form.settings()

    # ---------------------------------------------------------------- acting

    def start(self) -> None:
        """Train the open graph with the settings shown."""
        document = self.document
        if document is None or not document.visibility.training:
            return
        if not self.book.loaded:
            self.book.load()
        if not self._engine_is_ready():
            return
        try:
            handle = self.desk.start(document, self.settings())
        except (CannotTrain, NoEngine, SaveFailed, UnusableFile) as reason:
            self._say(str(reason), can_start=True, role="error")
            return
        row = self.book.add(handle.run_id)
        if row.can_resume:
            handle.go_on()
            row.state, row.failure = "queued", ""
        self._poller.start()
        self._show_runs()
        self.table.select({handle.run_id})

    def estimate(self) -> None:
        """Have a worker try some steps of what would be trained, and say what all of it will take."""
        document = self.document
        if document is None or not document.visibility.training or self._estimating is not None:
            return
        if not self._engine_is_ready():
            return
        try:
            self._estimating = Estimating(self.desk, trainable(document), self.settings())
        except (CannotTrain, NoEngine, SaveFailed, UnusableFile) as reason:
            self._say(str(reason), can_start=True, role="error")
            return
        self.say(self.tr("A worker tries some steps…"))
        self._poller.start()

    def _engine_is_ready(self) -> bool:
        """Whether the engine can be used without keeping the window waiting; connects first where it must."""
        return self.desk.opens_at_once or self.ask_where(at_once=True)

    def ask_where(self, *, at_once: bool = False) -> bool:
        """Ask where runs are trained, connect, and keep the choice; `at_once` connects to what was chosen before.

        Returns whether there is an engine to train with. While a run goes on nothing changes.
        """
        if self.document is not None and not self.document.visibility.training:
            return False
        if self.book.active() or self._estimating is not None:
            self.say(self.tr("Runs are going on. Stop them, or let them end, before they are trained elsewhere."))
            return False
        dialog = self.where_dialog = WhereDialog(self, self.desk.choice, self.desk.release())
        if at_once:
            QTimer.singleShot(0, dialog.connect_now)
        accepted = bool(dialog.exec())
        if accepted:
            self.desk.adopt(dialog.choice, dialog.engine)
            self.application.settings.update({WHERE: as_stored(dialog.choice)})
        else:  # what was there before is there still, unless connecting had begun
            self.desk.adopt(self.desk.choice, dialog.before)
        self.form.show_where(where_text(self.desk.choice))
        return accepted

    def _hear_estimate(self) -> None:
        if self._estimating is not None and self._estimating.over:
            answer = self._estimating.answer()
            self._estimating = None
            self.say(answer.text, role="muted" if answer.expected else "error")

    def _ask_data(self, *, folder: bool) -> None:
        """Ask for a file or a folder of images, and what its columns are."""
        if folder:
            name = QFileDialog.getExistingDirectory(self, self.tr("Folders of images, one for each class"))
        else:
            kinds = self.tr("Data (*.csv *.npy *.npz *.pt *.safetensors)")
            name, _ = QFileDialog.getOpenFileName(self, self.tr("Data of your own"), "", kinds)
        if name:
            self.offer_data(Path(name))

    def offer_data(self, path: Path) -> None:
        """Show what a file holds and how it fits, and train on it if told so."""
        document = self.document
        if document is None or not document.visibility.training:
            return
        try:
            ready = trainable(document)
            columns = read_for(ready, path)
        except (CannotTrain, UnusableFile, OSError) as reason:
            self._say(str(reason), can_start=self.start_button.isEnabled(), role="error")
            return
        dialog = DataDialog(self, ready, columns, ready.chosen_losses(self.settings()))
        if dialog.exec() and dialog.data is not None:
            self.form.set_data(dialog.data)

    def stop(self) -> None:
        """Stop the selected runs, or all that are going on."""
        for row in self._meant(self.book.active()):
            self.desk.engine.stop(row.run_id)

    def pause_or_resume(self) -> None:
        """Hold the selected runs (or all that are going on) at their next step, or let held and stopped ones go on."""
        if self._can_resume():
            if not self._engine_is_ready():
                return
            try:
                for row in self._meant(self.book.active()):
                    if row.can_resume:
                        self.book.go_on(row)
            except (NoEngine, SaveFailed) as reason:
                self._say(str(reason), can_start=self.start_button.isEnabled(), role="error")
            self._poller.start()
            self._show_runs()
        else:
            for row in self._meant(self.book.active()):
                self.desk.engine.pause(row.run_id)

    def _meant(self, otherwise: list[RunRow]) -> list[RunRow]:
        """The selected runs that are not over, else the others."""
        return [row for row in self.table.chosen_rows() if row.can_resume or row in otherwise] or otherwise

    def _can_resume(self) -> bool:
        meant = self._meant(self.book.active())
        return bool(meant) and all(row.can_resume for row in meant)

    def delete(self, rows: list[RunRow]) -> str:
        """Delete runs with their files; returns why one could not be, empty if all are gone."""
        if not self._engine_is_ready():
            return self.tr("The runs are kept: there is no connection to where they are trained.")
        try:
            for row in rows:
                self.book.delete(row.run_id)
        except (NoEngine, RunBusy) as reason:
            return str(reason)
        finally:
            self._show_runs()
            self.curves.show_runs(self.table.chosen_rows())
        return ""

    def copy_csv(self) -> None:
        """Put every value of the selected runs on the clipboard, as CSV."""
        QGuiApplication.clipboard().setText(self.book.csv(self.table.chosen_rows() or self.book.rows))

    @property
    def active_runs(self) -> list[RunRow]:
        """Runs that are going on; closing the window ends them at their next step, to go on next time."""
        return self.book.active()

    def close_panel(self) -> None:
        super().close_panel()
        self._poller.stop()
        self.desk.close()

    # --------------------------------------------------------------- drawing

    def _poll(self) -> None:
        going = len(self.book.active())
        if self.book.poll():
            self._show_runs()
            if len(self.book.active()) < going:
                self.run_ended.emit()
            if self.isVisible():
                self.curves.show_runs(self.table.chosen_rows())
        self._hear_estimate()
        if not self.book.active() and self._estimating is None:
            self._poller.stop()

    def _show_runs(self) -> None:
        self.runs.show_rows()
        newest = self.book.rows[0] if self.book.rows else None
        if newest is not None and newest.failure and self.desk.started:
            told = f"{newest.title}: {newest.failure}"
            self._say(told, can_start=self.start_button.isEnabled(), role="error")
        self._update_buttons()

    def _runs_chosen(self) -> None:
        self._update_buttons()
        self.curves.show_runs(self.table.chosen_rows())

    def _update_buttons(self) -> None:
        resumes = self._can_resume()
        busy = bool(self.book.active())
        self.stop_button.setEnabled(busy)
        self.pause_button.setEnabled(busy or resumes)
        self.pause_button.setText(self.tr("Resume") if resumes else self.tr("Pause"))

    def grab_curves(self, path: Path) -> None:
        """Save the curves as a picture, if there are any."""
        self.curves.grab_to(path)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.curves.set_theme(theme)
        self.runs.set_theme(theme)
