"""Which theme to use when the person lets the system decide."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette

from archstudio.app.view import ThemeChoice
from archstudio.ui.theme.theme import Theme, ThemeName


def resolve_theme(choice: ThemeChoice) -> Theme:
    """The theme that a choice means now. Ask again when `QStyleHints.colorSchemeChanged` fires."""
    return Theme.named(_system_name() if choice == "system" else choice)


def _system_name() -> ThemeName:
    hints = QGuiApplication.styleHints()
    scheme = hints.colorScheme()
    if scheme == Qt.ColorScheme.Unknown:
        palette = _untouched_palette()
        dark = palette.windowText().color().lightness() > palette.window().color().lightness()
        return "dark" if dark else "light"
    return "dark" if scheme == Qt.ColorScheme.Dark else "light"


def _untouched_palette() -> QPalette:
    """The platform's palette, not the one a theme has set on the application."""
    app = QGuiApplication.instance()
    style = getattr(app, "style", None)
    return style().standardPalette() if style is not None else QPalette()
