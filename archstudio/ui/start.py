"""Starts the windowed program: one QApplication, the theme, the fault log, the first document."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from archstudio.app.application import Application
from archstudio.app.commands.file import open_path
from archstudio.app.torch_judge import TorchJudge
from archstudio.files.home import log_path
from archstudio.files.log import Fault, catch_crashes, catch_faults, start_log
from archstudio.ui.accessible import install_accessibility
from archstudio.ui.language import LANGUAGE, chosen_language, install_language, resolve_language
from archstudio.ui.window import MainWindow

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def run_window(files: Sequence[Path] = (), task: str | None = None) -> int:
    """Show the window and run until it closes; returns the exit code."""
    start_log(log_path())
    catch_crashes(log_path().with_name("crash.log"))
    qInstallMessageHandler(log_qt)
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(qt, QApplication)
    qt.setApplicationName("Arch Studio")
    qt.setDesktopFileName("archstudio")
    window = make_window(judge=TorchJudge())
    catch_faults(lambda fault: tell_fault(window, fault))
    window.show()
    for path in files:
        open_path(window.context, path)
    if task is not None:
        window.open_task(task)
    QTimer.singleShot(0, window.safekeeping.offer_unsaved)
    return qt.exec()


def make_window(application: Application | None = None, judge: TorchJudge | None = None) -> MainWindow:
    """A window in its theme, not yet shown; with `judge` PyTorch itself is asked after each edit."""
    install_accessibility()
    application = application or Application()
    install_language(resolve_language(chosen_language(application.settings.read().get(LANGUAGE))))
    window = MainWindow(application, judge)
    window.apply_theme()
    return window


def tell_fault(window: MainWindow, fault: Fault) -> None:
    """Show a fault without stopping; it is in the log already. May be called from any thread."""
    QTimer.singleShot(0, window, lambda: window.view.notify(fault.summary, fault.details, fault=True))


def log_qt(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Send Qt's own messages to the log."""
    logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), text)
