"""Words typed where they stand: a layer's name, a frame's title, a comment's text, in a field over the canvas."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from archstudio.app.marking import fresh_key, title_frame, write_note
from archstudio.app.node_box import NODE_WIDTH
from archstudio.edits import Edit, EditRefused
from archstudio.edits.compose import rename
from archstudio.graph import Frame, Note
from archstudio.ui.canvas.node_item import PORT_RADIUS
from archstudio.ui.theme.fonts import ui_font

if TYPE_CHECKING:
    from archstudio.ui.canvas.view import CanvasView

_LINE_PX = 26
_LEAST_WIDTH_PX = 150
_LEAST_NOTE_PX = (170, 70)
_FONT_PX = 13.0
_LEAST_FONT_PX = 11.0
_NAME_TOP, _NAME_HEIGHT = 3.0, 26.0
"""Where the name stands in a node, in canvas units from its top."""

Commit = Callable[[str], Edit | None]
"""Makes the edit of a text; None where nothing would change. EditRefused says why the text cannot be."""


class InPlace:
    """At most one field over a canvas. Enter (Ctrl+Enter in a comment) and leaving it take the words, Esc does not."""

    def __init__(self, canvas: CanvasView) -> None:
        self._canvas = canvas
        self.field: QLineEdit | QPlainTextEdit | None = None
        """The open field, if any."""
        self._commit: Commit | None = None
        self._where: Callable[[], QRectF] = QRectF
        self._label = ""
        self._key: str | None = None
        """With this the words join the step that made what they are written for."""

    # --------------------------------------------------------------- opening

    def rename_node(self, node_id: str) -> None:
        """Type another name for a layer."""
        canvas, graph = self._canvas, self._canvas.document.graph
        canvas.reveal(node_id)
        name = graph.node(node_id).name

        def where() -> QRectF:
            body = canvas.graph_scene.nodes[node_id].body()
            return QRectF(body.left() + PORT_RADIUS, body.top() + _NAME_TOP, NODE_WIDTH - 2 * PORT_RADIUS, _NAME_HEIGHT)

        def commit(text: str) -> Edit | None:
            return None if text.strip() == name else rename(graph, node_id, text)

        self._open(_Line(self), canvas.tr("Name of the layer"), name, where, commit, f"Rename {name}")

    def title_frame(self, frame: Frame) -> None:
        """Type another title for a frame."""
        canvas = self._canvas

        def where() -> QRectF:
            return canvas.graph_scene.decorations.frames[frame.id].handle.adjusted(5, 2, -5, 0)

        def commit(text: str) -> Edit | None:
            current = canvas.document.graph.frames.get(frame.id)
            return None if current is None or text.strip() == current.title else title_frame(current, text)

        canvas.graph_scene.settle()
        label = f"Rename frame {frame.title}"
        self._open(_Line(self), canvas.tr("Title of the frame"), frame.title, where, commit, label, frame.id)

    def write_note(self, note: Note) -> None:
        """Type another text for a comment."""
        canvas = self._canvas

        def where() -> QRectF:
            now = canvas.document.graph.notes.get(note.id, note)
            return QRectF(QPointF(*now.position), QPointF(now.position[0] + now.size[0], now.position[1] + now.size[1]))

        def commit(text: str) -> Edit | None:
            current = canvas.document.graph.notes.get(note.id)
            return None if current is None or text == current.text else write_note(current, text)

        canvas.graph_scene.settle()
        if not canvas.camera.seen().intersects(where()):
            canvas.camera.center_on(where().center())
        name = canvas.tr("Text of the comment")
        self._open(_Text(self), name, note.text, where, commit, "Write comment", note.id)

    def _open(
        self,
        field: _Line | _Text,
        name: str,
        text: str,
        where: Callable[[], QRectF],
        commit: Commit,
        label: str,
        part_id: str = "",
    ) -> None:
        self.take()
        key = fresh_key(part_id)
        joined = self._canvas.document.history.joins(key) if part_id else None
        self.field, self._where, self._commit = field, where, commit
        self._label, self._key = joined or label, None if joined is None else key
        field.setParent(self._canvas.viewport())
        field.setObjectName("rename")
        field.setAccessibleName(name)
        if isinstance(field, _Line):
            field.setText(text)
        else:
            field.setPlainText(text)
        self.place()
        field.show()
        field.selectAll()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def place(self) -> None:
        """Stand over what is renamed, at its size; called again when the view moves."""
        if self.field is None:
            return
        zoom = self._canvas.camera.zoom
        font: QFont = ui_font(max(_FONT_PX * zoom, _LEAST_FONT_PX), bold=isinstance(self.field, _Line))
        self.field.setFont(font)
        box = self._canvas.mapFromScene(self._where()).boundingRect()
        wide, tall = (_LEAST_WIDTH_PX, _LINE_PX) if isinstance(self.field, _Line) else _LEAST_NOTE_PX
        self.field.setGeometry(QRect(box.left(), box.top(), max(box.width(), wide), max(box.height(), tall)))

    # --------------------------------------------------------------- closing

    def take(self) -> bool:
        """Make the typed words true; returns False where they are refused, and the field stays open."""
        field, commit = self.field, self._commit
        if field is None or commit is None:
            return True
        text = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
        try:
            edit = commit(text)
        except EditRefused as refusal:
            _refuse(field, str(refusal))
            self._canvas.refused.emit(str(refusal))
            return False
        if isinstance(field, QPlainTextEdit) and self._key is not None and not text.strip():
            self.forget()
            return True
        self.leave()
        if edit is not None:
            self._canvas.push(edit, self._label, self._key)
        self._canvas.document.history.end_merge()
        return True

    def forget(self) -> None:
        """Close the field without its words; a comment that was only just put and says nothing goes as well."""
        document = self._canvas.document
        key = self._key if isinstance(self.field, QPlainTextEdit) else None
        self.leave()
        if key is not None and document.history.joins(key) is not None:
            document.retract()
        document.history.end_merge()

    def leave(self) -> None:
        """Close the field; what was typed is forgotten."""
        field, self.field, self._commit = self.field, None, None
        if field is not None:
            field.hide()
            field.deleteLater()
            self._canvas.setFocus()

    def lost_focus(self) -> None:
        """Leaving the field takes the words where they can be taken."""
        if self.field is not None and self.field.isVisible() and not self.take():
            self.leave()


def _refuse(field: QWidget, why: str) -> None:
    field.setProperty("role", "refused")
    field.setToolTip(why)
    field.setAccessibleDescription(why)
    field.style().unpolish(field)
    field.style().polish(field)


class _Line(QLineEdit):
    """One line."""

    def __init__(self, owner: InPlace) -> None:
        super().__init__()
        self._owner = owner

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes, Esc forgets."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._owner.take()
        elif event.key() == Qt.Key.Key_Escape:
            self._owner.forget()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving takes."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._owner.lost_focus()


class _Text(QPlainTextEdit):
    """Several lines."""

    def __init__(self, owner: InPlace) -> None:
        super().__init__()
        self._owner = owner
        self.setTabChangesFocus(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter takes, Esc forgets."""
        taking = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if taking and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._owner.take()
        elif event.key() == Qt.Key.Key_Escape:
            self._owner.forget()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving takes."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._owner.lost_focus()
