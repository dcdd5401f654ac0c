"""A text put into a picture is found again; what carries none, or is damaged, is told."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.embedded import embedded_text, with_text_png, with_text_svg
from archstudio.files.unusable import UnusableFile

# one white pixel
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c63f80f0001010100"
) + b"\x1b\xb6\xeeV" + bytes.fromhex("0000000049454e44ae426082")  # fmt: skip
SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>\n'


def written(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_any_text_comes_back_from_a_png(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = written(tmp_path_factory.mktemp("png"), "a.png", with_text_png(PNG, text))
    assert embedded_text(path) == text.encode()


def test_a_text_full_of_markup_comes_back_from_an_svg(tmp_path: Path) -> None:
    text = '{"name": "</graph><img src=x onerror=y> & ]]> B×3"}'
    assert embedded_text(written(tmp_path, "a.svg", with_text_svg(SVG, text))) == text.encode()


@pytest.mark.parametrize(("name", "data", "said"), [
    ("a.png", PNG, "carries no graph"),
    ("a.svg", SVG, "carries no graph"),
    ("a.pdf", b"%PDF-1.4\n%%EOF", "carries no graph"),
    ("a.png", b"GIF89a", "does not begin as a PNG"),
    ("a.png", PNG[:-20], "cut off"),
    ("a.svg", "<svg", "damaged, or no SVG"),
    ("a.svg", "not xml at all", "damaged, or no SVG"),
    ("a.pdf", b"hello", "does not begin as a PDF"),
    ("a.pdf", b"%PDF-1.4\n/EF <</F 7 0 R>>", "carries no graph"),
    ("a.pdf", b"%PDF-1.4\n/EF <</F 7 0 R>>\n7 0 obj\n<</Length 4/Filter/FlateDecode>>\nstream\nabcd", "damaged"),
])  # fmt: skip
def test_pictures_without_a_graph_say_so(tmp_path: Path, name: str, data: bytes | str, said: str) -> None:
    with pytest.raises(UnusableFile, match=said):
        embedded_text(written(tmp_path, name, data))


def test_a_picture_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="cannot be read"):
        embedded_text(tmp_path / "none.png")


def test_entities_that_would_grow_without_end_are_refused(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + SVG.replace("<rect/>", "&b;")
    with pytest.raises(UnusableFile, match="entities"):
        embedded_text(written(tmp_path, "a.svg", bomb))


def test_a_packed_text_that_would_fill_memory_is_refused(tmp_path: Path) -> None:
    bomb = zlib.compress(bytes(80 << 20), 9)
    data = b"%%PDF-1.4\n/EF <</F 7 0 R>>\n7 0 obj\n<</Filter/FlateDecode/Length %d>>\nstream\n%s" % (len(bomb), bomb)
    with pytest.raises(UnusableFile, match="longer than 64 MiB"):
        embedded_text(written(tmp_path, "a.pdf", data))
