"""Norms and dropouts: statistics, weights and the modes they depend on."""

import pytest

from archstudio.layers import Wire


def test_batch_norm_needs_two_values_a_channel_in_training_only(run):
    assert run("batchNorm1d", (1, 8), training=True).code == "E-BN-ONE-VALUE"
    assert run("batchNorm1d", (1, 8), training=False).code is None
    assert run("batchNorm2d", (1, 8, 1, 1), training=True).code == "E-BN-ONE-VALUE"
    assert run("batchNorm2d", (1, 8, 1, 2), training=True).code is None


def test_batch_norm_has_weights_and_statistics(run):
    layer = run("batchNorm2d", (2, 64, 8, 8)).layer
    assert [(p.name, p.shape) for p in layer.parameters()] == [("weight", (64,)), ("bias", (64,))]
    assert [(b.name, b.shape, b.dtype) for b in layer.buffers()] == [
        ("running_mean", (64,), "float32"),
        ("running_var", (64,), "float32"),
        ("num_batches_tracked", (), "int64"),
    ]


def test_the_channels_of_batch_norm_are_axis_1_also_for_sequences(run):
    result = run("batchNorm1d", (8, 20, 100), numFeatures=100)
    assert (result.code, result.facts["needs"], result.facts["gets"]) == ("E-NORM-SIZE", 100, 20)


@pytest.mark.parametrize(
    ("shape", "code"), [((4, 8), "nn.BatchNorm1d(8)"), ((4, 8, 5, 5), "nn.BatchNorm2d(8)"), ((8,), None)]
)
def test_batch_norm_without_a_rank_takes_that_of_its_wire(run, shape, code):
    result = run("batchNorm", shape, numFeatures=8)
    assert result.code == (None if code else "E-RANK")
    assert code is None or result.layer.construct_code() == code


def test_instance_norm_checks_channels_only_where_it_has_weights_or_statistics(run):
    assert run("instanceNorm2d", (2, 8, 4, 4), numFeatures=16).code is None
    assert run("instanceNorm2d", (2, 8, 4, 4), numFeatures=16, affine=True).code == "E-NORM-SIZE"
    assert run("instanceNorm2d", (2, 8, 1, 1), training=True).code == "E-INSTANCE-ONE-VALUE"


def test_layer_norm_takes_the_last_axis_unless_told_otherwise(run):
    assert run("layerNorm", (2, 5, 64)).parameters == 128
    assert run("layerNorm", (2, 5, 64), bias=False).parameters == 64
    assert run("layerNorm", (2, 5, 64), normalizedShape=[5, 64]).parameters == 640
    assert run("layerNorm", (2, 64), normalizedShape=77).code == "E-NORM-SIZE"
    assert run("rmsNorm", (2, 5, 512)).parameters == 512


def test_groups_must_divide_the_channels(run):
    result = run("groupNorm", (2, 6, 4), numGroups=4)
    assert (result.code, result.phase) == ("E-GROUPS", "construct")
    assert run("groupNorm", (2, 6, 4), numGroups=3).parameters == 12


def test_dropout_keeps_a_mask_in_training_and_nothing_after(run):
    trained = run("dropout", (2, 8, 6, 6), p=0.1, training=True)
    assert [s.own_bytes for s in trained.layer.saved(trained.inputs, trained.value)] == [2 * 8 * 6 * 6 * 4]
    tested = run("dropout", (2, 8, 6, 6), p=0.1)
    assert list(tested.layer.saved(tested.inputs, tested.value)) == []
    assert (run("dropout", (2, 8), p=1.5).code, run("dropout", (2, 8), p=1.5).phase) == ("E-PARAM-RANGE", "construct")


def test_half_precision_passes_norms_of_float32_weights_but_double_does_not(run):
    assert run("batchNorm2d", Wire.of((2, 4, 3, 3), "float16")).value.dtype == "float16"
    assert run("batchNorm2d", Wire.of((2, 4, 3, 3), "float64")).code == "E-DTYPE"
