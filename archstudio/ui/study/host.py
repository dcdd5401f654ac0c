"""Studies as the window's view gives them to commands; each window of theirs loads when it is first asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError

if TYPE_CHECKING:
    from archstudio.ui.window import MainWindow

STUDIES = "Studies (*.study)"


class StudiesHost(QObject):
    """Implements `app.study.view.StudiesView`; `opened` are the windows that are open."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.opened: list[QWidget] = []

    def ask_study(self) -> Path | None:
        """Ask for a study's file."""
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open a study"), "", STUDIES)
        return Path(name) if name else None

    def take_part(self, study: Path) -> None:
        """Open a study in a window of its own; says why if it cannot be."""
        from archstudio.ui.study.start import open_participation

        try:
            made = open_participation(study, self._window.theme_choice)
        except (UnusableFile, GraphError, OSError, SaveFailed) as fault:
            told = self.tr("{name} could not be opened").format(name=study.name)
            self._window.view.notify(told, str(fault), fault=True)
            return
        self._show(made)

    def new_study(self) -> None:
        """Open the pages that write a protocol."""
        from archstudio.ui.study.new_study import NewStudyWizard

        self._show(NewStudyWizard(self._window))

    def replay(self) -> None:
        """Open the replay; it asks for the files."""
        from archstudio.ui.study.replay import ReplayWindow

        self._show(ReplayWindow(self._window.theme))

    def collect(self) -> None:
        """Open the collecting; it asks for the files."""
        from archstudio.ui.study.collecting import CollectWindow

        self._show(CollectWindow())

    def _show(self, made: QWidget) -> None:
        made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.opened.append(made)
        made.destroyed.connect(lambda: self._gone(made))
        made.show()

    def _gone(self, window: QWidget) -> None:
        self.opened = [each for each in self.opened if each is not window]

    def close(self) -> None:
        """Close what is open; called when the window closes."""
        for each in list(self.opened):
            each.close()
