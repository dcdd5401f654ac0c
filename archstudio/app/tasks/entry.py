"""One task as a row of the browser: what is shown, searched and filtered, without the task itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from archstudio.bench.results.difficulty import family_of
from archstudio.bench.tasks import Kind

SuiteKind: TypeAlias = Literal["curated", "practice", "mine", "generated", "imported"]
PRACTICE = "practice"
MINE = "mine"


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """A task by its `ref`, which documents and attempts name it by: `suite/id`, or the id alone if curated."""

    ref: str
    id: str
    title: str
    suite: str
    tier: str
    """"curated", a generator's tier, "practice", "mine" or "imported"."""
    family: str
    """The generator's family, else the kind of the task."""
    kind: Kind
    text: str
    """The brief, or the goal of an exercise."""

    @property
    def is_practice(self) -> bool:
        """Whether it is a broken graph to mend and not a task to submit."""
        return is_practice(self.ref)


def make_entry(suite: str, tier: str, task_id: str, kind: Kind, text: str) -> TaskEntry:
    """The entry of a task in a suite that is not the curated one."""
    return TaskEntry(f"{suite}/{task_id}", task_id, task_id, suite, tier, family_of(task_id) or kind, kind, text)


def is_practice(ref: str | None) -> bool:
    """Whether a ref names an exercise of the practice set."""
    return ref is not None and ref.startswith(f"{PRACTICE}/")


def split_ref(ref: str) -> tuple[str, str]:
    """Suite and id of a ref."""
    suite, slash, task_id = ref.partition("/")
    return (suite, task_id) if slash else ("curated", ref)
