"""Takes a person's data out of a log for good, leaving the chain whole and a tombstone at its end."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from archstudio.study.log.chain import proof
from archstudio.study.log.events import KEPT_AFTER_WITHDRAWAL, EventKind
from archstudio.study.log.store import LogFailed, connect, read_rows
from archstudio.study.log.writer import LogWriter


def erase(path: Path, at_ms: int) -> int:
    """Erase every personal payload and append the tombstone; returns how many were erased.

    Times and kinds of events stay, and of each payload the hash that the chain needs; the salts go with the payloads.
    Doing it again changes nothing. Raises `LogFailed`, `SessionBusy`, `UnusableLog`.
    """
    writer = LogWriter(path)
    try:
        erased = _erase_payloads(path)
        if not _has_tombstone(path):
            writer.append(EventKind.WITHDRAWN, at_ms, 0, {})
    finally:
        writer.close()
    _compact(path)
    return erased


def _erase_payloads(path: Path) -> int:
    try:
        with closing(connect(path)) as connection:
            rows = [
                (proof(row.salt, row.payload), row.seq)
                for row in read_rows(connection, path.name)
                if row.payload is not None and row.kind not in KEPT_AFTER_WITHDRAWAL
            ]
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("UPDATE event SET payload = NULL, salt = ? WHERE seq = ?", rows)
            connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise LogFailed(path, str(error)) from error
    return len(rows)


def _has_tombstone(path: Path) -> bool:
    with closing(connect(path)) as connection:
        found = connection.execute("SELECT 1 FROM event WHERE kind = ?", (int(EventKind.WITHDRAWN),)).fetchone()
    return found is not None


def _compact(path: Path) -> None:
    """Rewrite the file, so that no page and no write-ahead frame keeps what was erased."""
    try:
        with closing(connect(path)) as connection:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise LogFailed(path, str(error)) from error
