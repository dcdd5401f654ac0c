"""The Tasks dock: suites of what to build, the list of one of them, and the brief of the task chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.application import Application
from archstudio.app.tasks.entry import MINE, TaskEntry
from archstudio.app.tasks.filters import TaskFilter
from archstudio.bench.tasks import UnknownName
from archstudio.files.unusable import UnusableFile
from archstudio.ui.bench.filter_button import FilterButton
from archstudio.ui.bench.task_details import TaskDetails
from archstudio.ui.bench.task_list import TaskList
from archstudio.ui.bench.task_model import TaskModel
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
        self._told: TaskEntry | None = None
        super().__init__(application)
        self.suites, self.menu_button = QComboBox(), QToolButton()
        self.search, self.filter = QLineEdit(), FilterButton(self.model)
        self.list = TaskList(self.model, theme)
        self.count, self.empty = label("", "muted"), label("", "muted", wrap=True)
        self.details = TaskDetails(application)
        self._late = QTimer(self)
        self._prepare()
        self._connect()
        self._arrange()
        room = application.tasks
        self._task_ends = [room.library.watch(self._suites_changed), room.watch_progress(self._progressed)]
        self._fill_suites(self._stored_suite())

    def _prepare(self) -> None:
        self.setMinimumWidth(LEAST_PX)
        self.suites.setObjectName("suites")
        self.suites.setAccessibleName(self.tr("Suite of tasks"))
        self.suites.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.menu_button.setText("⋯")
        self.menu_button.setObjectName("suiteMenu")
        self.menu_button.setAccessibleName(self.tr("More about tasks"))
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.search.setPlaceholderText(self.tr("Search tasks"))
        self.search.setAccessibleName(self.tr("Search tasks"))
        self.search.setClearButtonEnabled(True)
        self.search.installEventFilter(self)
        self._late.setSingleShot(True)

    def _connect(self) -> None:
        self.suites.activated.connect(lambda: self.show_suite(self.suite))
        self.search.textChanged.connect(lambda: self._late.start(SEARCH_DELAY_MS if self.model.total > 2_000 else 0))
        self._late.timeout.connect(self._search)
        self.filter.changed.connect(self._narrow)
        self.list.open_asked.connect(self.chosen)
        self.list.picked.connect(self._tell_of)
        self.model.grown.connect(self._grown)
        self.details.open_asked.connect(self.chosen)
        self.details.run.connect(self.run)

    def _arrange(self) -> None:
        upper = QWidget()
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for left, right in ((self.suites, self.menu_button), (self.search, self.filter)):
            line = QHBoxLayout()
            line.setSpacing(6)
            line.addWidget(left, 1)
            line.addWidget(right)
            column.addLayout(line)
        column.addWidget(self.empty)
        column.addWidget(self.list, 1)
        column.addWidget(self.count)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setHandleWidth(1)
        splitter.setChildrenCollapsible(False)
        for place, part in enumerate((upper, self.details)):
            splitter.addWidget(part)
            splitter.setStretchFactor(place, 1)
        splitter.setSizes([250, 230])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(12, 4, 12, 10)
        outer.addWidget(splitter)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.list.set_theme(theme)

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
            self._narrow(TaskFilter(text=self.model.filter.text))
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
        found = self.model.after(self._told_ref)
        return None if found is None else found.ref

    def _search(self) -> None:
        self._late.stop()
        self.model.set_filter(replace(self.model.filter, text=self.search.text()))

    def _narrow(self, wanted: TaskFilter) -> None:
        self.model.set_filter(wanted)
        self.filter.show_filter()

    def _grown(self) -> None:
        shown, total = len(self.model.entries), self.model.total
        self.list.setVisible(shown > 0)
        self.count.setVisible(shown > 0)
        self.empty.setVisible(shown == 0 and not self.model.loading)
        self.empty.setText(self._nothing_text(total))
        told = f"{total:,}" if shown == total else self.tr("{n} of {all}").format(n=f"{shown:,}", all=f"{total:,}")
        done = self.model.done() if self._tells and not self.model.loading else 0
        self.count.setText(self.tr("{n} tasks").format(n=told) + (f" · {done:,} " + self.tr("done") if done else ""))
        self.list.follow(self._told_ref)

    def _nothing_text(self, total: int) -> str:
        if total:
            return self.tr("No task of this suite is like that.")
        if self.suite == MINE:
            return self.tr("No tasks of your own yet. Open a graph, then choose Task › New from This Graph.")
        return self.tr("This suite has no tasks.")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the search field the down key leads into the list, and Enter opens the first task found."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down and self.model.entries:
                self.list.enter()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._search()
                if self.model.entries:
                    self.chosen.emit(self.model.entries[0].ref)
                return True
        return super().eventFilter(watched, event)

    # ------------------------------------------------------------- the task told about

    @property
    def _told_ref(self) -> str | None:
        return None if self._told is None else self._told.ref

    @property
    def _tells(self) -> bool:
        """Whether progress and difficulty may be told."""
        document = self.document
        seen = self.application.visibility if document is None else document.visibility
        return seen.task_verdict and seen.exact_verdict and seen.brief_verdict

    def _tell_of(self, entry: TaskEntry) -> None:
        self._told = entry
        self.details.show_entry(entry)

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
            self._told = self._entry_of(ref) or self._told
        self.details.show_entry(self._told)
        self.list.follow(self._told_ref)

    def _entry_of(self, ref: str | None) -> TaskEntry | None:
        """The entry of a document's task; None if it is gone, or there is none."""
        if ref is None:
            return None
        try:
            return self.application.tasks.library.entry(ref)
        except (UnknownName, UnusableFile):
            return None
