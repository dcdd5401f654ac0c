"""Takes the pictures of the canvas that `canvas.md` shows: `python docs/take_canvas_pictures.py`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
PICTURES = {"canvas-frames": "1", "canvas-heat": "1", "canvas-high-contrast": "2"}
"""Each picture with the scale of its screen."""


def main() -> None:
    """Take each in a process of its own: the scale of a screen is fixed when Qt starts."""
    IMAGES.mkdir(exist_ok=True)
    for name, scale in PICTURES.items():
        with tempfile.TemporaryDirectory() as home:
            surroundings = {"ARCHSTUDIO_HOME": home, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
            subprocess.run([sys.executable, __file__, name], env={**os.environ, **surroundings}, check=True)


def take(name: str) -> None:
    """Draw one canvas and keep its picture."""
    from PySide6.QtWidgets import QApplication

    from archstudio.app.marking import add_note
    from archstudio.app.zoo import zoo_document
    from archstudio.ui.canvas import CanvasView
    from archstudio.ui.theme import Theme, apply_theme

    qt = QApplication([])
    theme = Theme.named({"canvas-heat": "dark", "canvas-high-contrast": "high-contrast"}.get(name, "light"))  # type: ignore[arg-type]
    apply_theme(theme)
    canvas = CanvasView(zoo_document("resnet-18"), theme)
    canvas.resize(*((700, 420) if name == "canvas-high-contrast" else (1200, 640)))
    canvas.set_path(True)
    canvas.show()
    graph = canvas.document.graph
    ids = list(graph.node_ids)
    if name == "canvas-heat":
        canvas.heat.set_kind("macs")
    x, y = graph.layout[ids[6]]
    edit, _ = add_note(graph, (x, y - 190), "Two convolutions and a way round them: the block adds what it changes.")
    canvas.push(edit, "Comment")
    canvas.document.selection.set([ids[6]])
    canvas.camera.zoom_to(0.8)
    canvas.center_on(ids[6])
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        qt.processEvents()
    canvas.grab().save(str(IMAGES / f"{name}.png"), "PNG", 0)
    canvas.dispose()


if __name__ == "__main__":
    take(sys.argv[1]) if len(sys.argv) > 1 else main()
