"""How sure somebody is of each choice: whole percents that always sum to 100, whatever is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WHOLE = 100
STEP = 5
"""What one press of an arrow key changes."""
FIRM = 60
"""What a choice gets when it is picked while all are still even."""


@dataclass(frozen=True)
class Confidence:
    """Percents by label in the order of the choices, and the choice that was picked, if one was."""

    percents: tuple[tuple[str, int], ...]
    picked: str | None = None

    @classmethod
    def even(cls, labels: Sequence[str]) -> Confidence:
        """All choices alike, none picked; needs two labels or more, all different."""
        if len(labels) < 2 or len(set(labels)) < len(labels):
            raise ValueError(f"{list(labels)} are not two or more different labels")
        return cls(tuple(zip(labels, shared_out(dict.fromkeys(labels, 1.0), WHOLE).values(), strict=True)))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels in their order."""
        return tuple(label for label, _ in self.percents)

    def of(self, label: str) -> int:
        """Return a choice's percent; KeyError if there is no such choice."""
        return dict(self.percents)[label]

    @property
    def is_even(self) -> bool:
        """Whether no choice stands out by more than rounding."""
        values = [percent for _, percent in self.percents]
        return max(values) - min(values) <= 1

    @property
    def choice(self) -> str | None:
        """The answer: the most probable choice; among several such the picked one, None if it is none of them."""
        most = max(percent for _, percent in self.percents)
        leading = [label for label, percent in self.percents if percent == most]
        if self.picked in leading:
            return self.picked
        return leading[0] if len(leading) == 1 and not self.is_even else None

    def probabilities(self) -> dict[str, float]:
        """Return the shares by label; they sum to 1."""
        return {label: percent / WHOLE for label, percent in self.percents}

    def set(self, label: str, percent: int) -> Confidence:
        """Give one choice a percent, clipped to 0 … 100; the others share the rest in the proportion they had."""
        percent = max(0, min(WHOLE, percent))
        others = {other: float(value) for other, value in self.percents if other != label}
        if label not in self.labels:
            raise KeyError(label)
        if not any(others.values()):
            others = dict.fromkeys(others, 1.0)
        shares = {label: percent, **shared_out(others, WHOLE - percent)}
        return Confidence(tuple((name, shares[name]) for name in self.labels), self.picked)

    def step(self, label: str, steps: int) -> Confidence:
        """Change a choice by so many steps of five."""
        return self.set(label, self.of(label) + STEP * steps)

    def pick(self, label: str) -> Confidence:
        """Take a choice for the answer, and make it the most probable one if it is not."""
        firm = self
        if self.is_even:
            firm = self.set(label, FIRM)
        elif (most := max(percent for _, percent in self.percents)) > self.of(label):
            leader = next(name for name, percent in self.percents if percent == most)
            swapped = {**dict(self.percents), label: most, leader: self.of(label)}
            firm = Confidence(tuple((name, swapped[name]) for name in self.labels))
        return Confidence(firm.percents, label)


def shared_out(weights: Mapping[str, float], whole: int) -> dict[str, int]:
    """Return whole numbers in the proportion of `weights` that sum to `whole`; the largest remainders are rounded up.

    Equal weights and equal remainders go by order. All weights 0 is refused with ZeroDivisionError.
    """
    total = sum(weights.values())
    exact = {name: whole * weight / total for name, weight in weights.items()}
    made = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: made[name] - exact[name])
    for name in by_remainder[: whole - sum(made.values())]:
        made[name] += 1
    return made
