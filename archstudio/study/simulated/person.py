"""Who a simulated participant is: how able, how quick, how careful. No claim is made that people are like this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Any

from archstudio.bench.mulberry import Mulberry32
from archstudio.study.protocol.orders import stream


@dataclass
class Person:
    """A simulated participant; `draws` is a stream of its own, so that the same seed gives the same session."""

    number: int
    participant_id: str
    skill: float
    """Chance to solve an item of usual difficulty."""
    pace_s: float
    """Typical seconds for one step."""
    care: float
    """Chance not to be distracted on an item, nor to fail an attention item."""
    draws: Mulberry32

    def chance(self, share: float) -> bool:
        """True with the given chance."""
        return self.draws.draw() < share

    def seconds(self) -> float:
        """How long one step takes: log-normal around the pace."""
        around = sum(self.draws.draw() for _ in range(12)) - 6  # about standard normal
        return self.pace_s * exp(0.5 * around)

    def solves(self, item_id: str) -> bool:
        """Whether this person solves an item; how hard the item is follows from its id alone."""
        hardness = stream("hardness", item_id).draw() - 0.5
        return self.chance(min(0.98, max(0.02, self.skill - 0.5 * hardness)))

    def profile(self) -> dict[str, Any]:
        """Answers to the shipped questionnaire."""
        years = self.draws.integer(0, 12)
        return {
            "relation": "external",
            "years_ml": years,
            "years_pytorch": min(years, 8),
            "self_rating": min(5, 1 + years // 3),
            "role": self.draws.pick(("student", "researcher", "engineer")),
            "prior_exposure.arch-bench": "none",
            "prior_exposure.architectureiq": "none",
        }


def people(count: int, seed: int, first: int = 0) -> Iterator[Person]:
    """Simulated people, numbered on from `first`."""
    for number in range(first, first + count):
        draws = stream("person", seed, number)
        name = "".join(f"{draws.integer(0, 0xFFFF):04x}" for _ in range(8))
        skill = 0.25 + 0.6 * draws.draw()
        pace = exp(log(6.0) + (draws.draw() - 0.5) * sqrt(2))
        yield Person(number, name, skill, pace, 0.75 + 0.25 * draws.draw(), draws)
