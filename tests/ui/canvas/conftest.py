"""A canvas on a small network, and a hand that presses, drags and types on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from archstudio.app.document import Document
from archstudio.graph import Connection, Graph, Node, to_document
from archstudio.study.visibility import EVERYTHING, Visibility
from archstudio.ui.canvas import CanvasView
from archstudio.ui.theme import Theme

NONE = Qt.KeyboardModifier.NoModifier


def network(*layers: tuple[str, str, dict[str, Any]], wires: str = "") -> Graph:
    """Nodes named by their first field (the name is the id), and wires like `a>b b>c`."""
    graph = Graph("test")
    for k, (name, kind, params) in enumerate(layers):
        graph.insert_node(Node(name, kind, name, params))
        graph.layout[name] = (k * 288.0, 0.0)
    for k, wire in enumerate(wires.split()):
        source, target = wire.split(">")
        graph.insert_connection(Connection(f"c{k}", source, target))
    return graph


def cnn() -> Graph:
    """input → conv1 → act1 → head → output, where the linear head gets images and is refused."""
    return network(
        ("input", "input", {"shape": [1, 3, 32, 32]}),
        ("conv1", "conv2d", {"inChannels": 3, "outChannels": 16, "kernelSize": 3}),
        ("act1", "relu", {}),
        ("head", "linear", {"inFeatures": 16, "outFeatures": 10}),
        ("output", "output", {}),
        wires="input>conv1 conv1>act1 act1>head head>output",
    )


class Hand:
    """Moves the pointer over a canvas, in scene coordinates."""

    def __init__(self, canvas: CanvasView) -> None:
        self.canvas = canvas
        self.viewport = canvas.viewport()

    def at(self, scene: tuple[float, float] | QPointF) -> QPoint:
        """The viewport point of a scene point."""
        return self.canvas.mapFromScene(scene if isinstance(scene, QPointF) else QPointF(*scene))

    def press(self, scene: Any, modifiers: Qt.KeyboardModifier = NONE, button: Any = Qt.MouseButton.LeftButton) -> None:
        QTest.mousePress(self.viewport, button, modifiers, self.at(scene))

    def move(self, scene: Any) -> None:
        QTest.mouseMove(self.viewport, self.at(scene))

    def release(
        self, scene: Any, modifiers: Qt.KeyboardModifier = NONE, button: Any = Qt.MouseButton.LeftButton
    ) -> None:
        QTest.mouseRelease(self.viewport, button, modifiers, self.at(scene))

    def click(self, scene: Any, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self.press(scene, modifiers)
        self.release(scene, modifiers)

    def hold(self, start: Any, end: Any, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press and drag without letting go."""
        a = start if isinstance(start, QPointF) else QPointF(*start)
        b = end if isinstance(end, QPointF) else QPointF(*end)
        self.press(a, modifiers)
        for k in (1, 2, 3, 4):
            self.move(a + (b - a) * (k / 4))

    def drag(self, start: Any, end: Any, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press, drag and let go."""
        self.hold(start, end, modifiers)
        self.release(end, modifiers)

    def double_click(self, scene: Any) -> None:
        QTest.mouseDClick(self.viewport, Qt.MouseButton.LeftButton, NONE, self.at(scene))

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.canvas, key, modifiers)

    def middle(self, node_id: str) -> QPointF:
        """The middle of a node, away from its ports."""
        return self.canvas.graph_scene.nodes[node_id].body().center()

    def wires(self) -> list[str]:
        """The connections by name, in file order."""
        graph = self.canvas.document.graph
        return [f"{graph.node(c.source).name} -> {graph.node(c.target).name}" for c in graph.connections]

    @property
    def steps(self) -> list[str]:
        """Names of the steps in the history."""
        return self.canvas.document.history.labels

    def picture(self) -> dict[str, Any]:
        """Everything about the graph that a file holds."""
        return to_document(self.canvas.document.graph)


MakeHand = Callable[..., Hand]


@pytest.fixture
def make_hand(qtbot: Any) -> Iterator[MakeHand]:
    """Opens a canvas on a graph at 100 %, and closes it after the test."""
    made: list[CanvasView] = []

    def make(graph: Graph | None = None, visibility: Visibility = EVERYTHING, zoom: float = 0.8) -> Hand:
        document = Document(cnn() if graph is None else graph, visibility=visibility)
        canvas = CanvasView(document, Theme.named("light"))
        qtbot.addWidget(canvas)
        canvas.resize(1_400, 700)
        canvas.show()
        canvas.fit()
        canvas.zoom_100()
        canvas.camera.zoom_to(zoom)
        canvas.set_snap(False)
        made.append(canvas)
        return Hand(canvas)

    yield make
    for canvas in made:
        canvas.dispose()


@pytest.fixture
def hand(make_hand: MakeHand) -> Hand:
    """A hand over the small network."""
    return make_hand()


@pytest.fixture
def residual() -> Graph:
    """Two branches of which one reaches the sum: input → a → sum → output and input → b."""
    graph = network(
        ("input", "input", {"shape": [1, 8]}),
        ("a", "relu", {}),
        ("b", "tanh", {}),
        ("sum", "add", {}),
        ("output", "output", {}),
        wires="input>a a>sum input>b sum>output",
    )
    graph.layout["b"] = (288.0, 140.0)
    graph.layout["sum"] = (576.0, 0.0)
    graph.layout["output"] = (864.0, 0.0)
    return graph


@pytest.fixture
def deep() -> Graph:
    """An input of width 64 and 300 linear layers in a line, l0 … l299."""
    layers: list[tuple[str, str, dict[str, Any]]] = [("input", "input", {"shape": [1, 64]})]
    layers += [(f"l{k}", "linear", {"inFeatures": 64, "outFeatures": 64}) for k in range(300)]
    return network(*layers, wires=" ".join(["input>l0", *(f"l{k}>l{k + 1}" for k in range(299))]))
