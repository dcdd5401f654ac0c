"""Takes the pictures of the window that the documentation shows: `python docs/take_pictures.py`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
TASK = "deepen-resnet"
SIZE_PX, SMALL_PX = (1600, 1000), (1100, 700)
PATIENCE_SECONDS = 180.0
LONG_ENOUGH_SAMPLES = 8_192


def main() -> None:
    """Take each picture in a process of its own: the scale of a screen is fixed when Qt starts."""
    IMAGES.mkdir(exist_ok=True)
    for name, scale in (("window-light", "1"), ("window-dark", "1"), ("window-200", "2")):
        with tempfile.TemporaryDirectory() as home:
            surroundings = {"ARCHSTUDIO_HOME": home, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
            subprocess.run([sys.executable, __file__, name], env={**os.environ, **surroundings}, check=True)
        picture = IMAGES / f"{name}.png"
        print(f"{picture} {picture.stat().st_size // 1024} KiB")


def take(name: str) -> None:
    """Take one picture: a problem with its fixes, or (dark) the mended graph with its training curves."""
    from PySide6.QtWidgets import QApplication

    from archstudio.ui.start import make_window

    qt = QApplication([])
    window = make_window()
    window.set_theme("dark" if name == "window-dark" else "light")
    window.resize(*(SMALL_PX if name == "window-200" else SIZE_PX))
    window.show()
    window.view.arrange("train" if name == "window-dark" else "design")
    window.open_task(TASK)
    document = window.application.current
    assert document is not None
    if name == "window-dark":
        _mend_and_train(window, document)
    _select(document, "conv1")
    assert window.canvas is not None
    window.canvas.setFocus()
    _live(lambda: False, 3.0)
    window.canvas.fit()
    window.grab().save(str(IMAGES / f"{name}.png"), "PNG", 0)
    for opened in list(window.application.documents):
        window.application.close(opened)
    window.close()
    qt.processEvents()


def _mend_and_train(window, document) -> None:  # type: ignore[no-untyped-def]
    from archstudio.design.fixes import fixes_for

    fix = fixes_for(document.graph, document.verdict.errors[0], document.verdict)[0]
    document.push(fix.edit, fix.label)
    panel = window.docks.training
    window.view.show_dock("training")
    panel.form.budget.setValue(LONG_ENOUGH_SAMPLES)
    for rate, seeds in ((0.001, 3), (0.004, 3)):
        panel.form.lr.setValue(rate)
        panel.form.seeds.setValue(seeds)
        panel.start()
    _live(lambda: all(row.state == "finished" for row in panel.book.rows), PATIENCE_SECONDS)
    panel.table.clearSelection()


def _select(document, layer: str) -> None:  # type: ignore[no-untyped-def]
    document.selection.set([document.graph.named(layer).id])


def _live(done: Callable[[], bool], seconds: float) -> None:
    """Let the window live until `done`, or so many seconds."""
    from PySide6.QtWidgets import QApplication

    until = time.monotonic() + seconds
    while not done() and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        take(sys.argv[1])
    else:
        main()
