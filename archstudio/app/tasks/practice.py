"""Practising on broken graphs: hints one at a time, whether a graph is mended, and what was mended already."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from archstudio.app.document import Document
from archstudio.app.tasks.entry import is_practice, split_ref
from archstudio.app.watched import Watched
from archstudio.bench.broken import Exercise, exercise
from archstudio.bench.broken.mended import unmended
from archstudio.edits.plain import to_plain
from archstudio.files.home import settings_path
from archstudio.files.settings import SettingsFile, Values
from archstudio.study.visibility import Visibility


@dataclass(frozen=True, slots=True)
class PracticeState:
    """How far an exercise has come: hints looked at, and when it was mended first (UTC, ISO 8601)."""

    hints: int = 0
    mended_at: str | None = None

    @property
    def mended(self) -> bool:
        """Whether it was ever mended."""
        return self.mended_at is not None


class PracticeBook(Watched):
    """Progress of the practice set, kept over restarts. Watchers hear of hints and of graphs mended."""

    def __init__(self) -> None:
        super().__init__()
        self._store = SettingsFile(settings_path() / "practice.json")
        self._states: dict[str, PracticeState] | None = None

    def state(self, name: str) -> PracticeState:
        """The state of an exercise."""
        if self._states is None:
            self._states = {key: _state(value) for key, value in self._store.read().items()}
        return self._states.get(name, PracticeState())

    def next_hint(self, name: str) -> int:
        """Show one hint more, if there is one; returns how many are shown. SaveFailed."""
        before = self.state(name)
        hints = min(before.hints + 1, len(exercise(name).hints))
        self._keep(name, PracticeState(hints, before.mended_at))
        return hints

    def mark_mended(self, name: str) -> None:
        """Remember that it was mended, and when first. SaveFailed."""
        before = self.state(name)
        if not before.mended:
            self._keep(name, PracticeState(before.hints, datetime.now(UTC).isoformat(timespec="seconds")))

    def _keep(self, name: str, state: PracticeState) -> None:
        if state == self.state(name):
            return
        values: Values = {name: {"hints": state.hints, "mendedAt": state.mended_at}}
        self._store.update(values)
        assert self._states is not None
        self._states[name] = state
        self.tell()


def exercise_of(document: Document) -> Exercise | None:
    """The exercise that a document is on, if it is on one."""
    return exercise(split_ref(document.task_id)[1]) if is_practice(document.task_id) and document.task_id else None


def gives_hints(everywhere: Visibility, document: Visibility) -> bool:
    """Whether hints may be shown: where fixes are hidden from all graphs, and not for practice alone, they may not."""
    return everywhere.fixes and document.exact_verdict


def still_missing(document: Document) -> list[str]:
    """What an exercise's graph still lacks to be mended, as sentences; none if it is."""
    held = exercise_of(document)
    return [] if held is None else unmended(held, to_plain(document.graph), document.verdict)


def _state(value: object) -> PracticeState:
    if not isinstance(value, dict):
        return PracticeState()
    hints, at = value.get("hints"), value.get("mendedAt")
    shown = max(0, hints) if isinstance(hints, int) and not isinstance(hints, bool) else 0
    return PracticeState(shown, at if isinstance(at, str) else None)
