"""What the task browser shows: words in name or brief, family, tier, difficulty and progress."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from archstudio.app.tasks.entry import TaskEntry
from archstudio.app.words import said

State: TypeAlias = Literal["done", "tried", "untouched"]
STATES: dict[str, str] = {"done": "Done", "tried": "Tried, not done", "untouched": "Not tried"}


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Every part that is set must hold; an empty part lets everything through."""

    text: str = ""
    family: str = ""
    tier: str = ""
    band: str = ""
    state: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether more than the words is set."""
        return bool(self.family or self.tier or self.band or self.state)

    def takes(self, entry: TaskEntry, band: str, state: str) -> bool:
        """Whether a task, as hard and as far as this, is shown."""
        return (
            self.family in ("", entry.family)
            and self.tier in ("", entry.tier)
            and self.band in ("", band)
            and self.state in ("", state)
            and self._says(entry)
        )

    def _says(self, entry: TaskEntry) -> bool:
        words = self.text.casefold().split()
        if not words:
            return True
        told = f"{entry.id} {entry.title} {entry.family} {entry.kind} {entry.text}".casefold()
        return all(word in told for word in words)

    def described(self) -> str:
        """The narrow parts in words: `mlp, easy, not tried`."""
        state = said(STATES[self.state]).lower() if self.state else ""
        return ", ".join(part for part in (self.tier, self.family, self.band, state) if part)
