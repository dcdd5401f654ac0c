"""Dresses the whole application in a theme."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from archstudio.ui.theme.palette import theme_palette
from archstudio.ui.theme.style_sheet import style_sheet
from archstudio.ui.theme.theme import Theme


def apply_theme(theme: Theme, app: QApplication | None = None) -> None:
    """Set style, palette and style sheet; widgets that paint by themselves need their `set_theme` as well.

    What is set already stays as it is: setting a style sheet dresses every widget anew, and takes most of a second.
    """
    app = app or QApplication.instance()  # type: ignore[assignment]
    if app is None:
        raise RuntimeError("A theme can only be applied to a running QApplication.")
    sheet = style_sheet(theme)
    if app.styleSheet() == sheet:
        return
    if not app.styleSheet() and app.style().objectName().lower() != "fusion":  # a style sheet hides the name
        app.setStyle("Fusion")
    app.setPalette(theme_palette(theme))
    app.setStyleSheet(sheet)
