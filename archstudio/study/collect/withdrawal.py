"""Takes a person's data out of collected files by the code they were given: offline, for good, leaving a tombstone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from archstudio.files.atomic import save_atomic, saving
from archstudio.files.unusable import UnusableFile
from archstudio.study.collect.files import SessionFile, read_session, session_paths
from archstudio.study.log.erase import erase
from archstudio.study.log.events import EventKind
from archstudio.study.log.transfer import SUFFIX as HANDED_OVER
from archstudio.study.log.transfer import export_session, import_session
from archstudio.study.session.engine import code_hash


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """One file that was erased: whose it was by the random id, and how many events lost their content."""

    path: Path
    participant_id: str
    erased: int


def withdraw(code: str, given: Sequence[Path], *, now_ms: int | None = None) -> list[Withdrawn]:
    """Erase every session of the person whose code this is, in files and folders of them; an unknown code gives none.

    All sessions of the same person go, also those begun under another code. Files that cannot be read are passed
    over. Raises `LogFailed`, `SessionBusy` or `SaveFailed` where a file cannot be rewritten.
    """
    at_ms = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    files = _readable(given)
    people = {_participant(file) for file in files if _belongs(file, code)}
    return [
        Withdrawn(file.path, _participant(file), _erased(file.path, at_ms))
        for file in files
        if _participant(file) in people
    ]


def _readable(given: Sequence[Path]) -> list[SessionFile]:
    found = []
    for path in session_paths(given):
        try:
            found.append(read_session(path))
        except UnusableFile:
            continue
    return found


def _participant(file: SessionFile) -> str:
    first = next(file.events(), None)
    return "" if first is None else str(first.data.get("participant", ""))


def _belongs(file: SessionFile, code: str) -> bool:
    wanted = code_hash(file.head.session_id, code)
    return any(event.kind is EventKind.CONSENTED and event.data.get("withdrawal") == wanted for event in file.events())


def _erased(path: Path, at_ms: int) -> int:
    """Erase a file of either form in place."""
    if path.suffix != HANDED_OVER:
        return erase(path, at_ms)
    beside = path.with_name(f".{path.name}.erasing")
    with saving(path):
        for each in (beside, beside.with_name(f"{beside.name}.lock")):
            each.unlink(missing_ok=True)
    try:
        import_session(path.read_bytes(), beside, name=path.name)
        count = erase(beside, at_ms)
        save_atomic(path, export_session(beside), backups=0)
    finally:
        for suffix in ("", ".lock", "-wal", "-shm"):
            beside.with_name(f"{beside.name}{suffix}").unlink(missing_ok=True)
    return count
