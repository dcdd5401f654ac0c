"""Writes the picture of a document to a file, the clipboard or a printer."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QGuiApplication, QPageLayout
from PySide6.QtPrintSupport import QPrinter

from archstudio.app.document import Document
from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.graph import write_graph
from archstudio.ui.pictures.render import PICTURES, PictureOptions, png_bytes, png_image, print_sheet, svg_bytes
from archstudio.ui.pictures.sheet import Sheet


def picture_bytes(document: Document, suffix: str, options: PictureOptions | None = None) -> bytes:
    """The picture of a document in the format of a file ending (`.svg`, `.pdf`, `.png`); KeyError for another."""
    draw = PICTURES[suffix.lower()]
    with Sheet(document) as sheet:
        return draw(sheet, _graph_text(document), options or PictureOptions())


def save_picture(document: Document, path: Path, options: PictureOptions | None = None) -> None:
    """Write the picture of a document, whole or not at all.

    SaveFailed where the disk refuses; UnusableFile where the ending names no kind of picture.
    """
    if path.suffix.lower() not in PICTURES:
        remedy = f"Give it one of the endings {', '.join(PICTURES)}."
        raise UnusableFile(path.name, problem="its ending names no kind of picture", remedy=remedy)
    save_atomic(path, picture_bytes(document, path.suffix, options), backups=0)


def copy_picture(document: Document) -> None:
    """Put the picture on the clipboard: as pixels, and as SVG and PNG with the graph inside."""
    options, graph = PictureOptions(), _graph_text(document)
    carried = QMimeData()
    with Sheet(document) as sheet:
        carried.setImageData(png_image(sheet, options.scale))
        carried.setData("image/svg+xml", QByteArray(svg_bytes(sheet, graph, options)))
        carried.setData("image/png", QByteArray(png_bytes(sheet, graph, options)))
    QGuiApplication.clipboard().setMimeData(carried)


def print_document(document: Document, printer: QPrinter) -> None:
    """Print a document on one page."""
    with Sheet(document) as sheet:
        print_sheet(sheet, printer)


def page_for(document: Document) -> QPageLayout.Orientation:
    """How to lay the paper: across where the graph is wider than high."""
    with Sheet(document) as sheet:
        wide = sheet.area.width() > sheet.area.height()
    return QPageLayout.Orientation.Landscape if wide else QPageLayout.Orientation.Portrait


def _graph_text(document: Document) -> str:
    return write_graph(document.graph).decode("utf-8")
