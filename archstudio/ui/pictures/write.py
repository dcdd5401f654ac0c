"""Writes the picture of a document to a file, the clipboard or a printer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtGui import QGuiApplication

from archstudio.app.collecting import collection_put_off
from archstudio.app.document import Document
from archstudio.edits.clipboard import extract
from archstudio.files.atomic import save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.graph import write_graph
from archstudio.ui.pictures.render import PICTURES, PictureOptions, png_bytes, png_image, svg_bytes
from archstudio.ui.pictures.sheet import Sheet

SCALE, WORDS = "pictureScale", "pictureWords"
"""Settings of pictures: pixels of a PNG per canvas unit, and how an SVG holds its text (`font`, `outlines`)."""


def picture_bytes(document: Document, suffix: str, options: PictureOptions | None = None) -> bytes:
    """The picture of a document in the format of a file ending (`.svg`, `.pdf`, `.png`); KeyError for another."""
    draw = PICTURES[suffix.lower()]
    with collection_put_off(len(document.graph.connection_ids)), Sheet(document) as sheet:
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
    """Put the picture on the clipboard: as pixels, and as SVG and PNG with the graph inside.

    Of selected layers only those are drawn and carried, else the whole graph.
    """
    chosen = document.selection.nodes or None
    part = document.graph if chosen is None else extract(document.graph, chosen)
    options, graph = PictureOptions(), write_graph(part).decode("utf-8")
    carried = QMimeData()
    with Sheet(document, chosen) as sheet:
        carried.setImageData(png_image(sheet, options.scale))
        carried.setData("image/svg+xml", QByteArray(svg_bytes(sheet, graph, options)))
        carried.setData("image/png", QByteArray(png_bytes(sheet, graph, options)))
    QGuiApplication.clipboard().setMimeData(carried)


def picture_options(stored: Mapping[str, object]) -> PictureOptions:
    """The options a person has set; what the settings do not know, or say wrongly, is as usual."""
    usual = PictureOptions()
    scale, words = stored.get(SCALE), stored.get(WORDS)
    known = isinstance(scale, int | float) and 0.5 <= scale <= 8
    return PictureOptions(
        float(scale) if known else usual.scale,  # type: ignore[arg-type]
        "outlines" if words == "outlines" else "font",
    )


def _graph_text(document: Document) -> str:
    return write_graph(document.graph).decode("utf-8")
