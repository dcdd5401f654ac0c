"""Small line icons, drawn for this program, in the colour of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from archstudio.files.data import data_path
from archstudio.ui.theme.spacing import ICON_SIZE
from archstudio.ui.theme.theme import Theme

ICONS = (
    *("add", "search", "fit", "layout", "undo", "redo", "play", "pause", "stop"),
    *("check", "cross", "warning", "close", "chevron", "chevron-up", "tick", "tick-dark", "tab-close"),
)
"""Names of the icons under `resources/icons`; each is 16 × 16 and drawn in `currentColor`."""

_SCALES = (1, 2, 3)


def icon(name: str, theme: Theme, token: str = "text") -> QIcon:
    """An icon in the colour of a token, sharp at 100, 200 and 300 %; MissingData if there is no such icon."""
    made = QIcon()
    for scale in _SCALES:
        made.addPixmap(_pixmap(name, theme.tokens[token], scale))
    return made


@lru_cache(maxsize=256)
def _pixmap(name: str, colour: str, scale: int) -> QPixmap:
    source = data_path("resources", "icons", f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
    image = QImage(ICON_SIZE * scale, ICON_SIZE * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, ICON_SIZE * scale, ICON_SIZE * scale))
    painter.end()
    pixmap = QPixmap.fromImage(image)
    pixmap.setDevicePixelRatio(scale)
    return pixmap


def icon_file(name: str) -> str:
    """Path of an icon for a style sheet, with forward slashes."""
    return str(data_path("resources", "icons", f"{name}.svg")).replace("\\", "/")
