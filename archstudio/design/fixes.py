"""Remedies for a problem, each tried on a copy of the graph before it is offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from archstudio.design import remedies
from archstudio.design.moves import shown
from archstudio.design.site import PROPOSERS, Site
from archstudio.design.trial import Recipe, Trial, Tried, Unsuitable
from archstudio.edits import Edit
from archstudio.graph import Graph
from archstudio.layers import Problem, Severity, value_text
from archstudio.verify.verdict import Verdict

MOST = 5
"""Fixes offered at most for one problem."""

TRIED_AT_MOST = 60
"""Recipes tried at most for one problem, so that opening one never takes long."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a fix would lead to: what comes out of the layer, and how weights and work change.

    A difference is None where either side is not known.
    """

    shape: str
    d_parameters: int | None
    d_macs: int | None


@dataclass(frozen=True, slots=True)
class Fix:
    """One remedy: what its button says, the edit it makes, and what that leads to.

    `remaining` counts the errors there are afterwards.
    """

    label: str
    edit: Edit
    preview: Preview
    note: str = ""
    remaining: int = 0


MOST_WIRES = 1_000
"""A layer with more wires than this is offered no fix: each would have to be tried on all of them."""


def fixes_for(graph: Graph, problem: Problem, verdict: Verdict) -> list[Fix]:
    """Up to five remedies that were seen to help, best first; empty if none is known.

    An error's fix makes the number of errors drop, or makes this error go and leaves fewer layers in trouble (an error
    behind it was hidden until then). A remark's fix makes the remark go. Nothing that was right becomes wrong. Best is
    what leaves the fewest errors, is closest to what was meant, and changes the number of weights least.
    """
    remedies.load()
    site = Site(graph, verdict, problem)
    trial = Trial(graph)
    known = frozenset(p.id for p in verdict.remarks) if problem.severity is not Severity.ERROR else frozenset()
    found: list[tuple[tuple[int, int, int, int], Fix]] = []
    for place, recipe in enumerate(_recipes(site)):
        try:
            with trial.tried(recipe) as tried:
                if _helps(problem, trial.before, tried.verdict, known):
                    fix = _fix(problem, trial, recipe, tried)
                    change = abs(fix.preview.d_parameters or 0)
                    found.append(((fix.remaining, recipe.far, change, place), fix))
        except Unsuitable:
            continue
    found.sort(key=lambda pair: pair[0])
    labels: dict[str, Fix] = {}
    for _, fix in found:
        labels.setdefault(fix.label, fix)
    return list(labels.values())[:MOST]


def _recipes(site: Site) -> list[Recipe]:
    if site.problem.node and site.problem.node not in site.graph:
        return []
    if site.problem.node and site.graph.incoming_count(site.problem.node) > MOST_WIRES:
        return []
    proposed = [recipe for propose in PROPOSERS.get(site.problem.kind.code, ()) for recipe in propose(site)]
    return proposed[:TRIED_AT_MOST]


def _helps(problem: Problem, before: Verdict, after: Verdict, known: frozenset[str]) -> bool:
    if any(p.node not in before.nodes or before.nodes[p.node].state == "ok" for p in after.errors):
        return False
    if problem.severity is Severity.ERROR:
        fewer = len(after.errors) < len(before.errors)
        gone = all(p.id != problem.id for p in after.errors)
        return fewer or (gone and _in_trouble(after) < _in_trouble(before))
    if len(after.errors) > len(before.errors) or any(p.id == problem.id for p in after.remarks):
        return False
    return all(p.id in known or p.severity is not Severity.MISTAKE for p in after.remarks)


def _in_trouble(verdict: Verdict) -> int:
    return sum(known.state != "ok" for known in verdict.nodes.values())


def _fix(problem: Problem, trial: Trial, recipe: Recipe, tried: Tried) -> Fix:
    after = tried.verdict
    node = trial.graph.node(problem.node) if problem.node in trial.graph else None
    label = recipe.label if node is None or "{" not in recipe.label else recipe.label.format_map(_Shown(node.params))
    value = after.nodes[problem.node].value if node is not None else None
    preview = Preview(
        "" if value is None else value_text(value),
        _difference("parameters", trial.before, after),
        _difference("macs", trial.before, after),
    )
    notes = [recipe.note] if recipe.note else []
    if tried.carried:
        notes.append("Also adapts " + ", ".join(dict.fromkeys(tried.carried)) + ".")
    shown = len(after.errors) - len(trial.before.errors) + 1
    if problem.severity is Severity.ERROR and shown > 0:
        notes.append("Another problem shows behind it." if shown == 1 else f"{shown} problems show behind it.")
    return Fix(label, tried.edit, preview, " ".join(notes), len(after.errors))


def _difference(what: str, before: Verdict, after: Verdict) -> int | None:
    """How a count changes over the layers whose count is known on both sides, those that come or go included.

    None if a layer at the root of a problem had no count: then the change is not known. One that only waited for its
    input has the count it always would have had.
    """
    total = 0
    for node, new in after.nodes.items():
        count = getattr(new, what)
        old = before.nodes.get(node)
        if old is None:
            total += count or 0
            continue
        had = getattr(old, what)
        if had is not None and count is not None:
            total += count - had
        elif old.state == "problem" and count is not None:
            return None
    gone = (known for node, known in before.nodes.items() if node not in after.nodes)
    return int(total - sum(getattr(known, what) or 0 for known in gone))


class _Shown(dict[str, str]):
    """Parameters as labels show them: thousands separated, lists joined by ×."""

    def __init__(self, params: Any) -> None:
        super().__init__({key: shown(value) for key, value in params.items()})

    def __missing__(self, key: str) -> str:
        return "?"
