"""Opens studies: from the command line as a program of its own, or beside the window that is there."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QTimer, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from archstudio.app.application import Application
from archstudio.app.view import ThemeChoice
from archstudio.files.home import log_path
from archstudio.files.log import catch_crashes, catch_faults, start_log
from archstudio.study.pack import open_study
from archstudio.study.session import sessions_folder
from archstudio.ui.accessible import install_accessibility
from archstudio.ui.language import LANGUAGE, chosen_language, install_language, resolve_language
from archstudio.ui.start import log_qt
from archstudio.ui.study.window import StudyWindow
from archstudio.ui.window import THEME, chosen_theme


def run_study(study: Path, sessions: Path | None = None, *, full_screen: bool = False) -> int:
    """Let somebody take part, and return when the window is closed. `UnusableFile` for a study that is none."""
    start_log(log_path())
    catch_crashes(log_path().with_name("crash.log"))
    qInstallMessageHandler(log_qt)
    settings = Application().settings.read()
    pack = open_study(study)
    folder = sessions or sessions_folder(pack)
    folder.mkdir(parents=True, exist_ok=True)
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    qt.setApplicationName("Arch Studio")
    qt.setDesktopFileName("archstudio")
    install_accessibility()
    install_language(resolve_language(chosen_language(settings.get(LANGUAGE))))
    window = StudyWindow(pack, folder, chosen_theme(settings.get(THEME)))
    window.set_theme(window.theme_choice)
    catch_faults(
        lambda fault: QTimer.singleShot(0, window, lambda: window.notice.tell(fault.summary, fault.details, fault=True))
    )
    if full_screen:
        window.showFullScreen()
    else:
        window.show()
    return qt.exec()


def open_participation(study: Path, theme: ThemeChoice) -> StudyWindow:
    """A study's window beside the one that is there, not yet shown. Raises `UnusableFile`."""
    pack = open_study(study)
    return StudyWindow(pack, sessions_folder(pack), theme)
