"""Replays a session on the canvas: a scrubber over its moments, play and speed, the list of events, and the verdict."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QListWidget,
    QMainWindow,
    QPushButton,
    QSlider,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.comparing import Side
from archstudio.app.figures import plural
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError
from archstudio.study.log.store import read_events
from archstudio.study.pack import open_study
from archstudio.study.replay import Recording, Verified, recordings, verify
from archstudio.study.session.state import BrokenSession
from archstudio.study.visibility import EVERYTHING
from archstudio.ui.compare.canvas import ComparedCanvas
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.study.bar import clock_text
from archstudio.ui.theme import Theme

SPEEDS = (1, 2, 4, 8, 16, 64)
_LONGEST_STEP_MS, _SHORTEST_STEP_MS = 3000, 15
"""A thought of minutes is shortened; moments at one time follow each other all the same."""
_STUDIES, _SESSIONS = "Studies (*.study)", "Sessions (*.session)"


class ReplayWindow(QMainWindow):
    """Asks for a study and one of its sessions; each graph of the session can then be gone through."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Replay"))
        self.resize(1280, 800)
        self._theme = theme
        self.found: Verified | None = None
        self._recordings: dict[str, Recording] = {}
        self._recording: Recording | None = None
        self.canvas: ComparedCanvas | None = None
        self._playing = QTimer(self)
        self._playing.setSingleShot(True)
        self._playing.timeout.connect(self._step)
        self.verdict = label(self.tr("Open a study and a session of it."), "muted", wrap=True)
        self.item = QComboBox()
        self.item.setAccessibleName(self.tr("Item"))
        self.item.setMinimumWidth(260)
        self.item.currentIndexChanged.connect(self._item_chosen)
        self.open_button = QPushButton(self.tr("Open…"))
        self.open_button.clicked.connect(self.ask)
        self.scrubber = QSlider(Qt.Orientation.Horizontal)
        self.scrubber.setAccessibleName(self.tr("Moment"))
        self.scrubber.valueChanged.connect(self._show_moment)
        self.play_button = QPushButton(self.tr("Play"))
        self.play_button.clicked.connect(self.play_or_pause)
        self.speed = QComboBox()
        self.speed.setAccessibleName(self.tr("Speed"))
        for factor in SPEEDS:
            self.speed.addItem(f"{factor}×", factor)
        self.speed.setCurrentIndex(SPEEDS.index(8))
        self.moment = label("", "muted")
        self.events = QListWidget()
        self.events.setAccessibleName(self.tr("Events"))
        self.events.currentRowChanged.connect(self.scrubber.setValue)
        self._arrange()
        self._enable()

    def _arrange(self) -> None:
        top, below = QHBoxLayout(), QHBoxLayout()
        top.addWidget(self.open_button)
        top.addWidget(self.item)
        top.addWidget(self.verdict, 1)
        for part in (self.play_button, self.speed):
            below.addWidget(part)
        below.addWidget(self.scrubber, 1)
        below.addWidget(self.moment)
        self._place = QVBoxLayout()
        stage = QWidget()
        stage.setLayout(self._place)
        self._place.setContentsMargins(0, 0, 0, 0)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(stage)
        split.addWidget(self.events)
        split.setStretchFactor(0, 1)
        split.setSizes([960, 320])
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(12, 10, 12, 10)
        column.addLayout(top)
        column.addWidget(split, 1)
        column.addLayout(below)
        self.setCentralWidget(middle)

    def _enable(self) -> None:
        for part in (self.item, self.scrubber, self.play_button, self.speed, self.events):
            part.setEnabled(self._recording is not None)

    # ----------------------------------------------------------------- opening

    def ask(self) -> None:
        """Ask for both files."""
        study, _ = QFileDialog.getOpenFileName(self, self.tr("Open a study"), "", _STUDIES)
        session, _ = QFileDialog.getOpenFileName(self, self.tr("Open a session"), "", _SESSIONS) if study else ("", "")
        if session:
            self.open(Path(study), Path(session))

    def open(self, study: Path, session: Path) -> None:
        """Open a session with its study: it is verified, then its graphs can be gone through."""
        self._playing.stop()
        try:
            pack = open_study(study)
            self.found = verify(session, pack)
            self._recordings = recordings(pack, read_events(session)) if self.found.chain.holds else {}
        except (UnusableFile, BrokenSession, GraphError) as fault:
            self._recordings = {}
            self._tell(str(fault), "error")
        else:
            self._tell(*self._verified(self.found))
        self._recording = None
        self.item.blockSignals(True)
        self.item.clear()
        self.item.addItems(list(self._recordings))
        self.item.blockSignals(False)
        self._item_chosen()

    def _tell(self, text: str, role: str) -> None:
        self.verdict.setText(text)
        set_role(self.verdict, role)

    def _verified(self, found: Verified) -> tuple[str, str]:
        events = plural(found.chain.events, "event")
        if found.holds:
            tried = plural(len(found.attempts), "grade")
            told = self.tr("The session holds: {events}, {tried} made anew as recorded.")
            return told.format(events=events, tried=tried), "ok"
        fault = [*found.chain.faults, *found.problems][0]
        told = self.tr("The session does not hold: event {n}: {what}")
        return told.format(n=fault.seq, what=fault.problem), "error"

    def _item_chosen(self) -> None:
        self._playing.stop()
        self._recording = self._recordings.get(self.item.currentText())
        self.events.blockSignals(True)
        self.events.clear()
        if self._recording is not None:
            moments = self._recording.moments
            self.events.addItems([f"{clock_text(each.active_ms)}   {each.told}" for each in moments])
            self.scrubber.setRange(0, len(moments) - 1)
        self.events.blockSignals(False)
        self._enable()
        self.scrubber.setValue(0)
        self._show_moment(0)
        if self.canvas is not None:
            self.canvas.fit()

    # ------------------------------------------------------------------ showing

    def _show_moment(self, place: int) -> None:
        self._let_go()
        recording = self._recording
        if recording is None:
            self.moment.clear()
            return
        moment = recording.moments[place]
        side = Side(recording.item.id, recording.graph_at(place), {})
        self.canvas = ComparedCanvas(side, EVERYTHING, self._theme)
        self._place.addWidget(self.canvas)
        count = self.tr("{n} of {count}").format(n=place + 1, count=len(recording.moments))
        self.moment.setText(f"{clock_text(moment.active_ms)}   {count}")
        self.events.blockSignals(True)
        self.events.setCurrentRow(place)
        self.events.blockSignals(False)
        QTimer.singleShot(0, self.canvas, self.canvas.fit)

    def _let_go(self) -> None:
        canvas, self.canvas = self.canvas, None
        if canvas is not None:
            self._place.removeWidget(canvas)
            canvas.dispose()
            canvas.hide()
            canvas.deleteLater()

    # ------------------------------------------------------------------ playing

    @property
    def is_playing(self) -> bool:
        """Whether moments follow each other by themselves."""
        return self._playing.isActive()

    def play_or_pause(self) -> None:
        """Play on from here, from the start at the end; or stop here."""
        if self.is_playing:
            self._playing.stop()
        elif self._recording is not None:
            if self.scrubber.value() == self.scrubber.maximum():
                self.scrubber.setValue(0)
            self._wait()
        self._name_button()

    def _name_button(self) -> None:
        self.play_button.setText(self.tr("Pause") if self.is_playing else self.tr("Play"))

    def _wait(self) -> None:
        """Until the next moment, as long as it took then, by the speed."""
        recording, place = self._recording, self.scrubber.value()
        if recording is None or place >= self.scrubber.maximum():
            return
        took = recording.moments[place + 1].active_ms - recording.moments[place].active_ms
        wait = min(_LONGEST_STEP_MS, took) // int(self.speed.currentData())
        self._playing.start(max(_SHORTEST_STEP_MS, wait))

    def _step(self) -> None:
        self.scrubber.setValue(self.scrubber.value() + 1)
        self._wait()
        self._name_button()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing goes on behind a closed window."""
        self._playing.stop()
        self._let_go()
        event.accept()
