"""All exercises in the order they are offered: sizes first, then images, sequences, and wiring."""

from archstudio.bench.broken import images, parameters, sequences, wiring
from archstudio.bench.broken.exercise import Exercise


def drafts() -> tuple[Exercise, ...]:
    """Every exercise as drawn."""
    return (*images.exercises(), *sequences.exercises(), *wiring.exercises(), *parameters.exercises())
