"""How long the window does not answer while four runs train and the canvas is panned and edited, by a heartbeat.

A timer of the window's own event loop is due every 5 ms; what it comes late is a stall. Milliseconds of the clock.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from statistics import quantiles

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

BEAT_MS = 5
PATIENCE_SECONDS, SECONDS = 120.0, 20.0
RUNS = 4
LAYERS = 300


def main(*, as_json: bool = False) -> None:
    """Measure twice, without runs and with them, and print percentiles."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        os.environ["ARCHSTUDIO_HOME"] = home
        rows = _measure()
    if as_json:
        print(json.dumps({"rows": rows}))
        return
    print(f"{'':<22}{'beats':>8}{'50 %':>8}{'95 %':>8}{'99 %':>8}{'most':>8}   (ms late)")
    for r in rows:
        print(f"{r['what']:<22}{r['beats']:>8}{r['p50']:>8}{r['p95']:>8}{r['p99']:>8}{r['most']:>8}")


def _measure() -> list[dict[str, object]]:
    from PySide6.QtWidgets import QApplication

    from archstudio.training.engines import EngineChoice
    from archstudio.ui.start import make_window

    application = QApplication.instance() or QApplication([])
    window = make_window()
    window.resize(1600, 1000)
    window.show()
    window.view.arrange("train")
    window.application.adopt(_document())
    _live(1.0, lambda k: None)
    rows = [_beats("nothing trains", window)]
    panel = window.docks.training
    panel.desk._choice = EngineChoice(workers=RUNS)  # the engine is not started yet
    window.view.ask_confirm = lambda *question: True
    panel.form.seeds.setValue(RUNS)
    panel.form.budget.setValue(10_000_000)
    panel.start()
    until = time.monotonic() + PATIENCE_SECONDS
    while not all(row.samples for row in panel.book.rows) and time.monotonic() < until:
        _live(1.0, lambda k: None)  # importing torch four times takes a while
    rows.append(_beats(f"{RUNS} runs train", window))
    trained = [row.samples for row in panel.book.rows]
    assert max(trained, default=0) > 0, "nothing was trained meanwhile"
    panel.stop()
    for document in list(window.application.documents):
        window.application.close(document)
    window.close()
    application.processEvents()
    return rows


def _document():  # type: ignore[no-untyped-def]
    """A deep network that trains: linear layers and activations in a line."""
    from archstudio.app.document import Document
    from archstudio.graph import Connection, Graph, Node

    graph = Graph("deep")
    for k in range(LAYERS):
        kind, params = ("linear", {"inFeatures": 16, "outFeatures": 16}) if k % 2 else ("tanh", {})
        if k in (0, LAYERS - 1):
            kind, params = ("input", {"shape": [1, 16]}) if k == 0 else ("output", {})
        graph.insert_node(Node(f"n{k}", kind, f"n{k}", dict(params)))
        if k:
            graph.insert_connection(Connection(f"c{k}", f"n{k - 1}", f"n{k}"))
    return Document(graph)


def _beats(what: str, window) -> dict[str, object]:  # type: ignore[no-untyped-def]
    """Pan and edit for a while, and tell how late the heartbeat came."""
    from archstudio.edits import Move

    canvas = window.canvas
    canvas.zoom_100()
    graph = canvas.document.graph

    def act(k: int) -> None:
        canvas.camera.scroll_by(6 if k // 60 % 2 else -6, 0)
        if k % 40 == 0:
            x, y = graph.layout["n5"]
            canvas.push(Move({"n5": (x, y + 12)}), "Move")

    late = sorted(_live(SECONDS, act))
    cuts = quantiles(late, n=100)
    return {
        "what": what, "beats": len(late), "p50": round(cuts[49], 1), "p95": round(cuts[94], 1),
        "p99": round(cuts[98], 1), "most": round(late[-1], 1),
    }  # fmt: skip


def _live(seconds: float, act) -> list[float]:  # type: ignore[no-untyped-def]
    """Let the window live; returns by how many ms each beat came late. `act` is called every third beat."""
    from PySide6.QtCore import QEventLoop, Qt, QTimer

    loop, timer, late = QEventLoop(), QTimer(), []
    until, before = time.perf_counter() + seconds, time.perf_counter()
    count = 0

    def beat() -> None:
        nonlocal before, count
        now = time.perf_counter()
        late.append(max((now - before) * 1_000 - BEAT_MS, 0.0))
        count += 1
        if count % 3 == 0:
            act(count // 3)
        before = now
        if now > until:
            loop.quit()

    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(beat)
    timer.start(BEAT_MS)
    loop.exec()
    return late


if __name__ == "__main__":
    main()
