"""Docks with our own title line, and the three arrangements of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QWidget

from archstudio.app.view import Arrangement, Dock
from archstudio.ui.panels.panel import label

LEFT: tuple[Dock, ...] = ("tasks", "layers")
RIGHT: tuple[Dock, ...] = ("inspector", "verdict")
BOTTOM: tuple[Dock, ...] = ("problems", "table", "training", "plan", "history")

_SHOWN: dict[Arrangement, tuple[Dock, ...]] = {
    "design": (*LEFT, *RIGHT, *BOTTOM),
    "train": ("layers", "training", "table", "problems", *RIGHT),
    "study": ("tasks", "layers", "inspector", "plan"),
}
_FRONT: dict[Arrangement, Dock] = {"design": "problems", "train": "training", "study": "plan"}


def make_dock(window: QMainWindow, name: Dock, title: str, panel: QWidget) -> QDockWidget:
    """A dock that can be moved, closed and restored; `name` is also how its state is remembered."""
    dock = QDockWidget(title, window)
    dock.setObjectName(f"dock-{name}")
    dock.setWidget(panel)
    dock.setAccessibleName(title)
    if name not in BOTTOM:
        dock.setTitleBarWidget(_title_line(title))
    else:
        dock.setTitleBarWidget(QWidget())  # the tab says it
    return dock


def _title_line(title: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(12, 10, 12, 2)
    row.addWidget(label(title.upper(), "dock-title"))
    row.addStretch(1)
    return line


def arrange(window: QMainWindow, docks: dict[Dock, QDockWidget], arrangement: Arrangement) -> None:
    """Put all docks where they belong and show those of the arrangement."""
    left, right, bottom = (
        Qt.DockWidgetArea.LeftDockWidgetArea,
        Qt.DockWidgetArea.RightDockWidgetArea,
        Qt.DockWidgetArea.BottomDockWidgetArea,
    )
    for names, area in ((LEFT, left), (RIGHT, right), (BOTTOM, bottom)):
        for name in names:
            docks[name].setFloating(False)
            window.addDockWidget(area, docks[name])
            docks[name].setVisible(name in _SHOWN[arrangement])
    for first, second in ((LEFT[0], LEFT[1]), (RIGHT[0], RIGHT[1])):
        window.splitDockWidget(docks[first], docks[second], Qt.Orientation.Vertical)
    for name in BOTTOM[1:]:
        window.tabifyDockWidget(docks[BOTTOM[0]], docks[name])
    for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner):
        window.setCorner(corner, left)
    for corner in (Qt.Corner.BottomRightCorner, Qt.Corner.TopRightCorner):
        window.setCorner(corner, right)
    window.resizeDocks([docks["tasks"], docks["inspector"]], [300, 320], Qt.Orientation.Horizontal)
    window.resizeDocks([docks["tasks"], docks["layers"]], [420, 380], Qt.Orientation.Vertical)
    window.resizeDocks([docks["inspector"], docks["verdict"]], [330, 500], Qt.Orientation.Vertical)
    window.resizeDocks([docks["problems"]], [260], Qt.Orientation.Vertical)
    docks[_FRONT[arrangement]].raise_()
