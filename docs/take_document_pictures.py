"""Takes the pictures of comparisons and the figure that `canvas.md` shows: `python docs/take_document_pictures.py`."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """A network before and after a few edits, and the figure of the network as a paper would show it."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCHSTUDIO_HOME"] = home
        take()


def take() -> None:
    """Draw both and keep them."""
    from PySide6.QtWidgets import QApplication

    from archstudio.app.adding import added_by_selection
    from archstudio.app.application import task_document
    from archstudio.app.comparing import compare
    from archstudio.edits import set_params
    from archstudio.edits.compose import delete_nodes
    from archstudio.study.visibility import EVERYTHING
    from archstudio.ui.compare.window import CompareWindow
    from archstudio.ui.pictures.write import save_picture
    from archstudio.ui.theme import Theme, apply_theme

    qt = QApplication([])
    theme = Theme.named("dark")
    apply_theme(theme)
    document = task_document("deepen-resnet")
    save_picture(document, IMAGES / "figure.svg")
    document.push(set_params(document.graph.named("conv1"), outChannels=32), "Wider")
    document.selection.set([document.graph.named("act1").id])
    for kind in ("conv2d", "relu"):
        edit, made = added_by_selection(document, kind, None)
        document.push(edit, f"Add {kind}")
        document.selection.set([made])
    document.push(delete_nodes(document.graph, [document.graph.named("act1").id]), "Delete act1")
    comparison = compare(("at the start", document.start), ("now", document.graph))
    window = CompareWindow(None, comparison, theme, EVERYTHING)  # type: ignore[arg-type]
    window.resize(1400, 760)
    window.show()
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        qt.processEvents()
    window.grab().save(str(IMAGES / "compare-dark.png"), "PNG", 0)
    window.close()


if __name__ == "__main__":
    main()
