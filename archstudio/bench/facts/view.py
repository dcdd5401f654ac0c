"""A graph as facts see it, and the judging of a list of facts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeAlias

from archstudio.bench.widths import Widths, propagate
from archstudio.edits.actions.model import Component, Model, Wiring, name_text, type_of

Judgement: TypeAlias = tuple[bool | None, str]


@dataclass(frozen=True)
class Exact:
    """What the exact verdict knows: the parameter total, and each output's shape (batch first) by component name.

    None, or a missing name, means unknown.
    """

    parameters: int | None = None
    output_shapes: Mapping[str, tuple[int, ...] | None] = field(default_factory=dict)


@dataclass(frozen=True)
class FactResult:
    """One fact of a brief: its sentence, whether the graph does it (None: unknown yet), and what the graph has."""

    text: str
    holds: bool | None
    value: str


class Fact(Protocol):
    """One thing a brief asks for."""

    @property
    def text(self) -> str: ...
    def judge(self, view: "View") -> Judgement: ...


@dataclass(frozen=True)
class View:
    """A model with its wiring; without `exact`, output widths are followed as the rubric follows them."""

    model: Model
    exact: Exact | None = None

    @cached_property
    def wiring(self) -> Wiring:
        return Wiring(self.model)

    @cached_property
    def widths(self) -> Widths:
        return propagate(self.wiring)

    @property
    def components(self) -> list[Component]:
        return self.wiring.components

    def on_path(self, *kinds: str) -> list[int]:
        """Positions of the components of these types that lie between an input and an output, in list order."""
        return [place for place in self.wiring.of_type(*kinds) if place in self.wiring.on_path]

    def name(self, place: int) -> str:
        return name_text(self.components[place])

    def kind(self, place: int) -> str:
        return type_of(self.components[place])


def check_facts(facts: Iterable[Fact], model: Model, exact: Exact | None = None) -> list[FactResult]:
    """Judge every fact against `model`, with the exact verdict's figures where the caller has them."""
    view = View(model, exact)
    return [FactResult(fact.text, *fact.judge(view)) for fact in facts]
