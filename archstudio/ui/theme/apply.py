"""Dresses the whole application in a theme."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from archstudio.ui.theme.palette import theme_palette
from archstudio.ui.theme.style_sheet import style_sheet
from archstudio.ui.theme.theme import Theme


def apply_theme(theme: Theme, app: QApplication | None = None) -> None:
    """Set style, palette and style sheet; widgets that paint by themselves need their `set_theme` as well."""
    app = app or QApplication.instance()  # type: ignore[assignment]
    if app is None:
        raise RuntimeError("A theme can only be applied to a running QApplication.")
    if app.style().objectName().lower() != "fusion":
        app.setStyle("Fusion")
    app.setPalette(theme_palette(theme))
    app.setStyleSheet(style_sheet(theme))
