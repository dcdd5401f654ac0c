"""The rows of the task browser: filled in pieces so that thousands never hold the window up, and filtered here."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal

from archstudio.app.tasks.attempts import Progress
from archstudio.app.tasks.entry import TaskEntry
from archstudio.app.tasks.filters import STATES, TaskFilter
from archstudio.app.tasks.room import TaskRoom
from archstudio.app.words import said
from archstudio.bench.results.difficulty import Band

ENTRY = int(Qt.ItemDataRole.UserRole)
STATE, PROGRESS, OPEN = ENTRY + 1, ENTRY + 2, ENTRY + 3
PIECE = 400
"""Tasks taken in one turn of the event loop, at most."""
TURN_S = 0.02
"""How long a turn may take to make them."""
_AnyIndex = QModelIndex | QPersistentModelIndex


class TaskModel(QAbstractListModel):
    """The tasks of one suite or several that the filter lets through. `grown` follows each piece and each filter."""

    grown = Signal()

    def __init__(self, room: TaskRoom) -> None:
        super().__init__()
        self._room = room
        self._all: list[TaskEntry] = []
        self._shown: list[TaskEntry] = []
        self._places: dict[str, int] = {}
        self._source: Iterator[TaskEntry] = iter(())
        self._filter = TaskFilter()
        self._tells = True
        self._open: str | None = None
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.timeout.connect(self._take)

    # ------------------------------------------------------------- filling

    def fill(self, source: Iterator[TaskEntry]) -> None:
        """Show these tasks instead: the first piece at once, the others as time allows."""
        self.beginResetModel()
        self._all, self._shown, self._places, self._source = [], [], {}, source
        self.endResetModel()
        self._more.start()
        self._take()

    @property
    def loading(self) -> bool:
        """Whether there is more to come."""
        return self._more.isActive()

    def stop(self) -> None:
        """Take no more; called when the window closes."""
        self._more.stop()

    def _take(self) -> None:
        piece: list[TaskEntry] = []
        until = perf_counter() + TURN_S
        for entry in self._source:
            piece.append(entry)
            if len(piece) == PIECE or perf_counter() > until:
                break
        else:
            self._more.stop()
        self._all += piece
        passing = [entry for entry in piece if self._passes(entry)]
        if passing:
            first = len(self._shown)
            self.beginInsertRows(QModelIndex(), first, first + len(passing) - 1)
            self._places.update({entry.ref: first + k for k, entry in enumerate(passing)})
            self._shown += passing
            self.endInsertRows()
        self.grown.emit()

    # ------------------------------------------------------------- filtering

    @property
    def filter(self) -> TaskFilter:
        """What is let through."""
        return self._filter

    def set_filter(self, wanted: TaskFilter) -> None:
        """Let other tasks through."""
        if wanted != self._filter:
            self._filter = wanted
            self.refilter()

    def tell_progress(self, tells: bool) -> None:
        """Whether marks and difficulty may be shown at all; without them nothing is filtered by them either."""
        if tells != self._tells:
            self._tells = tells
            self.refilter()

    def refilter(self) -> None:
        """Look at every task again: progress or difficulty has changed."""
        self.beginResetModel()
        self._shown = [entry for entry in self._all if self._passes(entry)]
        self._places = {entry.ref: k for k, entry in enumerate(self._shown)}
        self.endResetModel()
        self.grown.emit()

    def progressed(self) -> None:
        """Marks have changed; rows stay where they are unless the filter looks at progress."""
        if self._filter.state or self._filter.band:
            self.refilter()
        elif self._shown:
            self.dataChanged.emit(self.index(0), self.index(len(self._shown) - 1))
            self.grown.emit()

    def _passes(self, entry: TaskEntry) -> bool:
        if not self._tells:
            return TaskFilter(self._filter.text, self._filter.family, self._filter.tier).takes(
                entry, "unrated", "untouched"
            )
        band = self._room.results.difficulty(entry).band if self._filter.band else "unrated"
        state = self._room.state(entry) if self._filter.state else "untouched"
        return self._filter.takes(entry, band, state)

    # ------------------------------------------------------------- looking

    @property
    def entries(self) -> list[TaskEntry]:
        """The tasks shown."""
        return self._shown

    @property
    def total(self) -> int:
        """How many tasks there are, hidden ones included."""
        return len(self._all)

    def done(self) -> int:
        """How many of all of them are done."""
        return sum(self._room.state(entry) == "done" for entry in self._all)

    def families(self) -> list[str]:
        """The families there are, in order of appearance."""
        return list(dict.fromkeys(entry.family for entry in self._all))

    def tiers(self) -> list[str]:
        """The tiers there are."""
        return list(dict.fromkeys(entry.tier for entry in self._all))

    def bands(self) -> list[Band]:
        """The bands of difficulty there are, of the families and curated tasks shown."""
        return list(dict.fromkeys(self._room.results.difficulty(entry).band for entry in self._all))

    def row_of(self, ref: str | None) -> int:
        """The row of a task; -1 if it is not shown."""
        return -1 if ref is None else self._places.get(ref, -1)

    def set_open(self, ref: str | None) -> None:
        """Mark the task whose graph is in front."""
        before, self._open = self._open, ref
        for changed in {before, ref}:
            row = self.row_of(changed)
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def after(self, ref: str | None) -> TaskEntry | None:
        """The next task shown that is not done, going round once from a task or from the top."""
        start = self.row_of(ref) + 1
        order = [*self._shown[start:], *self._shown[:start]]
        return next((e for e in order if e.ref != ref and (not self._tells or self._room.state(e) != "done")), None)

    # ------------------------------------------------------------- as Qt asks

    def rowCount(self, parent: _AnyIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._shown)

    def data(self, index: _AnyIndex, role: int = 0) -> object:
        entry = self._shown[index.row()]
        if role == ENTRY:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(entry)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(entry)
        if role == OPEN:
            return entry.ref == self._open
        if role == STATE:
            return self._room.state(entry) if self._tells else "untouched"
        if role == PROGRESS:
            return self._progress(entry)
        return None

    def _progress(self, entry: TaskEntry) -> Progress | None:
        return self._room.attempts.progress(entry.ref) if self._tells and not entry.is_practice else None

    def _tip(self, entry: TaskEntry) -> str:
        text = entry.text if len(entry.text) < 400 else f"{entry.text[:400]}…"
        return f"{entry.title}\n{text}"

    def _spoken(self, entry: TaskEntry) -> str:
        state = f", {said(STATES[self._room.state(entry)]).lower()}" if self._tells else ""
        return f"{entry.title}, {entry.family}{state}"
