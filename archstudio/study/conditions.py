"""The conditions people work under: each is the protocol that models ran under, as rules a session keeps to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from archstudio.study.records import CONDITIONS, GRAPH_CONDITIONS, Condition, ItemKind
from archstudio.study.visibility import CONDITION_VISIBILITY, Visibility


@dataclass(frozen=True, slots=True)
class Conduct:
    """What a condition allows. `counterpart` names the protocol of models; empty where there is none."""

    condition: Condition
    counterpart: str
    submissions: int | None
    """At most so many an item; the study's own limit may be lower. None: no limit."""

    @property
    def visibility(self) -> Visibility:
        """What the window may show or do."""
        return CONDITION_VISIBILITY[self.condition]

    @property
    def item_kind(self) -> ItemKind:
        """Whether people edit graphs or answer questions."""
        return "graph" if self.condition in GRAPH_CONDITIONS else "question"

    @property
    def audits(self) -> bool:
        """Whether a dry-run grade may be asked for."""
        return self.visibility.audit

    @property
    def reveals(self) -> bool:
        """Whether the answer is shown after each question."""
        return self.item_kind == "question" and self.visibility.reveal

    @property
    def tells_failures(self) -> bool:
        """Whether a failed submission is answered by its failures."""
        return self.visibility.failure_list


_COUNTERPARTS: Final[Mapping[Condition, tuple[str, int | None]]] = {
    "single_shot": ("one reply, no feedback", 1),
    "verifier_turns_3": ("repair rounds", 3),
    "verifier_tool": ("verifier as a tool", 1),
    "assisted": ("", 1),
    "blind": ("static prompt", 1),
    "full_sequential_feedback": ("sequential feedback runner", 1),
}

CONDUCTS: Final[Mapping[Condition, Conduct]] = {
    condition: Conduct(condition, *_COUNTERPARTS[condition]) for condition in CONDITIONS
}
