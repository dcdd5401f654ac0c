"""Draws a formula as mathematics: fractions with bars, exponents raised, lines broken before a sign."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from archstudio.app.quiz.mathematics import Fenced, Line, Math, Over, Raised, Symbol, plain
from archstudio.ui.theme import Theme

_SMALLER = 0.72
_LEAST_PX = 9.0
_BAR_GAP = 3.0
_LINE_GAP = 8.0
_BREAK_BEFORE = (" + ", " − ")


@dataclass
class _Box:
    """A piece with its size around the baseline: text, a rule, or other boxes at places."""

    width: float
    up: float
    down: float
    text: str = ""
    font: QFont | None = None
    inside: list[tuple[_Box, float, float]] = field(default_factory=list)
    rules: list[tuple[float, float, float, float]] = field(default_factory=list)

    def draw(self, painter: QPainter, x: float, baseline: float) -> None:
        """Draw with the left end of the baseline at a point."""
        if self.font is not None:
            painter.setFont(self.font)
            painter.drawText(QPointF(x, baseline), self.text)
        for x0, y0, x1, y1 in self.rules:
            painter.drawLine(QPointF(x + x0, baseline + y0), QPointF(x + x1, baseline + y1))
        for box, right, below in self.inside:
            box.draw(painter, x + right, baseline + below)


class FormulaView(QWidget):
    """One formula, as wide as there is room and as high as it needs. Its text is its accessible name."""

    def __init__(self, formula: Math, theme: Theme, pixels: float = 17.0, before: str = "") -> None:
        super().__init__()
        self._math = Line((Symbol(before), formula)) if before else formula
        self._pixels = pixels
        self._ink = theme.colour("text")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumWidth(120)
        self.setAccessibleName(plain(self._math))
        self._lines: list[_Box] = []
        self._broken_at = -1

    def hasHeightForWidth(self) -> bool:
        """A narrow formula takes more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines."""
        lines = _broken(self._math, self._pixels, float(width))
        return round(sum(line.up + line.down + _LINE_GAP for line in lines))

    def sizeHint(self) -> QSize:
        """As wide as a plot; the layout asks for the height."""
        return QSize(420, self.heightForWidth(max(self.width(), 240)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height that the width needs."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.setFixedHeight(self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines under each other."""
        if self._broken_at != self.width():
            self._lines, self._broken_at = _broken(self._math, self._pixels, float(self.width())), self.width()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._ink, 1.1))
            y = 0.0
            for line in self._lines:
                line.draw(painter, 0.0, y + line.up + _LINE_GAP / 2)
                y += line.up + line.down + _LINE_GAP


def _broken(math: Math, pixels: float, width: float) -> list[_Box]:
    """Return the lines of a formula: broken before + and − where it is wider than there is room."""
    lines: list[list[_Box]] = [[]]
    used = 0.0
    for group in _groups(_flat(math)):
        boxes = [_box(part, pixels) for part in group]
        needed = sum(box.width for box in boxes)
        if lines[-1] and used + needed > width:
            lines.append([])
            used = 0.0
        lines[-1] += boxes
        used += needed
    return [_row(line) for line in lines]


def _flat(math: Math) -> list[Math]:
    if isinstance(math, Line):
        return [inner for part in math.parts for inner in _flat(part)]
    return [math]


def _groups(parts: list[Math]) -> list[list[Math]]:
    groups: list[list[Math]] = [[]]
    for part in parts:
        if isinstance(part, Symbol) and part.text.startswith(_BREAK_BEFORE):
            groups.append([])
        groups[-1].append(part)
    return [group for group in groups if group]


def _font(pixels: float, slanted: bool) -> QFont:
    font = QFont("Times New Roman")
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setFamilies(["STIX Two Text", "Latin Modern Roman", "DejaVu Serif", "Times New Roman"])
    font.setPixelSize(max(1, round(pixels)))
    font.setItalic(slanted)
    return font


def _text(text: str, pixels: float, slanted: bool = False) -> _Box:
    font = _font(pixels, slanted)
    metrics = QFontMetricsF(font)
    return _Box(metrics.horizontalAdvance(text), metrics.ascent() * 0.86, metrics.descent(), text, font)


def _box(math: Math, pixels: float) -> _Box:
    match math:
        case Symbol(text=text, slanted=slanted, low=low):
            base = _text(text, pixels, slanted)
            return base if not low else _lowered(base, _text(low, pixels * _SMALLER))
        case Line(parts=parts):
            return _row([_box(part, pixels) for part in parts])
        case Over():
            return _fraction(math, pixels)
        case Raised(base=inner, exponent=exponent):
            return _raised(_box(inner, pixels), _text(exponent, pixels * _SMALLER))
        case Fenced(inner=inner, left=left, right=right):
            return _fenced(_box(inner, pixels), left, right, pixels)


def _row(boxes: list[_Box]) -> _Box:
    x, placed = 0.0, []
    for box in boxes:
        placed.append((box, x, 0.0))
        x += box.width
    up, down = max((box.up for box in boxes), default=0.0), max((box.down for box in boxes), default=0.0)
    return _Box(x, up, down, inside=placed)


def _lowered(base: _Box, low: _Box) -> _Box:
    drop = base.down * 0.9
    placed = [(base, 0.0, 0.0), (low, base.width, drop)]
    return _Box(base.width + low.width + 1, base.up, max(base.down, drop + low.down), inside=placed)


def _raised(base: _Box, exponent: _Box) -> _Box:
    lift = max(base.up - exponent.up * 0.45, exponent.up * 0.9)
    placed = [(base, 0.0, 0.0), (exponent, base.width + 1, -lift)]
    return _Box(base.width + exponent.width + 2, max(base.up, lift + exponent.up), base.down, inside=placed)


def _fraction(math: Over, pixels: float) -> _Box:
    inner = max(_LEAST_PX, pixels * 0.88)
    top, bottom = _box(math.top, inner), _box(math.bottom, inner)
    axis = pixels * 0.28
    width = max(top.width, bottom.width) + 10
    second = 3.0 if math.guarded else 0.0
    rise, fall = axis + _BAR_GAP + top.down, -axis + second + _BAR_GAP + bottom.up
    placed = [(top, (width - top.width) / 2, -rise), (bottom, (width - bottom.width) / 2, fall)]
    bars = [(1.0, -axis, width - 1, -axis)]
    if math.guarded:
        bars.append((1.0, -axis + second, width - 1, -axis + second))
    return _Box(width + 2, rise + top.up, fall + bottom.down, inside=placed, rules=bars)


def _fenced(inner: _Box, left: str, right: str, pixels: float) -> _Box:
    high = inner.up + inner.down
    if left == "|":
        reach = [(3.0, -inner.up, 3.0, inner.down), (inner.width + 7, -inner.up, inner.width + 7, inner.down)]
        return _Box(inner.width + 10, inner.up + 1, inner.down + 1, inside=[(inner, 5.0, 0.0)], rules=reach)
    size = max(pixels, high * 0.92)
    open_, close = _text(left, size), _text(right, size)
    middle = (inner.down - inner.up) / 2 + size * 0.27
    placed = [(open_, 0.0, middle), (inner, open_.width, 0.0), (close, open_.width + inner.width, middle)]
    width = open_.width + inner.width + close.width
    up, down = max(inner.up, open_.up - middle - size * 0.1), max(inner.down, open_.down + middle - size * 0.05)
    return _Box(width, up, down, inside=placed)
