"""The one value that decides what the window may show or do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from archstudio.study.records import Condition


@dataclass(frozen=True, slots=True)
class Visibility:
    """What a person is allowed to see and use; widgets ask this and nothing else.

    Outside studies everything is on. In the condition `single_shot` nothing in the window tells whether the graph is
    valid, what shapes flow, or how large it is.
    """

    exact_verdict: bool = True
    """*Runs in PyTorch*, its problems, badges and red wires."""
    task_verdict: bool = True
    """*Passes the task*: the grade and the constraints' current values."""
    brief_verdict: bool = True
    """*Does what the brief asks*."""
    shapes: bool = True
    """Shapes on nodes and wires."""
    counts: bool = True
    """Parameters, MACs, memory."""
    fixes: bool = True
    """Fix buttons and advice."""
    sized_splice: bool = True
    """Sizes of an added layer are set from the wire."""
    shape_filter: bool = True
    """Search is filtered and ranked by what fits the port."""
    divisor_steppers: bool = True
    """Steppers of heads and groups stop at divisors only."""
    field_reasons: bool = True
    """A refused field value says why; otherwise a field only refuses what is not a number or choice."""
    training: bool = True
    """The Training dock."""
    submit_preview: bool = True
    """The Plan dock and what could not be expressed."""
    audit: bool = True
    """The Audit button: a dry-run grade before submitting."""
    failure_list: bool = True
    """After a failed submission, exactly the failures that a model is told."""
    own_layers: bool = True
    """A person's own templates, favourites and layers used lately: in a study all begin with the same."""
    reveal: bool = True
    """After an answer, the right choice and how each choice did."""

    def without(self, *names: str) -> Visibility:
        """The same with some parts hidden."""
        return replace(self, **dict.fromkeys(names, False))


EVERYTHING = Visibility()
"""Outside studies."""

ASSISTED = EVERYTHING.without("own_layers")
"""The whole studio, without what a person brought along."""

SINGLE_SHOT = Visibility(**{f.name: f.name == "submit_preview" for f in fields(Visibility)})
"""What a model sees in one reply: the brief and the graph, no feedback."""

CONDITION_VISIBILITY: Final[Mapping[Condition, Visibility]] = {
    "single_shot": SINGLE_SHOT,
    "verifier_turns_3": replace(SINGLE_SHOT, failure_list=True),
    "verifier_tool": replace(SINGLE_SHOT, audit=True),
    "assisted": ASSISTED,
    "blind": replace(SINGLE_SHOT, submit_preview=False),
    "full_sequential_feedback": replace(SINGLE_SHOT, submit_preview=False, reveal=True),
}
"""What each condition of a study shows. The plan is shown before submitting in all graph conditions: a model, too,
sees the actions it sends."""
