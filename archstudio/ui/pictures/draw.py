"""Draws pictures for the command line, with no window and no display."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from archstudio.app.storage import open_document
from archstudio.ui.pictures.render import PictureOptions
from archstudio.ui.pictures.write import save_picture


def draw_pictures(file: Path, out: Sequence[Path], scale: float, words: Literal["font", "outlines"]) -> int:
    """Draw a graph into each of the files; returns the exit code. UnusableFile, GraphError, SaveFailed say why not."""
    qt = QGuiApplication.instance() or QApplication(sys.argv[:1])
    document = open_document(file)
    for note in document.repairs:
        sys.stderr.write(f"archstudio: {file.name}: repaired: {note}\n")
    for path in out:
        save_picture(document, path, PictureOptions(scale, words))
        sys.stdout.write(f"{path}: {path.stat().st_size:,} bytes\n")
    del qt
    return 0
