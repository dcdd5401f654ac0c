"""Takes the pictures of questions that the documentation shows: `python docs/take_quiz_pictures.py PACK LIGHT DARK`.

PACK is a pack of questions, LIGHT and DARK the numbers of the questions shown open and answered.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
SIZE_PX = (1600, 1000)
PATIENCE_SECONDS = 300.0


def main(pack_file: Path, light: int, dark: int) -> None:
    """Show a question, and another with its answer and an own setting beside the choices."""
    from PySide6.QtWidgets import QApplication

    from archstudio.app.quiz.packs import open_pack
    from archstudio.ui.start import make_window

    qt = QApplication([])
    window = make_window()
    window.resize(*SIZE_PX)
    window.set_theme("light")
    window.show()
    host = window.view.questions
    host.desk.show_session(host.desk.shelf.begin(open_pack(pack_file), protocol="practice", seed=None))
    page = host.desk.page
    assert page is not None
    page.go_to(light)
    page.board.pick("B")  # type: ignore[union-attr]
    page.foot.edit.setPlainText("Few steps: the smaller net with the higher rate gets further.")
    _live(lambda: False, 1.0)
    window.grab().save(str(IMAGES / "quiz-light.png"), "PNG", 0)
    window.set_theme("dark")
    page.go_to(dark)
    page.board.pick("A")  # type: ignore[union-attr]
    page.answer()
    own = page._own
    own.toggle.setChecked(True)  # type: ignore[union-attr]
    own.start()  # type: ignore[union-attr]
    _live(lambda: host.desk.bench.active is None, PATIENCE_SECONDS)
    own.toggle.setChecked(False)  # type: ignore[union-attr]
    _live(lambda: False, 1.0)
    page._scroll.verticalScrollBar().setValue(0)
    _live(lambda: False, 0.3)
    window.grab().save(str(IMAGES / "quiz-reveal-dark.png"), "PNG", 0)
    window.close()
    qt.processEvents()


def _live(done: Callable[[], bool], seconds: float) -> None:
    """Let the window live until `done`, or so many seconds."""
    from PySide6.QtWidgets import QApplication

    until = time.monotonic() + seconds
    while not done() and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCHSTUDIO_HOME"] = home
        main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
