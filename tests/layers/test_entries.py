"""Every entry of the catalogue says what a person and a test need to know of it."""

from random import Random

import pytest

from archstudio.layers import Wire, entries
from archstudio.verify.outcome import evaluate

ENTRIES = [pytest.param(cls, id=cls.type) for cls in entries()]


def _works_alone(cls):
    """Inputs have nothing to try; layers that use another node's weights are tried in graphs."""
    return cls.family != "io" and not any(field.kind == "node" for field in cls.fields.values())


ALONE = [pytest.param(cls, id=cls.type) for cls in entries() if _works_alone(cls)]


@pytest.mark.parametrize("cls", ENTRIES)
def test_an_entry_explains_itself(cls):
    assert cls.__doc__, f"{cls.type} has no docstring"
    silent = [field.json for field in cls.fields.values() if not field.help]
    assert not silent, f"{cls.type} does not explain {silent}"


@pytest.mark.parametrize("cls", ALONE)
def test_an_entry_makes_examples_that_are_sometimes_wrong_and_says_so_in_words(cls):
    outcomes = []
    for seed in range(60):
        example = cls.example(Random(seed))
        outcomes.append((example, evaluate(cls, example.params, example.inputs, example.training, None)))
    assert any(o.refused is None for _, o in outcomes), f"no example of {cls.type} is right"
    for _, outcome in outcomes:
        if outcome.refused is not None:
            facts = {**outcome.refused.facts, "node": "it"}
            assert outcome.refused.kind.title.format_map(facts)


@pytest.mark.parametrize("cls", ALONE)
def test_the_story_of_a_size_stays_within_the_wires(cls):
    for seed in range(20):
        example = cls.example(Random(seed))
        outcome = evaluate(cls, example.params, example.inputs, example.training, None)
        if outcome.layer is None or not isinstance(outcome.value, Wire):
            continue
        for axis in range(-outcome.value.rank, 0):
            step = outcome.layer.trace(axis, example.inputs, outcome.value)
            if step is not None and step.port is not None:
                assert step.axis is not None
                assert -example.inputs[step.port].rank <= step.axis < 0, (cls.type, axis, step)
