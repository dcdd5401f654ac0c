"""Streams the tasks of a split: families take turns on one stream of draws."""

import threading
from collections import OrderedDict
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
    """Tasks by their place in a split. Each is drawn once on the way there and then is at hand; threads may share it.

    Only the place of each task in the stream of draws is kept: 8 bytes a task, of the splits asked for last.
    """

    most_splits: int = 16
    _states: OrderedDict[tuple[Tier, int], list[int]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def task(self, tier: Tier, seed: float, index: int) -> GeneratedTask:
        """Task `index` of the split. Raises UnknownName, IndexError below 0."""
        if index < 0:
            raise IndexError(f"task index {index} is below 0")
        if tier not in FAMILIES:
            raise UnknownName("tier", tier, TIERS)
        with self._lock:
            states = self._split(tier, Mulberry32(seed).state)
            while len(states) <= index:
                _, states_after = _drawn(tier, states[-1], len(states) - 1)
                states.append(states_after)
            return _drawn(tier, states[index], index)[0]

    def known(self, tier: Tier, seed: float) -> int:
        """How many tasks from the first on are at hand."""
        with self._lock:
            return len(self._states.get((tier, Mulberry32(seed).state), ()))

    def _split(self, tier: Tier, seed: int) -> list[int]:
        """The states before each task known; this split is now the latest asked for."""
        states = self._states.setdefault((tier, seed), [seed])
        self._states.move_to_end((tier, seed))
        while len(self._states) > self.most_splits:
            self._states.popitem(last=False)
        return states


def _drawn(tier: Tier, state: int, index: int) -> tuple[GeneratedTask, int]:
    """Task `index`, whose draws start from `state`, and the state after them."""
    families = list(FAMILIES[tier].items())
    name, make = families[index % len(families)]
    draws = Mulberry32(state)
    return make(draws, f"gen-{name}-{index}"), draws.state
