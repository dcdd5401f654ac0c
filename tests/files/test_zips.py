"""Zip files that may be hostile."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import ZipLimits, read_zip, zip_bytes

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,8}(/[a-z][a-z0-9_]{0,8})?x", fullmatch=True)


def packed(*names: str, content: bytes = b"x", mode: int = 0o644, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            info = zipfile.ZipInfo("placeholder")
            info.filename = name
            info.external_attr = mode << 16
            info.compress_type = compression
            archive.writestr(info, content)
    return stream.getvalue()


@given(st.dictionaries(NAMES, st.binary(max_size=200), max_size=6))
def test_what_was_written_is_read(members: dict[str, bytes]) -> None:
    assert read_zip(zip_bytes(members)) == members
    assert zip_bytes(members) == zip_bytes(dict(members))


@pytest.mark.parametrize(
    "name",
    [
        *("../a", "/etc/passwd", "a/../b", "C:/a", "a\\b", "a/./b", "a//b", "con", "NUL.txt", "sub/lpt1.json"),
        *("trailing.", "trailing ", "what?", "a|b", "tab\there", "a:stream"),
    ],
)
def test_a_name_that_leads_away_or_cannot_be_written_everywhere_is_refused(name: str) -> None:
    with pytest.raises(UnusableFile, match="name that cannot be used"):
        read_zip(packed(name), name="bad.zip")


def test_names_that_differ_only_in_case_are_refused() -> None:
    with pytest.raises(UnusableFile, match="twice"):
        read_zip(packed("Item.json", "item.json"))


def test_links_are_refused() -> None:
    with pytest.raises(UnusableFile, match="link"):
        read_zip(packed("link", content=b"/etc/passwd", mode=0o120777))


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = packed("zeros", content=b"\0" * 50_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(UnusableFile, match="more than 200 to 1"):
        read_zip(bomb)
    with pytest.raises(UnusableFile, match="unpacks to"):
        read_zip(bomb, limits=ZipLimits(size_bytes=1_000_000))


def test_too_many_members_are_refused() -> None:
    with pytest.raises(UnusableFile, match="more than the limit of 5"):
        read_zip(packed(*(f"m{n}" for n in range(6))), limits=ZipLimits(members=5))


def test_a_size_that_lies_is_noticed() -> None:
    content = bytearray(packed("data", content=bytes(range(256)) * 8, compression=zipfile.ZIP_STORED))
    at = content.rindex(b"PK\x01\x02") + 24
    content[at : at + 4] = (5).to_bytes(4, "little")
    with pytest.raises(UnusableFile):
        read_zip(bytes(content))


@given(st.binary(max_size=300), st.integers(0, 10_000))
def test_damage_is_told_and_never_anything_else(noise: bytes, at: int) -> None:
    content = bytearray(zip_bytes({"a.json": b'{"a": 1}' * 20, "b/c.md": b"text"}))
    place = at % len(content)
    content[place : place + len(noise)] = noise
    with suppress(UnusableFile):  # anything else fails
        read_zip(bytes(content))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match=r"missing.zip"):
        read_zip(tmp_path / "missing.zip")
