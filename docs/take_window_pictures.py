"""Takes the pictures of the window's states that `canvas.md` shows: `python docs/take_window_pictures.py [NAME…]`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archstudio.ui.window import MainWindow

IMAGES = Path(__file__).parent / "images"
LONG = "a_name_that_somebody_made_far_too_long_because_nothing_stopped_them_from_doing_so"


@dataclass(frozen=True)
class State:
    """One picture: the theme, the scale of the screen, the size of the window in its own pixels, the language."""

    theme: str
    scale: int = 1
    size: tuple[int, int] = (1440, 900)
    language: str = "en"


STATES = {
    "state-welcome": State("light"),
    "state-empty": State("dark"),
    "state-crowded": State("light"),
    "state-long-names": State("dark"),
    "state-problem": State("high-contrast"),
    "state-split": State("dark"),
    "state-german": State("light", language="de"),
    "state-narrow": State("light", size=(1000, 640)),
    "state-300": State("dark", 3, (1000, 640)),
}


def main(names: list[str]) -> None:
    """Take each in a process of its own: the scale of a screen is fixed when Qt starts."""
    IMAGES.mkdir(exist_ok=True)
    for name in names or STATES:
        with tempfile.TemporaryDirectory() as home:
            scale = str(STATES[name].scale)
            own = {"ARCHSTUDIO_HOME": home, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
            subprocess.run([sys.executable, __file__, "--take", name], env={**os.environ, **own}, check=True)


def take(name: str) -> None:
    """Bring a window into the state and keep its picture."""
    from PySide6.QtWidgets import QApplication

    from archstudio.app.application import Application
    from archstudio.ui.language import LANGUAGE
    from archstudio.ui.start import make_window

    qt, state = QApplication([]), STATES[name]
    application = Application()
    application.settings.update({LANGUAGE: state.language})
    window = make_window(application)
    window.set_theme(state.theme)  # type: ignore[arg-type]
    window.apply_theme()
    window.resize(*state.size)
    window.show()
    wait(qt, 0.4)
    bring(window, name)
    wait(qt, 1.5)
    window.grab().save(str(IMAGES / f"{name}.png"), "PNG", 0)
    os._exit(0)  # the picture is all there is to keep; the graphs are not saved


def bring(window: MainWindow, name: str) -> None:
    """What is open and selected in the picture."""
    from dataclasses import replace

    from archstudio.app.commands import run_command
    from archstudio.edits import Batch, ChangeNode

    if name == "state-welcome":
        return
    if name == "state-empty":
        run_command("file.new", window.context)
    elif name == "state-crowded":
        window.open_network("resnet-50")
    elif name == "state-split":
        window.open_network("lenet-5")
        run_command("view.split", window.context)
        window.open_task("deepen-resnet")
    else:
        window.open_task("deepen-resnet")
        document = window.application.current
        assert document is not None
        if name == "state-long-names":
            longer = [replace(n, name=f"{LONG}_{k}") for k, n in enumerate(document.graph.nodes)]
            document.push(Batch(tuple(ChangeNode(n) for n in longer), "Rename"), "Rename")
        document.selection.set([document.graph.node_ids[-2]])


def wait(qt: QApplication, seconds: float) -> None:  # type: ignore[name-defined]  # noqa: F821
    """Let the window do what it does a little later."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        qt.processEvents()


if __name__ == "__main__":
    take(sys.argv[2]) if sys.argv[1:2] == ["--take"] else main(sys.argv[1:])
