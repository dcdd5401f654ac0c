"""Keeps a key from being read by accident: by opening its file in a viewer, or by searching it for an answer."""

import hashlib
import zlib
from typing import Final

_MAGIC: Final = b"archstudio sealed key 1\n"
_MOST_BYTES: Final = 64 * 1024 * 1024


class BrokenSeal(ValueError):
    """The bytes are no sealed key of this owner."""


def seal(content: bytes, owner: str) -> bytes:
    """Return the content packed and mixed with a stream that follows from its owner's id. This is no encryption."""
    return _MAGIC + _mixed(zlib.compress(content, 9), owner)


def unseal(sealed: bytes, owner: str) -> bytes:
    """Return what `seal` was given; raises `BrokenSeal`."""
    if not sealed.startswith(_MAGIC):
        raise BrokenSeal("the key is not sealed in a form this program knows")
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(_mixed(sealed.removeprefix(_MAGIC), owner), _MOST_BYTES)
    except zlib.error as error:
        raise BrokenSeal("the sealed key is damaged or of another file") from error
    if not unpacker.eof:
        raise BrokenSeal("the sealed key is too long or cut off")
    return content


def _mixed(content: bytes, owner: str) -> bytes:
    mask = hashlib.shake_256(b"archstudio study key\n" + owner.encode()).digest(len(content))
    return bytes(a ^ b for a, b in zip(content, mask, strict=True))
