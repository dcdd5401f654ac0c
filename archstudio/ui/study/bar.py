"""The one quiet bar of a study: which item, how long, and what may be done with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QToolBar, QWidget

from archstudio.ui.panels.panel import label, set_role

_SECOND_MS, _MINUTE_S = 1000, 60
_SOON_MS = 60_000


def clock_text(ms: int) -> str:
    """A duration as minutes and seconds."""
    minutes, seconds = divmod(max(0, ms) // _SECOND_MS, _MINUTE_S)
    return f"{minutes}:{seconds:02}"


class ActionButton(QPushButton):
    """A button that is what its action is: text, help, and whether it can be pressed, is on, or is there at all."""

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self._action = action
        self.setObjectName(action.objectName())
        self.setAutoDefault(False)
        self.clicked.connect(lambda: action.trigger())
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        action = self._action
        self.setText(action.text())
        self.setToolTip(action.toolTip())
        self.setEnabled(action.isEnabled())
        self.setVisible(action.isVisible())
        self.setCheckable(action.isCheckable())
        self.setChecked(action.isChecked())


class StudyBar(QToolBar):
    """Shows the item's place and time at the left, and its actions at the right."""

    def __init__(self, parent: QWidget, actions: Sequence[QAction], primary: QAction) -> None:
        super().__init__(parent)
        self.setObjectName("studyBar")
        self.setWindowTitle(self.tr("Study"))
        self.setAccessibleName(self.tr("Study"))
        self.setMovable(False)
        self.setFloatable(False)
        self.toggleViewAction().setEnabled(False)
        self.place, self.time, self.left = label("", "strong"), label("", "muted"), label("", "muted")
        self.buttons: dict[str, ActionButton] = {}
        inner = QWidget()
        inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        line = QHBoxLayout(inner)
        line.setContentsMargins(10, 2, 10, 2)
        line.setSpacing(12)
        for part in (self.place, self.time, self.left):
            line.addWidget(part)
        line.addStretch(1)
        for action in (*actions, primary):
            button = ActionButton(action)
            self.buttons[action.objectName()] = button
            line.addWidget(button)
        self.buttons[primary.objectName()].setProperty("role", "primary")
        self.addWidget(inner)

    def show_item(self, number: int, count: int, *, practice: bool) -> None:
        """Say which item is in front."""
        text = self.tr("Practice, item {n} of {count}") if practice else self.tr("Item {n} of {count}")
        self.place.setText(text.format(n=number, count=count))

    def show_time(self, active_ms: int, left_ms: int | None) -> None:
        """Say how long the item has been worked on, and what is left where there is a limit."""
        self.time.setText(self.tr("active {time}").format(time=clock_text(active_ms)))
        self.left.setVisible(left_ms is not None)
        if left_ms is not None:
            self.left.setText(self.tr("{time} left").format(time=clock_text(left_ms)))
            set_role(self.left, "warn" if left_ms <= _SOON_MS else "muted")
