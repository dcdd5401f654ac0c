"""Numbers as people read them, up to the absurd ones a file may hold."""

from __future__ import annotations

import pytest

from archstudio.app.figures import BEYOND, bytes_text, count_text, macs_text


@pytest.mark.parametrize(("value", "text"), [(None, "unknown"), (4640, "4,640"), (9_250_000, "9.25 M")])
def test_counts_have_separators_and_units(value: int | None, text: str) -> None:
    assert count_text(value) == text


def test_a_number_with_more_digits_than_a_float_holds_is_still_told() -> None:
    huge = 10**600
    assert count_text(huge) == count_text(-huge) == bytes_text(huge) == BEYOND
    assert macs_text(huge) == f"{BEYOND} MAC"
    assert count_text(float("inf")) == BEYOND
    assert count_text(10**308).endswith(" T")
