"""Opens the window on a task, or restores what was left, makes edits, says so, and waits to be killed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from archstudio.edits import set_params
from archstudio.ui.start import make_window


def main(how: str, count: int, folder: Path) -> None:
    """`open` starts on a task, `tabs` on an untitled graph, a task and a file; `restore` takes over what was left.

    Then `count` edits more are made.
    """
    qt = QApplication([])
    window = make_window()
    window.show()
    if how == "open":
        window.open_task("deepen-resnet")
    elif how == "tabs":
        window.open_task("deepen-resnet")
        window.application.save(window.application.current, folder / "kept.arch.json")
        window.application.close(window.application.current)
        window.application.new_document()
        window.open_task("deepen-resnet")
        window.open_file(folder / "kept.arch.json")
    else:
        found, _ = window.application.unsaved_work()
        window.safekeeping.settle(found, "restore")
    document = window.application.current
    assert document is not None
    for _ in range(count):
        conv = document.graph.named("conv1")
        document.push(set_params(conv, outChannels=conv.params["outChannels"] + 1), "Wider")
    QTimer.singleShot(100, lambda: print("ready", flush=True))  # several turns of the flushing timer later
    qt.exec()


main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
