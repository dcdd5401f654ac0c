"""How long an edit keeps the window busy, and how long a file takes to open: `python benchmarks/window.py [LAYERS]`.

The window is drawn into memory. Times are of this process's CPU, so that other work on the machine counts little.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from archstudio.app.adding import add_to_selection
from archstudio.edits import set_params
from archstudio.graph import Connection, Graph, Node, write_graph
from archstudio.ui.start import make_window

SETTLE_SECONDS = 0.5


def chain(layers: int) -> Graph:
    """input → relu → linear → relu → … → output, all of width 64."""
    graph = Graph("chain")
    for k in range(layers):
        kind, params = ("linear", {"inFeatures": 64, "outFeatures": 64}) if k % 2 else ("relu", {})
        if k in (0, layers - 1):
            kind, params = ("input", {"shape": [1, 64]}) if k == 0 else ("output", {})
        graph.insert_node(Node(f"n{k}", kind, f"{kind}{k}", dict(params)))
        if k:
            graph.insert_connection(Connection(f"c{k}", f"n{k - 1}", f"n{k}"))
    return graph


def measure(what: str, act: Callable[[], object]) -> None:
    """Act, and print the time until the window is drawn again, and what was put off until editing pauses."""
    start = time.process_time()
    act()
    for _ in range(3):
        QApplication.processEvents()
    drawn = time.process_time()
    until = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.005)
    late = time.process_time()
    print(f"{what:44s} {1000 * (drawn - start):7.1f} ms, later {1000 * (late - drawn):6.1f} ms")


def main(layers: int) -> None:
    """Open a chain and edit it in its middle, at its end, and all over."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCHSTUDIO_HOME"] = home
        file = Path(home) / "chain.arch.json"
        file.write_bytes(write_graph(chain(layers)))
        QApplication([])
        window = make_window()
        window.resize(1600, 1000)
        window.show()
        measure(f"open {layers:,} layers", lambda: window.open_file(file))
        document = window.application.current
        assert document is not None
        graph = document.graph
        middle, last = (next(n.id for n in list(graph.nodes)[k:] if n.type == "linear") for k in (layers // 2, -4))

        def widen(node: str, to: int) -> Callable[[], None]:
            return lambda: document.push(set_params(graph.node(node), outFeatures=to), "Widen")

        measure("break the middle: half the layers wait", widen(middle, 65))
        measure("mend it: half the layers have shapes again", widen(middle, 64))
        measure("change a layer near the end", widen(last, 65))
        document.undo()
        document.selection.set([middle])
        measure("add a layer", lambda: add_to_selection(document, "relu"))
        measure("select everything", lambda: document.selection.set(graph.node_ids, graph.connection_ids))
        window.application.close(document)
        window.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
