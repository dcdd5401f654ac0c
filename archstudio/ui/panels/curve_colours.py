"""The colours of runs, told apart also by people who see few colours; apart from pyqtgraph, which loads late."""

from __future__ import annotations

from PySide6.QtGui import QColor

from archstudio.ui.theme import Theme

LIGHT = ("#0072b2", "#c04a00", "#007a58", "#a94f83", "#7a5bb0", "#806600", "#0f6f7e", "#b03a5b")
DARK = ("#4aa3df", "#f08a4b", "#2fc79b", "#e09ac1", "#a98fdc", "#f2b640", "#45a9ba", "#dd6f8d")
"""Okabe and Ito's palette (jfly.uni-koeln.de/color), shifted until each reads as text on its theme's surface."""


def run_colour(place: int, theme: Theme) -> QColor:
    """The colour of the run at a place; colours repeat after eight, then dashes differ."""
    colours = DARK if theme.is_dark else LIGHT
    return QColor(colours[place % len(colours)])
