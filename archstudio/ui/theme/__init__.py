"""Colours, fonts, icons and the one style sheet of the window."""

from archstudio.ui.theme.apply import apply_theme
from archstudio.ui.theme.icons import ICONS, icon
from archstudio.ui.theme.system import resolve_theme
from archstudio.ui.theme.theme import Theme

__all__ = ["ICONS", "Theme", "apply_theme", "icon", "resolve_theme"]
