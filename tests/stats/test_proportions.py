"""Shares and their intervals agree with values worked out by hand, and with counting every case."""

from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.stats import Interval, pass_at_k, pass_every_k, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # z² = 3.8416. 0 of 12: high = z²/(n + z²) = 3.8416/15.8416.  12 of 12: low = 12/15.8416.
        (0, 12, 0.0, 0.24250075750),
        (12, 12, 0.75749924250, 1.0),
        # 3 of 12: centre (3 + 1.9208)/15.8416 = 0.310625; half 1.96·√(0.1875/12 + 3.8416/576)/1.320133 = 0.221685
        (3, 12, 0.0889400396, 0.5323103391),
        # 1 of 2: centre 1/2; half = 1.96·√(0.125 + 0.2401)/2.9208 = 0.4054714
        (1, 2, 0.0945286, 0.9054714),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson_intervals_worked_out_by_hand(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx(Interval(low, high), abs=1e-6)


@pytest.mark.parametrize(
    ("successes", "trials", "k", "any_of", "all_of"),
    [
        (1, 4, 1, 1 / 4, 1 / 4),
        (1, 4, 2, 1 / 2, 0.0),  # 6 pairs: 3 hold the success, none holds two
        (3, 4, 2, 1.0, 1 / 2),  # 6 pairs: all hold one, 3 hold two
        (2, 5, 3, 9 / 10, 0.0),  # 10 triples: 1 holds none
        (0, 3, 2, 0.0, 0.0),
        (3, 3, 3, 1.0, 1.0),
    ],
)
def test_several_tries_worked_out_by_hand(successes: int, trials: int, k: int, any_of: float, all_of: float) -> None:
    assert pass_at_k(successes, trials, k) == pytest.approx(any_of)
    assert pass_every_k(successes, trials, k) == pytest.approx(all_of)


@given(st.integers(0, 8), st.integers(0, 8), st.integers(1, 8))
def test_several_tries_are_what_counting_every_choice_gives(good: int, bad: int, k: int) -> None:
    tries = [True] * good + [False] * bad
    chosen = list(combinations(tries, k))
    expected = (mean(map(any, chosen)), mean(map(all, chosen))) if chosen else (None, None)
    assert pass_at_k(good, good + bad, k) == (pytest.approx(expected[0]) if chosen else None)
    assert pass_every_k(good, good + bad, k) == (pytest.approx(expected[1]) if chosen else None)


@given(st.integers(0, 500), st.integers(0, 500))
def test_an_interval_holds_the_share_and_mirrors(good: int, bad: int) -> None:
    low, high = wilson(good, good + bad)
    assert 0 <= low <= high <= 1
    if good + bad:
        assert low <= good / (good + bad) <= high
    assert wilson(bad, good + bad) == pytest.approx(Interval(1 - high, 1 - low))


@pytest.mark.parametrize("counts", [(-1, 3), (4, 3)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int]) -> None:
    for compute in (lambda: wilson(*counts), lambda: pass_at_k(*counts, 1), lambda: pass_every_k(*counts, 1)):
        with pytest.raises(ValueError, match="cannot be"):
            compute()
    with pytest.raises(ValueError, match="at least 1"):
        pass_at_k(1, 2, 0)
