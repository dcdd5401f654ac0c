"""Order parameters against curves worked out by hand."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from archstudio.intuition.analysis.order import (
    area,
    crossings,
    curve_figures,
    rank_correlation,
    rank_interval,
    ranks,
    samples_to,
    set_figures,
    slope,
)
from archstudio.intuition.analysis.pairs import pairs, question_gaps, share_apart

from .conftest import Trace, question_of, set_of

DECADES = np.log(np.array([10.0, 100.0, 1000.0]))


def test_a_curve_that_falls_and_flattens_in_numbers(trace: Trace) -> None:
    found = curve_figures(trace((1.0, 0.5, 0.2), spread=0.1))
    assert (found.final, found.best, found.best_at) == (pytest.approx(0.2), pytest.approx(0.2), 1000)
    assert found.area == pytest.approx((0.75 + 0.35) / 2)
    assert found.to_half == pytest.approx(10 ** (1 + 0.4 / 0.5))
    assert found.to_90 == pytest.approx(10 ** (2 + (0.5 - 0.28) / 0.3))
    assert (found.early_slope, found.late_slope) == (pytest.approx(-0.5), pytest.approx(-0.3))
    assert (found.spread_first, found.spread_last, found.spread_mean) == tuple([pytest.approx(0.1)] * 3)
    assert (found.failed, found.seeds, found.validation_gap) == (0, 2, None)


def test_a_curve_that_overfits_counts_its_gain_to_the_best_point(trace: Trace) -> None:
    found = curve_figures(trace((1.0, 0.2, 0.6)))
    assert (found.best, found.best_at) == (pytest.approx(0.2), 100)
    assert found.to_half == pytest.approx(10**1.5)
    assert found.late_slope == pytest.approx(0.4)


def test_a_curve_that_only_rises_gains_nothing(trace: Trace) -> None:
    found = curve_figures(trace((0.2, 0.3, 0.4)))
    assert (found.to_half, found.to_90) == (None, None)


def test_a_single_measurement_has_a_height_and_no_slope() -> None:
    assert area(DECADES[:1], np.array([0.7])) == 0.7
    assert slope(DECADES[:1], np.array([0.7])) is None
    assert samples_to(DECADES[:1], np.array([0.7]), 0.5) is None


def test_the_area_does_not_depend_on_where_a_straight_line_is_measured() -> None:
    assert area(DECADES, np.array([3.0, 2.0, 1.0])) == pytest.approx(2.0)
    assert area(DECADES[[0, 2]], np.array([3.0, 1.0])) == pytest.approx(2.0)


def test_touching_is_no_crossing_and_passing_through_is_one() -> None:
    assert crossings(np.array([1.0, 1.0, 1.0]), np.array([2.0, 1.0, 2.0])) == 0
    assert crossings(np.array([1.0, 1.0, 1.0]), np.array([2.0, 1.0, 0.0])) == 1
    assert crossings(np.array([0.0, 2.0, 0.0]), np.array([1.0, 1.0, 1.0])) == 2


def test_equal_values_share_a_rank() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 7.0])).tolist() == [2.5, 1.0, 2.5, 4.0]


def test_rank_correlation_is_that_of_the_textbook_formula() -> None:
    # one swap of neighbours among five: 1 − 6 · 2 / (5 · 24)
    assert rank_correlation(np.arange(5.0), np.array([0.0, 1.0, 2.0, 4.0, 3.0])) == pytest.approx(0.9)
    assert rank_correlation(np.arange(4.0), np.ones(4)) is None


def test_the_interval_of_a_rank_correlation_is_that_of_bonett_and_wright() -> None:
    found = rank_interval(0.5, 28)
    assert found is not None
    z, half = 0.5 * log(3), 1.96 * sqrt(1.125 / 25)
    assert found == pytest.approx((np.tanh(z - half), np.tanh(z + half)))
    assert rank_interval(0.5, 3) is None
    assert rank_interval(1.0, 30) is None


@given(arrays(float, st.integers(2, 8), elements=st.floats(0.01, 10)))
def test_half_of_the_gain_comes_no_later_than_ninety_per_cent(mean: np.ndarray) -> None:
    log_samples = np.log(10.0 * 2.0 ** np.arange(len(mean)))
    half, most = samples_to(log_samples, mean, 0.5), samples_to(log_samples, mean, 0.9)
    assert (half is None) == (most is None)
    if half is not None and most is not None:
        assert 10 - 1e-6 <= half <= most + 1e-6
    assert mean.min() - 1e-9 <= area(log_samples, mean) <= mean.max() + 1e-9


def test_a_set_says_when_its_order_is_settled(trace: Trace) -> None:
    curves = [(1.0, 0.6, 0.3, 0.2), (0.9, 0.7, 0.5, 0.4), (0.8, 0.8, 0.7, 0.6)]
    times = (10, 100, 500, 1000)
    made = [trace(curve, width=16 + place, samples=times) for place, curve in enumerate(curves)]
    found = set_figures(set_of(made))
    assert (found.n, found.pairs, found.crossing_pairs, found.crossings) == (3, 3, 3, 3)
    assert (found.leader_at, found.settled_at) == (100, 100)
    assert [look.rho for look in found.looks] == [pytest.approx(r) for r in (-1.0, 1.0, 1.0, 1.0)]
    assert [look.leader for look in found.looks] == [False, True, True, True]
    assert [look.share for look in found.looks] == [0.01, 0.1, 0.5, 1.0]


def test_an_order_that_changes_at_the_last_measurement_is_never_settled(trace: Trace) -> None:
    made = [trace((0.5, 0.4, 0.3), width=16), trace((0.6, 0.5, 0.1), width=17)]
    found = set_figures(set_of(made))
    assert (found.leader_at, found.settled_at) == (None, None)


def test_pairs_come_apart_only_where_every_seed_agrees(trace: Trace) -> None:
    made = [trace((1, 1, end), spread=0.15, width=16 + n) for n, end in enumerate((0.5, 0.7, 1.0))]
    found = pairs(set_of(made))
    assert [each.apart for each in found] == [False, True, False]
    assert [each.relative_gap for each in found] == [pytest.approx(v) for v in (0.4, 1.0, 3 / 7)]
    assert share_apart(found)[:2] == (1, 3)


def test_the_gap_of_a_question_is_to_the_next_best(trace: Trace) -> None:
    made = [trace((1, 1, end), spread=0.15, width=16 + n) for n, end in enumerate((1.0, 0.5, 0.7))]
    clear = [trace((1, 1, end), spread=0.15, width=16 + n) for n, end in enumerate((0.5, 1.5))]
    (found,) = question_gaps([question_of("q1", made, "B"), question_of("q2", clear, "A")])
    assert (found.n, found.apart) == (2, 1)
    assert found.median == pytest.approx((0.4 + 2.0) / 2)
