"""Finds the unsaved work of instances that died, and never that of one still running."""

from dataclasses import dataclass, field
from pathlib import Path

from archstudio.files.aside import move_aside
from archstudio.files.journal import JOURNAL_SUFFIX, LOCK_SUFFIX, JournalContent, JournalHeader, read_journal
from archstudio.files.locks import FileLock
from archstudio.files.unusable import UnusableFile


@dataclass(frozen=True)
class Recovered:
    """Unsaved work found after a crash. Other instances cannot see it until `discard` or `leave` is called."""

    header: JournalHeader
    lines: tuple[str, ...]
    torn: bool
    """True when an unfinished or damaged rest after the last whole line had to be dropped."""
    path: Path
    _lock: FileLock = field(repr=False)

    def discard(self) -> None:
        """Delete the journal: its work was taken over into another journal, saved, or is not wanted."""
        self.path.unlink(missing_ok=True)
        self._lock.release_and_remove()

    def leave(self) -> None:
        """Keep the journal for a later start or another instance."""
        self._lock.release()


@dataclass
class Findings:
    """What a look into the recovery folder brought up."""

    recovered: list[Recovered] = field(default_factory=list)
    """Oldest first."""
    unreadable: list[UnusableFile] = field(default_factory=list)
    """Damaged journals; each was moved aside, to the place its remedy names."""


def find_unsaved_work(folder: Path) -> Findings:
    """Take over every journal in `folder` whose owner is dead; journals without any edit are deleted.

    Ownership is an operating-system lock, so neither a reused process id nor a shared home folder can deceive it.
    """
    findings = Findings()
    for path in sorted(folder.glob(f"*{JOURNAL_SUFFIX}")):
        lock = FileLock.try_take(path.with_suffix(LOCK_SUFFIX))
        if lock is not None:
            _examine(path, lock, findings)
    findings.recovered.sort(key=lambda found: found.header.started_at)
    return findings


def _examine(path: Path, lock: FileLock, findings: Findings) -> None:
    if not path.exists():  # its owner closed cleanly while we were looking
        lock.release_and_remove()
        return
    try:
        content = read_journal(path)
    except UnusableFile as error:
        aside = move_aside(path)
        error.remedy = f"It was kept as '{aside}'."
        findings.unreadable.append(error)
        lock.release_and_remove()
        return
    _keep_or_drop(path, lock, content, findings)


def _keep_or_drop(path: Path, lock: FileLock, content: JournalContent, findings: Findings) -> None:
    found = Recovered(content.header, content.lines, content.torn, path, lock)
    if content.lines or content.torn:
        findings.recovered.append(found)
    else:
        found.discard()
