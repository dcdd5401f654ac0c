"""Pads, interpolation, shuffles and folds: the sizes they give and refuse."""

import pytest

from archstudio.layers.dim import Dim, batch, sequence
from archstudio.layers.families.resize import scaled


def test_pads_name_the_last_axis_first(run):
    assert run("zeroPad2d", (1, 3, 4, 5), padding=[1, 2, 0, 3]).shape == (1, 3, 7, 8)
    assert run("constantPad1d", (1, 3, 4), padding=[0, -2], value=1.0).shape == (1, 3, 2)


@pytest.mark.parametrize(("type_name", "padding", "code"), [
    ("reflectionPad2d", 3, None), ("reflectionPad2d", 4, "E-PAD-REFLECT"), ("replicationPad2d", 9, None),
    ("circularPad2d", 4, None), ("circularPad2d", 5, "E-PAD-WRAP"), ("zeroPad2d", -3, "E-PAD-CROPS-ALL"),
])  # fmt: skip
def test_pads_take_no_more_than_they_can_find(run, type_name, padding, code):
    assert run(type_name, (1, 3, 4, 4), padding=padding).code == code


def test_interpolation_rounds_down_and_asks_for_one_way_to_say_the_size(run):
    assert run("upsample", (1, 3, 5, 6), scaleFactor=1.5).shape == (1, 3, 7, 9)
    assert run("interpolate", (1, 3, 5, 6), size=[8, 9], mode="bilinear").shape == (1, 3, 8, 9)
    assert run("upsample", (1, 3, 5, 6)).code == "E-RESIZE-SIZE"
    assert run("upsample", (1, 3, 5), scaleFactor=2, mode="bilinear").code == "E-RESIZE-MODE"
    assert run("upsample", (1, 3, 5, 6), scaleFactor=0.1).code == "E-RESIZE-EMPTY"


def test_a_whole_factor_keeps_what_a_size_depends_on():
    doubled, halved = scaled(sequence(10), 2.0), scaled(sequence(11), 0.5)
    assert isinstance(doubled, Dim)
    assert doubled.terms == (((0, 1), 2),)
    assert (halved, isinstance(halved, Dim) and halved.terms) == (5, None)
    assert scaled(batch(4), 1) == 4


def test_shuffles_move_pixels_between_channels_and_space(run):
    assert run("pixelShuffle", (1, 8, 4, 4), upscaleFactor=2).shape == (1, 2, 8, 8)
    assert run("pixelUnshuffle", (1, 2, 8, 8), downscaleFactor=2).shape == (1, 8, 4, 4)
    assert run("pixelShuffle", (1, 6, 4, 4), upscaleFactor=2).code == "E-SHUFFLE"
    assert run("channelShuffle", (1, 6, 4, 4), groups=4).code == "E-SHUFFLE"


def test_folding_undoes_unfolding(run):
    columns = run("unfold", (2, 3, 5, 6), kernelSize=2)
    assert columns.shape == (2, 12, 20)
    assert run("fold", columns.value, outputSize=[5, 6], kernelSize=2).shape == (2, 3, 5, 6)
    assert run("fold", (2, 12, 21), outputSize=[5, 6], kernelSize=2).code == "E-FOLD-BLOCKS"
