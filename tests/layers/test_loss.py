"""Losses: which targets they take, and what they give."""

import pytest

from archstudio.layers import Wire


def test_cross_entropy_wants_classes_on_axis_1(run):
    result = run("crossEntropyLoss", (4, 20, 100), Wire.of((4, 20), "int64"))
    assert (result.code, result.facts["needs"], result.facts["gets"]) == ("E-LOSS-SHAPE", "4×100", "4×20")
    assert run("crossEntropyLoss", (4, 100, 20), Wire.of((4, 20), "int64")).shape == ()
    assert run("crossEntropyLoss", (4, 10), Wire.of((4,), "float32")).code == "E-DTYPE"


def test_a_target_of_the_same_shape_holds_probabilities(run):
    assert run("crossEntropyLoss", (4, 10), (4, 10)).shape == ()
    assert run("crossEntropyLoss", (4, 10), Wire.of((4, 10), "int64")).code == "E-DTYPE"


@pytest.mark.parametrize(("loss", "code"), [("mseLoss", None), ("bceWithLogitsLoss", "E-LOSS-SHAPE")])
def test_squared_error_spreads_silently_where_others_refuse(run, loss, code):
    assert run(loss, (4, 1), (4,)).code == code
    assert run("mseLoss", (4, 1), (4,), reduction="none").shape == (4, 4)


def test_a_loss_keeps_what_its_gradient_needs(run):
    result = run("crossEntropyLoss", (4, 10), Wire.of((4,), "int64"))
    kept = list(result.layer.saved(result.inputs, result.value))
    assert sum(s.own_bytes or result.inputs[s.index].bytes for s in kept) == 196
