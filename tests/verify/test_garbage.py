"""Whatever a file says a layer's parameters are, the answer is a verdict: no rule falls over, none takes for ever."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from archstudio.layers import Layer, Value, Wire, entries
from archstudio.layers.base import Example
from archstudio.verify.outcome import Outcome, evaluate

GARBAGE: list[Any] = [
    *(None, True, False, 0, 1, 2, 7, -1, -5, 64, 10**9, -(10**9), 10**18, 2**63),
    *(1.5, -0.5, 0.0, 1e308, float("nan"), float("inf"), "", "x", "same", "ij,jk->ik", "...i->...", "output"),
    *([], [0], [1], [1, 2], [2, 2, 2], [-1, -1], [10**9], ["a"], [None], [1.5], [[1, 2], [3]], {}, {"a": 1}),
]
SIZES = (0, 1, 2, 3, 4, 6, 8, 10**9)
LONGEST_S = 5.0
"""A rule that runs so long has run away; they take microseconds."""


class RanAway(Exception):
    """A rule did not end."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise RanAway

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def any_wire(random: Random) -> Value:
    if random.random() < 0.05:
        return (Wire.of((2, 3)), Wire.of((2, 3)))
    sizes = SIZES if random.random() < 0.2 else SIZES[1:-1]
    shape = tuple(random.choice(sizes) for _ in range(random.randint(0, 5)))
    return Wire.of(shape, random.choice(("float32", "float32", "float32", "int64", "bool", "float16")))


def any_example(random: Random, entry: type[Layer]) -> Example:
    """An example of the entry's own, or none, with some parameters and wires replaced by garbage."""
    own = entry.example(random) if random.random() < 0.6 else Example({}, tuple(any_wire(random) for _ in entry.inputs))
    params, inputs = dict(own.params), list(own.inputs)
    keys = [field.json for field in entry.fields.values()]
    for key in random.sample(keys, min(len(keys), random.choice((0, 1, 1, 1, 2, 4)))):
        params[key] = random.choice(GARBAGE)
    if inputs and random.random() < 0.2:
        inputs[random.randrange(len(inputs))] = any_wire(random)
    return Example(params, tuple(inputs), random.random() < 0.5)


def look_at_everything(outcome: Outcome, inputs: tuple[Value, ...]) -> None:
    """Ask for all that the inspector, the layer table and the provenance ask for."""
    layer, value = outcome.layer, outcome.value
    if layer is None:
        return
    assert isinstance(layer.label, str)
    wires = [w for w in inputs if isinstance(w, Wire)]
    if value is None or len(wires) < len(inputs):
        return
    layer.output_names()
    layer.shape_formula(wires, value)
    list(layer.saved(wires, value))
    for axis in range(-value.rank, 0) if isinstance(value, Wire) else ():
        layer.trace(axis, wires, value)


def try_garbage(entry: type[Layer], seed: int, count: int) -> None:
    random = Random(f"{entry.type} {seed}")
    for _ in range(count):
        example = any_example(random, entry)
        try:
            with within(LONGEST_S):
                outcome = evaluate(entry, example.params, example.inputs, example.training, None)
                look_at_everything(outcome, example.inputs)
        except Exception as error:
            pytest.fail(f"{entry.type} {dict(example.params)} {example.inputs}: {type(error).__name__}: {error}")


ALONE = [
    entry for entry in entries() if entry.family != "io" and not any(f.kind == "node" for f in entry.fields.values())
]
"""Types whose layers need no other node."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a POSIX timer")
@pytest.mark.parametrize("entry", ALONE, ids=lambda entry: entry.type)
def test_garbage_in_a_verdict_out(entry):
    try_garbage(entry, seed=0, count=40)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a POSIX timer")
@pytest.mark.parametrize("entry", ALONE, ids=lambda entry: entry.type)
def test_much_garbage_in_verdicts_out(entry):
    try_garbage(entry, seed=1, count=2_000)
