"""Activations: types, axes and memory as PyTorch 2.13 has them."""

import pytest

from archstudio.layers import Wire


def test_numbers_of_another_type_are_kept_promoted_or_refused(run):
    integers = Wire.of((2, 3), "int64")
    assert run("relu", integers).value.dtype == "int64"
    assert run("sigmoid", integers).value.dtype == "float32"
    assert run("gelu", integers).code == "E-DTYPE"


@pytest.mark.parametrize(("type_name", "kept"), [
    ("relu", "output"), ("sigmoid", "output"), ("tanh", "output"), ("softmax", "output"),
    ("gelu", "input"), ("silu", "input"), ("leakyRelu", "input"), ("mish", "input"), ("elu", "input"),
])  # fmt: skip
def test_backward_keeps_the_input_or_the_output(run, type_name, kept):
    result = run(type_name, (2, 3))
    assert [s.what for s in result.layer.saved(result.inputs, result.value)] == [kept]


def test_softmax_works_on_the_last_axis_unless_told_otherwise(run):
    assert run("softmax", (2, 10)).layer.construct_code() == "nn.Softmax(dim=-1)"
    refused = run("softmax", (2, 10), dim=2)
    assert (refused.code, refused.facts["dim"], refused.facts["gets"]) == ("E-AXIS", 2, 2)


def test_swish_is_silu_and_an_unknown_spelling_of_case_does_not_matter(run):
    assert run("swish", (2, 3)).layer.type == run("SiLU", (2, 3)).layer.type == "silu"


def test_a_gated_unit_halves_an_even_axis(run):
    assert run("glu", (2, 10)).shape == (2, 5)
    assert run("glu", (2, 9)).code == "E-GLU-ODD"


def test_prelu_has_one_slope_or_one_for_each_channel(run):
    assert run("prelu", (2, 8, 4), numParameters=8).parameters == 8
    assert run("prelu", (2, 8, 4), numParameters=4).code == "E-PRELU-SIZE"


def test_an_activation_keeps_the_order_in_memory(run):
    transposed = Wire.of((3, 2), strides=(1, 3))
    assert run("relu", transposed).value.strides == (1, 3)
    assert run("softmax", transposed).value.strides is None
