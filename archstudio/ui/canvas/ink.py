"""Pens, brushes and fonts of the canvas, made once a theme and zoom; painting takes them as they are."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainterPath, QPen, QStaticText

from archstudio.files.printable import printable
from archstudio.layers import Severity
from archstudio.ui.theme import Theme
from archstudio.ui.theme.contrast import mixed
from archstudio.ui.theme.family_marks import stripe_parts
from archstudio.ui.theme.fonts import mono_font, ui_font

TEXT_KEPT = 20_000
"""How many laid-out texts are kept for reuse before all are dropped."""

_BLOCK_TINT = 0.5
_LONGEST = 300
"""No node shows more letters than this."""


class Level(IntEnum):
    """How much of the graph is drawn, by zoom."""

    OVERVIEW = 0
    BLOCKS = 1
    TITLES = 2
    FULL = 3


_FROM_ZOOM = ((0.7, Level.FULL), (0.45, Level.TITLES), (0.15, Level.BLOCKS))
WIDE_PEN_FROM = 1.25
"""Zoom from which wires are drawn wider than one device pixel: below, wide curves cost seven times as much."""


def level_at(zoom: float) -> Level:
    """The level of detail at a zoom factor (1 = 100 %)."""
    return next((level for least, level in _FROM_ZOOM if zoom >= least), Level.OVERVIEW)


class Ink:
    """What the items of one canvas paint with. `level` and the wire pens follow the zoom."""

    def __init__(self, theme: Theme) -> None:
        self.level = Level.FULL
        self.tells_wires = True
        """Whether wires show the shapes they carry."""
        self._texts: dict[tuple[str, int, int], QStaticText] = {}
        self._widths: dict[tuple[str, int], float] = {}
        self._hues: dict[str, QBrush] = {}
        self._blocks: dict[str, QBrush] = {}
        self._stripes: dict[tuple[str, float], list[QRectF]] = {}
        self._density = 1.0
        self.zoom = 1.0
        self._use(theme)
        self._make_fonts()
        self.set_zoom(1.0)

    def set_theme(self, theme: Theme) -> None:
        """Change all colours."""
        self._use(theme)
        self.set_zoom(self.zoom)

    def _use(self, theme: Theme) -> None:
        self.theme = theme
        c = theme.colour
        self._hues.clear()
        self._blocks.clear()
        self.node = QBrush(c("node"))
        self.canvas = QBrush(c("canvas"))
        self.border = QPen(c("nodeborder"), 1)
        self.border_hover = QPen(c("muted"), 1)
        self.border_selected = QPen(c("accent"), 2)
        self.border_bypassed = QPen(c("muted"), 1.2, Qt.PenStyle.DashLine)
        self.hair = QPen(c("hair"), 1)
        self.port = QPen(c("port"), 1.5)
        self.port_lit = QPen(c("accent"), 2)
        self.port_refused = QPen(c("error"), 2)
        self.port_faulty = QPen(c("error"), 2)
        self.text, self.muted, self.shape = QPen(c("text")), QPen(c("muted")), QPen(c("shape"))
        self.accent, self.error = QPen(c("accent")), QPen(c("error"))
        self.accent_fill, self.error_fill, self.error_pale = (
            QBrush(c("accent")), QBrush(c("error")), QBrush(c("errorbg")),
        )  # fmt: skip
        self.grid = QBrush(c("grid"))
        self.heat = QBrush(theme.family("merge"))
        self.guide = QPen(c("accent"), 1, Qt.PenStyle.DashLine)
        self.guide.setCosmetic(True)
        self.band = QPen(c("accent"), 1)
        self.band.setCosmetic(True)
        tint = c("accent")
        tint.setAlpha(36)
        self.band_fill = QBrush(tint)
        self.cut = QPen(c("error"), 1.5, Qt.PenStyle.DashLine)
        self.cut.setCosmetic(True)
        self.none = QPen(Qt.PenStyle.NoPen)
        self.no_fill = QBrush(Qt.BrushStyle.NoBrush)
        self.badges = {s: self._badge(s) for s in Severity}

    def _badge(self, severity: Severity) -> tuple[QBrush, QPen]:
        token = {Severity.ERROR: "error", Severity.MISTAKE: "warn", Severity.ADVICE: "muted"}[severity]
        ground = self.theme.colour(token)
        return QBrush(ground), QPen(self.theme.text_on(ground))

    def _make_fonts(self) -> None:
        self.name_font = ui_font(13, bold=True)
        self.type_font = ui_font(11)
        self.label_font = ui_font(11.5)
        self.label_italic = ui_font(11.5, italic=True)
        self.shape_font = mono_font(11)
        self.shape_italic = mono_font(11, italic=True)
        self.wire_font = mono_font(10.5)
        self.small_font = ui_font(10.5)
        self.badge_font = ui_font(12, bold=True)
        fonts = (self.name_font, self.type_font, self.label_font, self.label_italic, self.shape_font,
                 self.shape_italic, self.wire_font, self.small_font, self.badge_font)  # fmt: skip
        self._font_index = {id(font): k for k, font in enumerate(fonts)}
        self._metrics = {id(font): QFontMetricsF(font) for font in fonts}

    def set_zoom(self, zoom: float) -> None:
        """Choose level and pen widths for a zoom factor."""
        self.zoom = zoom
        self.level = level_at(zoom)
        width = 1.0 if zoom < WIDE_PEN_FROM else 1.5
        if self.level >= Level.TITLES:
            width *= self._density  # a cosmetic pen is as wide on the finest screen: a hair
        c = self.theme.colour
        self.wire = _cosmetic(c("wire"), width)
        self.wire_unknown = _cosmetic(c("muted"), width)
        self.wire_faulty = _cosmetic(c("error"), width + 0.5 if zoom >= 0.7 else width)
        self.wire_selected = _cosmetic(c("accent"), width + 1 if zoom >= 0.45 else width)
        self.wire_path = _cosmetic(c("shape"), width + 1 if zoom >= 0.45 else width)
        self.wire_hover = _cosmetic(c("text"), width + 0.5 if zoom >= 0.45 else width)
        self.wire_drawn = _cosmetic(c("accent"), 2)
        self.wire_refused = _cosmetic(c("error"), 2)

    def set_density(self, pixels: float) -> None:
        """Say how many device pixels a unit of the window has (2 at 200 %): lines look alike on all screens."""
        if pixels != self._density:
            self._density = pixels
            self.set_zoom(self.zoom)

    def hue(self, family: str) -> QBrush:
        """The brush of a layer family."""
        found = self._hues.get(family)
        if found is None:
            found = self._hues[family] = QBrush(self.theme.family(family))
        return found

    def own_hue(self, colour: str | None, family: str) -> QBrush:
        """The brush of a node that may have a colour of its own (a family's name or a CSS colour)."""
        if colour is None:
            return self.hue(family)
        if colour in self.theme.hues:
            return self.hue(colour)
        own = QColor(colour)
        return QBrush(own) if own.isValid() else self.hue(family)

    def block(self, hue: QBrush) -> QBrush:
        """The brush of a node that is drawn as a block: between the node's colour and its hue, to be seen from afar."""
        name = hue.color().name()
        found = self._blocks.get(name)
        if found is None:
            found = self._blocks[name] = QBrush(mixed(self.theme.colour("node"), hue.color(), _BLOCK_TINT))
        return found

    def stripe(self, family: str, height: float) -> list[QRectF]:
        """The pieces of a family's stripe at the left of a node of this height; shared by equal nodes."""
        key = (family, height)
        found = self._stripes.get(key)
        if found is None:
            found = self._stripes[key] = stripe_parts(QRectF(3, 9, 4, height - 18), family)
        return found

    def static_text(self, text: str, font: QFont, room: float) -> QStaticText:
        """A text laid out for painting in one line, cut with … to the room there is; equal texts are shared."""
        text = one_line(text)
        key = (text, self._font_index[id(font)], round(room))
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) > TEXT_KEPT:
                self._texts.clear()
            found = QStaticText(self._metrics[id(font)].elidedText(text, Qt.TextElideMode.ElideRight, room))
            found.setTextFormat(Qt.TextFormat.PlainText)
            found.prepare(font=font)
            self._texts[key] = found
        return found

    def text_width(self, text: str, font: QFont) -> float:
        """Width of a text in one line, in canvas units."""
        text = one_line(text)
        key = (text, self._font_index[id(font)])
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) > TEXT_KEPT:
                self._widths.clear()
            found = self._widths[key] = float(self._metrics[id(font)].horizontalAdvance(text))
        return found

    def ascent(self, font: QFont) -> float:
        """Height of a font above its baseline."""
        return float(self._metrics[id(font)].ascent())

    @cached_property
    def lock(self) -> QPainterPath:
        """A small padlock, from its own top-left corner."""
        path = QPainterPath()
        path.addRoundedRect(QRectF(0, 4, 9, 7), 1.5, 1.5)
        path.moveTo(QPointF(2, 4))
        path.arcTo(QRectF(2, 0.5, 5, 7), 180, -180)
        return path


def one_line(text: str) -> str:
    """A text as it can be painted: names from files may be novels, too."""
    return printable(text[:_LONGEST])


def _cosmetic(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen
