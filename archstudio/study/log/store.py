"""The file of a session: one SQLite table of events that is only ever appended to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.study.log.codec import BadPayload, decode
from archstudio.study.log.events import Event, EventKind

FORMAT: Final = 1
APPLICATION_ID: Final = 0x41534C31
"""Stands in the header of the file, so that tools can tell it: "ASL1"."""

_SCHEMA: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE event (
  seq INTEGER PRIMARY KEY, wall INTEGER NOT NULL, mono INTEGER NOT NULL, kind INTEGER NOT NULL,
  salt BLOB NOT NULL, payload BLOB, hash BLOB NOT NULL
);
"""


class LogFailed(SaveFailed):
    """An event could not be recorded, or the log not be opened for writing."""

    def __str__(self) -> str:
        kept = "Nothing that was recorded before is lost. Make room or give access, and try again"
        return f"Could not record in '{self.path}': {self.reason}. {kept}."


class UnusableLog(UnusableFile):
    """A file is no session's log, or one of a newer version."""


class Row(NamedTuple):
    """An event as it lies in the file. An erased one has no payload, and the proof of it in place of the salt."""

    seq: int
    wall: int
    mono: int
    kind: int
    salt: bytes
    payload: bytes | None
    hash: bytes


class Head(NamedTuple):
    """Which session a log is of, and where its chain ends."""

    session_id: str
    events: int
    last: bytes


def create(connection: sqlite3.Connection, session_id: str, genesis: bytes) -> None:
    """Lay out an empty log."""
    connection.executescript(f"PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version={FORMAT}; BEGIN; {_SCHEMA}")
    connection.execute("INSERT INTO meta VALUES ('session', ?)", (session_id,))
    write_head(connection, 0, genesis)
    connection.execute("COMMIT")


def connect(path: Path, *, synchronous: str = "FULL") -> sqlite3.Connection:
    """Open a log for writing; every commit is on the disk when it returns."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={synchronous}")
    connection.execute("PRAGMA secure_delete=ON")
    return connection


def insert(connection: sqlite3.Connection, rows: list[Row], head: Head) -> None:
    """Append rows and the new end of the chain in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("INSERT INTO event VALUES (?,?,?,?,?,?,?)", rows)
        write_head(connection, head.events, head.last)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def write_head(connection: sqlite3.Connection, count: int, last: bytes) -> None:
    """Say where the chain ends."""
    value = count.to_bytes(8, "big") + last
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('head', ?)", (value,))


def read_head(connection: sqlite3.Connection, file: str) -> Head:
    """Which session it is, and where its chain ends; raises `UnusableLog`."""
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION_ID:
            raise UnusableLog(file, problem="is no log of a session", remedy="Choose a .session file.")
        if version > FORMAT:
            problem = f"is of a newer version ({version}; this program reads up to {FORMAT})"
            raise UnusableLog(file, problem=problem, remedy="Update Arch Studio.")
        found = dict(connection.execute("SELECT key, value FROM meta").fetchall())
        head = found["head"]
        return Head(str(found["session"]), int.from_bytes(head[:8], "big"), bytes(head[8:]))
    except (sqlite3.Error, KeyError, TypeError) as error:
        raise _damaged(file, error) from error


def read_rows(connection: sqlite3.Connection, file: str) -> Iterator[Row]:
    """All rows in order; raises `UnusableLog` where the file is damaged."""
    try:
        for row in connection.execute("SELECT seq, wall, mono, kind, salt, payload, hash FROM event ORDER BY seq"):
            yield Row._make(row)
    except sqlite3.Error as error:
        raise _damaged(file, error) from error


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open a log without ever changing it; raises `UnusableLog`."""
    if not path.is_file():
        raise UnusableLog(path.name, problem="does not exist or is no file", remedy="Check the name and the folder.")
    # A log that lies in a read-only folder cannot make the index WAL needs; `immutable` reads it without one.
    waiting = path.with_name(f"{path.name}-wal")
    settled = not waiting.exists() or waiting.stat().st_size == 0
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if settled else ''}", uri=True)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise _damaged(path.name, error) from error
    return connection


def read_events(path: Path) -> Iterator[Event]:
    """All events of a session in order; raises `UnusableLog`. What was erased comes without fields."""
    with closing(open_for_reading(path)) as connection:
        read_head(connection, path.name)
        for row in read_rows(connection, path.name):
            yield event_of(row, path.name)


def event_of(row: Row, file: str) -> Event:
    """A row's event; raises `UnusableLog`."""
    try:
        kind = EventKind(row.kind)
        data = {} if row.payload is None else decode(row.payload)
    except (BadPayload, ValueError) as error:
        raise UnusableLog(file, place=f"event {row.seq}", problem=str(error), remedy="Verify the file.") from error
    return Event(kind, row.wall, row.mono, data, row.seq, row.payload is None)


def _damaged(file: str, error: Exception) -> UnusableLog:
    remedy = "Use a copy of it, or ask for the file again."
    return UnusableLog(file, problem=f"cannot be read as a session's log ({error})", remedy=remedy)
