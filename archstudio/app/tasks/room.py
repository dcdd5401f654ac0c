"""What the window knows about tasks, in one place: suites, attempts, practice and results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from archstudio.app.tasks.attempts import AttemptBook
from archstudio.app.tasks.entry import TaskEntry
from archstudio.app.tasks.filters import State
from archstudio.app.tasks.library import TaskLibrary
from archstudio.app.tasks.practice import PracticeBook
from archstudio.app.tasks.shelf import ResultShelf


@dataclass
class TaskRoom:
    """Suites of tasks with what a person, and models, made of them."""

    library: TaskLibrary = field(default_factory=TaskLibrary)
    attempts: AttemptBook = field(default_factory=AttemptBook)
    practice: PracticeBook = field(default_factory=PracticeBook)
    results: ResultShelf = field(default_factory=ResultShelf)

    def state(self, entry: TaskEntry) -> State:
        """How far the person has come with a task."""
        if entry.is_practice:
            known = self.practice.state(entry.id)
            return "done" if known.mended else "tried" if known.hints else "untouched"
        reached = self.attempts.progress(entry.ref)
        return "untouched" if reached is None else "done" if reached.solved else "tried"

    def watch_progress(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Call `watcher` after attempts, practice or results change; returns the function that ends it."""
        ends = [part.watch(watcher) for part in (self.attempts, self.practice, self.results)]

        def end() -> None:
            for each in ends:
                each()

        return end
