"""The fonts of the window: the system's own for words, a fixed-width one for shapes and code."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication


def ui_font(pixels: float, *, bold: bool = False, italic: bool = False) -> QFont:
    """The system's user interface font at a size in pixels."""
    font = QFont(QGuiApplication.font().family())
    font.setPixelSize(round(pixels))
    font.setBold(bold)
    font.setItalic(italic)
    return font


def mono_font(pixels: float, *, italic: bool = False) -> QFont:
    """The system's fixed-width font at a size in pixels."""
    font = QFont(mono_family())
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(round(pixels))
    font.setItalic(italic)
    return font


def mono_family() -> str:
    """Family name of the system's fixed-width font."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def base_pixels() -> int:
    """Size of the system's user interface font in pixels; everything in the window is relative to it."""
    return max(QFontInfo(QGuiApplication.font()).pixelSize(), 12)
