"""The Layers dock: favourites, recent layers, one's templates and the catalogue, to search and to drag from."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QStyleOptionViewItem,
    QVBoxLayout,
)

from archstudio.app.application import Application
from archstudio.app.layer_list import LayerEntry, layer_entries
from archstudio.app.recent_layers import RecentLayers
from archstudio.app.templates import PREFIX, Templates, is_template
from archstudio.ui.canvas.layer_row import FAMILY_ROLE, SUMMARY_ROLE, TYPE_ROLE, LayerRow
from archstudio.ui.canvas.mime import LAYER_MIME
from archstudio.ui.panels.panel import Panel
from archstudio.ui.theme import Theme

_KIND = FAMILY_ROLE + 1
_MARKED = FAMILY_ROLE + 2
_STAR_PX = 16


class LayersPanel(Panel):
    """Search-ranked rows. Dragging one carries its kind; Enter or double-click emits `chosen`.

    The menu of a row marks it as a favourite; for a template it also asks to rename or delete it.
    """

    chosen = Signal(str)
    mark_asked = Signal(str)
    rename_asked = Signal(str)
    delete_asked = Signal(str)

    def __init__(self, application: Application, theme: Theme) -> None:
        super().__init__(application)
        self._own = application.visibility.own_layers
        self.recent = RecentLayers(application.settings if self._own else None)
        self._entries: list[LayerEntry] = []
        self._search = QLineEdit()
        self._search.setPlaceholderText(self.tr("Search layers"))
        self._search.setAccessibleName(self.tr("Search layers"))
        self._search.setClearButtonEnabled(True)
        self._search.textChanged.connect(self.refill)
        self._search.returnPressed.connect(self._choose_first)
        self._list = _LayerList()
        self._list.setAccessibleName(self.tr("Layers"))
        self._list.itemActivated.connect(self._choose)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._show_menu)
        self._row = _DockRow(theme)
        self._list.setItemDelegate(self._row)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 4, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._search)
        column.addWidget(self._list, 1)
        self.refill()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self._row.theme = theme
        self._list.viewport().update()

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        """Follow what was used lately; everything else changes only through `refill`."""
        self.refill()

    def refill(self) -> None:
        """Show what there is now: a template may have come or gone, a favourite been marked."""
        templates, favourites = (Templates().all(), self.application.favourites.types) if self._own else ((), ())
        entries = layer_entries(self._search.text(), templates, favourites, self.recent.types)
        if entries == self._entries:
            return
        kept = self._kind_of(self._list.currentItem())
        self._entries = entries
        self._list.clear()
        for entry in entries:
            self._list.addItem(_item(entry))
        for k, entry in enumerate(entries):
            if kept and entry.kind == kept:
                self._list.setCurrentRow(k)
                break

    def kinds(self) -> list[str]:
        """What the rows stand for, headings left out."""
        return [entry.kind for entry in self._entries if not entry.is_heading]

    def _choose(self, item: QListWidgetItem) -> None:
        kind = self._kind_of(item)
        if kind:
            self.chosen.emit(kind)

    def _choose_first(self) -> None:
        first = next(iter(self.kinds()), None)
        if first is not None:
            self.chosen.emit(first)

    @staticmethod
    def _kind_of(item: QListWidgetItem | None) -> str:
        return "" if item is None else str(item.data(_KIND))

    def _show_menu(self, at: QPoint) -> None:
        kind = self._kind_of(self._list.itemAt(at) or self._list.currentItem())
        if kind:
            self.menu_for(kind).exec(self._list.viewport().mapToGlobal(at))

    def menu_for(self, kind: str) -> QMenu:
        """What can be done with a row."""
        menu = QMenu(self)
        menu.addAction(self.tr("Add to the graph")).triggered.connect(lambda: self.chosen.emit(kind))
        if not self._own:
            return menu
        favourite = menu.addAction(self.tr("Favourite"))
        favourite.setCheckable(True)
        favourite.setChecked(kind in self.application.favourites.types)
        favourite.triggered.connect(lambda: self.mark_asked.emit(kind))
        if is_template(kind):
            name = kind.removeprefix(PREFIX)
            menu.addSeparator()
            menu.addAction(self.tr("Rename…")).triggered.connect(lambda: self.rename_asked.emit(name))
            menu.addAction(self.tr("Delete…")).triggered.connect(lambda: self.delete_asked.emit(name))
        return menu


class _LayerList(QListWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("layers")
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self._on_row = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a row; a heading is none."""
        item = self.itemAt(event.position().toPoint())
        self._on_row = item is not None and bool(item.data(_KIND))
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the row that was pressed; from a heading the rows passed over would be selected and dragged."""
        if self._on_row or not event.buttons():
            super().mouseMoveEvent(event)

    def mimeData(self, items: list[QListWidgetItem]) -> QMimeData:  # type: ignore[override]
        carried = QMimeData()
        carried.setData(LAYER_MIME, QByteArray(items[0].data(_KIND).encode()))
        return carried


def _item(entry: LayerEntry) -> QListWidgetItem:
    item = QListWidgetItem(entry.title)
    values = {TYPE_ROLE: entry.title, SUMMARY_ROLE: entry.beside, FAMILY_ROLE: entry.family,
              _KIND: entry.kind, _MARKED: entry.favourite}  # fmt: skip
    for role, value in values.items():
        item.setData(role, value)
    if entry.is_heading:
        item.setFlags(Qt.ItemFlag.NoItemFlags)
    else:
        item.setToolTip(entry.tip)
        spoken = f"{entry.title}, {entry.beside}" + (", favourite" if entry.favourite else "")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
    return item


class _DockRow(LayerRow):
    """A layer's row, with a star if it is a favourite; headings in small letters."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row."""
        if not index.data(_KIND):
            self._heading(painter, option, index)
            return
        if index.data(_MARKED):
            star = option.rect.adjusted(option.rect.width() - _STAR_PX, 0, -2, 0)
            option.rect = option.rect.adjusted(0, 0, -_STAR_PX, 0)
            super().paint(painter, option, index)
            painter.save()
            painter.setPen(self.theme.colour("warn"))
            painter.drawText(star, Qt.AlignmentFlag.AlignCenter, "★")
            painter.restore()
            return
        super().paint(painter, option, index)

    def _heading(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        font = option.font
        font.setPixelSize(max(font.pixelSize() - 2, 10))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(self.theme.colour("muted"))
        room = option.rect.adjusted(6, 0, -6, -5)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, index.data(TYPE_ROLE))
        painter.restore()
