"""Numbers of hundreds of digits in texts."""

from __future__ import annotations

import pytest

from archstudio.layers import Wire
from archstudio.layers.problem import KINDS, Problem
from archstudio.layers.short_numbers import with_short_numbers

HUGE = 10**200 + 7


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("64", "64"),
        (f"{10**23:,}", f"{10**23:,}"),
        (str(HUGE), "100000…007 (201 digits)"),
        (f"{HUGE:,}", "100000…007 (201 digits)"),
        (f"[-1, {HUGE}] and 3", "[-1, 100000…007 (201 digits)] and 3"),
        ("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18", None),
    ],
)
def test_only_a_number_too_long_to_read_is_cut(text: str, told: str | None) -> None:
    assert with_short_numbers(text) == (told or text)


@pytest.mark.parametrize("code", sorted(KINDS))
def test_no_problem_prints_hundreds_of_digits(code: str) -> None:

    kind = KINDS[code]
    problem = Problem(kind, "n", "forward", facts=dict.fromkeys(("needs", "gets", "param", "what", "size"), HUGE))
    try:
        title = problem.title("n")
    except (KeyError, ValueError, TypeError):  # it has other facts, or some that are no numbers
        return
    assert str(HUGE) not in title.replace(",", "")


def test_a_shape_of_very_many_axes_tells_the_first_and_counts_the_rest() -> None:
    assert Wire.of((2,) * 24).text() == "×".join("2" * 24)
    assert Wire.of((2,) * 100_000).text() == "×".join("2" * 24) + "×… 99,976 more axes"
