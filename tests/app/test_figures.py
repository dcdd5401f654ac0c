"""Numbers as people read them, up to the absurd ones a file may hold."""

from __future__ import annotations

import pytest

from archstudio.app.figures import BEYOND, bytes_text, count_text, macs_text, short_text


@pytest.mark.parametrize(("value", "text"), [(None, "unknown"), (4640, "4,640"), (9_250_000, "9.25 M")])
def test_counts_have_separators_and_units(value: int | None, text: str) -> None:
    assert count_text(value) == text


def test_a_number_with_more_digits_than_a_float_holds_is_still_told() -> None:
    huge = 10**600
    assert count_text(huge) == count_text(-huge) == bytes_text(huge) == BEYOND
    assert macs_text(huge) == f"{BEYOND} MAC"
    assert count_text(float("inf")) == BEYOND
    assert count_text(10**308).endswith(" T")


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (1023, "1023 B"),
        (1_023_700, "1,000 KiB"),
        (1_048_000, "1,023 KiB"),
        (1024**2, "1 MiB"),
        (1012 * 1024**4, "1,012 TiB"),
    ],
)
def test_sizes_just_below_a_unit_have_no_exponent(size: int, text: str) -> None:
    assert bytes_text(size) == text


@pytest.mark.parametrize(
    ("count", "text"), [(999_999, "999,999"), (999_400_000, "999 M"), (999_600_000, "1 G"), (10**15, "1,000 T")]
)
def test_counts_just_below_a_unit_take_the_next_one(count: int, text: str) -> None:
    assert count_text(count) == text


def test_a_norm_has_three_digits() -> None:
    assert [short_text(value) for value in (0.012345, 9.4, 1234.5, 2e9)] == ["0.0123", "9.4", "1,234", "2e+09"]
