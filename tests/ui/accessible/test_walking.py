"""Assistive technology walks the graph: every layer and wire has a name, a role, a value and a place."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QApplication

from archstudio.app.document import Document
from archstudio.app.marking import add_note
from archstudio.edits import set_params
from archstudio.edits.compose import delete_nodes, frame_nodes, rename
from archstudio.graph import Connection, Graph, Node
from archstudio.ui.accessible import install_accessibility
from archstudio.ui.accessible.canvas import CanvasAccess
from archstudio.ui.accessible.install import _kept
from archstudio.ui.accessible.parts import PartAccess
from archstudio.ui.canvas import CanvasView
from archstudio.ui.theme import Theme

NAME, VALUE, DESCRIPTION = QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description
ROLE = QAccessible.Role


def line_of(count: int) -> Graph:
    graph = Graph("line")
    for k in range(count):
        kind, params = ("input", {"shape": [1, 8]}) if k == 0 else ("relu", {})
        graph.insert_node(Node(f"n{k}", kind, f"layer{k}", dict(params)))
        if k:
            graph.insert_connection(Connection(f"c{k}", f"n{k - 1}", f"n{k}"))
    return graph


@pytest.fixture
def make_canvas(qtbot: Any) -> Iterator[Any]:
    install_accessibility()
    made: list[CanvasView] = []

    def make(graph: Graph) -> CanvasView:
        canvas = CanvasView(Document(graph), Theme.named("light"))
        qtbot.addWidget(canvas)
        canvas.resize(1_000, 700)
        canvas.show()
        canvas.fit()
        made.append(canvas)
        return canvas

    yield make
    for canvas in made:
        canvas.dispose()


@pytest.fixture
def canvas(make_canvas: Any) -> CanvasView:
    graph = line_of(4)
    graph.replace_node(Node("n3", "linear", "head", {"inFeatures": 9, "outFeatures": 2}))
    return make_canvas(graph)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[QAccessible.Event, int]]]:
    """What is announced, while assistive technology listens."""
    events: list[tuple[QAccessible.Event, int]] = []

    def note(event: QAccessibleEvent) -> None:
        events.append((event.type(), event.child()))
        QAccessible.updateAccessibility(event)

    monkeypatch.setattr("archstudio.ui.accessible.announce.send", note)
    monkeypatch.setattr("archstudio.ui.accessible.announce.is_heard", lambda: True)
    QAccessible.setActive(True)
    yield events
    QAccessible.setActive(False)


def access(canvas: CanvasView) -> Any:
    return QAccessible.queryAccessibleInterface(canvas)


def children(canvas: CanvasView) -> list[Any]:
    top = access(canvas)
    return [top.child(k) for k in range(top.childCount())]


def named(canvas: CanvasView, name: str) -> Any:
    return next(child for child in children(canvas) if child.text(NAME) == name)


def test_layers_come_first_and_then_the_wires_each_with_its_role(canvas: CanvasView) -> None:
    assert access(canvas).role() == ROLE.Canvas
    found = [(child.role(), child.text(NAME)) for child in children(canvas)]
    assert found == [
        (ROLE.ListItem, "layer0, input"),
        (ROLE.ListItem, "layer1, relu"),
        (ROLE.ListItem, "layer2, relu"),
        (ROLE.ListItem, "head, linear"),
        (ROLE.Link, "wire from layer0 to layer1"),
        (ROLE.Link, "wire from layer1 to layer2"),
        (ROLE.Link, "wire from layer2 to head"),
    ]


def test_values_are_what_the_canvas_shows_and_descriptions_what_is_wrong(canvas: CanvasView) -> None:
    head = named(canvas, "head, linear")
    assert head.text(VALUE) == "9→2, unknown, 20 parameters, error"
    assert "9" in head.text(DESCRIPTION)
    assert "from layer2" in head.text(DESCRIPTION)
    wire = named(canvas, "wire from layer2 to head")
    assert wire.text(VALUE) == "B×8"
    assert wire.text(DESCRIPTION) == "carries 8 · needs 9"


def test_parents_places_and_indices_fit_together(canvas: CanvasView) -> None:
    top = access(canvas)
    for k, child in enumerate(children(canvas)):
        assert top.indexOfChild(child) == k
        assert child.parent().role() == ROLE.Canvas
        assert child.isValid()
        assert not child.rect().isEmpty() or child.role() == ROLE.Link
    first = named(canvas, "layer1, relu")
    middle = first.rect().center()
    assert top.childAt(middle.x(), middle.y()).text(NAME) == "layer1, relu"
    assert canvas.mapFromScene(canvas.graph_scene.nodes["n1"].body().center()) == canvas.viewport().mapFromGlobal(
        middle
    )


def test_wires_lead_to_their_layers_and_back(canvas: CanvasView) -> None:
    wire = named(canvas, "wire from layer0 to layer1")
    ends = {flag: part.text(NAME) for part, flag in wire.relations()}
    flags = QAccessible.RelationFlag
    assert ends == {flags.FlowsFrom: "layer0, input", flags.FlowsTo: "layer1, relu"}
    layer = named(canvas, "layer1, relu")
    assert [part.text(NAME) for part, _ in layer.relations(flags.FlowsTo)] == ["wire from layer1 to layer2"]


def test_frames_and_comments_are_parts_too(canvas: CanvasView) -> None:
    graph = canvas.document.graph
    canvas.push(frame_nodes(graph, ["n1", "n2"], "Body"), "Frame")
    edit, _ = add_note(graph, (0.0, 300.0), "why")
    canvas.push(edit, "Comment")
    assert [(c.role(), c.text(NAME), c.text(VALUE)) for c in children(canvas)[-2:]] == [
        (ROLE.Grouping, "frame Body", "2 layers"),
        (ROLE.Note, "comment", "why"),
    ]


def test_selecting_is_announced_and_answered(canvas: CanvasView, told: list[Any], qtbot: Any) -> None:
    canvas.setFocus()
    canvas.document.selection.set(["n2"])
    assert (QAccessible.Event.Selection, 2) in told
    assert (QAccessible.Event.Focus, 2) in told or not canvas.hasFocus()
    assert named(canvas, "layer2, relu").state().selected
    assert not named(canvas, "layer1, relu").state().selected
    assert access(canvas).focusChild().text(NAME) == "layer2, relu"
    told.clear()
    canvas.document.selection.set((), ["c1"])
    assert (QAccessible.Event.SelectionRemove, 2) in told
    assert (QAccessible.Event.Selection, 4) in told


def test_many_at_once_are_one_announcement(make_canvas: Any, told: list[Any]) -> None:
    canvas = make_canvas(line_of(60))
    access(canvas)
    canvas.document.selection.set(canvas.document.graph.node_ids)
    kinds = [kind for kind, _ in told if kind != QAccessible.Event.Focus]
    assert kinds == [QAccessible.Event.SelectionWithin]


def test_new_names_and_parts_are_announced(canvas: CanvasView, told: list[Any]) -> None:
    access(canvas)
    canvas.push(rename(canvas.document.graph, "n1", "first"), "Rename")
    assert (QAccessible.Event.NameChanged, 1) in told
    assert named(canvas, "first, relu").isValid()
    gone = named(canvas, "layer2, relu")
    canvas.push(delete_nodes(canvas.document.graph, ["n2"]), "Delete")
    assert (QAccessible.Event.ObjectReorder, -1) in told
    assert not gone.isValid()
    assert gone.text(NAME) == ""
    assert gone.state().invalid
    assert access(canvas).childCount() == 3 + 2


def test_actions_select_rename_and_edit(canvas: CanvasView, qtbot: Any) -> None:
    actions = named(canvas, "layer1, relu")
    assert actions.actionNames() == ["Select", "Edit parameters", "Rename"]
    actions.doAction("Select")
    assert canvas.document.selection.nodes == {"n1"}
    with qtbot.waitSignal(canvas.edit_asked):
        actions.doAction("Edit parameters")
    actions.doAction("Rename")
    assert canvas.words.field is not None
    canvas.words.leave()
    actions.doAction("Fly")


def test_what_is_out_of_view_still_says_what_is_true(make_canvas: Any) -> None:
    canvas = make_canvas(line_of(400))
    canvas.zoom_100()
    canvas.center_on("n0")
    document = canvas.document
    document.push(set_params(document.graph.node("n0"), shape=[1, 9]), "Widen")
    canvas.graph_scene.settle()
    last = named(canvas, "layer399, relu")
    assert last.text(VALUE) == "B×9"
    assert last.state().offscreen


def test_five_thousand_layers_are_walked(make_canvas: Any) -> None:
    canvas = make_canvas(line_of(5_000))
    top = access(canvas)
    assert top.childCount() == 5_000 + 4_999
    seen = set()
    for k in range(top.childCount()):
        child = top.child(k)
        seen.add(child.text(NAME))
        assert child.isValid()
        assert child.parent() is not None
    assert len(seen) == 9_999
    assert top.child(4_999).text(VALUE) == "B×8"
    assert top.child(9_999) is None
    part = top.child(0)
    for _ in range(4_999):  # along the wires, from the first layer to the last
        ((wire, _),) = part.relations(QAccessible.RelationFlag.FlowsTo)
        ((part, _),) = wire.relations(QAccessible.RelationFlag.FlowsTo)
    assert part.text(NAME) == "layer4999, relu"


def test_closed_canvases_are_forgotten_and_answer_nothing(qapp: QApplication, told: list[Any]) -> None:
    install_accessibility()
    parts = []
    for _ in range(20):
        canvas = CanvasView(Document(line_of(5)), Theme.named("light"))
        parts += children(canvas)
        QAccessible.uniqueId(parts[-1])
        canvas.document.selection.set(["n1"])
        canvas.dispose()
        canvas.deleteLater()
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        qapp.processEvents()
    gc.collect()
    assert not any(part.isValid() for part in parts)
    assert all(part.text(NAME) == "" for part in parts)
    assert not _kept


def test_nothing_but_canvases_is_changed(qapp: QApplication, qtbot: Any) -> None:
    from PySide6.QtWidgets import QPushButton

    install_accessibility()
    button = QPushButton("Train")
    qtbot.addWidget(button)
    assert QAccessible.queryAccessibleInterface(button).text(NAME) == "Train"
    assert QPointF(0, 0).isNull()


def test_no_interface_answers_casts_itself() -> None:
    """An override that gives nothing ends the process in PySide6 6.11, seen from a screen reader on the bus."""
    for made in (CanvasAccess, PartAccess, *PartAccess.__subclasses__()):
        assert "interface_cast" not in vars(made)
