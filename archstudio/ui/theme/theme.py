"""A theme as data: colours by token name, hues by layer family, made once from the bundled tokens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from PySide6.QtGui import QColor

from archstudio.files.data import data_path
from archstudio.ui.theme.contrast import contrast

ThemeName: TypeAlias = Literal["light", "dark", "high-contrast"]

THEME_NAMES: tuple[ThemeName, ...] = ("light", "dark", "high-contrast")
"""The themes that ship with the program."""


@dataclass(frozen=True)
class Theme:
    """Colours of one theme. Look colours up when something is made or restyled, never while painting."""

    name: ThemeName
    tokens: Mapping[str, str]
    hues: Mapping[str, str]

    @staticmethod
    def named(name: ThemeName) -> Theme:
        """The theme of this name; KeyError if there is none."""
        return _themes()[name]

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than the surface it stands on."""
        return self.colour("text").lightness() > self.colour("surface").lightness()

    def colour(self, token: str) -> QColor:
        """The colour of a token (`accent`, `text`, `node`, …); KeyError for an unknown one."""
        return QColor(self.tokens[token])

    def family(self, family: str) -> QColor:
        """The hue of a layer family; layers of no known family get that of `io`."""
        return QColor(self.hues.get(family, self.hues["io"]))

    def text_on(self, background: QColor) -> QColor:
        """White or near-black, whichever reads better on this background."""
        white, black = QColor("#ffffff"), QColor("#10141a")
        return white if contrast(white, background) >= contrast(black, background) else black


@cache
def _themes() -> dict[ThemeName, Theme]:
    data = json.loads(data_path("resources", "themes", "tokens.json").read_text(encoding="utf-8"))
    return {name: Theme(name, data["themes"][name], data["families"][name]) for name in THEME_NAMES}
