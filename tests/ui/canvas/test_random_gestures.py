"""Whatever a hand does on the canvas: undone to the start, the file is the same bytes, and nothing is left running."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from archstudio.app.application import Application
from archstudio.app.commands import Context, all_commands, run_command
from archstudio.graph import Graph, to_document, write_graph
from archstudio.layers.catalogue import FAMILIES

SHIFT, ALT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
ROOMS = ("edit.", "graph.")
MOST_NODES = 60


class Desk:
    """Answers what commands ask of a window, by this canvas and by chance."""

    def __init__(self, canvas: Any, random: Random) -> None:
        self.canvas, self.random = canvas, random
        self.text = ""

    def clipboard_text(self) -> str:
        return self.text

    def set_clipboard_text(self, text: str) -> None:
        self.text = text

    def pointer(self) -> Any:
        return None

    def place_to_add(self) -> Any:
        return self.canvas.place_to_add()

    def choose_type(self, name: str) -> str:
        return self.random.choice(("relu", "linear", "conv2d", "lstm", "add", "multiHeadAttention"))

    def choose_colour(self, colours: Any) -> str | None:
        return self.random.choice((*FAMILIES, "", None))

    def choose_layer(self, among: list[str], wire_from: str) -> str | None:
        return self.random.choice([*among, None])

    def choose_port(self, ports: Any, layer: str) -> str | None:
        return self.random.choice([*ports, None])

    def layout_width(self) -> float:
        return 1000.0

    def lay_out_apart(self, chosen: Any) -> bool:
        return False

    def rename_selected(self) -> None:
        self.canvas.begin_rename()

    def rename_frame(self) -> None:
        self.canvas.begin_titling()

    def search_from(self, *, output: bool) -> None:
        self.canvas.search_from(output=output)

    def search_to_add(self) -> None:
        self.canvas.begin_search()

    def gradients(self) -> dict[str, float]:
        return {}

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *args, **kwargs: None


class Monkey:
    """One random thing at a time: gestures by the pointer, keys, words, and every command of editing."""

    def __init__(self, hand: Any, seed: int) -> None:
        self.hand, self.random = hand, Random(seed)
        self.canvas = hand.canvas
        application = Application()
        application.adopt(self.canvas.document)
        self.context = Context(application, Desk(self.canvas, self.random))  # type: ignore[arg-type]
        self.ids = [row.id for row in all_commands() if row.id.startswith(ROOMS) and "template" not in row.id.lower()]

    def act(self) -> None:
        """Do something, then close what it opened."""
        acts = (self._drag, self._drag, self._drag, self._command, self._command, self._click, self._key, self._double)
        self.random.choice(acts)()
        self._words()
        if len(self.canvas.document.graph) > MOST_NODES:
            graph = self.canvas.document.graph
            self.canvas.document.selection.set(list(graph.node_ids)[10:])
            run_command("edit.delete", self.context)

    def _place(self) -> QPointF:
        """A port, the middle of a node, a wire, a comment, or anywhere in view."""
        scene, random = self.canvas.graph_scene, self.random
        scene.settle()
        nodes, wires = list(scene.nodes.values()), list(scene.wires.values())
        notes = list(scene.decorations.notes.values())
        choice = random.random()
        if nodes and choice < 0.3:
            node = random.choice(nodes)
            output = random.random() < 0.5
            return node.port_position(random.randrange(4), output=output)
        if nodes and choice < 0.6:
            return random.choice(nodes).body().center()
        if wires and choice < 0.75:
            start, end = random.choice(wires).ends()
            return start + (end - start) * random.random()
        if notes and choice < 0.8:
            return random.choice(notes).box.bottomRight() - QPointF(3, 3)
        seen = self.canvas.camera.seen()
        return QPointF(seen.left() + random.random() * seen.width(), seen.top() + random.random() * seen.height())

    def _drag(self) -> None:
        start, end = self._place(), self._place()
        keys = self.random.choice((NONE, NONE, NONE, SHIFT, ALT))
        self.hand.hold(start, end, keys)
        if self.random.random() < 0.25:
            self._traceless(lambda: self.hand.key(Qt.Key.Key_Escape))
        self.hand.release(end, keys)

    def _traceless(self, cancel: Callable[[], None]) -> None:
        """Cancelling leaves no trace in the document."""
        before = len(self.hand.steps)
        cancel()
        assert len(self.hand.steps) == before

    def _click(self) -> None:
        self.hand.click(self._place(), self.random.choice((NONE, SHIFT)))

    def _double(self) -> None:
        self.hand.double_click(self._place())

    def _key(self) -> None:
        keys = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Escape, Qt.Key.Key_Space)
        self.hand.key(self.random.choice(keys), self.random.choice((NONE, SHIFT)))

    def _command(self) -> None:
        run_command(self.random.choice(self.ids), self.context)

    def _words(self) -> None:
        """Type something into what was opened, and take it or leave it."""
        end = self.random.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape))
        popup, field = self.canvas.popup, self.canvas.words.field
        if popup is not None:
            QTest.keyClicks(popup.field, self.random.choice(("", "relu", "lin", "no such", "add")))
            QTest.keyClick(popup.field, end)
            if self.canvas.popup is not None:
                self.canvas.popup.close_popup()
        if field is not None:
            words = self.random.choice(("", "name", "head", "⊕ \u202e"))
            (field.setText if isinstance(field, QLineEdit) else field.setPlainText)(words)
            QTest.keyClick(field, end, Qt.KeyboardModifier.ControlModifier if end == Qt.Key.Key_Return else NONE)
            self.canvas.words.leave()

    def close(self) -> None:
        self.context.application.close(self.canvas.document)


def assert_drawn(hand: Any) -> None:
    """The items are the graph."""
    scene, graph = hand.canvas.graph_scene, hand.canvas.document.graph
    scene.sync()
    assert set(scene.nodes) == set(graph.node_ids)
    assert set(scene.wires) == set(graph.connection_ids)
    assert set(scene.decorations.frames) == set(graph.frames)
    assert set(scene.decorations.notes) == set(graph.notes)
    decorated = len(graph.frames) + len(graph.notes)
    assert len(scene.items()) == len(graph) + len(graph.connection_ids) + decorated


def without_places(graph: Graph) -> dict[str, Any]:
    """The file without places: a layer that nobody placed gets one from the canvas, which is no edit."""
    return {key: value for key, value in to_document(graph).items() if key != "layout"}


def play(make_hand: Any, seed: int, steps: int) -> None:
    hand = make_hand()
    hand.canvas.set_motion(True)
    hand.canvas.set_path(True)
    monkey = Monkey(hand, seed)
    graph, document = hand.canvas.document.graph, hand.canvas.document
    start = write_graph(graph)
    for k in range(steps):
        monkey.act()
        if k % 50 == 0:
            QApplication.processEvents()
            assert_drawn(hand)
    end, undone = without_places(graph), 0
    while document.history.can_undo:
        document.undo()
        undone += 1
    assert write_graph(graph).decode() == start.decode()
    assert_drawn(hand)
    while document.history.can_redo:
        document.redo()
    assert without_places(graph) == end
    assert_drawn(hand)
    assert undone > steps / 20, "the hand did next to nothing"
    monkey.close()


def end_canvas(hand: Any) -> None:
    canvas = hand.canvas
    canvas.dispose()
    assert not [timer for timer in canvas.findChildren(QTimer) if timer.isActive()]
    assert canvas.glide.state() == canvas.glide.State.Stopped


@pytest.fixture
def nothing_left(qapp: QApplication, qtlog: Any, own_home: Any) -> Any:
    """No Qt warning, no thread, no widget and no timer is left behind."""
    threads, widgets = threading.active_count(), set(qapp.topLevelWidgets())
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()
    gc.collect()
    assert threading.active_count() <= threads
    left = [w for w in qapp.topLevelWidgets() if w not in widgets and w.isVisible()]
    assert len(left) <= 1, left  # the canvas itself, which its own fixture closes
    told = [r.message for r in qtlog.records if "propagateSizeHints" not in r.message]
    assert told == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_hundred_random_gestures_are_undone_to_the_same_bytes(make_hand: Any, nothing_left: Any, seed: int) -> None:
    made: list[Any] = []

    def make(*args: Any) -> Any:
        made.append(make_hand(*args))
        return made[-1]

    play(make, seed, 120)
    end_canvas(made[0])


@pytest.mark.long
def test_ten_thousand_random_gestures_are_undone_to_the_same_bytes(make_hand: Any, nothing_left: Any) -> None:
    for seed in range(10, 20):
        made: list[Any] = []

        def make(*args: Any, kept: list[Any] = made) -> Any:
            kept.append(make_hand(*args))
            return kept[-1]

        play(make, seed, 1_000)
        end_canvas(made[0])
