"""The docks around the canvas: their panels, their title lines, and the three arrangements of them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QWidget

from archstudio.app.application import Application
from archstudio.app.view import Arrangement, Dock
from archstudio.ui.panels.history import HistoryPanel
from archstudio.ui.panels.inspector import InspectorPanel
from archstudio.ui.panels.layer_table import LayerTablePanel
from archstudio.ui.panels.layers import LayersPanel
from archstudio.ui.panels.panel import Panel, label
from archstudio.ui.panels.plan import PlanPanel
from archstudio.ui.panels.problems import ProblemsPanel
from archstudio.ui.panels.tasks import TasksPanel
from archstudio.ui.panels.training import TrainingPanel
from archstudio.ui.panels.verdict import VerdictPanel
from archstudio.ui.theme import Theme

LEFT: tuple[Dock, ...] = ("tasks", "layers")
RIGHT: tuple[Dock, ...] = ("inspector", "verdict")
BOTTOM: tuple[Dock, ...] = ("problems", "table", "training", "plan", "history")

_SHOWN: dict[Arrangement, tuple[Dock, ...]] = {
    "design": (*LEFT, *RIGHT, *BOTTOM),
    "train": ("layers", "training", "table", "problems", *RIGHT),
    "study": ("tasks", "layers", "inspector", "plan"),
}
_FRONT: dict[Arrangement, Dock] = {"design": "problems", "train": "training", "study": "plan"}
_BOTTOM_PX: dict[Arrangement, int] = {"design": 270, "train": 360, "study": 220}


class DockArea:
    """The nine panels in their docks, with what concerns several of them at once."""

    def __init__(self, window: QMainWindow, application: Application, theme: Theme) -> None:
        self._window = window
        self.tasks, self.layers = TasksPanel(application, theme), LayersPanel(application, theme)
        self.inspector, self.verdict = InspectorPanel(application), VerdictPanel(application)
        self.problems, self.table = ProblemsPanel(application), LayerTablePanel(application)
        self.training = TrainingPanel(application, theme)
        self.plan, self.history = PlanPanel(application, theme), HistoryPanel(application)
        self.panels: Mapping[Dock, Panel] = {
            "tasks": self.tasks,
            "layers": self.layers,
            "inspector": self.inspector,
            "verdict": self.verdict,
            "problems": self.problems,
            "table": self.table,
            "training": self.training,
            "plan": self.plan,
            "history": self.history,
        }
        self._titles: Mapping[Dock, str] = {
            "tasks": window.tr("Tasks"),
            "layers": window.tr("Layers"),
            "inspector": window.tr("Inspector"),
            "verdict": window.tr("Verdict"),
            "problems": window.tr("Problems"),
            "table": window.tr("Layer table"),
            "training": window.tr("Training"),
            "plan": window.tr("Plan"),
            "history": window.tr("History"),
        }
        self.docks: Mapping[Dock, QDockWidget] = {
            name: make_dock(window, name, self._titles[name], panel) for name, panel in self.panels.items()
        }

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.tasks.set_theme(theme)
        self.plan.set_theme(theme)
        self.layers.set_theme(theme)
        self.training.set_theme(theme)

    def close(self) -> None:
        """Stop following the application; called when the window closes."""
        for panel in self.panels.values():
            panel.close_panel()

    def set_count(self, dock: Dock, count: int) -> None:
        """Show a number behind a dock's title; 0 shows none."""
        title = f"{self._titles[dock]} {count:,}" if count else self._titles[dock]
        if self.docks[dock].windowTitle() != title:
            self.docks[dock].setWindowTitle(title)

    def show(self, dock: Dock) -> None:
        """Bring a dock into view and give it the keyboard."""
        self.docks[dock].show()
        self.docks[dock].raise_()
        first_focusable(self.panels[dock]).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_region(self, middle: QWidget, step: int) -> None:
        """Move the focus round the middle of the window and the docks that can be seen."""
        regions = [middle, *(panel for panel in self.panels.values() if panel.can_be_seen)]
        focus = QGuiApplication.focusObject()
        at = next((k for k, region in enumerate(regions) if _holds(region, focus)), 0)
        target = regions[(at + step) % len(regions)]
        first = target if target.focusPolicy() != Qt.FocusPolicy.NoFocus else first_focusable(target)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def arrange(self, arrangement: Arrangement) -> None:
        """Put all docks where they belong and show those of the arrangement."""
        window, docks = self._window, self.docks
        size = window.size()
        left, right, bottom = (
            Qt.DockWidgetArea.LeftDockWidgetArea,
            Qt.DockWidgetArea.RightDockWidgetArea,
            Qt.DockWidgetArea.BottomDockWidgetArea,
        )
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)  # a dock added twice leaves a stray tab bar behind
        for names, area in ((LEFT, left), (RIGHT, right), (BOTTOM, bottom)):
            for name in names:
                window.addDockWidget(area, docks[name])
                docks[name].show()
        for first, second in ((LEFT[0], LEFT[1]), (RIGHT[0], RIGHT[1])):
            window.splitDockWidget(docks[first], docks[second], Qt.Orientation.Vertical)
        for name in BOTTOM[1:]:
            window.tabifyDockWidget(docks[BOTTOM[0]], docks[name])
        for name, dock in docks.items():
            dock.setVisible(name in _SHOWN[arrangement])
        wide = arrangement == "train"  # curves and runs need the whole width
        for corner, side in (
            (Qt.Corner.BottomLeftCorner, left),
            (Qt.Corner.BottomRightCorner, right),
        ):
            window.setCorner(corner, bottom if wide else side)
        window.setCorner(Qt.Corner.TopLeftCorner, left)
        window.setCorner(Qt.Corner.TopRightCorner, right)
        if not window.isMaximized() and not window.isFullScreen():
            window.resize(size)  # docks that stood side by side for a moment have widened it
        self._size(arrangement)
        docks[_FRONT[arrangement]].raise_()

    def _size(self, arrangement: Arrangement) -> None:
        """Widths and heights; narrow windows leave the canvas its share."""
        docks, window = self.docks, self._window
        side = max(220, min(300, window.width() * 19 // 100))
        window.resizeDocks([docks["tasks"], docks["inspector"]], [side, side + 20], Qt.Orientation.Horizontal)
        window.resizeDocks([docks["tasks"], docks["layers"]], [520, 280], Qt.Orientation.Vertical)
        window.resizeDocks([docks["inspector"], docks["verdict"]], [390, 440], Qt.Orientation.Vertical)
        bottom = min(_BOTTOM_PX[arrangement], window.height() * 40 // 100)
        window.resizeDocks([docks[name] for name in BOTTOM], [bottom] * len(BOTTOM), Qt.Orientation.Vertical)


def make_dock(window: QMainWindow, name: Dock, title: str, panel: QWidget) -> QDockWidget:
    """A dock that can be moved, closed and restored; `name` is also how its state is remembered."""
    dock = QDockWidget(title, window)
    dock.setObjectName(f"dock-{name}")
    dock.setWidget(panel)
    dock.setAccessibleName(title)
    if isinstance(panel, Panel):
        dock.visibilityChanged.connect(panel.schedule)  # it is not drawn while another dock's tab is in front
    hint = window.tr("Tab adds") if name == "layers" else ""
    dock.setTitleBarWidget(QWidget() if name in BOTTOM else title_line(title, hint))  # at the bottom the tab says it
    return dock


def title_line(title: str, hint: str = "") -> QWidget:
    """The line over a dock: its title, and a quiet hint at the right."""
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(12, 10, 12, 2)
    row.addWidget(label(title.upper(), "dock-title"))
    row.addStretch(1)
    row.addWidget(label(hint, "muted"))
    return line


def _holds(region: QWidget, focus: object) -> bool:
    return focus is region or (isinstance(focus, QWidget) and region.isAncestorOf(focus))


def first_focusable(widget: QWidget) -> QWidget:
    """The first child that takes the keyboard, or the widget itself."""
    for child in widget.findChildren(QWidget):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible() and child.isEnabled():
            return child
    return widget
