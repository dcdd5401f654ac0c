"""Appends events from a thread of its own, so that the window never waits for the disk but where it must."""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from archstudio.files.atomic import sync_folder
from archstudio.files.locks import FileLock
from archstudio.files.unusable import UnusableFile
from archstudio.study.log.chain import SALT_BYTES, genesis, link, proof
from archstudio.study.log.codec import encode
from archstudio.study.log.events import DURABLE, EventKind
from archstudio.study.log.store import Head, LogFailed, Row, connect, create, insert, read_head

GATHER_S: Final = 0.02
"""So long events that need no answer are gathered into one commit; with that they are safe within 50 ms."""
RETRY_S: Final = 0.5


class SessionBusy(UnusableFile):
    """Another window, or another program, has the session open."""


@dataclass(slots=True)
class _Entry:
    kind: EventKind
    at_ms: int
    mono_ns: int
    payload: bytes
    done: threading.Event | None
    """Set when the entry is on the disk or refused; None for entries nobody waits for."""
    fault: str | None = None
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(SALT_BYTES))


class LogWriter:
    """The one writer of a log. `append` is called from one thread; `close` waits until everything is on the disk."""

    def __init__(self, path: Path, session_id: str | None = None, *, synchronous: str = "FULL") -> None:
        """Begin the log of a new session, or (without an id) go on in an existing one.

        Raises `SessionBusy` if anyone else writes to it, `LogFailed` where it cannot be written, `UnusableLog`.
        """
        self.path = path
        self._lock = _locked(path)
        try:
            self._connection, self._head = _opened(path, session_id, synchronous)
        except BaseException:
            self._lock.release()
            raise
        self._changed = threading.Condition()
        self._pending: list[_Entry] = []
        self._closing = False
        self._fault: str | None = None
        self._thread = threading.Thread(target=self._run, name="session log", daemon=True)
        self._thread.start()

    @property
    def session_id(self) -> str:
        """The session's id."""
        return self._head.session_id

    @property
    def fault(self) -> str | None:
        """Why events wait in memory at present; None while all is well."""
        return self._fault

    def append(self, kind: EventKind, at_ms: int, mono_ns: int, data: Mapping[str, Any]) -> None:
        """Record an event. A durable one is on the disk when this returns, or `LogFailed` is raised and it is not.

        Others are written within 50 ms; while the disk refuses them they wait, in order, and are tried again.
        """
        entry = _Entry(kind, at_ms, mono_ns, encode(data), threading.Event() if kind in DURABLE else None)
        with self._changed:
            if self._closing:
                raise LogFailed(self.path, "the session is closed")
            self._pending.append(entry)
            self._changed.notify()
        if entry.done is not None:
            entry.done.wait()
            if entry.fault is not None:
                raise LogFailed(self.path, entry.fault)

    def flush(self) -> None:
        """Wait until everything appended so far is on the disk; raises `LogFailed`."""
        with self._changed:
            self._changed.notify()
            self._changed.wait_for(lambda: not self._pending or self._fault is not None)
            if self._pending:
                raise LogFailed(self.path, self._fault or "unknown")

    def close(self) -> None:
        """Write what is left, fold the write-ahead file into the log, and let others open it. Raises `LogFailed`.

        Closing again does nothing.
        """
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify()
        self._thread.join()
        left = len(self._pending)
        try:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            self._fault = self._fault or str(error)  # the write-ahead file keeps all that was committed
        finally:
            self._connection.close()
            self._lock.release()
        if left:
            raise LogFailed(self.path, f"{self._fault}; {left} editing steps were not written")

    # ------------------------------------------------------------------ the thread

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._pending or self._closing)
                if not self._closing:
                    self._changed.wait_for(self._urgent, timeout=GATHER_S)
                batch, closing = list(self._pending), self._closing
            failed = bool(batch) and not self._written(batch)
            if closing and (failed or not self._pending):
                return
            if failed:
                time.sleep(RETRY_S)

    def _urgent(self) -> bool:
        return self._closing or any(entry.done is not None for entry in self._pending)

    def _written(self, batch: list[_Entry]) -> bool:
        """Commit a batch and tell who waits; those nobody waits for stay pending where the disk refuses them."""
        head, rows = _chained(self._head, batch)
        fault = None
        try:
            insert(self._connection, rows, head)
            self._head = head
        except sqlite3.Error as error:
            fault = str(error)
        with self._changed:
            self._fault = fault
            kept = [] if fault is None else [entry for entry in batch if entry.done is None]
            self._pending[: len(batch)] = kept
            self._changed.notify_all()
        for entry in batch:
            if entry.done is not None:
                entry.fault = fault
                entry.done.set()
        return fault is None


def _chained(head: Head, batch: list[_Entry]) -> tuple[Head, list[Row]]:
    """The rows of a batch, and where the chain ends after them."""
    rows: list[Row] = []
    seq, last = head.events, head.last
    for entry in batch:
        seq += 1
        last = link(last, seq, entry.at_ms, entry.mono_ns, entry.kind, proof(entry.salt, entry.payload))
        rows.append(Row(seq, entry.at_ms, entry.mono_ns, int(entry.kind), entry.salt, entry.payload, last))
    return Head(head.session_id, seq, last), rows


def _locked(path: Path) -> FileLock:
    try:
        lock = FileLock.try_take(path.with_name(f"{path.name}.lock"))
    except OSError as error:
        raise LogFailed(path, error.strerror or str(error)) from error
    if lock is None:
        remedy = "Go on in the window that has it, or close that one first."
        raise SessionBusy(path.name, problem="this session is open in another window", remedy=remedy)
    return lock


def _opened(path: Path, session_id: str | None, synchronous: str) -> tuple[sqlite3.Connection, Head]:
    if session_id is None and not path.is_file():
        raise LogFailed(path, "there is no such session")
    if session_id is not None and path.exists():
        raise LogFailed(path, "a file of that name exists")
    try:
        connection = connect(path, synchronous=synchronous)
    except sqlite3.Error as error:
        raise LogFailed(path, str(error)) from error
    try:
        if session_id is not None:
            create(connection, session_id, genesis(session_id))
            sync_folder(path.parent)
        return connection, read_head(connection, path.name)
    except (sqlite3.Error, OSError) as error:
        connection.close()
        raise LogFailed(path, str(error)) from error
    except BaseException:
        connection.close()
        raise
