"""Convolutions: sizes, weights, work and refusals as PyTorch 2.13 has them."""

import pytest

from archstudio.layers import Wire


def test_a_kernel_shrinks_the_image_and_padding_keeps_it(run):
    assert run("conv2d", (8, 1, 30, 30), outChannels=16, kernelSize=3).shape == (8, 16, 28, 28)
    assert run("conv2d", (8, 1, 30, 30), outChannels=16, kernelSize=3, padding=1).shape == (8, 16, 30, 30)
    assert run("conv2d", (8, 1, 31, 30), outChannels=16, kernelSize=3, padding="same").shape == (8, 16, 31, 30)
    assert run("conv2d", (3, 224, 224), outChannels=64, kernelSize=7, stride=2, padding=3).shape == (64, 112, 112)


def test_weights_and_work_are_counted_per_group(run):
    whole = run("conv2d", (1, 16, 8, 8), outChannels=32, kernelSize=3, padding=1)
    assert (whole.parameters, whole.macs) == (32 * 16 * 9 + 32, 32 * 64 * 16 * 9)
    split = run("conv2d", (1, 16, 8, 8), outChannels=32, kernelSize=3, padding=1, groups=4)
    assert (split.parameters, split.macs) == (32 * 4 * 9 + 32, 32 * 64 * 4 * 9)


def test_channels_that_are_last_are_recognised(run):
    last = run("conv2d", (1, 32, 32, 3), inChannels=3, outChannels=8, kernelSize=3)
    assert (last.code, last.phase, last.facts["gets"]) == ("E-CHANNELS-LAST", "forward", 32)
    assert run("conv2d", (1, 5, 32, 32), inChannels=3, outChannels=8, kernelSize=3).code == "E-CONV-IN"


def test_what_the_constructor_refuses_comes_before_what_forward_refuses(run):
    groups = run("conv2d", (1, 4, 8, 8), outChannels=6, kernelSize=3, stride=0, groups=3)
    assert (groups.code, groups.phase) == ("E-GROUPS", "construct")
    stride = run("conv2d", (1, 4, 8, 8), outChannels=6, kernelSize=3, stride=0)
    assert (stride.code, stride.phase) == ("E-PARAM-RANGE", "forward")


@pytest.mark.parametrize(("mode", "pad", "code"), [
    ("reflect", 7, None), ("reflect", 8, "E-PAD-REFLECT"), ("circular", 8, None), ("circular", 9, "E-PAD-WRAP"),
    ("replicate", 20, None), ("zeros", -1, "E-PARAM-RANGE"), ("replicate", -1, None),
])  # fmt: skip
def test_each_padding_mode_has_its_own_limit(run, mode, pad, code):
    assert run("conv2d", (1, 4, 8, 8), outChannels=2, kernelSize=1, padding=pad, paddingMode=mode).code == code


def test_a_dilated_kernel_must_fit(run):
    result = run("conv1d", (1, 2, 8), outChannels=2, kernelSize=5, dilation=2)
    assert (result.code, result.facts["covers"], result.facts["gets"]) == ("E-WINDOW", 9, 8)


def test_the_size_is_explained_with_its_numbers(run):
    result = run("conv2d", (8, 1, 30, 30), outChannels=16, kernelSize=3)
    assert result.layer.shape_formula(result.inputs, result.value) == "30 − 3 + 1 = 28"
    step = result.layer.trace(-1, result.inputs, result.value)
    assert (step.text, step.port, step.axis) == ("30 − 3 + 1", 0, -1)
    assert result.layer.label == "1→16 k3"


def test_a_convolution_of_channels_last_memory_answers_in_kind(run):
    permuted = Wire.of((2, 3, 8, 8), strides=(192, 1, 24, 3))
    assert run("conv2d", permuted, outChannels=4, kernelSize=1).value.strides == (256, 1, 32, 4)


def test_transposed_convolutions_undo_the_size_of_convolutions(run):
    assert run("convTranspose2d", (1, 16, 12, 12), outChannels=8, kernelSize=3, stride=2, padding=1).shape[-1] == 23
    bigger = run("convTranspose2d", (1, 16, 12, 12), outChannels=8, kernelSize=3, stride=2, padding=1, outputPadding=1)
    assert bigger.shape == (1, 8, 24, 24)
    assert bigger.macs == 16 * 144 * 8 * 9, "each element of the input is multiplied by a whole kernel"


def test_output_padding_stays_below_the_stride_or_the_dilation(run):
    params = {"outChannels": 2, "kernelSize": 3}
    assert run("convTranspose2d", (1, 4, 8, 8), outputPadding=1, **params).code == "E-OUTPUT-PADDING"
    assert run("convTranspose2d", (1, 4, 8, 8), outputPadding=1, dilation=2, **params).code is None


def test_variants_are_plain_convolutions_in_code(run):
    depthwise = run("depthwiseConv2d", (1, 8, 6, 6), depthMultiplier=2)
    assert depthwise.layer.construct_code() == "nn.Conv2d(8, 16, 3, padding=1, groups=8)"
    assert depthwise.parameters == 16 * 9 + 16
    assert run("sameConv2d", (1, 3, 225, 224), outChannels=8, kernelSize=3, stride=2).shape == (1, 8, 113, 112)
    assert run("separableConv2d", (1, 8, 6, 6), outChannels=4).parameters == 8 * 9 + 8 * 4 + 4


def test_a_squeeze_and_excitation_block_keeps_the_image(run):
    block = run("seBlock", (2, 64, 7, 7))
    assert (block.shape, block.parameters) == ((2, 64, 7, 7), 64 * 4 + 4 + 4 * 64 + 64)


def test_an_inverted_residual_counts_what_its_layers_count(run):
    block = run("invResidualBlock", (1, 24, 56, 56), outChannels=32, stride=2)
    wide = 24 * 6
    assert block.shape == (1, 32, 28, 28)
    assert block.parameters == 24 * wide + wide * 9 + wide * 32 + 2 * (2 * wide + 32)
    assert block.macs == 56 * 56 * 24 * wide + 28 * 28 * (wide * 9 + wide * 32)
