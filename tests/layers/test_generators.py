"""The random examples of every entry are sharp: a rule that is wrong by one is found with a handful of them."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
import torch

from archstudio.layers import Layer, Refused, Value, Wire, entries
from archstudio.layers.base import Example, Parameter
from archstudio.torchcode.allowed import allowed_because
from archstudio.torchcode.judgement import Ran, outcome_differences
from archstudio.torchcode.single import WITHOUT_EXAMPLE, flops_of_example, judge_example
from archstudio.verify.outcome import Outcome, evaluate

FEW, MANY = 30, 300
"""Examples that have to show a mutant: in every run, and in the long ones."""

TYPES = [entry for entry in entries() if entry.type not in WITHOUT_EXAMPLE]
NOT_COUNTED = frozenset({"bilinear", "mixtureOfExperts", "moeLayer", "sharedExpertMoE"})
"""Layers whose products PyTorch's counter does not know, or that look at numbers and do not run without."""
TAKE_ANYTHING = frozenset({"identity", "contiguous", "cast", "sigmoid", "softsign", "tanh"})
"""Layers that no input and no parameter makes wrong."""
Judged = tuple[Example, Ran]


@cache
def judged(entry: type[Layer], count: int) -> tuple[Judged, ...]:
    """So many examples of a type and what PyTorch did with them."""
    random = Random(7)
    examples = [entry.example(random) for _ in range(count)]
    return tuple((example, judge_example(entry, example)) for example in examples)


def mutant(entry: type[Layer], **methods: Any) -> type[Layer]:
    """An entry with a rule replaced, which is in no catalogue."""
    return type(entry.__name__, (entry,), methods)


def ours(entry: type[Layer], example: Example) -> Outcome:
    return evaluate(entry, example.params, example.inputs, example.training, None)


def wrong(entry: type[Layer], example: Example, theirs: Ran) -> bool:
    return any(outcome_differences(ours(entry, example), theirs))


def found(entry: type[Layer], changed: type[Layer], count: int) -> bool:
    """Whether an example shows that the mutant is wrong where the entry is right."""
    return any(wrong(changed, *case) and not wrong(entry, *case) for case in judged(entry, count))


def larger(value: Value, axis: Callable[[int], int]) -> Value:
    """The value with one axis of its first tensor that has any one larger."""
    if isinstance(value, tuple):
        return (larger(value[0], axis), *value[1:])
    return value.with_axis(axis(value.rank), value.shape[axis(value.rank)] + 1) if value.rank else Wire.of((2,))


def grown(entry: type[Layer], axis: Callable[[int], int]) -> type[Layer]:
    return mutant(entry, forward=lambda self, *wires: larger(entry.forward(self, *wires), axis))


def heavier(entry: type[Layer]) -> type[Layer]:
    return mutant(entry, parameters=lambda self: (*entry.parameters(self), Parameter("more", (1,))))


def easier(entry: type[Layer]) -> type[Layer]:
    def forward(self: Layer, *wires: Wire) -> Value:
        try:
            return entry.forward(self, *wires)
        except Refused:
            return wires[0]

    return mutant(entry, forward=forward, macs=lambda self, inputs, output: 0)


def refuses_inputs(outcome: Outcome) -> bool:
    return outcome.refused is not None and outcome.phase == "forward"


def assert_sharp(entry: type[Layer], count: int) -> None:
    runs = [theirs.error is None for _, theirs in judged(entry, count)]
    assert any(runs), "no example runs"
    assert not all(runs) or entry.type in TAKE_ANYTHING, "no example is wrong"
    assert found(entry, grown(entry, lambda rank: rank - 1), count), "a last axis that is one too large"
    assert found(entry, grown(entry, lambda rank: 0), count), "a first axis that is one too large"
    assert found(entry, heavier(entry), count), "one parameter too many"
    if any(refuses_inputs(ours(entry, example)) for example, _ in judged(entry, count)):
        assert found(entry, easier(entry), count), "a refusal that is left out"


@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_a_rule_that_is_wrong_by_one_is_found(entry: type[Layer]) -> None:
    assert_sharp(entry, FEW)


@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_a_multiplication_too_many_is_found(entry: type[Layer]) -> None:
    if entry.type in NOT_COUNTED:
        pytest.skip("PyTorch does not count it")
    torch.set_num_threads(1)
    for example, theirs in judged(entry, FEW):
        outcome = ours(entry, example)
        one_vector = any(isinstance(x, Wire) and x.rank == 1 for x in example.inputs)
        if outcome.macs and outcome.layer is not None and theirs.error is None and not one_vector:
            assert flops_of_example(outcome.layer, example) != 2 * (outcome.macs + 1)
            assert flops_of_example(outcome.layer, example) == 2 * outcome.macs
            return
    probe = [ours(entry, example).macs for example, _ in judged(entry, FEW)]
    assert not any(probe) or any(isinstance(x, Wire) and x.rank == 1 for e, _ in judged(entry, FEW) for x in e.inputs)


@pytest.mark.long
@pytest.mark.parametrize("entry", TYPES, ids=lambda entry: entry.type)
def test_each_mutant_is_found_by_many_examples_that_agree(entry: type[Layer]) -> None:
    assert_sharp(entry, MANY)
    assert not any(wrong(entry, *case) for case in judged(entry, MANY) if not allowed(entry, *case))


def allowed(entry: type[Layer], example: Example, theirs: Ran) -> bool:
    differences = list(outcome_differences(ours(entry, example), theirs))
    return allowed_because(entry.type, example, ours(entry, example), differences) is not None
