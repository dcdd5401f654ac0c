"""Ties each event to all before it, in a way that lets an event's content be erased without untying anything."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from archstudio.study.log.store import Head, Row, open_for_reading, read_head, read_rows

SALT_BYTES: Final = 16
_HEADER: Final = struct.Struct(">QqqB")
_MOST_FAULTS: Final = 20


def genesis(session_id: str) -> bytes:
    """What stands before the first event."""
    return hashlib.sha256(b"archstudio session log 1\n" + session_id.encode()).digest()


def proof(salt: bytes, payload: bytes) -> bytes:
    """What stays of a payload when it is erased. The salt goes with it, so that short payloads cannot be guessed."""
    return hashlib.sha256(salt + payload).digest()


def link(previous: bytes, seq: int, wall: int, mono: int, kind: int, proven: bytes) -> bytes:
    """The hash of an event: over the one before, its place, its times, its kind, and the proof of its payload."""
    return hashlib.sha256(previous + _HEADER.pack(seq, wall, mono, kind) + proven).digest()


def proof_of(row: Row) -> bytes:
    """The proof of a row, erased or not."""
    return row.salt if row.payload is None else proof(row.salt, row.payload)


@dataclass(frozen=True, slots=True)
class Fault:
    """Where the chain does not hold: the number of the event, and what is wrong."""

    seq: int
    problem: str


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What verifying found."""

    session_id: str
    events: int
    erased: int
    last: str
    """The last hash, hexadecimal: whoever notes it can tell later whether events were added or taken."""
    faults: tuple[Fault, ...]

    @property
    def holds(self) -> bool:
        """Whether no event was edited, dropped, added or reordered."""
        return not self.faults


def verify_chain(path: Path) -> ChainReport:
    """Check every event of a log; raises `UnusableLog` for a file that is none."""
    with closing(open_for_reading(path)) as connection:
        head = read_head(connection, path.name)
        return check_rows(head, read_rows(connection, path.name))


def check_rows(head: Head, rows: Iterator[Row]) -> ChainReport:
    """Check rows against each other and against where the chain says it ends."""
    faults: list[Fault] = []
    previous, count, erased, before = genesis(head.session_id), 0, 0, 0
    for row in rows:
        count += 1
        erased += row.payload is None
        if len(faults) < _MOST_FAULTS:
            faults += _row_faults(row, previous, before)
        if not _well_formed(row):
            break
        previous, before = row.hash, row.seq
    if (count, previous) != (head.events, head.last):
        faults.append(
            Fault(count, f"the log says it has {head.events:,} events, {count:,} are there or the last differs")
        )
    return ChainReport(head.session_id, count, erased, previous.hex(), tuple(faults))


def _well_formed(row: Row) -> bool:
    """SQLite keeps any type in any column; only these can be hashed."""
    numbers = (row.seq, row.wall, row.mono, row.kind)
    contents = (row.salt, row.hash, b"" if row.payload is None else row.payload)
    return (
        all(type(number) is int and abs(number) < 2**63 for number in numbers)
        and all(type(content) is bytes for content in contents)
        and 0 <= row.kind < 256
    )


def _row_faults(row: Row, previous: bytes, before: int) -> list[Fault]:
    if not _well_formed(row):
        return [Fault(before + 1, "is no event: a column holds something else")]
    if row.seq != before + 1:
        return [Fault(row.seq, f"follows event {before}: events are missing or out of order")]
    if len(row.salt) != (hashlib.sha256().digest_size if row.payload is None else SALT_BYTES):
        return [Fault(row.seq, "was erased without its proof, or its salt was altered")]
    if link(previous, row.seq, row.wall, row.mono, row.kind, proof_of(row)) != row.hash:
        return [Fault(row.seq, "does not match its hash: it, or the one before, was altered")]
    return []
