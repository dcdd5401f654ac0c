"""Layers are found by every name people use for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.app.search import search_layers, summary
from archstudio.layers import entries, entry


@pytest.mark.parametrize(
    ("typed", "found"),
    [("linear", "linear"), ("fc", "linear"), ("dense", "linear"), ("conv2d", "conv2d"), ("Linear", "linear"),
     ("lin", "linear"), ("lnear", "linear"), ("re_lu", "relu"), ("mha", "multiHeadAttention")],
)  # fmt: skip
def test_the_wanted_layer_comes_first(typed: str, found: str) -> None:
    assert search_layers(typed)[0].type == found


def test_an_exact_name_beats_longer_ones() -> None:
    names = [e.type for e in search_layers("conv")]
    assert names.index("conv2d") < len(names)
    assert all("conv" in n.lower() for n in names[:3])


def test_nothing_typed_lists_everything_with_the_recent_ones_first() -> None:
    names = [e.type for e in search_layers("", recent=("relu", "linear"))]
    assert names[:2] == ["relu", "linear"]
    assert set(names) == {e.type for e in entries()}


def test_recent_layers_break_ties_only() -> None:
    assert search_layers("linear", recent=("relu",))[0].type == "linear"


def test_words_of_the_description_find_a_layer() -> None:
    assert "linear" in {e.type for e in search_layers("multiply matrix")}


def test_only_candidates_are_listed_in_their_order_when_nothing_is_typed() -> None:
    among = [entry("relu"), entry("linear")]
    assert search_layers("", among=among) == among
    assert search_layers("lin", among=among) == [entry("linear")]


def test_nonsense_finds_nothing() -> None:
    assert search_layers("zzqx") == []


def test_every_entry_is_found_first_by_its_own_name() -> None:
    for e in entries():
        assert search_layers(e.type)[0] is e
        assert summary(e)


@given(st.text(max_size=12))
def test_whatever_is_typed_gives_a_list_without_repeats(typed: str) -> None:
    found = search_layers(typed)
    assert len(found) == len(set(found))
