"""Generated identifiers are valid, unique, and shadow nothing."""

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from archstudio.torchcode.names import RESERVED, Names, identifier


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("conv1", "conv1"),
        ("Conv 1", "conv_1"),
        ("encoderBlock", "encoder_block"),
        ("BiLSTM-out", "bi_lstm_out"),
        ("3x3", "layer_3x3"),
        ("été", "ete"),
        ("→", ""),
    ],
)
def test_names_become_snake_case(name: str, expected: str) -> None:
    assert identifier(name) == expected


@given(st.lists(st.text(max_size=30), max_size=12))
def test_any_names_give_as_many_identifiers(wanted: list[str]) -> None:
    names = Names()
    given_ = [names.take(name, "conv2d") for name in wanted]
    assert len(set(given_)) == len(wanted)
    assert all(n.isidentifier() and n.isascii() and not keyword.iskeyword(n) and n not in RESERVED for n in given_)


def test_no_attribute_of_a_module_is_ever_taken() -> None:
    assert {name for name in dir(nn.Module()) if not name.startswith("_")} <= RESERVED


def test_a_second_node_of_a_name_gets_a_number() -> None:
    names = Names()
    assert [names.take("conv 1", "conv2d"), names.take("conv-1", "conv2d")] == ["conv_1", "conv_1_2"]


def test_a_name_of_nothing_usable_falls_back_on_the_type() -> None:
    assert Names().take("→", "maxPool2d") == "max_pool2d"
