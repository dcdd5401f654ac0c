"""A copy of the graph on which candidate edits are tried, measured and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from archstudio.design.follow import follow
from archstudio.design.wire_sizes import sizes_given, with_sizes
from archstudio.edits import Batch, ChangeNode, Edit, EditRefused
from archstudio.graph import Graph
from archstudio.layers import Problem, find
from archstudio.verify import Session, Verdict
from archstudio.verify.ports import input_order

Move: TypeAlias = Callable[[Graph, Verdict], "Edit | None"]
"""One step of a recipe: the edit to make on the graph as the steps before left it; None if there is nothing to do."""

CARRY_VISITS = 50_000
"""A trial carries on while it has visited fewer nodes: in a long chain of wrong sizes every cure shows the next one."""


class Unsuitable(Exception):
    """Raised by a move that makes no sense here; the recipe is dropped."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A candidate: what its button says, and the moves it is made of.

    `{keys}` in the label stand for parameters of the node at fault after the moves. `far` puts a recipe behind those
    that are closer to what was meant. With `carry`, sizes behind the change that no longer fit are set from their
    wires as well.
    """

    label: str
    moves: Sequence[Move]
    note: str = ""
    far: int = 0
    carry: bool = False


@dataclass(slots=True)
class Tried:
    """What came of a recipe: the whole edit, the verdict it leads to, and which nodes were carried along."""

    edit: Edit
    verdict: Verdict
    carried: list[str] = field(default_factory=list)


class Trial:
    """The copy, with a session of its own. Nodes and wires are immutable, so a copy shares them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph.copy()
        self._session = Session(self.graph)
        self.before = self._session.verdict()
        self._known = {p.id for p in self.before.errors}

    @contextmanager
    def tried(self, recipe: Recipe) -> Iterator[Tried]:
        """Make a recipe's moves on the copy; they are taken back at the end. Unsuitable if one cannot be made."""
        made: list[Edit] = []
        inverses: list[Edit] = []
        try:
            for move in recipe.moves:
                self._make(move(self.graph, self._session.verdict()), made, inverses)
            self._make(follow(self.graph, self._session.verdict()), made, inverses)
            carried = self._carry(made, inverses) if recipe.carry else []
            if not made:
                raise Unsuitable("the recipe changes nothing")
            edit = made[0] if len(made) == 1 else Batch(tuple(made), recipe.label)
            yield Tried(edit, self._session.verdict(), carried)
        finally:
            for inverse in reversed(inverses):
                inverse.apply(self.graph)

    def _make(self, edit: Edit | None, made: list[Edit], inverses: list[Edit]) -> None:
        if edit is None:
            return
        try:
            inverses.append(edit.apply(self.graph))
        except EditRefused as refused:
            raise Unsuitable(str(refused)) from refused
        made.append(edit)

    def _carry(self, made: list[Edit], inverses: list[Edit]) -> list[str]:
        """Set sizes from their wires where the moves brought new errors that this cures; each size at most once."""
        carried: list[str] = []
        seen: set[str] = set()
        for _ in range(max(1, CARRY_VISITS // max(1, len(self.graph)))):
            verdict = self._session.verdict()
            new = [p for p in verdict.errors if p.id not in self._known and p.id not in seen]
            edits = [(p, size_from_wire(self.graph, verdict, p)) for p in new]
            seen.update(p.id for p in new)
            if all(edit is None for _, edit in edits):
                return carried
            for problem, edit in edits:
                self._make(edit, made, inverses)
                if edit is not None:
                    carried.append(self.graph.node(problem.node).name)
            self._make(follow(self.graph, self._session.verdict()), made, inverses)
        return carried


def size_from_wire(graph: Graph, verdict: Verdict, problem: Problem) -> Edit | None:
    """The edit that sets the size a problem names from the wire, if that is a size that wires give."""
    key = str(problem.facts.get("set_by", ""))
    node = graph.node(problem.node)
    kind = find(node.type)
    if kind is None or key not in kind.keys:
        return None
    given = kind.keys[key].find(node.params)
    spelled = key if given is None else given[0]
    values = [verdict.carried(c.id) for c in input_order(kind, graph.incoming(node.id))]
    sizes = sizes_given(kind, node.params, [v for v in values if v is not None], [spelled])
    wanted = {k: v for k, v in sizes.items() if k == spelled}
    return ChangeNode(with_sizes(node, wanted)) if wanted and None not in values else None
