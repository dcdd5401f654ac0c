"""Reshaping, views, parts, merging and reducing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.layers import Wire
from archstudio.layers.dim import batch
from archstudio.layers.spread import broadcast, promoted
from archstudio.layers.views import view_strides
from archstudio.layers.wire import contiguous_strides


def test_a_view_after_a_transpose_refuses_where_a_reshape_copies(run):
    turned = run("transpose", (2, 3, 4), dim0=1, dim1=2).value
    assert run("view", turned, shape=[2, -1]).code == "E-VIEW"
    assert run("reshape", turned, shape=[2, -1]).shape == (2, 12)
    assert run("view", run("transpose", (2, 1, 4), dim0=1, dim1=2).value, shape=[2, -1]).shape == (2, 4)
    assert run("view", run("contiguous", turned).value, shape=[2, -1]).shape == (2, 12)


def test_a_reshape_keeps_every_element(run):
    result = run("reshape", (2, 3), shape=[2, 5])
    assert (result.code, result.facts["gets"], result.facts["shape"]) == ("E-RESHAPE", 6, "2×5")
    assert run("reshape", (2, 3), shape=[-1, -1]).code == "E-RESHAPE"


def test_a_worked_out_size_still_knows_the_batch(run):
    x = Wire.of((batch(4), 3, 8))
    assert run("reshape", x, shape=[-1, 24]).value.text() == "B×24"
    assert run("flatten", x, startDim=0).value.text() == "24·B"


@given(st.lists(st.integers(1, 4), max_size=4))
def test_a_contiguous_tensor_can_be_seen_as_any_shape_of_as_many_elements(shape):
    flat = 1
    for size in shape:
        flat *= size
    assert view_strides(shape, contiguous_strides(shape), (flat,)) == (1,)
    assert view_strides((flat,), (1,), shape) == contiguous_strides(shape)


def test_parts_lie_inside_their_axis(run):
    assert run("slice", (2, 197, 768), dim=1, start=1, length=196).shape == (2, 196, 768)
    assert run("slice", (2, 10), dim=1, start=8, length=5).code == "E-SLICE"
    assert run("select", (3, 5, 20), dim=1, index=-1).shape == (3, 20)
    assert run("select", (3, 5, 20), dim=1, index=5).code == "E-INDEX"


def test_uneven_chunks_are_as_many_as_pytorch_makes(run):
    assert [w.shape for w in run("chunk", (2, 7), chunks=3, dim=1).value] == [(2, 3), (2, 3), (2, 1)]
    assert len(run("chunk", (5,), chunks=4, dim=0).value) == 3
    assert run("split", (2, 7), splitSize=[3, 3], dim=1).code == "E-SPLIT"


def test_a_residual_of_other_channels_names_both_sizes(run):
    result = run("add", (1, 64, 8, 8), (1, 128, 8, 8))
    assert (result.code, result.facts["gets"], result.facts["needs"]) == ("E-BROADCAST", 128, 64)
    assert run("residual", (1, 64, 8, 8)).shape == (1, 64, 8, 8)


def test_concatenating_adds_on_one_axis_and_compares_the_others(run):
    assert run("concatenate", (2, 64, 8, 8), (2, 32, 8, 8), dim=1).shape == (2, 96, 8, 8)
    odd = run("concatenate", (1, 64, 57, 57), (1, 64, 56, 56), dim=1)
    assert (odd.code, odd.facts["gets"], odd.facts["needs"]) == ("E-CONCAT", 56, 57)
    assert run("concatenate", (1, 3, 8, 8), (1, 3), dim=1).code == "E-RANK"


def test_matrix_products_meet_on_one_axis(run):
    assert run("matmul", (10, 1, 3, 4), (5, 4, 6)).shape == (10, 5, 3, 6)
    assert run("matmul", (10, 1, 3, 4), (5, 4, 6)).macs == 3_600
    assert run("matmul", (2, 3, 4), (2, 3, 4)).code == "E-MATMUL"
    assert run("bmm", (2, 3, 4), (3, 4, 5)).code == "E-BMM"


@pytest.mark.parametrize(
    ("equation", "shape", "macs"),
    [("bhqd,bhkd->bhqk", (2, 4, 10, 12), 15_360), ("...qd,...kd->...qk", (2, 4, 10, 12), 15_360)],
)
def test_einsum_sums_over_the_letters_that_go(run, equation, shape, macs):
    result = run("einsum", (2, 4, 10, 16), (2, 4, 12, 16), equation=equation)
    assert (result.shape, result.macs) == (shape, macs)


def test_einsum_says_what_is_wrong_with_it(run):
    assert run("einsum", (2, 3, 4), (2, 5, 6), equation="bij,bjk->bik").code == "E-EINSUM-SIZE"
    assert run("einsum", (2, 3), equation="ij->ijk").code == "E-EINSUM"
    assert run("einsum", (2, 3, 4), equation="ij->ji").code == "E-RANK"


def test_there_must_be_k_values_to_take_the_k_largest(run):
    assert run("topK", (2, 3), k=5).code == "E-TOPK"
    values, places = run("topK", (2, 10), k=3).value
    assert (values.shape, places.dtype) == ((2, 3), "int64")


def test_a_scalar_widens_a_type_only_with_a_higher_kind():
    scalar, tensor = Wire.of((), "float64"), Wire.of((2,), "float16")
    assert promoted((scalar, tensor)) == "float16"
    assert promoted((scalar, Wire.of((2,), "int64"))) == "float64"
    assert promoted((Wire.of((2,), "uint8"), Wire.of((2,), "int8"))) == "int16"


def test_spreading_keeps_the_memory_order_of_the_first():
    turned = Wire.of((2, 3), strides=(1, 2))
    assert broadcast((turned, Wire.of((2, 3))), "float32").element_strides == (1, 2)
    assert broadcast((turned, Wire.of((4, 2, 3))), "float32").shape == (4, 2, 3)


@pytest.mark.parametrize(
    ("type_name", "params"), [("squeeze", {"dim": [199]}), ("permute", {"dims": list(range(200))})]
)
def test_a_tensor_of_many_axes_has_its_memory_order_worked_out_once(run, monkeypatch, type_name, params):
    from archstudio.layers import wire

    asked = []
    monkeypatch.setattr(wire, "contiguous_strides", lambda shape: asked.append(shape) or contiguous_strides(shape))
    assert run(type_name, (1,) * 200, **params).shape[:199] == (1,) * 199
    assert len(asked) < 10  # not once an axis
