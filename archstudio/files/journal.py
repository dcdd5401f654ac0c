"""Keeps the edits since the last save on disk, line by line, so that a crash loses none that was acknowledged."""

import base64
import binascii
import hashlib
import json
import os
import secrets
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from archstudio.files.atomic import SaveFailed, save_atomic, saving, write_all
from archstudio.files.locks import FileLock
from archstudio.files.strict_json import canonical_json
from archstudio.files.unusable import UnusableFile

FLUSH_WITHIN_MS = 50
"""How soon after a non-durable append the owner calls `Journal.flush`."""

JOURNAL_SUFFIX = ".journal"
LOCK_SUFFIX = ".lock"
_CLOSED = -1  # the system answers EBADF, so a late write cannot land in another file
_MAGIC = b"archstudio-journal 1\n"


@dataclass(frozen=True)
class JournalHeader:
    """What the journalled edits start from: a document's path (None while untitled) and its bytes at the last save."""

    document: Path | None
    base: bytes
    started_at: float
    """Seconds since 1970, UTC."""

    @property
    def base_sha256(self) -> str:
        """The digest of the base bytes; differs from the file's own when another program wrote it since."""
        return hashlib.sha256(self.base).hexdigest()


@dataclass(frozen=True)
class JournalContent:
    """A journal as read back: every whole line in order, and whether an unfinished or damaged rest was dropped."""

    header: JournalHeader
    lines: tuple[str, ...]
    torn: bool


class Journal:
    """An append-only journal of one open document, owned by this process until it closes or dies.

    A line is one JSON text without line breaks, opaque to the journal. Not for use by several threads at once.
    """

    def __init__(self, path: Path, lock: FileLock, header: JournalHeader) -> None:
        self.path = path
        self.header = header
        self._lock = lock
        self._pending: list[bytes] = []
        self._unsynced = False
        self._descriptor = _CLOSED
        self._start(header)

    @classmethod
    def create(cls, folder: Path, document: Path | None, base: bytes) -> "Journal":
        """Begin the journal of a document whose last saved content is `base` (empty when never saved).

        Raises `SaveFailed` when the folder cannot be written.
        """
        path = folder / (secrets.token_hex(16) + JOURNAL_SUFFIX)
        with saving(path):
            lock = FileLock.try_take(path.with_suffix(LOCK_SUFFIX))  # held before the journal can be seen
        if lock is None:
            raise SaveFailed(path, "its lock is held by another process")
        try:
            return cls(path, lock, JournalHeader(document, base, time.time()))
        except BaseException:
            lock.release_and_remove()
            raise

    def append(self, line: str, *, durable: bool = False) -> None:
        """Add a line. It survives the death of this process at once, and a power cut once synced.

        `durable` syncs before returning; otherwise call `flush` within `FLUSH_WITHIN_MS`. On `SaveFailed` the line is
        kept in memory and written first by the next `append` or `flush`, so the order never has a gap.
        """
        if "\n" in line or "\r" in line:
            raise ValueError("A journal line must not contain line breaks.")
        self._pending.append(line.encode())
        self._write_pending()
        if durable:
            self.flush()

    def flush(self) -> None:
        """Bring every appended line onto the disk; cheap when there is nothing new. Raises `SaveFailed`."""
        self._write_pending()
        if self._unsynced:
            with saving(self.path):
                self.path.stat()  # fails when the folder was deleted under us; writing alone would not notice
                os.fsync(self._descriptor)
            self._unsynced = False

    def rebase(self, document: Path | None, base: bytes) -> None:
        """Start over after a save: the document now is `base`, and no edit is unsaved. Raises `SaveFailed`."""
        header = JournalHeader(document, base, time.time())
        self._close()  # Windows cannot replace an open file
        try:
            self._start(header)
        except BaseException:
            self._reopen()
            raise
        self.header = header
        self._pending.clear()
        self._unsynced = False

    def close_clean(self) -> None:
        """End after a clean save or a deliberate discard: nothing is left to recover."""
        self._close()
        with saving(self.path):
            self.path.unlink(missing_ok=True)
            self._lock.release_and_remove()

    def close_keeping(self) -> None:
        """End but leave the journal to be found by the next start, as a crash would."""
        self.flush()
        self._close()
        self._lock.release()

    def _start(self, header: JournalHeader) -> None:
        """Put a fresh journal file in place, whole or not at all, and stand at its end."""
        frame, checksum = _framed(_header_json(header), 0)
        save_atomic(self.path, _MAGIC + frame, backups=0)
        self._end, self._checksum = len(_MAGIC) + len(frame), checksum
        self._reopen()

    def _close(self) -> None:
        os.close(self._descriptor)
        self._descriptor = _CLOSED

    def _reopen(self) -> None:
        with saving(self.path):
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))

    def _write_pending(self) -> None:
        if not self._pending:
            return
        data, checksum = b"", self._checksum
        for line in self._pending:
            frame, checksum = _framed(line, checksum)
            data += frame
        with saving(self.path):
            os.ftruncate(self._descriptor, self._end)  # drops what an earlier failed write left half done
            write_all(self._descriptor, data)
        self._end += len(data)
        self._checksum = checksum
        self._pending.clear()
        self._unsynced = True


def read_journal(path: Path) -> JournalContent:
    """Read a journal back up to the first frame that is incomplete or damaged.

    Raises `UnusableFile` when not even its header can be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    if not data.startswith(_MAGIC):
        raise _unreadable(path, "it does not begin as a journal")
    payloads, torn = _whole_frames(data)
    if not payloads:
        raise _unreadable(path, "its header is damaged")
    return JournalContent(_parsed_header(path, payloads[0]), tuple(line.decode() for line in payloads[1:]), torn)


def _framed(payload: bytes, checksum: int) -> tuple[bytes, int]:
    """Frame a payload; the checksum runs on from frame to frame, so a lost or repeated line shows as well."""
    checksum = zlib.crc32(payload, checksum)
    return b"%08x %d %b\n" % (checksum, len(payload), payload), checksum


def _whole_frames(data: bytes) -> tuple[list[bytes], bool]:
    payloads: list[bytes] = []
    checksum, at = 0, len(_MAGIC)
    while at < len(data):
        end = data.find(b"\n", at)
        parts = data[at:end].split(b" ", 2) if end >= 0 else []
        if len(parts) != 3 or data[at : end + 1] != (framed := _framed(parts[2], checksum))[0]:
            return payloads, True
        payloads.append(parts[2])
        checksum, at = framed[1], end + 1
    return payloads, False


def _header_json(header: JournalHeader) -> bytes:
    content = {
        "document": None if header.document is None else str(header.document),
        "base": base64.b64encode(zlib.compress(header.base, 1)).decode(),
        "baseSha256": header.base_sha256,
        "startedAt": header.started_at,
    }
    return canonical_json(content).encode()


def _parsed_header(path: Path, payload: bytes) -> JournalHeader:
    try:
        content = json.loads(payload)
        document = content["document"]
        base = zlib.decompress(base64.b64decode(content["base"], validate=True))
        header = JournalHeader(None if document is None else Path(document), base, float(content["startedAt"]))
        sound = header.base_sha256 == content["baseSha256"]
    except (ValueError, TypeError, KeyError, zlib.error, binascii.Error) as error:
        raise _unreadable(path, "its header is damaged") from error
    if not sound:
        raise _unreadable(path, "its base snapshot is damaged")
    return header


def _unreadable(path: Path, reason: str) -> UnusableFile:
    return UnusableFile(path.name, problem=f"this recovery journal cannot be read: {reason}")
