"""How well a colour reads on another, as WCAG 2 measures it."""

from __future__ import annotations

from PySide6.QtGui import QColor


def luminance(colour: QColor) -> float:
    """Relative luminance, 0 (black) to 1 (white).    [WCAG 2.2, definition of relative luminance]"""
    red, green, blue = (_linear(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def contrast(a: QColor, b: QColor) -> float:
    """Contrast ratio from 1 (same) to 21 (black on white).    [WCAG 2.2, definition of contrast ratio]"""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(a: QColor, b: QColor, share: float) -> QColor:
    """A colour between two: 0 gives the first, 1 the second."""
    parts = zip((a.red(), a.green(), a.blue()), (b.red(), b.green(), b.blue()), strict=True)
    return QColor(*(round(x + (y - x) * share) for x, y in parts))
