"""The middle of the window: a tab for each open graph, or the welcome page."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.recent_layers import RecentLayers
from archstudio.app.view import Switch
from archstudio.ui.canvas import CanvasView
from archstudio.ui.floating import Floating
from archstudio.ui.notice import Notice
from archstudio.ui.theme import Theme
from archstudio.ui.welcome import WelcomePage


class CentralArea(QWidget):
    """Keeps one canvas a document and shows the current one. `close_asked` names a document whose × was pressed."""

    close_asked = Signal(object)
    canvas_made = Signal(object)

    def __init__(self, application: Application, theme: Theme) -> None:
        super().__init__()
        self._application = application
        self._theme = theme
        self._recent = RecentLayers(application.settings)
        self._views: dict[Document, CanvasView] = {}
        self._switches: dict[Switch, bool] = {"snap": True, "minimap": True, "motion": True, "path": True}
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
        self._stack = QStackedWidget()
        self._stack.addWidget(self.welcome)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self._stack, 1)
        self._floating = Floating(self.notice, self)

    @property
    def canvas(self) -> CanvasView | None:
        """The canvas of the current document; None on the welcome page."""
        current = self._application.current
        return None if current is None else self._views.get(current)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        for view in self._views.values():
            view.set_theme(theme)

    def refresh(self) -> None:
        """Bring tabs and canvases in line with the open documents."""
        documents = self._application.documents
        for gone in [d for d in self._views if d not in documents]:
            view = self._views.pop(gone)
            self._stack.removeWidget(view)
            view.dispose()
            view.deleteLater()
        for document in documents:
            if document not in self._views:
                self._views[document] = self._make_view(document)
        self.refresh_tabs()
        current = self.canvas
        if current is None:
            self.welcome.refresh()
        self._stack.setCurrentWidget(self.welcome if current is None else current)

    def is_on(self, which: Switch) -> bool:
        """Whether snapping, the minimap, motion or the path is on."""
        return self._switches[which]

    def switch(self, which: Switch, on: bool) -> None:
        """Turn snapping, the minimap, motion or the path on or off, on every canvas."""
        self._switches[which] = on
        for view in self._views.values():
            _turn(view, which, on)

    def show_welcome(self) -> None:
        """Show the welcome page over the open graphs."""
        self.welcome.refresh()
        self._stack.setCurrentWidget(self.welcome)

    def _make_view(self, document: Document) -> CanvasView:
        view = CanvasView(document, self._theme, recent=self._recent)
        self._stack.addWidget(view)
        for which, on in self._switches.items():
            _turn(view, which, on)
        self.canvas_made.emit(view)
        return view

    def refresh_tabs(self) -> None:
        """Bring the titles of the tabs up to date; a dot stands for unsaved edits."""
        documents = self._application.documents
        texts = [(d.title + ("  ●" if d.modified else ""), str(d.path or d.title)) for d in documents]
        current = self._application.current
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
    turns[which](on)
