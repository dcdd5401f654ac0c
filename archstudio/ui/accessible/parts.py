"""One part of a graph as a screen reader meets it. Nothing is kept but the id: all answers come from the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QPointF, QRect, QRectF
from PySide6.QtGui import QAccessible, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget

if TYPE_CHECKING:
    from archstudio.ui.accessible.canvas import CanvasAccess
    from archstudio.ui.canvas import CanvasView
    from archstudio.ui.canvas.node_item import NodeItem

Relation = tuple[QAccessibleInterface, QAccessible.RelationFlag]

ALL = QAccessible.RelationFlag.FlowsFrom | QAccessible.RelationFlag.FlowsTo
SELECT, EDIT, RENAME = "Select", "Edit parameters", "Rename"


def tr(text: str) -> str:
    """A text in the language of the window."""
    return QCoreApplication.translate("Accessible", text)


class PartAccess(QAccessibleWidget):
    """What all parts share. Subclasses say what they are.

    A part is no widget; that class is the one that answers for actions in C++ itself. An `interface_cast` of our own
    cannot: where it has nothing to give, PySide6 6.11 ends the process.
    """

    ROLE = QAccessible.Role.ListItem

    def __init__(self, canvas: CanvasAccess, part_id: str) -> None:
        super().__init__(canvas.view, self.ROLE, "")
        self._canvas = canvas
        self.part_id = part_id

    @property
    def view(self) -> CanvasView:
        """The canvas that shows the part."""
        return self._canvas.view

    # what subclasses answer

    def name(self) -> str:
        """What it is called."""
        return ""

    def value(self) -> str:
        """What it says beside its name."""
        return ""

    def description(self) -> str:
        """What is wrong with it, or where it leads."""
        return ""

    def area(self) -> QRectF:
        """Where it is, in scene coordinates."""
        return QRectF()

    def exists(self) -> bool:
        """Whether the graph still holds it."""
        return False

    def chosen(self) -> bool:
        """Whether it is selected."""
        return False

    def select(self) -> None:
        """Select it, and nothing else."""

    def _acts(self) -> dict[str, Callable[[], None]]:
        return {SELECT: self.select}

    # Qt's questions

    def isValid(self) -> bool:
        """Whether it can still be asked."""
        return self._canvas.lives and self.exists()

    def object(self) -> QObject | None:  # type: ignore[override]
        """No Qt object stands for it."""
        return None

    def window(self) -> QWindow:
        """The window it is in, asked of the widget: an interface's answer would belong to Python, and go with it."""
        return self.view.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        """The canvas."""
        return self._canvas

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """It has no parts of its own."""
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        """It has no parts of its own."""
        return None

    def childCount(self) -> int:
        """It has no parts of its own."""
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """It has no parts of its own."""
        return -1

    def role(self) -> QAccessible.Role:
        """What kind of thing it is."""
        return self.ROLE

    def state(self) -> QAccessible.State:
        """Selectable and focusable; out of view is offscreen."""
        made = QAccessible.State()
        state: Any = made  # its bits are not in the type stubs
        state.selectable = state.focusable = True
        if self.isValid():
            state.selected = self.chosen()
            state.focused = self.view.hasFocus() and self.chosen()
            state.offscreen = not self.view.camera.seen().intersects(self.area())
        else:
            state.invalid = True
        return made

    def text(self, t: QAccessible.Text) -> str:
        """Name, value or description; empty for anything else and for a part that is gone."""
        answer = {
            QAccessible.Text.Name: self.name,
            QAccessible.Text.Value: self.value,
            QAccessible.Text.Description: self.description,
        }.get(t)
        return answer() if answer is not None and self.isValid() else ""

    def setText(self, t: QAccessible.Text, text: str) -> None:
        """Words are changed by the rename action, which can refuse them."""

    def rect(self) -> QRect:
        """Where it is on the screen."""
        if not self.isValid():
            return QRect()
        box = self.view.mapFromScene(self.area()).boundingRect()
        return QRect(self.view.viewport().mapToGlobal(box.topLeft()), box.size())

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        """It has no parts of its own."""
        return None

    def actionNames(self) -> list[str]:
        """What can be done with it, the usual thing first."""
        return list(self._acts())

    def localizedActionName(self, name: str) -> str:
        """The name of an action as it is read out."""
        return tr(name)

    def localizedActionDescription(self, name: str) -> str:
        """Nothing beyond the name."""
        return ""

    def doAction(self, actionName: str) -> None:
        """Do one of its actions; unknown names do nothing, as in Qt's own interfaces."""
        act = self._acts().get(actionName)
        if act is not None and self.isValid():
            act()

    def keyBindingsForAction(self, actionName: str) -> list[str]:
        """Keys that do the same once the part is selected."""
        return {EDIT: ["Return"], RENAME: ["F2"]}.get(actionName, [])

    def relations(self, match: QAccessible.RelationFlag = ALL) -> list[Relation]:
        """What it flows from and to."""
        return []


class NodeAccess(PartAccess):
    """A layer: `conv1, conv2d`; its value are parameters, shape and count, its description its problems."""

    def exists(self) -> bool:
        return self.part_id in self.view.document.graph and self.part_id in self.view.graph_scene.nodes

    def _item(self) -> NodeItem:
        return self.view.graph_scene.up_to_date(self.part_id)

    def name(self) -> str:
        face = self._item().face
        return f"{face.name}, {face.type}"

    def value(self) -> str:
        return self._item().face.spoken_value

    def description(self) -> str:
        graph = self.view.document.graph
        told = [self.view.tip_of(self.part_id)]
        sources = [graph.node(c.source).name for c in graph.incoming(self.part_id)]
        targets = [graph.node(c.target).name for c in graph.outgoing(self.part_id)]
        told += [tr("from {names}").format(names=", ".join(sources))] if sources else []
        told += [tr("to {names}").format(names=", ".join(targets))] if targets else []
        return "; ".join(part for part in told if part)

    def area(self) -> QRectF:
        return self.view.graph_scene.nodes[self.part_id].body()

    def chosen(self) -> bool:
        return self.part_id in self.view.document.selection.nodes

    def select(self) -> None:
        self.view.document.selection.set([self.part_id])
        self.view.reveal(self.part_id)

    def _acts(self) -> dict[str, Callable[[], None]]:
        return {SELECT: self.select, EDIT: self._edit, RENAME: self._rename}

    def _edit(self) -> None:
        self.select()
        self.view.edit_asked.emit()

    def _rename(self) -> None:
        self.select()
        self.view.begin_rename()

    def relations(self, match: QAccessible.RelationFlag = ALL) -> list[Relation]:
        if not self.isValid():
            return []
        graph, flags = self.view.document.graph, QAccessible.RelationFlag
        found: list[Relation] = []
        if match & flags.FlowsFrom:
            found += [(self._canvas.part("wire", c.id), flags.FlowsFrom) for c in graph.incoming(self.part_id)]
        if match & flags.FlowsTo:
            found += [(self._canvas.part("wire", c.id), flags.FlowsTo) for c in graph.outgoing(self.part_id)]
        return found


class WireAccess(PartAccess):
    """A wire: `input to conv1`; its value is the shape it carries, its description what is wrong at its end."""

    ROLE = QAccessible.Role.Link

    def exists(self) -> bool:
        return self.view.document.graph.has_connection(self.part_id) and self.part_id in self.view.graph_scene.wires

    def name(self) -> str:
        graph = self.view.document.graph
        wire = graph.connection(self.part_id)
        source, target = graph.node(wire.source).name, graph.node(wire.target).name
        return tr("wire from {source} to {target}").format(source=source, target=target)

    def value(self) -> str:
        face = self.view.graph_scene.wires[self.part_id].face
        return tr("unknown") if face.shape == "?" else face.shape

    def description(self) -> str:
        return self.view.graph_scene.wires[self.part_id].face.fault

    def area(self) -> QRectF:
        return self.view.graph_scene.wires[self.part_id].path.boundingRect()

    def chosen(self) -> bool:
        return self.part_id in self.view.document.selection.connections

    def select(self) -> None:
        self.view.document.selection.set((), [self.part_id])
        start, end = self.view.graph_scene.wires[self.part_id].ends()
        if not self.view.camera.seen().contains(end):
            self.view.camera.center_on(QPointF((start + end) / 2))

    def relations(self, match: QAccessible.RelationFlag = ALL) -> list[Relation]:
        if not self.isValid():
            return []
        wire, flags = self.view.document.graph.connection(self.part_id), QAccessible.RelationFlag
        ends = ((wire.source, flags.FlowsFrom), (wire.target, flags.FlowsTo))
        return [(self._canvas.part("node", node), flag) for node, flag in ends if match & flag]


class FrameAccess(PartAccess):
    """A frame: its title, and how many layers it holds."""

    ROLE = QAccessible.Role.Grouping

    def exists(self) -> bool:
        scene = self.view.graph_scene
        return self.part_id in self.view.document.graph.frames and self.part_id in scene.decorations.frames

    def name(self) -> str:
        return tr("frame {title}").format(title=self.view.document.graph.frames[self.part_id].title)

    def value(self) -> str:
        frame = self.view.document.graph.frames[self.part_id]
        return tr("{count} layers, collapsed" if frame.collapsed else "{count} layers").format(count=len(frame.nodes))

    def area(self) -> QRectF:
        return self.view.graph_scene.decorations.frames[self.part_id].box

    def chosen(self) -> bool:
        return set(self.view.document.graph.frames[self.part_id].nodes) == self.view.document.selection.nodes

    def select(self) -> None:
        self.view.document.selection.set(self.view.document.graph.frames[self.part_id].nodes)


class NoteAccess(PartAccess):
    """A comment: its text."""

    ROLE = QAccessible.Role.Note

    def exists(self) -> bool:
        scene = self.view.graph_scene
        return self.part_id in self.view.document.graph.notes and self.part_id in scene.decorations.notes

    def name(self) -> str:
        return tr("comment")

    def value(self) -> str:
        return self.view.document.graph.notes[self.part_id].text

    def area(self) -> QRectF:
        return self.view.graph_scene.decorations.notes[self.part_id].box

    def chosen(self) -> bool:
        return self.part_id in self.view.document.selection.notes

    def select(self) -> None:
        self.view.document.selection.set(notes=[self.part_id])
