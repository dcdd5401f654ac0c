"""The same work on NodeGraphQt's canvas, for `canvas.py`, which starts this with an interpreter that has NodeGraphQt.

It imports nothing of Arch Studio. Usage: `python canvas_peer.py NODES`; prints one JSON row.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from NodeGraphQt import BaseNode, NodeGraph  # type: ignore[import-not-found]
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

SIZE = (1600, 1000)
COLUMNS = 50
FRAMES = 9
DELETED = 1_000


class Layer(BaseNode):  # type: ignore[misc]
    """A node with one input for many wires, and one output."""

    __identifier__ = "bench"
    NODE_NAME = "layer"

    def __init__(self) -> None:
        super().__init__()
        self.add_input("in", multi_input=True)
        self.add_output("out", multi_output=True)


def edges_of(count: int) -> list[tuple[int, int]]:
    """A line with a skip from every fourth node: 1.25 edges a node."""
    return [*((k, k + 1) for k in range(count - 1)), *((k, k + 4) for k in range(0, count - 4, 4))]


def spent(act: Callable[[], object]) -> float:
    """Milliseconds of CPU that something takes."""
    start = process_time()
    act()
    return (process_time() - start) * 1_000


def middle_of(act: Callable[[], object]) -> float:
    """Median of several times, the first left out."""
    return median([spent(act) for _ in range(FRAMES + 1)][1:])


def resident_mb() -> float:
    """Memory of this process, in MB (Linux; elsewhere the most it had)."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1])
    application = QApplication.instance() or QApplication([])
    graph = NodeGraph()
    graph.register_node(Layer)
    nodes: list[Layer] = []

    def build() -> None:
        for k in range(count):
            place = [k % COLUMNS * 288, k // COLUMNS * 150]
            nodes.append(graph.create_node("bench.Layer", name=f"n{k}", pos=place, push_undo=False))
        for a, b in edges_of(count):
            nodes[a].output(0).connect_to(nodes[b].input(0), push_undo=False)
        graph.widget.resize(*SIZE)
        graph.widget.show()
        application.processEvents()

    row: dict[str, object] = {"impl": "NodeGraphQt 0.6.44", "nodes": count, "build_ms": spent(build)}
    view = graph.viewer()
    for node in nodes:
        node.set_selected(True)
    graph.fit_to_selection()
    graph.clear_selection()
    application.processEvents()
    row["fit_ms"] = middle_of(view.viewport().repaint)
    row["zoom_ms"] = middle_of(lambda: wheel(view))
    view.resetTransform()
    view.centerOn(nodes[count // 2].view)
    application.processEvents()
    row["actual_ms"] = middle_of(view.viewport().repaint)
    row["drag_ms"] = dragging(view, nodes[count // 2])
    row["add_ms"] = middle_of(lambda: add(graph, view))
    gone = nodes[: min(DELETED, count // 2)]
    graph.delete_nodes(gone)
    application.processEvents()
    row["undo_ms"] = spent(lambda: (graph.undo_stack().undo(), view.viewport().repaint()))
    row["rss_mb"] = resident_mb()
    print(json.dumps({key: round(v, 2) if isinstance(v, float) else v for key, v in row.items()}))
    sys.stdout.flush()
    os._exit(0)  # taking its window down is not measured


def wheel(view) -> None:  # type: ignore[no-untyped-def]
    """One notch of the wheel in the middle of the view, drawn."""
    middle = QPointF(view.viewport().rect().center())
    event = QWheelEvent(
        middle, view.viewport().mapToGlobal(middle), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.viewport(), event)
    view.viewport().repaint()


def dragging(view, node) -> float:  # type: ignore[no-untyped-def]
    """Median time of one move of the pointer with a node held, drawn."""
    start = view.mapFromScene(node.view.sceneBoundingRect().center())
    viewport = view.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    times = []
    for k in range(1, FRAMES + 2):

        def move(k: int = k) -> None:
            QTest.mouseMove(viewport, start + QPoint(6 * k, 4 * k))
            viewport.repaint()

        times.append(spent(move))
    QTest.mouseRelease(
        viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + QPoint(6 * FRAMES, 4 * FRAMES)
    )
    return median(times[1:])


def add(graph, view) -> None:  # type: ignore[no-untyped-def]
    """One more node, drawn."""
    graph.create_node("bench.Layer", pos=[0, 0])
    view.viewport().repaint()


if __name__ == "__main__":
    main()
