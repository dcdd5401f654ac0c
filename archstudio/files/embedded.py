"""Puts a text into a picture file and finds it again: PNG, SVG and PDF, so that a figure can be edited once more."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from archstudio.files.limits import Limits
from archstudio.files.unusable import UnusableFile

PICTURE_SUFFIXES = frozenset({".png", ".svg", ".pdf"})
"""Endings of the pictures that may carry a graph."""

KEYWORD = "archstudio-graph"
"""Keyword of the PNG chunk."""
NAMESPACE = "urn:archstudio:graph:1"
"""XML namespace of the SVG element."""
ATTACHMENT = "graph.arch.json"
"""Name of the file attached to a PDF."""

_PNG = b"\x89PNG\r\n\x1a\n"
_LARGEST_PICTURE = 256 << 20


def with_text_png(picture: bytes, text: str) -> bytes:
    """A PNG with the text in a compressed iTXt chunk before its end [PNG, third edition, 11.3.3.4]."""
    body = KEYWORD.encode() + b"\0\1\0\0\0" + zlib.compress(text.encode())
    end = picture.rindex(b"IEND") - 4
    return picture[:end] + _chunk(b"iTXt", body) + picture[end:]


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def with_text_svg(picture: str, text: str) -> str:
    """An SVG with the text in a `metadata` element, as its root's last child."""
    at = picture.rindex("</svg>")
    made = f'<metadata><graph xmlns="{NAMESPACE}">{escape(text)}</graph></metadata>\n'
    return picture[:at] + made + picture[at:]


def embedded_text(path: Path) -> bytes:
    """The text that a picture carries; UnusableFile if it carries none or is no picture of its kind."""
    kind = path.suffix.lower()
    try:
        if path.stat().st_size > _LARGEST_PICTURE:
            raise UnusableFile(path.name, problem="is larger than 256 MiB", remedy="Open the graph's own file.")
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnusableFile(path.name, problem=f"cannot be read: {reason}", remedy="Check the name.") from error
    reader = {".png": _from_png, ".svg": _from_svg, ".pdf": _from_pdf}[kind]
    try:
        found = reader(data)
    except (ValueError, struct.error, zlib.error, ElementTree.ParseError) as fault:
        problem = f"is damaged, or no {kind[1:].upper()} file ({fault})"
        raise UnusableFile(path.name, problem=problem, remedy="Open another copy of it.") from fault
    if found is None:
        remedy = "Only pictures that Arch Studio exported can be opened as graphs, and only while they are unaltered."
        raise UnusableFile(path.name, problem="carries no graph", remedy=remedy)
    return found


def _from_png(data: bytes) -> bytes | None:
    if not data.startswith(_PNG):
        raise ValueError("it does not begin as a PNG does")
    for kind, body in _png_chunks(data):
        if kind == b"iTXt" and body.startswith(KEYWORD.encode() + b"\0"):
            compressed, rest = body[len(KEYWORD) + 1], body[len(KEYWORD) + 3 :]
            text = rest.split(b"\0", 2)[2]
            return _inflated(text) if compressed else text
    return None


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if len(body) < length:
            raise ValueError("its last chunk is cut off")
        yield kind, body
        at += 12 + length


def _from_svg(data: bytes) -> bytes | None:
    if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
        raise ValueError("it declares entities, which are not read")
    root = ElementTree.fromstring(data)
    found = root.find(f".//{{{NAMESPACE}}}graph")
    return None if found is None or not found.text else found.text.encode()


_EMBEDDED = re.compile(rb"/EF\s*<<\s*/F\s+(\d+)\s+0\s+R")
_LENGTH = re.compile(rb"/Length\s+(\d+)(\s+0\s+R)?")


def _from_pdf(data: bytes) -> bytes | None:
    """The first attached file whose stream stands as it was written [ISO 32000-1, 7.11.4]."""
    if not data.startswith(b"%PDF"):
        raise ValueError("it does not begin as a PDF does")
    for named in _EMBEDDED.finditer(data):
        found = _pdf_object(data, named.group(1))
        if found is not None:
            return found
    return None


def _pdf_object(data: bytes, number: bytes) -> bytes | None:
    start = re.search(rb"(?:^|[\r\n])" + number + rb"\s+0\s+obj\b", data)
    opening = None if start is None else re.compile(rb"stream\r?\n").search(data, start.end())
    if start is None or opening is None:
        return None
    head = data[start.end() : opening.start()]
    length = _LENGTH.search(head)
    if length is None:
        return None
    size = int(length.group(1))
    if length.group(2):
        stated = re.search(rb"(?:^|[\r\n])" + length.group(1) + rb"\s+0\s+obj\s+(\d+)", data)
        if stated is None:
            return None
        size = int(stated.group(1))
    body = data[opening.end() : opening.end() + size]
    return _inflated(body) if b"/FlateDecode" in head else body


def _inflated(data: bytes) -> bytes:
    """Unpacked text, at most as long as a graph file may be."""
    most = Limits().size_bytes
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(data, most + 1)
    if len(text) > most:
        raise ValueError(f"its graph is longer than {most >> 20} MiB")
    return text
