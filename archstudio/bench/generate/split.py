"""Streams the tasks of a split: families take turns on one stream of draws."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Literal

from archstudio.bench.generate import core_design, core_edits, edge, frontier
from archstudio.bench.generate.task import GeneratedTask
from archstudio.bench.mulberry import Mulberry32
from archstudio.bench.tasks import UnknownName

Tier = Literal["core", "frontier", "edge"]
Family = Callable[[Mulberry32, str], GeneratedTask]

FAMILIES: Final[dict[Tier, dict[str, Family]]] = {
    "core": {
        "mlp": core_design.perceptron,
        "ae": core_design.autoencoder,
        "cnn": core_design.convolutional,
        "txf": core_design.transformer,
        "gqa": core_design.grouped,
        "fix": core_edits.repair,
        "trim": core_edits.trim,
        "norm": core_edits.normalise,
        "tower": core_design.towers,
        "grow": core_edits.grow,
    },
    "frontier": {"fmoe": frontier.experts, "fmla": frontier.latent, "fkv": frontier.shared_cache},
    "edge": {"eedge": edge.fit, "eshrink": edge.shrink},
}
TIERS: Final = tuple(FAMILIES)


def generate(tier: Tier, count: int, seed: float) -> Iterator[GeneratedTask]:
    """The first `count` tasks of a tier, one at a time; a smaller count is a prefix of a larger one."""
    if tier not in FAMILIES:
        raise UnknownName("tier", tier, TIERS)
    draws = Mulberry32(seed)
    families = list(FAMILIES[tier].items())
    for index in range(count):
        name, make = families[index % len(families)]
        yield make(draws, f"gen-{name}-{index}")


def generated_task(tier: Tier, seed: float, index: int) -> GeneratedTask:
    """Task `index` alone; the ones before it have to be drawn too. Raises IndexError below 0."""
    if index < 0:
        raise IndexError(f"task index {index} is below 0")
    return next(islice(generate(tier, index + 1, seed), index, None))


@dataclass
class SplitReader:
    """Tasks by their place in a split, from streams that only start over when an earlier task is asked for."""

    _streams: dict[tuple[Tier, float], tuple[int, Iterator[GeneratedTask]]] = field(default_factory=dict)
    _last: dict[tuple[Tier, float], tuple[int, GeneratedTask]] = field(default_factory=dict)

    def task(self, tier: Tier, seed: float, index: int) -> GeneratedTask:
        """Task `index` of the split; in ascending order each costs one draw of a task, the same one again nothing."""
        at, last = self._last.get((tier, seed), (-1, None))
        if index == at and last is not None:
            return last
        following, stream = self._streams.get((tier, seed), (index + 1, iter(())))
        if index < following:
            following, stream = 0, generate(tier, 2**53, seed)
        for _ in range(following, index):
            next(stream)
        self._streams[tier, seed] = (index + 1, stream)
        made = next(stream)
        self._last[tier, seed] = (index, made)
        return made
