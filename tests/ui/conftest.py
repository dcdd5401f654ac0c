"""Qt tests draw into memory, with no window on a screen, and leave nothing running behind."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture
def window(qtbot, own_home: Path) -> Iterator[object]:
    """The window, shown, in its light theme; closed without questions at the end."""
    from archstudio.ui.start import make_window

    before = set(threading.enumerate())
    made = make_window()
    made.set_theme("light")
    made.show()
    qtbot.waitExposed(made)
    yield made
    for document in list(made.application.documents):
        made.application.close(document)
    made.close()
    made.deleteLater()
    qtbot.wait(1)
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    assert left == [], "the window left threads behind"
