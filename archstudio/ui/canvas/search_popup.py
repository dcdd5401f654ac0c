"""Search-to-add: a field and a list over the canvas, with a word on the layer that is marked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from archstudio.app.search import search_layers, spoken_description, spoken_summary
from archstudio.app.templates import Template, Templates
from archstudio.layers import Layer
from archstudio.ui.canvas.layer_row import FAMILY_ROLE, SUMMARY_ROLE, TYPE_ROLE, LayerRow
from archstudio.ui.theme import Theme

_SIZE = QSize(560, 300)
_DOC_WIDTH = 210
_LIST_KEYS = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}

Offer: TypeAlias = tuple[type[Layer], str]
"""A layer type, and why it is offered (what it would give); empty for no reason."""

_FULL_LINE = 90
"""A line of so many letters was ended by the width of a page, not by its meaning."""


class SearchPopup(QFrame):
    """A child of the canvas. `chosen` carries the type name; `closed` follows however it ends."""

    chosen = Signal(str)
    closed = Signal()

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        *,
        recent: Sequence[str] = (),
        offers: Sequence[Offer] | None = None,
        templates: bool = True,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("layerSearch")
        self.setAccessibleName(self.tr("Add a layer"))
        self.setAutoFillBackground(True)
        self._open, self._templates = True, templates
        # what usually follows here says more than what was used lately
        self._recent = tuple(recent) if offers is None else ()
        self._among = None if offers is None else [entry for entry, _ in offers]
        self._reasons = {entry.type: why for entry, why in offers or ()}
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Add a layer that fits here") if offers else self.tr("Add a layer"))
        self.field.setAccessibleName(self.tr("Search layers"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Layers found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self._row = LayerRow(theme)
        self.list.setItemDelegate(self._row)
        self._doc = QLabel()
        self._doc.setObjectName("layerDoc")
        self._doc.setTextFormat(Qt.TextFormat.PlainText)
        self._doc.setWordWrap(True)
        self._doc.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._doc.setFixedWidth(_DOC_WIDTH)
        self._arrange()
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.currentItemChanged.connect(self._tell)
        self.list.itemClicked.connect(self._take)
        self._fill("")

    def _arrange(self) -> None:
        beside = QHBoxLayout()
        beside.setSpacing(6)
        beside.addWidget(self.list, 1)
        beside.addWidget(self._doc)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.field)
        column.addLayout(beside, 1)
        self.resize(_SIZE)

    def open_at(self, at: QPoint) -> None:
        """Show at a point of the parent, moved as far as it takes to be seen whole."""
        parent = self.parentWidget()
        assert parent is not None
        room = parent.rect()
        self.resize(min(_SIZE.width(), room.width() - 8), min(_SIZE.height(), room.height() - 8))
        x = max(4, min(at.x(), room.width() - self.width() - 4))
        y = max(4, min(at.y(), room.height() - self.height() - 4))
        self.move(x, y)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def shown_types(self) -> list[str]:
        """Type names in the list, in order."""
        return [self.list.item(k).data(TYPE_ROLE) for k in range(self.list.count())]

    def _fill(self, text: str) -> None:
        self.list.clear()
        for template in Templates().search(text) if self._templates and text.strip() else ():
            self.list.addItem(_template_item(template))
        for entry in search_layers(text, recent=self._recent, among=self._among):
            self.list.addItem(_item(entry, self._reasons.get(entry.type) or spoken_summary(entry)))
        if self.list.count():
            self.list.setCurrentRow(0)
        else:
            self._doc.setText(self.tr("No layer is called that.") if text else self.tr("No layer fits here."))

    def _tell(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._doc.setText(_as_prose(str(item.toolTip())))

    def _take(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        kind = item.data(TYPE_ROLE)
        self.close_popup()
        self.chosen.emit(kind)

    def close_popup(self) -> None:
        """Go away; nothing is added by that."""
        if self._open:
            self._open = False
            self.hide()
            self.closed.emit()
            self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field keeps the keyboard: up and down go to the list, Enter takes, Escape and losing the focus close."""
        if event.type() == QEvent.Type.FocusOut and self._open:
            self.close_popup()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
                self._take(self.list.currentItem())
                return True
            if key == Qt.Key.Key_Escape:
                self.close_popup()
                return True
            if key in _LIST_KEYS:
                self.list.event(event)
                return True
        return super().eventFilter(watched, event)


def _as_prose(text: str) -> str:
    """A description without the marks and the line ends of source text; short lines (formulas) stay by themselves."""
    return re.sub(rf"(?m)^(.{{{_FULL_LINE},}})\n(?=\S)", r"\1 ", text.replace("`", ""))


def _template_item(template: Template) -> QListWidgetItem:
    item = QListWidgetItem(template.name)
    for role, value in ((TYPE_ROLE, template.kind), (SUMMARY_ROLE, template.note), (FAMILY_ROLE, "io")):
        item.setData(role, value)
    types = ", ".join(dict.fromkeys(node.type for node in template.graph.nodes))
    item.setToolTip(f"{template.note}\n{types}".strip())
    return item


def _item(entry: type[Layer], beside: str) -> QListWidgetItem:
    item = QListWidgetItem(entry.type)
    item.setData(TYPE_ROLE, entry.type)
    item.setData(SUMMARY_ROLE, beside)
    item.setData(FAMILY_ROLE, entry.family)
    item.setToolTip(spoken_description(entry))
    return item
