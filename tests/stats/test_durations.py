"""Times to success agree with a life table worked out by hand."""

from math import sqrt

import pytest

from archstudio.stats.durations import durations, kaplan_meier, median_time, share_by


def test_medians_and_geometric_means():
    made = durations([1, 10, 100])
    assert (made.n, made.median) == (3, 10)
    assert made.geometric_mean == pytest.approx(10)
    assert durations([]) == durations([])
    assert durations([]).median is None
    assert durations([0, 4]).geometric_mean == pytest.approx(4)


def test_a_life_table_by_hand():
    # At 1 of 5 one succeeds; one gives up at 2; at 3 of 3 left one succeeds; one is cut off at 4; the last at 5.
    steps = kaplan_meier([1, 2, 3, 4, 5], [True, False, True, False, True])
    assert [(step.time, step.at_risk, step.events) for step in steps] == [(1, 5, 1), (3, 3, 1), (5, 1, 1)]
    assert [step.survival for step in steps] == pytest.approx([4 / 5, 4 / 5 * 2 / 3, 0])
    # Greenwood: S * sqrt(sum d / (n (n - d)))
    assert steps[1].se == pytest.approx(8 / 15 * sqrt(1 / (5 * 4) + 1 / (3 * 2)))
    assert steps[2].se == 0
    assert median_time(steps) == 5


def test_without_success_there_is_no_curve():
    assert kaplan_meier([1, 2], [False, False]) == []
    assert median_time([]) is None


def test_ties_fall_in_one_step():
    steps = kaplan_meier([2, 2, 2, 9], [True, True, False, False])
    assert [(step.at_risk, step.events, step.survival) for step in steps] == [(4, 2, 0.5)]
    assert median_time(steps) == 2


def test_score_over_time_counts_who_never_succeeds():
    assert share_by([1, 2, 60], [0.5, 2.0], total=4) == [0.25, 0.5, 0.5]
    assert share_by([1], [], total=0) == [None]
