"""What a person may do in a study beyond editing: rows of title, keys and help, as actions of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

ON_ITEM = ("study.text", "study.seen", "study.flag", "study.pause", "study.audit", "study.submit")
"""In the order of the bar."""


def study_actions(window: QMainWindow, runs: Mapping[str, Callable[[], None]]) -> dict[str, QAction]:
    """One action for each name of `runs`, with its menu entry."""
    rows = {
        "study.submit": (
            window.tr("Submit…"),
            "Ctrl+Return",
            window.tr("See exactly what will be sent, then send it."),
        ),
        "study.audit": (window.tr("Audit"), "Ctrl+Shift+Return", window.tr("A dry-run grade; audits are counted.")),
        "study.pause": (window.tr("Pause"), "Ctrl+Alt+P", window.tr("Stop the clock and hide the item.")),
        "study.flag": (window.tr("Flag…"), "Ctrl+Alt+F", window.tr("Something is wrong with this item.")),
        "study.seen": (window.tr("Seen before"), "Ctrl+Alt+S", window.tr("You have met this very item before.")),
        "study.text": (window.tr("Text for models…"), "Ctrl+Alt+T", window.tr("The text that language models read.")),
        "study.fullScreen": (window.tr("Full Screen"), "F11", window.tr("Use the whole screen, or stop doing so.")),
        "study.code": (window.tr("Another Withdrawal Code…"), "", window.tr("If you could not note the first one.")),
        "study.quit": (window.tr("End Study…"), "Ctrl+Alt+E", window.tr("End here; what you did is kept.")),
        "study.withdraw": (window.tr("Withdraw and Erase…"), "", window.tr("End, and erase everything you did.")),
    }
    menu = window.menuBar().addMenu(window.tr("Study"))
    made: dict[str, QAction] = {}
    for name, (title, keys, help_) in rows.items():
        action = QAction(title, window)
        action.setObjectName(name)
        action.setToolTip(f"{help_} ({keys})" if keys else help_)
        action.setStatusTip(help_)
        action.setShortcut(QKeySequence.fromString(keys, QKeySequence.SequenceFormat.PortableText))
        action.triggered.connect(lambda _=False, run=runs[name]: run())
        action.setCheckable(name in ("study.seen", "study.fullScreen"))
        if name in ("study.fullScreen", "study.quit"):
            menu.addSeparator()
        menu.addAction(action)
        window.addAction(action)
        made[name] = action
    return made
