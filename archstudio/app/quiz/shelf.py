"""The sessions and packs of a person on disk: each session one file, each pack kept as it was when it was begun."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from archstudio.app.quiz.packs import QuizPack, parse_pack
from archstudio.app.quiz.record import Protocol, SessionRecord
from archstudio.app.quiz.session import QuizSession, begin, resume
from archstudio.files.atomic import save_atomic
from archstudio.files.home import home_path
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.records import json_bytes, read_record


@dataclass(frozen=True)
class Shelf:
    """The folder of questions in a person's home."""

    root: Path

    @classmethod
    def at_home(cls) -> Shelf:
        """The shelf of this person."""
        return cls(home_path() / "questions")

    @property
    def sessions(self) -> Path:
        """Where sessions are."""
        return self.root / "sessions"

    @property
    def packs(self) -> Path:
        """Where packs are, named by their digest."""
        return self.root / "packs"

    def begin(
        self, pack: QuizPack, *, protocol: Protocol, seed: int | None, items: list[str] | None = None
    ) -> QuizSession:
        """Start a session whose every step is on disk before it is taken; raises `SaveFailed`."""
        kept = self._pack_path(pack.sha256)
        if not kept.is_file():
            kept.parent.mkdir(parents=True, exist_ok=True)
            save_atomic(kept, pack.content, backups=0)
        return begin(pack, protocol=protocol, seed=seed, items=items, keep=self.keep)

    def keep(self, record: SessionRecord) -> None:
        """Write a session's record whole, with fsync; raises `SaveFailed`."""
        self.sessions.mkdir(parents=True, exist_ok=True)
        save_atomic(self._session_path(record.session), json_bytes(record.as_json()), backups=0)

    def resume(self, record: SessionRecord) -> QuizSession:
        """Go on with a session from the kept pack; raises `UnusableFile`."""
        return resume(self.pack(record), record, self.keep)

    def pack(self, record: SessionRecord) -> QuizPack:
        """Return the pack of a session as it was when it was begun; raises `UnusableFile`."""
        path = self._pack_path(record.pack_sha256)
        if not path.is_file():
            remedy = "Open the pack again and begin a new session."
            raise UnusableFile(record.pack_name, problem="The kept copy of this pack is gone", remedy=remedy)
        return parse_pack(path.read_bytes(), record.pack_name)

    def records(self) -> tuple[list[SessionRecord], list[str]]:
        """Return all sessions, the one used last first, and why others could not be read."""
        found: list[tuple[float, SessionRecord]] = []
        faults = []
        for path in self.sessions.glob("*.json") if self.sessions.is_dir() else ():
            try:
                found.append((path.stat().st_mtime, read_record(SessionRecord, path)))
            except (UnusableFile, OSError) as fault:
                faults.append(str(fault))
        found.sort(key=lambda one: one[0], reverse=True)
        return [record for _, record in found], faults

    def forget(self, record: SessionRecord) -> None:
        """Delete a session; its pack stays, other sessions may need it."""
        self._session_path(record.session).unlink(missing_ok=True)

    def _pack_path(self, sha256: str) -> Path:
        return self.packs / f"{sha256}.json"

    def _session_path(self, session: str) -> Path:
        return self.sessions / f"{session}.json"
