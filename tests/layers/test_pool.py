"""Pools: sizes, limits and outputs as PyTorch 2.13 has them."""

import pytest

from archstudio.layers import Wire


@pytest.mark.parametrize(("size", "params", "out"), [
    (7, {"kernelSize": 3}, 2),
    (111, {"kernelSize": 3, "stride": 2, "padding": 1}, 56),
    (112, {"kernelSize": 3, "stride": 2, "ceilMode": True}, 56),
    (17, {"kernelSize": 2, "stride": 2, "padding": 1, "ceilMode": True}, 9),
    (1, {"kernelSize": 2, "ceilMode": True}, 1),
])  # fmt: skip
def test_windows_are_counted_as_pytorch_does(run, size, params, out):
    assert run("maxPool2d", (1, 3, size, size), **params).shape == (1, 3, out, out)


def test_padding_is_at_most_half_of_the_undilated_window(run):
    allowed = run("maxPool2d", (1, 3, 9, 9), kernelSize=3, padding=1, dilation=2)
    refused = run("maxPool2d", (1, 3, 9, 9), kernelSize=3, padding=2, dilation=2)
    assert allowed.code is None
    assert (refused.code, refused.facts["most"], refused.phase) == ("E-POOL-PAD", 1, "forward")


def test_only_volumes_must_be_as_large_as_an_averaging_window_before_padding(run):
    assert run("avgPool2d", (1, 1, 6, 6), kernelSize=7, padding=3).shape == (1, 1, 1, 1)
    assert run("maxPool3d", (1, 1, 6, 6, 6), kernelSize=7, padding=3).shape == (1, 1, 1, 1, 1)
    assert run("avgPool3d", (1, 1, 6, 6, 6), kernelSize=7, padding=3).code == "E-WINDOW"


def test_the_places_of_the_maxima_are_a_second_output(run):
    result = run("maxPool2d", (1, 3, 8, 8), kernelSize=2, returnIndices=True)
    assert result.layer.output_names() == {"output": (0,), "indices": (1,)}
    pooled, places = result.value
    assert (pooled.shape, places.shape, places.dtype) == ((1, 3, 4, 4), (1, 3, 4, 4), "int64")
    assert run("maxUnpool2d", pooled, places, kernelSize=2).shape == (1, 3, 8, 8)
    assert run("maxUnpool2d", pooled, pooled, kernelSize=2).code == "E-UNPOOL-INDICES"


def test_indices_of_a_larger_image_do_not_fit_into_the_usual_size(run):
    pooled, places = run("maxPool2d", (1, 1, 5, 5), kernelSize=2, returnIndices=True).value
    assert places.largest == 3 * 5 + 3
    assert run("maxUnpool2d", pooled, places, kernelSize=2).code == "E-UNPOOL-RANGE"
    assert run("maxUnpool2d", pooled, places, kernelSize=2, outputSize=[5, 5]).shape == (1, 1, 5, 5)


def test_adaptive_pools_give_the_size_asked_for(run):
    assert run("adaptiveAvgPool2d", (2, 16, 7, 9), outputSize=1).shape == (2, 16, 1, 1)
    assert run("adaptiveAvgPool2d", (2, 16, 7, 9), outputSize=[None, 3]).shape == (2, 16, 7, 3)
    assert run("adaptiveAvgPool1d", (2, 16, 7), outputSize=[None]).code == "E-PARAM-TYPE"


def test_global_pools_leave_a_vector_for_each_image(run):
    assert run("globalAvgPool2d", (8, 32, 28, 28)).shape == (8, 32)
    assert run("globalMaxPool2d", (8, 32, 28, 28), keepDims=True).shape == (8, 32, 1, 1)
    assert run("globalAvgPool2d", (8, 32)).code == "E-RANK"


def test_a_pyramid_gives_vectors_of_one_length(run):
    assert run("spatialPyramidPool", (2, 8, 13, 9)).shape == run("spatialPyramidPool", (2, 8, 7, 30)).shape == (2, 168)


def test_pools_take_integers_where_pytorch_does(run):
    image = Wire.of((1, 3, 8, 8), "int64")
    assert run("maxPool2d", image, kernelSize=2).value.dtype == "int64"
    assert run("maxPool1d", Wire.of((1, 3, 8), "int64"), kernelSize=2).code == "E-DTYPE"
