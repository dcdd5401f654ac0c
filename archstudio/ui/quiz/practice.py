"""Makes questions of a folder while the window lives: a process works, a small dialog can end it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.tasks import Task, TaskFailed
from archstudio.files.unusable import UnusableFile

POLL_MS = 100
_PATIENCE_MS = 600
_MODULE = "archstudio.intuition.packs.practice"


class PracticeMaker(QObject):
    """`made` carries the packs, `failed` why there are none, or not all."""

    made = Signal(object)
    failed = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._task: Task | None = None
        self._waiting: QProgressDialog | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)

    def start(self, folder: Path) -> None:
        """Begin with a folder; what was being made before is given up."""
        self.end()
        self._scratch = tempfile.TemporaryDirectory(prefix="archstudio-practice-")
        try:
            self._task = Task(_MODULE, [str(folder), self._scratch.name])
        except OSError as error:
            self.end()
            self.failed.emit(str(error))
            return
        told = self.tr("Making questions from {folder}…").format(folder=folder.name)
        self._waiting = QProgressDialog(told, self.tr("Cancel"), 0, 0, self._window)
        self._waiting.setWindowTitle(self.tr("New practice"))
        self._waiting.canceled.connect(self.end)
        self._waiting.setMinimumDuration(_PATIENCE_MS)
        self._timer.start()

    def _poll(self) -> None:
        if self._task is None:
            self._timer.stop()
            return
        try:
            said = self._task.poll()
            if said is None:
                return
            packs, problems = _packs(said)
        except (TaskFailed, UnusableFile) as failed:
            self._task = None
            self.end()
            self.failed.emit(str(failed))
            return
        self._task = None
        self.end()
        if problems:
            self.failed.emit("\n".join(problems))
        if packs:
            self.made.emit(packs)

    def end(self) -> None:
        """Give up what is being made, and leave nothing behind."""
        self._timer.stop()
        if self._task is not None:
            self._task.end()
            self._task = None
        if self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            waiting.blockSignals(True)
            waiting.close()
            waiting.deleteLater()
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None


def _packs(said: dict[str, object]) -> tuple[list[QuizPack], list[str]]:
    """Read what the process has written, while it is there."""
    made, problems = said["packs"], said["problems"]
    assert isinstance(made, list)
    assert isinstance(problems, list)
    return [open_pack(Path(one["path"])) for one in made], [str(problem) for problem in problems]
