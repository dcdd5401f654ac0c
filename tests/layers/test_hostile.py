"""Whatever a file says and whatever comes in, a rule answers with an outcome, at once: it never raises or loops."""

import math
from collections.abc import Iterator
from itertools import product
from random import Random
from time import process_time
from typing import Any

import pytest

from archstudio.layers import Layer, Value, Wire, entries
from archstudio.layers.wire import ITEM_BYTES
from archstudio.torchcode.single import WITHOUT_EXAMPLE
from archstudio.verify.outcome import Outcome, evaluate

TYPES = list(entries())
HOSTILE: tuple[Any, ...] = (
    *(-1, -(10**12), 0, 1, 10**12, 10**30, -0.5, 1.5, 1e300, math.nan, math.inf, -math.inf, True, False, None),
    *("", "same", "valid", "nan", "x" * 10_000, [], [0], [-1], [1, 2, 3, 4, 5, 6, 7], [10**30] * 3, [math.nan]),
    *([None], ["a", "b"], [[1, 2], [3]], [[[]]], {}, {"a": 1}, [{}], [True, False], [10**12, -(10**12)]),
)
"""Values that no parameter is meant for, or only some."""
SHAPES = ((), (0,), (1,), (3,), (0, 3), (3, 0), (2, 3), (2, 0, 3), (2, 3, 4), (1, 2, 3, 4), (0, 2, 3, 3), (2, 0, 3, 3))
MORE_SHAPES = ((2, 3, 4, 5, 2), (1, 0, 2, 2, 2), (1, 2, 1, 2, 1, 2), (10**12, 10**12), (2, 10**30, 4), (10**9,) * 4)
SECONDS = 2.0
"""Far more than a rule needs, and far less than a loop over a size of 10**12 takes."""


def base_params(entry: type[Layer]) -> dict[str, Any]:
    """Parameters of some example that runs by the rules, or none."""
    if entry.type in WITHOUT_EXAMPLE:
        return {}
    random = Random(3)
    for _ in range(60):
        example = entry.example(random)
        if evaluate(entry, example.params, example.inputs, False, None).refused is None:
            return dict(example.params)
    return {}


def inputs_of(entry: type[Layer]) -> tuple[Value, ...]:
    if entry.type in WITHOUT_EXAMPLE:
        return (Wire.of((2, 3)),)
    return entry.example(Random(3)).inputs


def answered(entry: type[Layer], params: dict[str, Any], inputs: tuple[Value, ...], training: bool = False) -> None:
    start = process_time()
    outcome = evaluate(entry, params, inputs, training, None)
    assert isinstance(outcome, Outcome)
    assert (outcome.value is None) == (outcome.refused is not None)
    assert process_time() - start < SECONDS


def hostile_inputs(count: int) -> Iterator[tuple[Wire, ...]]:
    for shape, dtype in product((*SHAPES, *MORE_SHAPES), ("float32", "int64")):
        yield (Wire.of(shape, dtype),) * count
    for dtype in ITEM_BYTES:
        yield (Wire.of((2, 3, 4), dtype),) * count
    yield (Wire.of((4, 3), "float32", (1, 4)),) * count
    yield (Wire.of((2, 3, 4, 4), "float32", (48, 1, 12, 3)),) * count


@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_every_field_takes_every_value_or_refuses_it(entry: type[Layer]) -> None:
    params, inputs = base_params(entry), inputs_of(entry)
    for field, value in product(entry.fields.values(), HOSTILE):
        kept = {key: given for key, given in params.items() if key not in field.keys}
        answered(entry, {**kept, field.json: value}, inputs)


@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_every_input_is_taken_or_refused(entry: type[Layer]) -> None:
    params = base_params(entry)
    most = len(entry.inputs) + (1 if entry.variadic else 0)
    for count in range(max(len(entry.inputs) - entry.optional_inputs, 0), most + 1):
        for inputs in hostile_inputs(count):
            answered(entry, params, inputs, training=True)
            answered(entry, {}, inputs)


@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_tuples_and_wrong_counts_of_inputs_are_refused(entry: type[Layer]) -> None:
    params, pair = base_params(entry), (Wire.of((2, 3)), Wire.of((2, 3)))
    for inputs in ((), (pair,), (pair, pair), (Wire.of((2, 3)),) * 9, ((pair, pair),)):
        answered(entry, params, inputs)


@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_hostile_values_and_inputs_together_are_answered(entry: type[Layer]) -> None:
    random, params = Random(11), base_params(entry)
    count = max(len(entry.inputs), 1)
    choices = list(hostile_inputs(1))
    for _ in range(300):
        changed = dict(params)
        for field in random.sample(list(entry.fields.values()), min(2, len(entry.fields))):
            changed[field.json] = random.choice(HOSTILE)
        inputs = tuple(random.choice(choices)[0] for _ in range(count))
        answered(entry, changed, inputs, training=random.random() < 0.5)
