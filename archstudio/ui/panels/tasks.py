"""The Tasks dock: suites of what to build, the list of one of them, and the brief of the task chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.application import Application
from archstudio.app.tasks.entry import MINE, TaskEntry, split_ref
from archstudio.app.tasks.filters import TaskFilter
from archstudio.bench.tasks import UnknownName
from archstudio.files.unusable import UnusableFile
from archstudio.ui.bench.filter_button import FilterButton
from archstudio.ui.bench.task_delegate import TaskDelegate
from archstudio.ui.bench.task_details import TaskDetails
from archstudio.ui.bench.task_model import ENTRY, TaskModel
from archstudio.ui.panels.panel import Panel, label
from archstudio.ui.theme import Theme

ALL = ""
"""The choice of every suite at once."""
SUITE_KEY = "tasksSuite"
SEARCH_DELAY_MS = 120
LEAST_PX = 200


class TasksPanel(Panel):
    """A browser of tasks over the brief. `chosen` carries the ref of a task to open, `run` the id of a command."""

    chosen = Signal(str)
    run = Signal(str)

    def __init__(self, application: Application, theme: Theme) -> None:
        self.model = TaskModel(application.tasks)
        self._task_ends: list[Callable[[], None]] = []
        self._of_document: str | None = None
        self._chosen: TaskEntry | None = None
        super().__init__(application)
        self.suites = QComboBox()
        self.suites.setObjectName("suites")
        self.suites.setAccessibleName(self.tr("Suite of tasks"))
        self.suites.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.suites.activated.connect(lambda: self.show_suite(self.suite))
        self.menu_button = QToolButton()
        self.search = QLineEdit()
        self.filter = FilterButton(self.model)
        self.list = QListView()
        self.count = label("", "muted")
        self.empty = label("", "muted", wrap=True)
        self._delegate = TaskDelegate(self.list, theme)
        self.details = TaskDetails(application)
        self._late = QTimer(self)
        self._prepare()
        self._arrange()
        room = application.tasks
        self._task_ends = [room.library.watch(self._suites_changed), room.watch_progress(self._progressed)]
        self._fill_suites(self._stored_suite())

    def _prepare(self) -> None:
        self.setMinimumWidth(LEAST_PX)
        self.menu_button.setText("⋯")
        self.menu_button.setObjectName("suiteMenu")
        self.menu_button.setAccessibleName(self.tr("More about tasks"))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.search.setPlaceholderText(self.tr("Search tasks"))
        self.search.setAccessibleName(self.tr("Search tasks"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda: self._late.start(SEARCH_DELAY_MS if self.model.total > 2_000 else 0))
        self.search.installEventFilter(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._search)
        self.filter.changed.connect(self._narrow)
        self.list.setObjectName("tasks")
        self.list.setAccessibleName(self.tr("Tasks"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(self._delegate)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.activated.connect(self._open_index)
        self.list.selectionModel().currentChanged.connect(self._picked)
        self.list.installEventFilter(self)
        for title, act in ((self.tr("Open"), self._open_chosen), (self.tr("Copy Brief"), self._copy_brief)):
            action = QAction(title, self.list)
            action.triggered.connect(act)
            self.list.addAction(action)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.model.grown.connect(self._grown)
        self.details.open_asked.connect(self.chosen)
        self.details.run.connect(self.run)

    def _arrange(self) -> None:
        top, second = QHBoxLayout(), QHBoxLayout()
        for line, parts in ((top, (self.suites, self.menu_button)), (second, (self.search, self.filter))):
            line.setSpacing(6)
            line.addWidget(parts[0], 1)
            line.addWidget(parts[1])
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(top)
        column.addLayout(second)
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        column.addWidget(self.count)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(upper)
        splitter.addWidget(self.details)
        splitter.setSizes([250, 230])
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(12, 4, 12, 10)
        outer.addWidget(splitter)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._delegate.theme = theme
        self.list.viewport().update()

    def close_panel(self) -> None:
        super().close_panel()
        self.model.stop()
        for end in self._task_ends:
            end()
        self._task_ends = []

    def offer(self, menu: QMenu) -> None:
        """What the button beside the suites offers: the window's menu of tasks."""
        self.menu_button.setMenu(menu)

    # ------------------------------------------------------------- suites

    @property
    def suite(self) -> str:
        """The id of the suite shown; `ALL` for every suite."""
        return str(self.suites.currentData() or ALL)

    def show_suite(self, suite_id: str) -> None:
        """Show the tasks of a suite, and remember that for the next start."""
        at = self.suites.findData(suite_id)
        self.suites.setCurrentIndex(max(at, 0))
        self.application.settings.update({SUITE_KEY: self.suite})
        if self.model.filter.is_narrow:
            self.model.set_filter(TaskFilter(text=self.model.filter.text))
            self.filter.show_filter()
        self._fill_list()

    def _stored_suite(self) -> str:
        stored = self.application.settings.read().get(SUITE_KEY)
        return stored if isinstance(stored, str) else "curated"

    def _fill_suites(self, chosen: str) -> None:
        self.suites.clear()
        for suite in self.application.tasks.library.suites():
            self.suites.addItem(self.tr(suite.title), suite.id)
        self.suites.insertSeparator(3)
        self.suites.addItem(self.tr("All suites"), ALL)
        self.suites.setCurrentIndex(max(self.suites.findData(chosen), 0))
        self._fill_list()

    def _suites_changed(self) -> None:
        self._fill_suites(self.suite)

    def _fill_list(self) -> None:
        library = self.application.tasks.library
        if self.suite == ALL:
            self.model.fill(chain.from_iterable(suite.entries() for suite in library.suites()))
        else:
            self.model.fill(library.suite(self.suite).entries())

    # ------------------------------------------------------------- list

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def next_task(self) -> str | None:
        """The ref of the next task of the list that is not done."""
        after = self.details.entry
        found = self.model.after(None if after is None else after.ref)
        return None if found is None else found.ref

    def _search(self) -> None:
        self.model.set_filter(replace(self.model.filter, text=self.search.text()))

    def _narrow(self, wanted: TaskFilter) -> None:
        self.model.set_filter(wanted)
        self.filter.show_filter()

    def _grown(self) -> None:
        shown, total = len(self.model.entries), self.model.total
        self.list.setVisible(shown > 0)
        self.count.setVisible(shown > 0)
        self.empty.setVisible(shown == 0 and not self.model.loading)
        if shown == 0:
            self.empty.setText(self._nothing_text(total))
        told = f"{total:,}" if shown == total else self.tr("{n} of {all}").format(n=f"{shown:,}", all=f"{total:,}")
        done = self.model.done() if self._tells and not self.model.loading else 0
        self.count.setText(self.tr("{n} tasks").format(n=told) + (f" · {done:,} " + self.tr("done") if done else ""))
        self._follow_row()

    def _nothing_text(self, total: int) -> str:
        if total:
            return self.tr("No task of this suite is like that.")
        if self.suite == MINE:
            return self.tr("No tasks of your own yet. Open a graph, then choose Task › New from This Graph.")
        return self.tr("This suite has no tasks.")

    def _follow_row(self) -> None:
        """Keep the task told about selected while rows come and go."""
        entry = self.details.entry
        row = self.model.row_of(None if entry is None else entry.ref)
        selection = self.list.selectionModel()
        if row >= 0 and selection.currentIndex().row() != row:
            selection.blockSignals(True)
            self.list.setCurrentIndex(self.model.index(row))
            selection.blockSignals(False)
            self.list.scrollTo(self.model.index(row))
            self.list.viewport().update()

    def _picked(self, index: QModelIndex) -> None:
        if index.isValid():
            self._chosen = index.data(ENTRY)
            self.details.show_entry(self._chosen)

    def _open_index(self, index: QModelIndex) -> None:
        self.chosen.emit(index.data(ENTRY).ref)

    def _open_chosen(self) -> None:
        if self.list.currentIndex().isValid():
            self._open_index(self.list.currentIndex())

    def _copy_brief(self) -> None:
        if self.list.currentIndex().isValid():
            QGuiApplication.clipboard().setText(self.list.currentIndex().data(ENTRY).text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the search field the arrows go into the list and Enter opens the first; Enter in the list opens."""
        if watched is self.list and event.type() == QEvent.Type.Resize and self.list.currentIndex().isValid():
            QTimer.singleShot(0, self, lambda: self.list.scrollTo(self.list.currentIndex()))
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if watched is self.search and event.key() == Qt.Key.Key_Down and self.model.entries:
                self._into_list()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.model.entries:
                self._open_by_key(from_search=watched is self.search)
                return True
        return super().eventFilter(watched, event)

    def _into_list(self) -> None:
        if not self.list.currentIndex().isValid():
            self.list.setCurrentIndex(self.model.index(0))
        self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _open_by_key(self, *, from_search: bool) -> None:
        if from_search and self._late.isActive():
            self._late.stop()
            self._search()
        index = self.list.currentIndex()
        if from_search and self.model.entries:
            index = self.model.index(0)
        if index.isValid():
            self._open_index(index)

    # ------------------------------------------------------------- following

    @property
    def _tells(self) -> bool:
        """Whether progress and difficulty may be told."""
        document = self.document
        seen = self.application.visibility if document is None else document.visibility
        return seen.task_verdict and seen.exact_verdict and seen.brief_verdict

    def _progressed(self) -> None:
        self.model.progressed()
        self.schedule()

    def refresh(self) -> None:
        document = self.document
        ref = None if document is None else document.task_id
        self.model.tell_progress(self._tells)
        self.filter.tells = self._tells
        self.model.set_open(ref)
        if ref != self._of_document:
            self._of_document = ref
            self._chosen = self._entry_of(ref) or self._chosen
        self.details.show_entry(self._chosen)
        self._follow_row()

    def _entry_of(self, ref: str | None) -> TaskEntry | None:
        if ref is None:
            return None
        try:
            return self.application.tasks.library.entry(ref)
        except (UnknownName, UnusableFile):
            return None

    def show_task(self, ref: str) -> None:
        """Show the suite of a task and tell about it."""
        suite = split_ref(ref)[0]
        if self.suite not in (ALL, suite):
            self.show_suite(suite)
        self._chosen = self._entry_of(ref)
        self.details.show_entry(self._chosen)
        self._follow_row()
