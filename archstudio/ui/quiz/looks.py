"""How the pages of questions look beyond the window's own style sheet."""

from __future__ import annotations

from string import Template

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QLabel

from archstudio.ui.panels.panel import label
from archstudio.ui.theme import Theme
from archstudio.ui.theme.fonts import base_pixels
from archstudio.ui.theme.spacing import CARD_RADIUS

NARROW_PX = 1120
"""Below this width data and choices stand under each other."""

_SHEET = Template("""
QWidget#quiz, QWidget#quizBody { background: $canvas; }
QFrame#quizHead, QFrame#quizFoot { background: $surface; border: 0; }
QFrame#quizHead { border-bottom: 1px solid $border; }
QFrame#quizFoot { border-top: 1px solid $border; }
QLabel#question { font-size: ${question}px; font-weight: 700; }
QFrame[role="sheet"] { background: $surface; border: 1px solid $border; border-radius: ${card}px; }
QFrame[role="choice"] { background: $surface; border: 1px solid $border; border-radius: ${card}px; }
QFrame[role="choice"][state="focus"] { border: 2px solid $muted; }
QFrame[role="choice"][state="picked"] { border: 2px solid $accent; }
QFrame[role="choice"][state="right"] { border: 2px solid $ok; }
QFrame[role="choice"][state="wrong"] { border: 2px solid $error; }
QLabel[role="chip"] { background: $surface2; color: $muted; border: 1px solid $border; border-radius: 9px;
  padding: 1px 9px; font-size: ${small}px; }
QLabel[role="section"] { color: $muted; font-size: ${tiny}px; font-weight: 700; padding-top: 5px; }
QLabel[role="differs"] { background: $select; border-radius: 4px; padding: 2px 7px; font-weight: 600; }
QLabel[role="same"] { color: $muted; padding: 2px 7px; }
QLabel[role="setting"] { color: $muted; padding: 2px 0; font-size: ${small}px; }
QLabel[role="percent"] { font-weight: 700; }
QLabel[role="key"] { color: $muted; border: 1px solid $border; border-radius: 4px; padding: 0 6px;
  font-size: ${tiny}px; }
QFrame[role="verdict"] { border-radius: ${card}px; }
QFrame[role="verdict"][state="right"] { background: $okbg; border: 1px solid $ok; }
QFrame[role="verdict"][state="wrong"] { background: $errorbg; border: 1px solid $error; }
QFrame[role="verdict"][state="noted"] { background: $surface2; border: 1px solid $border; }
QLabel[role="verdictTitle"] { font-weight: 700; font-size: ${large}px; }
QPushButton[role="quiet"] { background: transparent; border: 1px solid transparent; color: $accent; padding: 2px 6px;
  font-size: ${small}px; }
QPushButton[role="quiet"]:hover { background: $surface2; }
QPushButton[role="quiet"]:focus { border: 2px solid $accent; padding: 1px 5px; }
QListView#ranking { background: transparent; }
QListView#ranking::item { padding: 0; }
""")


def quiz_sheet(theme: Theme) -> str:
    """The style sheet of a page of questions."""
    base = base_pixels()
    sizes = {"question": base + 7, "large": base + 2, "small": base - 1, "tiny": base - 2, "card": CARD_RADIUS}
    return _SHEET.substitute({**theme.tokens, **{k: str(v) for k, v in sizes.items()}, "okbg": _ok_ground(theme)})


def _ok_ground(theme: Theme) -> str:
    """The surface with a breath of the colour of what is right."""
    ground, ok = theme.colour("surface"), theme.colour("ok")
    channels = ((ground.redF(), ok.redF()), (ground.greenF(), ok.greenF()), (ground.blueF(), ok.blueF()))
    return QColor.fromRgbF(*(0.88 * a + 0.12 * b for a, b in channels)).name()


def badge(text: str, colour: QColor, theme: Theme) -> QLabel:
    """A letter on its colour."""
    made = label(text)
    ink = theme.text_on(colour).name()
    made.setStyleSheet(
        f"background: {colour.name()}; color: {ink}; border-radius: 5px; font-weight: 700; padding: 2px 8px;"
    )
    return made


def chip(text: str) -> QLabel:
    """A small framed word."""
    made = label(text, "chip")
    made.setFixedHeight(base_pixels() + 10)
    return made


def sheet() -> QFrame:
    """A framed part of a page."""
    made = QFrame()
    made.setProperty("role", "sheet")
    return made


def set_state(widget: QFrame, state: str) -> None:
    """Give a frame another state and let the style sheet look again."""
    if widget.property("state") != state:
        widget.setProperty("state", state)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
