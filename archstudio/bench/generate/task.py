"""A generated task: its limits, its starting graph, its reference solution, and its brief as statements."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from archstudio.bench.facts import Fact
from archstudio.bench.tasks import Kind
from archstudio.edits.actions.model import Model, clone

Wording = Literal["complete", "original-facts"]

COMMON: Final[Mapping[str, Any]] = {"forbidBlockers": True, "minScore": 50, "mustReachOutput": True}
EDITS_ONLY: Final[Mapping[str, Any]] = {"forbidActionTypes": ["replace_model", "clear_canvas"]}


class Statement(NamedTuple):
    """One sentence of a brief and the facts it states; `ours` where the original brief leaves it unsaid."""

    text: str
    facts: tuple[Fact, ...] = ()
    ours: bool = False


@dataclass(frozen=True)
class GeneratedTask:
    """Task `index` of a split. Limits, start and reference are Arch-Bench's to the byte; the wording is our own."""

    id: str
    tier: str
    family: str
    kind: Kind
    budget: Mapping[str, Any]
    constraints: Mapping[str, Any]
    start: Model
    actions: list[dict[str, Any]]
    statements: tuple[Statement, ...]

    def model(self) -> Model:
        """A fresh copy of the starting graph."""
        model: Model = clone(self.start)
        return model

    def reference(self) -> list[dict[str, Any]]:
        """The actions of the generator's own solution."""
        actions: list[dict[str, Any]] = clone(self.actions)
        return actions

    @property
    def spec(self) -> str:
        """The complete brief."""
        return self.brief("complete")

    def brief(self, wording: Wording) -> str:
        """The brief in our words: every binding fact with our additions marked, or what the original states alone."""
        told = " ".join(statement.text for statement in self.statements if not statement.ours)
        if wording == "original-facts":
            return told
        added = [f"- {statement.text}" for statement in (*self.statements, _ALWAYS) if statement.ours]
        return "\n".join([told, "", "Also binding (added by Arch Studio; the original brief does not say so):", *added])

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Every fact of the complete brief that can be checked on a graph."""
        return self.facts_said("complete")

    def facts_said(self, wording: Wording) -> tuple[Fact, ...]:
        """The checkable facts that a brief in this wording states."""
        said = (item for item in self.statements if wording == "complete" or not item.ours)
        return tuple(fact for statement in said for fact in statement.facts)


def ours(text: str, *facts: Fact) -> Statement:
    """A statement the original brief leaves unsaid."""
    return Statement(text, facts, ours=True)


def told(text: str, *facts: Fact) -> Statement:
    """A statement of facts the original brief states, in our words."""
    return Statement(text, facts)


def least_layers(count: int) -> Statement:
    """The minimum size, which no original brief states."""
    return ours(f"The graph has at least {count} components, input and output included.")


def required_types(*kinds: str) -> Statement:
    """The exact type names the grader looks for."""
    listed = f"a layer of type {kinds[0]}" if len(kinds) == 1 else f"layers of the types {', '.join(kinds)}"
    return ours(f"The grader looks for {listed}.")


_ALWAYS: Final = ours("No structural blocker, a score of at least 50, and input reaches output.")
