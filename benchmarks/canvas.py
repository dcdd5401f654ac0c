"""Frame times of the canvas at 5,000 nodes: panning, zooming, dragging a node, one edit. `--json` prints figures only.

Drawn into memory by the software renderer, as a window without a graphics card is.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from statistics import median, quantiles
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from layout import tangled  # the benchmark beside this one
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from archstudio.app.document import Document
from archstudio.edits import set_params
from archstudio.graph import Graph, Node
from archstudio.ui.canvas import CanvasView
from archstudio.ui.theme import Theme, apply_theme

FRAMES = 40
SIZE = (1_280, 800)


def graph_of(count: int) -> Graph:
    """A network with branches whose shapes are all known, so that every text is drawn."""
    graph = tangled(count)
    graph.replace_node(Node("n0", "input", "n0", {"shape": [1, 64]}))
    for k in range(1, count):
        wires = graph.incoming(f"n{k}")
        kind = "add" if len(wires) > 1 else ("relu", "gelu", "layerNorm")[k % 3]
        graph.replace_node(Node(f"n{k}", kind, f"n{k}", {"normalizedShape": 64} if kind == "layerNorm" else {}))
    return graph


def frames(canvas: CanvasView, step: Callable[[int], None]) -> list[float]:
    """Milliseconds of each step with the painting it causes, the first (which lays texts out) left out."""
    times = []
    for k in range(FRAMES + 1):
        start = perf_counter()
        step(k)
        canvas.viewport().repaint()
        QApplication.processEvents()
        times.append((perf_counter() - start) * 1_000)
    return times[1:]


def pan(canvas: CanvasView, zoom: float) -> list[float]:
    """Scrolling by 12 px a frame."""
    canvas.camera.zoom_to(zoom)
    return frames(canvas, lambda k: canvas.camera.scroll_by(12, 4 if k % 2 else -4))


def zooming(canvas: CanvasView) -> list[float]:
    """From far to near and back, a notch a frame."""
    canvas.camera.zoom_to(0.05)
    middle = QPointF(canvas.viewport().rect().center())
    return frames(canvas, lambda k: canvas.camera.notches(1 if k <= FRAMES / 2 else -1, middle))


def drag(canvas: CanvasView) -> list[float]:
    """One node in view, dragged by the pointer."""
    canvas.camera.zoom_to(0.5)
    canvas.center_on("n2500" if "n2500" in canvas.graph_scene.nodes else "n1")
    QApplication.processEvents()
    viewport = canvas.viewport()
    start = viewport.rect().center()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    times = []
    for k in range(FRAMES):
        begun = perf_counter()
        place = start + (QPointF(3 * k, 2 * k)).toPoint()
        QTest.mouseMove(viewport, place)
        QApplication.processEvents()
        times.append((perf_counter() - begun) * 1_000)
    canvas.cancel_gesture()
    return times


def edits(canvas: CanvasView) -> list[float]:
    """One parameter in the middle of the graph changed, verified and drawn."""
    document = canvas.document
    name = next(n.id for n in document.graph.nodes if n.type == "layerNorm" and int(n.id[1:]) > len(document.graph) / 2)

    def change(k: int) -> None:
        document.push(set_params(document.graph.node(name), eps=1e-5 * (k + 1)), "Change", "bench")

    return frames(canvas, change)


def row(what: str, times: list[float]) -> dict[str, object]:
    """Median, 95th percentile and worst, in ms."""
    return {
        "what": what,
        "median_ms": round(median(times), 2),
        "p95_ms": round(quantiles(times, n=20)[-1], 2),
        "most_ms": round(max(times), 2),
        "frames": len(times),
    }


def measure(count: int) -> list[dict[str, object]]:
    """All figures for a graph of this size."""
    application = QApplication.instance() or QApplication([])
    theme = Theme.named("light")
    apply_theme(theme)
    begun = perf_counter()
    canvas = CanvasView(Document(graph_of(count)), theme)
    canvas.resize(*SIZE)
    canvas.show()
    application.processEvents()
    rows = [row(f"open {count:,} nodes", [(perf_counter() - begun) * 1_000] * 2)]
    rows += [row(f"pan at {zoom:.0%}", pan(canvas, zoom)) for zoom in (0.05, 0.2, 0.5, 1.0)]
    rows += [row("zoom 5 % to 190 %", zooming(canvas)), row("drag a node at 50 %", drag(canvas))]
    rows.append(row("one edit", edits(canvas)))
    canvas.dispose()
    return rows


def main() -> None:
    """Print one line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--nodes", type=int, default=5_000)
    arguments = parser.parse_args()
    rows = measure(arguments.nodes)
    if arguments.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'':<24}{'median':>10}{'95 %':>10}{'most':>10}   (ms)")
    for r in rows:
        print(f"{r['what']:<24}{r['median_ms']:>10}{r['p95_ms']:>10}{r['most_ms']:>10}")


if __name__ == "__main__":
    main()
