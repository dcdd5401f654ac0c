"""The middle of the window: a tab for each open graph, one or two sides that show them, or the welcome page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QSplitter, QTabBar, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.recent_layers import RecentLayers
from archstudio.app.view import Switch
from archstudio.ui.canvas import CanvasView
from archstudio.ui.floating import Floating
from archstudio.ui.linked import Linked
from archstudio.ui.notice import Notice
from archstudio.ui.pane import Pane
from archstudio.ui.theme import Theme
from archstudio.ui.welcome import WelcomePage


class CentralArea(QWidget):
    """Shows the current document on the active side; the other side, if any, keeps what it showed.

    `close_asked` names a document whose × was pressed.
    """

    close_asked = Signal(object)
    canvas_made = Signal(object)

    def __init__(self, application: Application, theme: Theme) -> None:
        super().__init__()
        self._application = application
        self._theme = theme
        self._recent = RecentLayers(application.settings)
        self._switches: dict[Switch, bool] = {
            "snap": True, "minimap": True, "motion": True, "path": True, "split": False, "linked": False,
        }  # fmt: skip
        self._shown_tabs: Sequence[tuple[str, str]] = ()
        self.tabs = QTabBar()
        self.tabs.setObjectName("documents")
        self.tabs.setTabsClosable(True)
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setElideMode(self.tabs.elideMode().ElideMiddle)
        self.tabs.currentChanged.connect(self._tab_chosen)
        self.tabs.tabCloseRequested.connect(self._tab_closed)
        self.welcome = WelcomePage(application)
        self.notice = Notice()
        self.panes = (Pane(self._make_view, self.welcome), Pane(self._make_view))
        self._active = 0
        self._linked: Linked | None = None
        self._sides = QSplitter(Qt.Orientation.Horizontal)
        self._sides.setChildrenCollapsible(False)
        for k, pane in enumerate(self.panes):
            self._sides.addWidget(pane)
            self._sides.setStretchFactor(k, 1)
            pane.canvas_shown.connect(self._link)
        self.panes[1].hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._sides, 1)
        self._floating = Floating(self.notice, self)
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        qt.focusChanged.connect(self._focus_moved)

    @property
    def canvas(self) -> CanvasView | None:
        """The canvas of the current document on the active side; None on the welcome page."""
        current = self._application.current
        return None if current is None else self.panes[self._active].views.get(current)

    @property
    def is_split(self) -> bool:
        """Whether there are two sides."""
        return self._switches["split"]

    def _canvases(self) -> list[CanvasView]:
        return [view for pane in self.panes for view in pane.views.values()]

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        for view in self._canvases():
            view.set_theme(theme)

    def refresh(self) -> None:
        """Bring tabs and canvases in line with the open documents."""
        documents = self._application.documents
        current = self._application.current
        self._unlink()
        for pane in self.panes:
            pane.forget(documents)
        self.panes[0].prepare(documents)
        if current is None:
            self._active = 0
            self.welcome.refresh()
        self.panes[self._active].show_document(current)
        if self.is_split:
            other = self.panes[1 - self._active]
            other.show_document(other.document or current)
        self.panes[1].setVisible(self.is_split and current is not None)
        self.refresh_tabs()

    def _focus_moved(self, _: QWidget | None, now: QWidget | None) -> None:
        """The side that gets the keyboard becomes the one that commands act on."""
        if not self.is_split or now is None:
            return
        for k, pane in enumerate(self.panes):
            if k != self._active and pane.isAncestorOf(now) and pane.document is not None:
                self._active = k
                self._application.make_current(pane.document)

    def other_side(self) -> None:
        """Give the keyboard to the other side."""
        canvas = self.panes[1 - self._active].canvas
        if self.is_split and canvas is not None:
            canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _split(self, on: bool) -> None:
        """Show two sides, the second with the next open graph; or one, with what the active side shows."""
        documents, current = self._application.documents, self._application.current
        if on and current is not None and len(documents) > 1:
            self.panes[1].document = documents[(documents.index(current) + 1) % len(documents)]
        if not on:
            self._active = 0
            self.panes[1].forget(())
        self.refresh()
        if on:
            self._sides.setSizes([self.width() // 2] * 2)

    def _link(self) -> None:
        """Let both sides move together, if that is wanted and both show something."""
        self._unlink()
        one, other = (pane.canvas for pane in self.panes)
        if self._switches["linked"] and self.is_split and one is not None and other is not None:
            self._linked = Linked(one, other) if self._active == 0 else Linked(other, one)

    def _unlink(self) -> None:
        if self._linked is not None:
            self._linked.end()
            self._linked = None

    def is_on(self, which: Switch) -> bool:
        """Whether snapping, the minimap, motion, the path, the second side or its linking is on."""
        return self._switches[which]

    def switch(self, which: Switch, on: bool) -> None:
        """Turn one of them on or off, on every canvas."""
        changed = self._switches[which] != on
        self._switches[which] = on
        if which == "split":
            if changed:
                self._split(on)
        elif which == "linked":
            self._link()
        else:
            for view in self._canvases():
                _turn(view, which, on)

    def show_welcome(self) -> None:
        """Show the welcome page over the open graphs."""
        self.welcome.refresh()
        self.panes[0].show_otherwise()

    def _make_view(self, document: Document) -> CanvasView:
        view = CanvasView(document, self._theme, recent=self._recent)
        for which, on in self._switches.items():
            _turn(view, which, on)
        self.canvas_made.emit(view)
        return view

    def refresh_tabs(self) -> None:
        """Bring the titles of the tabs up to date; a dot stands for unsaved edits."""
        documents = self._application.documents
        texts = [(d.title + ("  ●" if d.modified else ""), str(d.path or d.title)) for d in documents]
        current = self._application.current
        for k, pane in enumerate(self.panes):
            pane.tell_heading(shown=self.is_split, active=k == self._active)
        at = -1 if current is None else documents.index(current)
        if texts == self._shown_tabs and at == self.tabs.currentIndex():
            return
        self._shown_tabs = texts
        self.tabs.blockSignals(True)
        while self.tabs.count() > len(documents):
            self.tabs.removeTab(self.tabs.count() - 1)
        while self.tabs.count() < len(documents):
            self.tabs.addTab("")
        for k, (text, tip) in enumerate(texts):
            self.tabs.setTabText(k, text)
            self.tabs.setTabToolTip(k, tip)
        self.tabs.setCurrentIndex(at)
        self.tabs.blockSignals(False)
        self.tabs.setVisible(bool(documents))

    def _tab_chosen(self, index: int) -> None:
        if 0 <= index < len(self._application.documents):
            self._application.make_current(self._application.documents[index])

    def _tab_closed(self, index: int) -> None:
        self.close_asked.emit(self._application.documents[index])


def _turn(view: CanvasView, which: Switch, on: bool) -> None:
    turns = {"snap": view.set_snap, "minimap": view.set_minimap, "motion": view.set_motion, "path": view.set_path}
    if which in turns:
        turns[which](on)
