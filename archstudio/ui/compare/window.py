"""The window that shows a comparison: both graphs, and below them what differs as a list for mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.comparing import Comparison, DifferenceRow, Kind
from archstudio.app.figures import plural
from archstudio.study.visibility import Visibility
from archstudio.ui.compare.canvas import SIGNS, TOKENS, ComparedCanvas
from archstudio.ui.linked import Linked
from archstudio.ui.panels.elided import ElidedLabel
from archstudio.ui.panels.panel import label
from archstudio.ui.theme import Theme

_SIZE_PX = (1240, 800)
_WHAT_PX = 120


class CompareWindow(QDialog):
    """Stays open beside the main window. `chosen` carries the id of a difference that was opened with Enter."""

    chosen = Signal(str)

    def __init__(
        self, parent: QWidget, comparison: Comparison, theme: Theme, visibility: Visibility, *, linked: bool = True
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.comparison = comparison
        self._theme = theme
        sides = (comparison.left, comparison.right)
        self.setWindowTitle(self.tr("{a} and {b}").format(a=sides[0].title, b=sides[1].title))
        self.canvases = (ComparedCanvas(sides[0], visibility, theme), ComparedCanvas(sides[1], visibility, theme))
        self.summary = label("", "strong")
        self.list = self._make_list()
        self.together = QCheckBox(self.tr("Move both together"))
        self.together.toggled.connect(self._link)
        self._linked: Linked | None = None
        self._arrange()
        self.resize(*_SIZE_PX)
        self._fill()
        self.together.setChecked(linked)
        for keys, step in (("F7", 1), ("Shift+F7", -1)):
            QShortcut(QKeySequence(keys), self, lambda step=step: self.step(step))

    def _make_list(self) -> QTableWidget:
        three = self.comparison.start is not None
        made = QTableWidget(0, 4 if three else 3)
        made.setAccessibleName(self.tr("Differences"))
        heads = [self.tr("What"), self.tr("Part"), self.tr("Difference"), self.tr("By")]
        made.setHorizontalHeaderLabels(heads[: made.columnCount()])
        made.verticalHeader().setVisible(False)
        made.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        made.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        made.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        made.setShowGrid(False)
        made.setTabKeyNavigation(False)
        header = made.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(0, _WHAT_PX)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        made.currentCellChanged.connect(lambda row, *_: self._look(row))
        made.cellActivated.connect(lambda row, _: self.chosen.emit(self.comparison.rows[row].at))
        return made

    def _arrange(self) -> None:
        sides = QSplitter(Qt.Orientation.Horizontal)
        for canvas in self.canvases:
            holder = QWidget()
            column = QVBoxLayout(holder)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            title = ElidedLabel(canvas.side.title, "strong")
            title.setContentsMargins(12, 6, 12, 6)
            column.addWidget(title)
            column.addWidget(canvas, 1)
            sides.addWidget(holder)
        sides.setChildrenCollapsible(False)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(12, 8, 12, 10)
        head = QHBoxLayout()
        head.addWidget(self.summary)
        head.addSpacing(18)
        for kind in SIGNS:
            head.addWidget(self._legend(kind))
        head.addStretch(1)
        head.addWidget(self.together)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(sides)
        halves.addWidget(below)
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        halves.setChildrenCollapsible(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(halves)

    def _legend(self, kind: Kind) -> QWidget:
        made = label(f"{SIGNS[kind]} {self._word(kind)} {self.comparison.counts[kind]:,}")
        made.setProperty("role", {"ok": "ok", "error": "error", "warn": "warn"}[TOKENS[kind]])
        return made

    def _word(self, kind: Kind) -> str:
        return {"added": self.tr("added"), "removed": self.tr("removed"), "changed": self.tr("changed")}[kind]

    def _fill(self) -> None:
        rows = self.comparison.rows
        self.summary.setText(plural(len(rows), "difference") if rows else self.tr("Both graphs say the same."))
        self.list.setRowCount(len(rows))
        for k, row in enumerate(rows):
            for column, text in enumerate(self._texts(row)[: self.list.columnCount()]):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                if column == 0:
                    item.setForeground(QColor(self._theme.colour(TOKENS[row.kind])))
                if row.disagree and column == 3:
                    item.setForeground(QColor(self._theme.colour("error")))
                self.list.setItem(k, column, item)
        if rows:
            self.list.setCurrentCell(0, 0)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _texts(self, row: DifferenceRow) -> tuple[str, str, str, str]:
        by = self.tr("{who}; they disagree").format(who=row.whose) if row.disagree else row.whose
        return f"{SIGNS[row.kind]} {self._word(row.kind)}", row.part, row.text, by

    def _look(self, row: int) -> None:
        if 0 <= row < len(self.comparison.rows):
            for canvas in self.canvases:
                canvas.look_at(self.comparison.rows[row].at)

    def step(self, by: int) -> None:
        """Go to the next or the previous difference, from the end to the start again."""
        count = self.list.rowCount()
        if count:
            self.list.setCurrentCell((self.list.currentRow() + by) % count, 0)

    def _link(self, on: bool) -> None:
        if self._linked is not None:
            self._linked.end()
            self._linked = None
        if on:
            self._linked = Linked(*self.canvases)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin with both graphs whole, at the same size and place."""
        super().showEvent(event)
        one, other = (canvas.graph_scene.bounds_with_wires() for canvas in self.canvases)
        for canvas in self.canvases:
            canvas.camera.fit(one.united(other))

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._theme = theme
        for canvas in self.canvases:
            canvas.set_theme(theme)
        row = self.list.currentRow()
        self._fill()
        self.list.setCurrentCell(row, 0)

    def done(self, result: int) -> None:
        """Let go of the copies."""
        self._link(False)
        for canvas in self.canvases:
            canvas.dispose()
        super().done(result)

    @property
    def lines(self) -> list[str]:
        """The list as text, for reading aloud and for tests."""
        columns = range(self.list.columnCount())
        return [" ".join(self._cell(k, c) for c in columns).strip() for k in range(self.list.rowCount())]

    def _cell(self, row: int, column: int) -> str:
        item = self.list.item(row, column)
        return "" if item is None else item.text()
