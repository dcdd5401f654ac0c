"""A theme as a QPalette, for everything the style sheet does not draw."""

from __future__ import annotations

from PySide6.QtGui import QPalette

from archstudio.ui.theme.theme import Theme

_ROLES = {
    QPalette.ColorRole.Window: "surface",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "field",
    QPalette.ColorRole.AlternateBase: "surface2",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Button: "surface2",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.ToolTipBase: "surface",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.Highlight: "select",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "hair",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Dark: "border",
    QPalette.ColorRole.Shadow: "border",
    QPalette.ColorRole.Accent: "accent",
}


def theme_palette(theme: Theme) -> QPalette:
    """The palette of a theme; disabled text is muted."""
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, theme.colour(token))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.colour("muted"))
    return palette
