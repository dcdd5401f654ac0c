"""Questions as the window's view gives them to commands; what they need loads with the first of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from archstudio.ui.quiz.place import QuizPlace

if TYPE_CHECKING:
    from archstudio.app.quiz.session import QuizSession
    from archstudio.ui.quiz.desk import QuizDesk
    from archstudio.ui.window import MainWindow

_PACKS = "Packs of questions (*.iqpack *.json);;All files (*)"


class QuizHost(QObject):
    """Implements `app.quiz.view.QuestionsView` by a desk that is made when it is needed."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.place = QuizPlace(window)
        self._desk: QuizDesk | None = None

    @property
    def desk(self) -> QuizDesk:
        """Where sessions are held."""
        if self._desk is None:
            from archstudio.ui.quiz.desk import QuizDesk

            self._desk = QuizDesk(self._window, self.place)
        return self._desk

    @property
    def session(self) -> QuizSession | None:
        """The session that is open."""
        return None if self._desk is None else self._desk.session

    def start(self) -> None:
        """Take the place in the middle of the window."""
        self.place.start()

    def tell(self, text: str, detail: str, *, fault: bool) -> bool:
        """Show a notice on the page in front; whether it was one of questions."""
        return self.place.tell(text, detail, fault=fault)

    def set_theme(self) -> None:
        """Draw in the window's colours."""
        if self._desk is not None:
            self._desk.set_theme()

    def close(self) -> None:
        """End what works in the background and put the docks back; called when the window closes."""
        if self._desk is not None:
            self._desk.close()
        self.place.close()

    # -------------------------------------------------------- asking for a place

    def ask_pack(self) -> Path | None:
        """Ask for a pack."""
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a pack of questions"), "", _PACKS)
        return Path(name) if name else None

    def ask_folder(self, title: str) -> Path | None:
        """Ask for a folder."""
        name = QFileDialog.getExistingDirectory(self._window, title)
        return Path(name) if name else None

    def ask_answers_file(self, suggestion: str) -> Path | None:
        """Ask where to write answers to."""
        start = str(Path.home() / suggestion)
        name, _ = QFileDialog.getSaveFileName(self._window, self.tr("Export answers"), start, "JSON (*.json)")
        return Path(name) if name else None

    # ----------------------------------------------------------- showing and doing

    def in_front(self) -> bool:
        """Whether a page of questions is what the window shows."""
        return self.place.in_front()

    def leave(self) -> None:
        """Go back to the graph that was in front before."""
        self.place.leave()

    def open_pack(self, path: Path) -> None:
        """Open a pack and ask how to begin; says why if it cannot be used."""
        self.desk.open_pack(path)

    def new_practice(self, folder: Path) -> None:
        """Make packs of a folder in a process of its own, then ask how to begin."""
        self.desk.new_practice(folder)

    def go_on(self) -> None:
        """Go on with the session that is open, else with the newest that is not over."""
        self.desk.go_on()

    def show_all(self) -> None:
        """Show all sessions."""
        self.desk.show_all()

    def show_results(self) -> None:
        """Show what the open session came to."""
        self.desk.show_results()

    def answer(self) -> None:
        """Record the answer as it stands."""
        self.desk.answer()

    def next(self) -> None:
        """Go to the next question."""
        self.desk.next()

    def try_setting(self) -> None:
        """Bring the form for an own setting into sight."""
        self.desk.try_setting()

    def add_design(self, folder: Path) -> None:
        """Train the open graph among the candidates of a set; says why if it cannot be."""
        self.desk.add_design(folder)
