"""Numbers, text and truth mean what they mean in JavaScript."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.edits.actions.javascript import (
    UNDEFINED,
    json_text,
    key,
    number_text,
    remainder,
    round_half_up,
    same,
    spread,
    to_number,
    to_text,
    truthy,
)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(62.5, 63), (-2.5, -2), (0.49999999999999994, 0), (1.4, 1), (-0.6, -1), (2.0**60, 2.0**60)],
)
def test_halves_round_up(value: float, rounded: float) -> None:
    assert round_half_up(value) == rounded


def test_what_is_no_number_stays_none_when_rounded() -> None:
    assert math.isnan(round_half_up(math.nan))
    assert round_half_up(-math.inf) == -math.inf


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (64.0, "64"),
        (2.5, "2.5"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (123456789012345680000, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (-12345.678, "-12345.678"),
        (9007199254740993, "9007199254740992"),
        (10**400, "Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_numbers_print_as_javascript_prints_them(value: float, text: str) -> None:
    assert number_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_reads_back_as_itself(value: float) -> None:
    assert float(number_text(value)) == value


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (" 64 ", 64),
        ("0x10", 16),
        ("0b11", 3),
        ("1e2", 100),
        (".5", 0.5),
        ("5.", 5),
        ("\ufeff7\n", 7),
        ("-Infinity", -math.inf),
        ("", 0),
        (None, 0),
        (False, 0),
        (True, 1),
        ([], 0),
        ([64], 64),
        ([[["3"]]], 3),
    ],
)
def test_text_lists_and_booleans_become_numbers(value: Any, number: float) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize("value", ["6 4", "1_000", "nan", "inf", "0x", "-0x1", "١", [64, 2], {}, UNDEFINED])
def test_what_cannot_be_a_number_is_nan(value: Any) -> None:
    assert math.isnan(to_number(value))


def test_text_of_things_that_are_no_text() -> None:
    things = [UNDEFINED, None, True, 3.0, [1, None, [2, "x"]], {"a": 1}]
    assert [to_text(thing) for thing in things] == ["undefined", "null", "true", "3", "1,,2,x", "[object Object]"]


def test_empty_lists_and_objects_are_true_and_nan_is_false() -> None:
    assert all(truthy(value) for value in ([], {}, "0", -1, True))
    assert not any(truthy(value) for value in (0, 0.0, math.nan, "", None, False, UNDEFINED))


def test_strict_equality_tells_true_from_one_and_null_from_absent() -> None:
    assert same(1, 1.0)
    assert not same(1, True)
    assert not same(None, UNDEFINED)
    assert not same([], [])
    assert not same("1", 1)


@given(st.lists(st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([1.0, 2.5, "1", ""]))))
def test_keys_are_equal_exactly_when_values_are_the_same(values: list[Any]) -> None:
    assert all((key(left) == key(right)) == same(left, right) for left in values for right in values)


def test_remainder_takes_the_sign_of_the_dividend() -> None:
    assert remainder(-7, 3) == -1
    assert remainder(7.5, 2) == 1.5
    assert math.isnan(remainder(math.inf, 2))


def test_spreading_text_and_lists_gives_index_keys() -> None:
    assert spread("ab") == {"0": "a", "1": "b"}
    assert spread([7]) == {"0": 7}
    assert spread(5) == spread(None) == {}
    assert list(spread("😀")) == ["0", "1"]


def test_json_lists_index_keys_first_and_prints_nan_as_null() -> None:
    assert (
        json_text({"b": 1.0, "10": math.nan, "2": "é", "01": [True, None]})
        == '{"2":"é","10":null,"b":1,"01":[true,null]}'
    )
