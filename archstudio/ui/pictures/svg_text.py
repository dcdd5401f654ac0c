"""Makes the words of an SVG look alike everywhere: fitted to their room in a named font, or turned into outlines."""

from __future__ import annotations

import re
from html import escape, unescape

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QPainterPath

_TEXT = re.compile(
    r'<text (?P<fill>fill="[^"]*" fill-opacity="[^"]*") stroke="none" xml:space="preserve" '
    r'x="(?P<x>[-\d.e+]+)" y="(?P<y>[-\d.e+]+)" font-family="(?P<family>[^"]*)" font-size="(?P<size>[\d.]+)" '
    r'font-weight="(?P<weight>\d+)" font-style="(?P<style>\w+)"\s*>(?P<words>[^<]*)</text>'
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def fitted(svg: str) -> str:
    """Each text with the width it has here, so that a viewer without the font squeezes it into the same room."""
    return _TEXT.sub(_fit, _NOT_XML.sub("", svg))


def outlined(svg: str) -> str:
    """Each text as the outline of its letters: no font is needed any more, and it can no longer be searched."""
    return _TEXT.sub(_outline, _NOT_XML.sub("", svg))


def _fit(found: re.Match[str]) -> str:
    font = _font(found)
    family = escape(QFontInfo(font).family())  # what the system's alias ("monospace") stands for here
    others = "Menlo, Consolas, monospace" if _is_mono(font) else "Helvetica, Arial, sans-serif"
    width = QFontMetricsF(font).horizontalAdvance(unescape(found["words"]))
    length = f' textLength="{width:.2f}" lengthAdjust="spacingAndGlyphs"' if found["words"].strip() else ""
    return (
        f'<text {found["fill"]} stroke="none" xml:space="preserve" x="{found["x"]}" y="{found["y"]}"{length} '
        f'font-family="{family}, {others}" font-size="{found["size"]}" font-weight="{found["weight"]}" '
        f'font-style="{found["style"]}">{found["words"]}</text>'
    )


def _outline(found: re.Match[str]) -> str:
    path = QPainterPath()
    path.addText(QPointF(float(found["x"]), float(found["y"])), _font(found), unescape(found["words"]))
    return f'<path {found["fill"]} fill-rule="nonzero" stroke="none" d="{_drawn(path)}"/>'


def _drawn(path: QPainterPath) -> str:
    """The path in SVG's own letters; a cubic comes as three elements."""
    parts = []
    kinds = QPainterPath.ElementType
    for k in range(path.elementCount()):
        at = path.elementAt(k)
        letter = {kinds.MoveToElement: "M", kinds.LineToElement: "L", kinds.CurveToElement: "C"}.get(at.type, "")
        parts.append(f"{letter}{at.x:.2f} {at.y:.2f}")
    return " ".join(parts)


def _font(found: re.Match[str]) -> QFont:
    font = QFont(unescape(found["family"]))
    font.setPixelSize(max(round(float(found["size"])), 1))
    font.setWeight(QFont.Weight.Bold if int(found["weight"]) >= 600 else QFont.Weight.Normal)
    font.setItalic(found["style"] != "normal")
    return font


def _is_mono(font: QFont) -> bool:
    metrics = QFontMetricsF(font)
    return metrics.horizontalAdvance("i") == metrics.horizontalAdvance("W")
