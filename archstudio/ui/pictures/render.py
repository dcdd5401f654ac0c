"""Draws a sheet as SVG, PDF or PNG bytes with the graph inside, or onto a printer's page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgGenerator

from archstudio.files.embedded import ATTACHMENT, with_text_png, with_text_svg
from archstudio.ui.pictures.sheet import Sheet
from archstudio.ui.pictures.svg_text import fitted, outlined

UNITS_PER_INCH = 96
POINTS_PER_UNIT = 72 / UNITS_PER_INCH
MOST_POINTS = 14_400.0
"""The largest side of a page that readers of PDF promise to show [ISO 32000-1, annex C]."""
MOST_PIXELS = 64_000_000
CROWDED_PIXELS = 16_000_000
"""A thicket of very many wires has no more to show on more pixels, and each wire costs by its length in pixels."""
MOST_SIDE_PX = 32_000
_LARGE_PIXELS, _QUICKLY = 16_000_000, 80
"""Pictures of more pixels are compressed as zlib does at its quickest: a third of the time for a tenth more bytes."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """`scale` is pixels of a PNG per canvas unit; `words` says how an SVG holds its text."""

    scale: float = 2.0
    words: Literal["font", "outlines"] = "font"


def png_image(sheet: Sheet, scale: float) -> QImage:
    """The sheet on white; a scale that would need a picture of more than 64 megapixels (crowded: 16) is lowered."""
    area = sheet.area
    most = CROWDED_PIXELS if sheet.crowded else MOST_PIXELS
    scale = min(scale, (most / max(area.width() * area.height(), 1)) ** 0.5)
    scale = min(scale, MOST_SIDE_PX / max(area.width(), area.height(), 1))
    size = QSize(max(int(area.width() * scale), 1), max(int(area.height() * scale), 1))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    image.setDotsPerMeterX(round(UNITS_PER_INCH * scale / 0.0254))
    image.setDotsPerMeterY(round(UNITS_PER_INCH * scale / 0.0254))
    with QPainter(image) as painter:
        sheet.paint(painter, QRectF(image.rect()))
    return image


def png_bytes(sheet: Sheet, graph: str, options: PictureOptions) -> bytes:
    """A PNG file."""
    image = png_image(sheet, options.scale)
    image.setText("Title", sheet.title)
    made = QByteArray()
    with_buffer = QBuffer(made)
    with_buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    quality = _QUICKLY if image.width() * image.height() > _LARGE_PIXELS else -1
    image.save(with_buffer, "PNG", quality)  # type: ignore[call-overload]
    return with_text_png(bytes(made.data()), graph)


def svg_bytes(sheet: Sheet, graph: str, options: PictureOptions) -> bytes:
    """An SVG file whose unit is the canvas unit, on a white ground."""
    made = QByteArray()
    buffer = QBuffer(made)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(UNITS_PER_INCH)
    page = QRectF(QPointF(0, 0), sheet.area.size())
    generator.setSize(page.size().toSize())
    generator.setViewBox(page)
    generator.setTitle(sheet.title)
    with QPainter(generator) as painter:
        painter.fillRect(page, QColor("white"))
        sheet.paint(painter, page)
    drawn = bytes(made.data()).decode("utf-8", "replace")
    drawn = outlined(drawn) if options.words == "outlines" else fitted(drawn)
    return with_text_svg(drawn, _for_xml(graph)).encode()


def _for_xml(json_text: str) -> str:
    """The same JSON with the characters that XML cannot hold written as escapes."""
    return re.sub("[\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", json_text)


def pdf_bytes(sheet: Sheet, graph: str, options: PictureOptions) -> bytes:
    """A PDF of one page as large as the drawing, with its fonts embedded and the graph attached."""
    points = sheet.area.size() * POINTS_PER_UNIT
    points *= min(1.0, MOST_POINTS / max(points.width(), points.height(), 1))
    made = QByteArray()
    buffer = QBuffer(made)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(sheet.title)
    writer.setCreator("Arch Studio")
    writer.setResolution(300)
    size = QPageSize(QSizeF(points), QPageSize.Unit.Point, "graph", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.addFileAttachment(ATTACHMENT, QByteArray(graph.encode()), "application/json")
    with QPainter(writer) as painter:
        sheet.paint(painter, QRectF(0, 0, writer.width(), writer.height()))
    return bytes(made.data())


PICTURES: Mapping[str, Callable[[Sheet, str, PictureOptions], bytes]] = {
    ".svg": svg_bytes,
    ".pdf": pdf_bytes,
    ".png": png_bytes,
}
"""What writes each kind of picture, by the ending of its file."""


def print_sheet(sheet: Sheet, printer: QPrinter) -> None:
    """Draw the sheet in the middle of one page, as large as fits but at most at 100 %."""
    with QPainter(printer) as painter:
        page = QRectF(0, 0, printer.pageRect(QPrinter.Unit.DevicePixel).width(),
                      printer.pageRect(QPrinter.Unit.DevicePixel).height())  # fmt: skip
        full = sheet.area.size() * (printer.resolution() / UNITS_PER_INCH)
        size = full * min(1.0, page.width() / full.width(), page.height() / full.height())
        left, top = (page.width() - size.width()) / 2, (page.height() - size.height()) / 2
        sheet.paint(painter, QRectF(QPointF(left, top), size))
