"""Reads zip files that may be hostile, within limits, and writes them so that equal content is equal bytes."""

import io
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from archstudio.files.limits import MIB
from archstudio.files.unusable import UnusableFile

_FIRST_DATE = (1980, 1, 1, 0, 0, 0)
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}
)
_ENCRYPTED = 0x1
_CHUNK = 1 << 16
_REMEDY = "Get the file anew from whoever made it."


@dataclass(frozen=True)
class ZipLimits:
    """What an archive may hold at most."""

    size_bytes: int = 256 * MIB
    """Of all members together, unpacked."""
    members: int = 20_000
    ratio: int = 200
    """Unpacked over packed size, of members above 1 MiB; deflate of plain text stays below about 100."""


def read_zip(source: Path | bytes, *, name: str | None = None, limits: ZipLimits | None = None) -> dict[str, bytes]:
    """Return the members of an archive by name, or raise `UnusableFile` before anything is written anywhere.

    Refused: names that leave the folder or that some system cannot write, two names that differ only in case, links,
    encryption, wrong checksums, and more content than declared or than `limits` allow.
    """
    limits = limits or ZipLimits()
    file = name or (source.name if isinstance(source, Path) else "the archive")
    try:
        with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
            infos = archive.infolist()
            _check_listing(infos, file, limits)
            return {info.filename: _content(archive, info, file) for info in infos if not info.is_dir()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise UnusableFile(file, problem=f"is no readable zip file: {error}", remedy=_REMEDY) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnusableFile(
            file, problem=f"cannot be read: {reason}", remedy="Check its name and permissions."
        ) from error


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    """Return an archive of `members` in their order; no dates, owners or systems in it, so equal content is equal."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _FIRST_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, content, compresslevel=9)
    return stream.getvalue()


def _check_listing(infos: list[zipfile.ZipInfo], file: str, limits: ZipLimits) -> None:
    if len(infos) > limits.members:
        raise _refused(file, f"holds {len(infos):,} members, more than the limit of {limits.members:,}")
    declared = sum(info.file_size for info in infos)
    if declared > limits.size_bytes:
        raise _refused(file, f"unpacks to {declared / MIB:,.0f} MiB, more than {limits.size_bytes / MIB:,.0f}")
    seen: set[str] = set()
    for info in infos:
        problem = _fault(info, limits)
        if problem is None and info.filename.casefold() in seen:
            problem = "is there twice (upper and lower case count as one)"
        if problem is not None:
            raise UnusableFile(file, place="member", value=info.filename, problem=f"a member {problem}", remedy=_REMEDY)
        seen.add(info.filename.casefold())


def _fault(info: zipfile.ZipInfo, limits: ZipLimits) -> str | None:
    """What is wrong with one member as it is listed."""
    if not _portable(info.filename):
        return "has a name that cannot be used everywhere"
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a device"
    if info.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if info.file_size > MIB and info.file_size > limits.ratio * max(1, info.compress_size):
        return f"is packed more than {limits.ratio} to 1"
    return None


def _portable(name: str) -> bool:
    parts = name.removesuffix("/").split("/")
    return not any(
        part in ("", ".", "..")
        or part[-1] in " ."
        or any(letter in '\\:*?"<>|' or ord(letter) < 32 for letter in part)
        or part.split(".")[0].casefold() in _RESERVED
        for part in parts
    )


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: str) -> bytes:
    """Unpack one member, never beyond the size it declares."""
    content = bytearray()
    with archive.open(info) as stream:
        while chunk := stream.read(_CHUNK):
            content += chunk
            if len(content) > info.file_size:
                raise _refused(file, f"member {info.filename!r} is longer than it says")
    return bytes(content)


def _refused(file: str, problem: str) -> UnusableFile:
    return UnusableFile(file, problem=problem, remedy=_REMEDY)
