"""Problems and fixes in the language of the window; what is stored and told elsewhere stays in English."""

from __future__ import annotations

from archstudio.app.words import said, said_made, said_with
from archstudio.design.fixes import Fix
from archstudio.layers import Problem
from archstudio.layers.short_numbers import with_short_numbers
from archstudio.verify.report import ProblemReport


def problem_title(problem: Problem, node_name: str) -> str:
    """The sentence about a problem; numbers of hundreds of digits are cut."""
    return with_short_numbers(said_with(problem.kind.title, {**problem.facts, "node": node_name}))


def problem_explanation(problem: Problem) -> str:
    """Why it matters."""
    return said(problem.kind.explain)


def waiting_text(told: ProblemReport) -> str:
    """Which layers wait for this one."""
    return said_made(told.waiting)


def needs_text(told: ProblemReport) -> str:
    """Which parameter asks for what it needs."""
    return said_made(told.needs_why)


def fix_label(fix: Fix) -> str:
    """What a fix does, for its button."""
    return said_made(fix.label)
