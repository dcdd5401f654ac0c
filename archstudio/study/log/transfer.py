"""A session as one file to hand over: the same log always gives the same bytes, and they give the same log back."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from archstudio.files.strict_json import read_json
from archstudio.files.zips import read_zip, zip_bytes
from archstudio.study.log.chain import check_rows, genesis
from archstudio.study.log.events import EventKind
from archstudio.study.log.store import (
    FORMAT,
    Head,
    LogFailed,
    Row,
    UnusableLog,
    connect,
    create,
    insert,
    open_for_reading,
    read_head,
    read_rows,
)

SUFFIX: Final = ".archsession"
_HEAD, _EVENTS = "session.json", "events.jsonl"
_REMEDY: Final = "Ask for the file again."


def export_session(path: Path) -> bytes:
    """The bytes of a session's log for handing over; raises `UnusableLog`."""
    with closing(open_for_reading(path)) as connection:
        head = read_head(connection, path.name)
        lines = [_line(row) for row in read_rows(connection, path.name)]
    said = {"format": FORMAT, "session": head.session_id, "events": head.events, "last": head.last.hex()}
    return zip_bytes({_HEAD: _compact(said).encode() + b"\n", _EVENTS: "".join(lines).encode()})


def import_session(content: bytes, path: Path, *, name: str | None = None) -> None:
    """Write the log that `content` holds to a new file; raises `UnusableLog` if its chain does not hold."""
    head, rows = read_exported(content, name or path.name)
    if path.exists():
        raise LogFailed(path, "a file of that name exists")
    try:
        with closing(connect(path)) as connection:
            create(connection, head.session_id, genesis(head.session_id))
            insert(connection, rows, head)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise LogFailed(path, str(error)) from error


def read_exported(content: bytes, name: str) -> tuple[Head, list[Row]]:
    """The head and the rows of a handed-over session; raises `UnusableLog` unless they verify."""
    members = read_zip(content, name=name)
    said = read_json(members.get(_HEAD, b""), name=f"{name}, {_HEAD}")
    if not isinstance(said, dict) or _EVENTS not in members:
        raise UnusableLog(name, problem="is no session", remedy=_REMEDY)
    if isinstance(said.get("format"), int) and said["format"] > FORMAT:
        problem = f"is of a newer version ({said['format']}; this program reads up to {FORMAT})"
        raise UnusableLog(name, problem=problem, remedy="Update Arch Studio.")
    try:
        head = Head(str(said["session"]), int(said["events"]), bytes.fromhex(said["last"]))
        rows = list(_rows(members[_EVENTS]))
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableLog(name, problem=f"cannot be read ({error})", remedy=_REMEDY) from error
    report = check_rows(head, iter(rows))
    if not report.holds:
        fault = report.faults[0]
        raise UnusableLog(name, place=f"event {fault.seq}", problem=fault.problem, remedy=_REMEDY)
    return head, rows


def _line(row: Row) -> str:
    payload = None if row.payload is None else _text(row.payload)
    return _compact([row.seq, row.wall, row.mono, row.kind, _text(row.salt), payload, _text(row.hash)]) + "\n"


def _rows(content: bytes) -> Iterator[Row]:
    for line in content.decode("utf-8").splitlines():
        seq, wall, mono, kind, salt, payload, digest = json.loads(line)
        if not all(type(number) is int for number in (seq, wall, mono, kind)):
            raise ValueError(f"event {seq} has a number that is none")
        EventKind(kind)
        yield Row(seq, wall, mono, kind, _bytes(salt), None if payload is None else _bytes(payload), _bytes(digest))


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _bytes(text: Any) -> bytes:
    return base64.b64decode(text, validate=True)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
