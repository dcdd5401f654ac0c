"""What runs but deserves a word: mistakes (the loss or the brief suffers) and advice. One module a theme."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from archstudio.layers import Problem
from archstudio.verify.advice.look import RULES, Look
from archstudio.verify.advice.silence import silenced

if TYPE_CHECKING:
    from archstudio.verify.verdict import Verdict


def remarks(verdict: Verdict) -> Iterator[Problem]:
    """Everything the rules say of a graph, but for what `graph.meta["silenced"]` leaves out."""
    quiet = silenced(verdict.graph)
    return (problem for problem in _said(verdict) if problem.kind.code not in quiet)


def silenced_remarks(verdict: Verdict) -> Iterator[Problem]:
    """What would be said of a graph if it did not ask for silence."""
    quiet = silenced(verdict.graph)
    return (problem for problem in _said(verdict) if problem.kind.code in quiet) if quiet else iter(())


def _said(verdict: Verdict) -> Iterator[Problem]:
    load()
    look = Look(verdict.graph, verdict.nodes, verdict.order)
    for rule in RULES:
        yield from rule(look)


@cache
def load() -> None:
    """Import every theme, so that all rules are entered, in the order of the modules' names."""
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
