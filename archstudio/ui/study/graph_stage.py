"""A task at work: its canvas in the middle, and the docks that the condition allows around it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from archstudio.app.adding import add_to_selection
from archstudio.app.recent_layers import RecentLayers
from archstudio.app.study.room import StudyDocument, StudyRoom
from archstudio.app.view import Dock, Switch
from archstudio.edits import EditRefused
from archstudio.study.session import GraphDesk
from archstudio.study.visibility import Visibility
from archstudio.ui.canvas import CanvasView
from archstudio.ui.docks import first_focusable, make_dock, title_line
from archstudio.ui.notice import Notice
from archstudio.ui.panels.history import HistoryPanel
from archstudio.ui.panels.inspector import InspectorPanel
from archstudio.ui.panels.layer_table import LayerTablePanel
from archstudio.ui.panels.layers import LayersPanel
from archstudio.ui.panels.panel import Panel
from archstudio.ui.panels.problems import ProblemsPanel
from archstudio.ui.panels.verdict import VerdictPanel
from archstudio.ui.study.brief_panel import BriefPanel
from archstudio.ui.theme import Theme

_SIDE_LEAST_PX, _SIDE_MOST_PX, _BOTTOM_PX = 220, 320, 190


class StudyCentre:
    """The canvas in front, and the switches of the view."""

    def __init__(self, notice: Notice) -> None:
        self.notice = notice
        self.canvas: CanvasView | None = None
        self._on: dict[Switch, bool] = {"snap": True, "minimap": False, "motion": True, "path": True}

    def is_on(self, which: Switch) -> bool:
        """Whether a switch is on."""
        return self._on.get(which, False)

    def switch(self, which: Switch, on: bool) -> None:
        """Turn one on or off."""
        self._on[which] = on
        canvas = self.canvas
        if canvas is not None:
            turns = {"snap": canvas.set_snap, "minimap": canvas.set_minimap, "motion": canvas.set_motion,
                     "path": canvas.set_path}  # fmt: skip
            if which in turns:
                turns[which](on)

    def show(self, canvas: CanvasView | None) -> None:
        """Have this canvas in front."""
        self.canvas = canvas
        for which, on in self._on.items():
            self.switch(which, on)


class StudyDocks:
    """The docks of the arrangement *Study*; those that would tell something exist only where it may be told."""

    def __init__(self, window: QMainWindow, room: StudyRoom, theme: Theme, seen: Visibility) -> None:
        self._window = window
        self.layers, self.inspector = LayersPanel(room, theme), InspectorPanel(room)
        self.history = HistoryPanel(room)
        self.problems: ProblemsPanel | None = ProblemsPanel(room) if seen.exact_verdict else None
        told: dict[Dock, Panel | None] = {
            "verdict": VerdictPanel(room) if seen.exact_verdict or seen.task_verdict else None,
            "problems": self.problems,
            "table": LayerTablePanel(room) if seen.counts else None,
        }
        always: dict[Dock, Panel] = {"layers": self.layers, "inspector": self.inspector}
        seen_too = {name: panel for name, panel in told.items() if panel is not None}
        self.panels: Mapping[Dock, Panel] = {**always, **seen_too, "history": self.history}
        titles: Mapping[Dock, str] = {
            "layers": window.tr("Layers"),
            "inspector": window.tr("Inspector"),
            "verdict": window.tr("Verdict"),
            "problems": window.tr("Problems"),
            "table": window.tr("Layer table"),
            "history": window.tr("History"),
        }
        self.docks = {name: make_dock(window, name, titles[name], panel) for name, panel in self.panels.items()}
        self.brief_dock = make_dock(window, "tasks", window.tr("Brief"), QWidget())
        self.brief: BriefPanel | None = None
        self._place()

    def _place(self) -> None:
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        areas: dict[Dock, Qt.DockWidgetArea] = {"layers": left, "inspector": right, "verdict": right, "history": right}
        self.docks["history"].setTitleBarWidget(title_line(self.docks["history"].windowTitle()))
        for corner, side in ((Qt.Corner.BottomLeftCorner, left), (Qt.Corner.BottomRightCorner, right)):
            self._window.setCorner(corner, side)
        self._window.setTabPosition(bottom, QTabWidget.TabPosition.North)
        self._window.addDockWidget(left, self.brief_dock)
        for name, dock in self.docks.items():
            self._window.addDockWidget(areas.get(name, bottom), dock)
        below = [name for name in self.docks if name not in areas]
        for name in below[1:]:
            self._window.tabifyDockWidget(self.docks[below[0]], self.docks[name])
        self.set_visible(False)

    def all(self) -> list[QDockWidget]:
        """All docks, the brief first."""
        return [self.brief_dock, *self.docks.values()]

    def set_visible(self, on: bool) -> None:
        """Show or hide all of them: a pause hides the item."""
        for dock in self.all():
            dock.setVisible(on)
        if on:
            window = self._window
            across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
            side = max(_SIDE_LEAST_PX, min(_SIDE_MOST_PX, window.width() * 20 // 100))
            window.resizeDocks([self.brief_dock, self.docks["inspector"]], [side, side], across)
            window.resizeDocks([self.brief_dock, self.docks["layers"]], [500, 300], down)
            if "verdict" in self.docks:
                window.resizeDocks([self.docks[n] for n in ("inspector", "verdict", "history")], [330, 420, 110], down)
            else:
                window.resizeDocks([self.docks["inspector"], self.docks["history"]], [600, 200], down)
            if "table" in self.docks:
                window.resizeDocks([self.docks["table"]], [_BOTTOM_PX], down)

    def show_brief(self, brief: BriefPanel) -> None:
        """Put another item's brief into its dock."""
        self.brief = brief
        self.brief_dock.setWidget(brief)

    def show(self, dock: Dock) -> None:
        """Bring a dock into view and give it the keyboard."""
        if dock in self.docks:
            self.docks[dock].show()
            self.docks[dock].raise_()
            first_focusable(self.panels[dock]).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def next_region(self, middle: QWidget, bar: QWidget, step: int) -> None:
        """Move the focus round the middle, the bar and the docks that can be seen."""
        seen = [panel for panel in self.panels.values() if panel.can_be_seen]
        brief = [self.brief] if self.brief is not None and self.brief.isVisible() else []
        regions = [middle, *brief, *seen, bar]
        focus = QGuiApplication.focusObject()
        holds = [r is focus or (isinstance(focus, QWidget) and r.isAncestorOf(focus)) for r in regions]
        target = regions[((holds.index(True) if True in holds else 0) + step) % len(regions)]
        first = target if target.focusPolicy() != Qt.FocusPolicy.NoFocus else first_focusable(target)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.layers.set_theme(theme)

    def close(self) -> None:
        """Stop following."""
        for panel in self.panels.values():
            panel.close_panel()


class GraphStage:
    """One task: a document that reports to its desk, and the canvas that shows it."""

    def __init__(self, room: StudyRoom, desk: GraphDesk, seen: Visibility, theme: Theme) -> None:
        self.desk = desk
        self._room, self._seen, self._theme = room, seen, theme
        self.document = StudyDocument(desk, seen)
        room.adopt(self.document)
        self.canvas = CanvasView(self.document, theme, recent=RecentLayers())

    def add_layer(self, kind: str) -> str:
        """Add a layer where the selection says; returns why it was refused, or nothing."""
        try:
            add_to_selection(self.document, kind)
        except EditRefused as refusal:
            return str(refusal)
        return ""

    def end(self) -> None:
        """Let go of it."""
        self._room.close(self.document)
        self.canvas.dispose()
        self.canvas.deleteLater()
