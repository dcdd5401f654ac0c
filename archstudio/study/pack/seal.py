"""Keeps the key from being read by accident: by opening the file in a viewer, or by searching it for an answer."""

import hashlib
import zlib
from typing import Final

_MAGIC: Final = b"archstudio sealed key 1\n"
_MOST_BYTES: Final = 64 * 1024 * 1024


class BrokenSeal(ValueError):
    """The bytes are no sealed key of this study."""


def seal(content: bytes, study_id: str) -> bytes:
    """Return the content packed and mixed with a stream that follows from the study's id. This is no encryption."""
    return _MAGIC + _mixed(zlib.compress(content, 9), study_id)


def unseal(sealed: bytes, study_id: str) -> bytes:
    """Return what `seal` was given; raises `BrokenSeal`."""
    if not sealed.startswith(_MAGIC):
        raise BrokenSeal("the key is not sealed in a form this program knows")
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(_mixed(sealed.removeprefix(_MAGIC), study_id), _MOST_BYTES)
    except zlib.error as error:
        raise BrokenSeal("the sealed key is damaged or of another study") from error
    if not unpacker.eof:
        raise BrokenSeal("the sealed key is too long or cut off")
    return content


def _mixed(content: bytes, study_id: str) -> bytes:
    mask = hashlib.shake_256(b"archstudio study key\n" + study_id.encode()).digest(len(content))
    return bytes(a ^ b for a, b in zip(content, mask, strict=True))
