"""Speed of the canvas beside NodeGraphQt's, in one run: `python benchmarks/canvas.py --peer-python PATH`.

Both get the same graphs (1.25 edges a node) in a window of 1600 × 1000 with antialiasing; each is measured in a process
of its own, in milliseconds of CPU, medians of nine. PATH is an interpreter that has NodeGraphQt 0.6.44, setuptools and
PySide6; without it the peer is measured if it can be imported here. `--stalls` watches the window's event loop instead,
while four runs train. Off-screen unless QT_QPA_PLATFORM says otherwise.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

HERE = Path(__file__).resolve().parent
OURS, PEER = "archstudio", "nodegraphqt"
SIZES = (100, 1_000, 5_000, 20_000)
PEER_MOST = 5_000
"""The peer needs minutes beyond this."""
SIZE = (1600, 1000)
COLUMNS = 50
FRAMES = 9
DELETED = 1_000
COLUMNS_PRINTED = ("build_ms", "fit_ms", "actual_ms", "drag_ms", "zoom_ms", "add_ms", "undo_ms", "rss_mb")


def graph_of(count: int) -> Any:
    """A line with a skip from every fourth node, its shapes known, its layers placed."""
    from archstudio.graph import Connection, Graph, Node

    graph, edges = Graph(f"line of {count}"), []
    for k in range(count):
        merges = k >= 4 and k % 4 == 0
        kind, params = ("add", {}) if merges else ("relu", {})
        graph.insert_node(Node(f"n{k}", "input" if k == 0 else kind, f"n{k}", {"shape": [1, 64]} if k == 0 else params))
        graph.layout[f"n{k}"] = (k % COLUMNS * 288.0, k // COLUMNS * 150.0)
        edges += [(k - 1, k)] if k else []
        edges += [(k - 4, k)] if merges else []
    for k, (a, b) in enumerate(edges):
        graph.insert_connection(Connection(f"c{k}", f"n{a}", f"n{b}"))
    return graph


def spent(act: Callable[[], object]) -> float:
    """Milliseconds of CPU that something takes."""
    start = process_time()
    act()
    return (process_time() - start) * 1_000


def middle_of(act: Callable[[], object]) -> float:
    """Median of several times, the first (which lays texts out) left out."""
    return median([spent(act) for _ in range(FRAMES + 1)][1:])


def measure(count: int) -> dict[str, object]:
    """One row of ours: the same steps as `canvas_peer.py` takes."""
    import psutil
    from PySide6.QtCore import QPointF
    from PySide6.QtWidgets import QApplication

    from archstudio.app.document import Document
    from archstudio.edits.compose import delete_nodes, new_node
    from archstudio.edits.primitives import AddNode
    from archstudio.ui.canvas import CanvasView
    from archstudio.ui.theme import Theme, apply_theme

    application = QApplication.instance() or QApplication([])
    theme = Theme.named("light")
    apply_theme(theme)
    graph, made = graph_of(count), []

    def build() -> None:
        canvas = CanvasView(Document(graph), theme)
        canvas.resize(*SIZE)
        canvas.show()
        application.processEvents()
        made.append(canvas)

    row: dict[str, object] = {"impl": OURS, "nodes": count, "build_ms": spent(build)}
    canvas = made[0]
    document, viewport = canvas.document, canvas.viewport()
    canvas.fit()
    application.processEvents()
    row["fit_ms"] = middle_of(viewport.repaint)
    middle = QPointF(viewport.rect().center())
    row["zoom_ms"] = middle_of(lambda: (canvas.camera.notches(1, middle), viewport.repaint()))
    canvas.zoom_100()
    canvas.center_on(f"n{count // 2}")
    application.processEvents()
    row["actual_ms"] = middle_of(viewport.repaint)
    row["drag_ms"] = _dragging(canvas, f"n{count // 2}")

    def add() -> None:
        document.push(AddNode(new_node(document.graph, "relu"), position=(0.0, 0.0)), "Add")
        canvas.graph_scene.settle()
        viewport.repaint()

    row["add_ms"] = middle_of(add)
    document.push(delete_nodes(graph, list(graph.node_ids)[1 : min(DELETED, count // 2) + 1]), "Delete")
    canvas.graph_scene.sync()
    application.processEvents()
    row["undo_ms"] = spent(lambda: (document.undo(), canvas.graph_scene.settle(), viewport.repaint()))
    row["rss_mb"] = psutil.Process().memory_info().rss / 2**20
    canvas.dispose()
    return {key: round(v, 2) if isinstance(v, float) else v for key, v in row.items()}


def _dragging(canvas: Any, node: str) -> float:
    """Median time of one move of the pointer with a node held, drawn."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    viewport = canvas.viewport()
    start = canvas.mapFromScene(canvas.graph_scene.nodes[node].body().center())
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    times = []
    for k in range(1, FRAMES + 2):

        def move(k: int = k) -> None:
            QTest.mouseMove(viewport, start + QPoint(6 * k, 4 * k))
            viewport.repaint()

        times.append(spent(move))
    canvas.cancel_gesture()
    return median(times[1:])


def row_of(impl: str, count: int, peer_python: str | None) -> dict[str, Any]:
    """One row, measured in a process of its own."""
    if impl == OURS:
        command = [sys.executable, str(HERE / "canvas.py"), "--row", "--nodes", str(count)]
    else:
        command = [peer_python or sys.executable, str(HERE / "canvas_peer.py"), str(count)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(answer.strip().splitlines()[-1])
    return found


def print_table(rows: list[dict[str, Any]]) -> None:
    """One line a row, milliseconds of CPU."""
    print(f"{'':<20}{'nodes':>8}" + "".join(f"{c.removesuffix('_ms'):>10}" for c in COLUMNS_PRINTED))
    for r in rows:
        print(f"{r['impl']:<20}{r['nodes']:>8,}" + "".join(f"{r[c]:>10,.1f}" for c in COLUMNS_PRINTED))


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, help="only this size")
    parser.add_argument("--only", choices=(OURS, PEER), help="only this canvas")
    parser.add_argument("--peer-python", help="an interpreter that has NodeGraphQt")
    parser.add_argument("--json", action="store_true", help="figures only")
    parser.add_argument(
        "--stalls", action="store_true", help="how long the window does not answer while four runs train"
    )
    parser.add_argument("--row", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.row:
        print(json.dumps(measure(asked.nodes)))
        return
    if asked.stalls:
        from canvas_stalls import main as stalls  # the benchmark beside this one

        stalls(as_json=asked.json)
        return
    has_peer = bool(asked.peer_python) or importlib.util.find_spec("NodeGraphQt") is not None
    impls = [asked.only] if asked.only else [OURS, *([PEER] if has_peer else [])]
    sizes = [asked.nodes] if asked.nodes else SIZES
    rows = [
        row_of(impl, count, asked.peer_python)
        for count in sizes
        for impl in impls
        if impl == OURS or asked.nodes or count <= PEER_MOST
    ]
    if asked.json:
        print(json.dumps({"rows": rows}))
        return
    print_table(rows)
    if not has_peer:
        print("NodeGraphQt is not here: give --peer-python an interpreter that has it to see both.")


if __name__ == "__main__":
    main()
