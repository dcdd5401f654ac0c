"""Profiles: the shipped ones are what they claim to be, and a fault in one is told with its line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.data import data_path
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.profile_file import load_profile, parse_profile
from archstudio.intuition.strict_yaml import read_yaml

V1 = data_path("profiles", "v1.yaml").read_text("utf-8")


def test_v1_has_the_hash_of_the_reference() -> None:
    assert load_profile("v1").hash == "164f68c29f6730dc"


def test_studio_differs_where_it_is_meant_to_be_better() -> None:
    studio = load_profile("studio").content
    assert studio.ground_truth.protocol.separate_streams
    assert studio.ground_truth.protocol.evaluations == 64
    assert studio.significance.full_separation
    assert studio.id_digits == 16
    assert len(studio.pools.dataset_families) == 4


def test_a_number_keeps_its_kind_because_ids_depend_on_it() -> None:
    assert [type(value) for value in load_profile("v1").content.optimizer_grids.weight_decay] == [int, *[float] * 3]


@pytest.mark.parametrize(
    ("written", "instead", "place", "value"),
    [
        ("depth: [1, 2, 3, 4, 5, 6]", "depth: [1, 2, x]", "$.mlp.depth[2]", "x"),
        ("gap_min: 0.05", "gapmin: 0.05", "$.significance.gapmin", "0.05"),
        ("lr: [0.0001", "lr: [-1", "$.optimizer_grids.lr[0]", "-1"),
        ("n_seeds: 10", "n_seeds: 10\n  n_seeds: 11", "$.ground_truth.n_seeds", "n_seeds"),
        ("alpha: 1.0", "alpha: .inf", "$.dataset_configs.bigram_lm.alpha", ".inf"),
        ("layout: lm", "layout: !!python/name:os.system x", "$.dataset_configs.bigram_lm.layout", "python"),
        ("d_model: [32", "d_model: [33", "$.transformer_lm", ""),
        ("losses:\n    univariate_regression", "losses:\n    univariat", "$.pools.losses.univariat", "univariat"),
        ("  bigram_lm:\n    vocab_size", "  bigram:\n    vocab_size", "$.dataset_configs.bigram", ""),
    ],
)
def test_a_fault_is_told_with_line_path_and_value(written: str, instead: str, place: str, value: str) -> None:
    assert V1.count(written) >= 1
    broken = V1.replace(written, instead, 1)
    with pytest.raises(UnusableFile) as told:
        parse_profile(broken.encode(), "mine.yaml")
    assert told.value.file == "mine.yaml"
    assert told.value.place.startswith("line ")
    assert place in told.value.place
    assert value in told.value.value
    assert told.value.remedy


def test_anchors_are_refused_before_anything_is_built() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcd", "bcde", strict=True)
    )
    with pytest.raises(UnusableFile, match="an anchor or alias"):
        read_yaml(bomb.encode(), "bomb.yaml")


@pytest.mark.parametrize("text", ["", "[", "a: b: c", "\x00", "1: x", "? [a]\n: b", "a: 2001-99-99", "x: *y"])
def test_what_is_no_plain_yaml_is_refused_in_words(text: str) -> None:
    with pytest.raises(UnusableFile):
        read_yaml(text.encode(), "odd.yaml")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_and_nothing_else(text: str) -> None:
    with suppress(UnusableFile):
        read_yaml(text.encode("utf-8", "surrogatepass"), "any.yaml")


def test_a_profile_that_is_not_there_names_the_shipped_ones(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="v1, studio"):
        load_profile(tmp_path / "none.yaml")
