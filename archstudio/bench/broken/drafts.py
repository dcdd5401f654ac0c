"""All exercises in the order they are offered: images, sequences, wiring, then single parameters."""

from archstudio.bench.broken import axes, images, parameters, resizing, sequences, wiring
from archstudio.bench.broken.exercise import Exercise


def drafts() -> tuple[Exercise, ...]:
    """Every exercise as drawn."""
    rooms = (images, resizing, sequences, wiring, axes, parameters)
    return tuple(each for room in rooms for each in room.EXERCISES)
