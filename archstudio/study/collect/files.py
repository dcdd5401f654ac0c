"""Reads one session's file, of either form, into what merging compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from archstudio.files.unusable import UnusableFile
from archstudio.study.log.chain import check_rows
from archstudio.study.log.events import Event, EventKind
from archstudio.study.log.store import Head, Row, UnusableLog, event_of, open_for_reading, read_head, read_rows
from archstudio.study.log.transfer import SUFFIX as HANDED_OVER
from archstudio.study.log.transfer import read_exported
from archstudio.study.session.beginning import SUFFIX


@dataclass(frozen=True)
class SessionFile:
    """A session's file whose chain holds."""

    path: Path
    head: Head
    rows: tuple[Row, ...]

    @property
    def erased(self) -> bool:
        """Whether its content was taken back."""
        return any(row.payload is None for row in self.rows)

    def events(self) -> Iterator[Event]:
        """Its events in order; raises `UnusableLog`."""
        return (event_of(row, self.path.name) for row in self.rows)

    def continues(self, other: SessionFile) -> bool:
        """Whether this is the same session as `other`, as it was then or later; tombstones tell no story."""
        count = other.told
        if self.head.session_id != other.head.session_id or self.told < count:
            return False
        return count == 0 or self.rows[count - 1].hash == other.rows[count - 1].hash

    @property
    def told(self) -> int:
        """How many events there are before the tombstone. Each copy that is erased gets one of its own."""
        tombstone = bool(self.rows) and self.rows[-1].kind == EventKind.WITHDRAWN
        return len(self.rows) - tombstone


def session_paths(given: Sequence[Path]) -> list[Path]:
    """The session files among some files and folders (searched through), each once."""
    found: dict[Path, None] = {}
    for path in given:
        if path.is_dir():
            inside = (each for each in sorted(path.rglob("*")) if each.suffix in (SUFFIX, HANDED_OVER))
            found |= dict.fromkeys(each for each in inside if each.is_file())
        else:
            found[path] = None
    return list(found)


def read_session(path: Path) -> SessionFile:
    """Read a session; raises `UnusableFile` where it is none, or where its chain does not hold."""
    if path.suffix == HANDED_OVER:
        try:
            head, rows = read_exported(path.read_bytes(), path.name)
        except OSError as error:
            remedy = "Check its name and permissions."
            raise UnusableFile(path.name, problem=f"cannot be read: {error.strerror}", remedy=remedy) from error
        return SessionFile(path, head, tuple(rows))
    with closing(open_for_reading(path)) as connection:
        head = read_head(connection, path.name)
        rows = list(read_rows(connection, path.name))
    report = check_rows(head, iter(rows))
    if not report.holds:
        fault = report.faults[0]
        remedy = "It was altered after it was recorded; ask for the original."
        raise UnusableLog(path.name, place=f"event {fault.seq}", problem=fault.problem, remedy=remedy)
    return SessionFile(path, head, tuple(rows))
