"""The middle of the window: a tab for each open graph, or the welcome page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.ui.canvas import CanvasView
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
        self._views: dict[Document, CanvasView] = {}
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
        column.addWidget(self.notice)

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
        self._refresh_tabs()
        current = self.canvas
        if current is None:
            self.welcome.refresh()
        self._stack.setCurrentWidget(self.welcome if current is None else current)

    def show_welcome(self) -> None:
        """Show the welcome page over the open graphs."""
        self.welcome.refresh()
        self._stack.setCurrentWidget(self.welcome)

    def _make_view(self, document: Document) -> CanvasView:
        view = CanvasView(document, self._theme)
        self._stack.addWidget(view)
        self.canvas_made.emit(view)
        return view

    def _refresh_tabs(self) -> None:
        documents = self._application.documents
        self.tabs.blockSignals(True)
        while self.tabs.count() > len(documents):
            self.tabs.removeTab(self.tabs.count() - 1)
        while self.tabs.count() < len(documents):
            self.tabs.addTab("")
        for k, document in enumerate(documents):
            self.tabs.setTabText(k, document.title + ("  ●" if document.modified else ""))
            self.tabs.setTabToolTip(k, str(document.path or document.title))
        if self._application.current is not None:
            self.tabs.setCurrentIndex(documents.index(self._application.current))
        self.tabs.blockSignals(False)
        self.tabs.setVisible(bool(documents))

    def _tab_chosen(self, index: int) -> None:
        if 0 <= index < len(self._application.documents):
            self._application.make_current(self._application.documents[index])

    def _tab_closed(self, index: int) -> None:
        self.close_asked.emit(self._application.documents[index])
