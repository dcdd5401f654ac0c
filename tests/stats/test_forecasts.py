"""Scores of probabilities agree with values worked out by hand."""

from math import log

import pytest

from archstudio.stats.forecasts import Bin, brier, calibration_error, log_score, reliability

ODDS = {"a": 0.7, "b": 0.2, "c": 0.1}


def test_brier_sums_over_choices():
    assert brier(ODDS, "a") == pytest.approx(0.09 + 0.04 + 0.01)
    assert brier({"a": 0.0, "b": 1.0}, "a") == 2.0
    assert brier({"a": 1.0, "b": 0.0}, "a") == 0.0


def test_log_score_has_a_floor():
    assert log_score(ODDS, "b") == pytest.approx(log(0.2))
    assert log_score({"a": 1.0, "b": 0.0}, "b") == pytest.approx(log(0.001))


def test_reliability_by_hand():
    bins = reliability([0.35, 0.35, 0.9, 1.0], [True, False, True, True])
    assert bins == [Bin(0.3, 0.4, 2, 0.35, 0.5), Bin(0.9, 1.0, 2, pytest.approx(0.95), 1.0)]
    assert calibration_error(bins) == pytest.approx((2 * 0.15 + 2 * 0.05) / 4)
    assert calibration_error([]) is None


def test_a_bins_lower_end_belongs_to_it():
    assert [each.low for each in reliability([0.3, 0.7, 0.6], [True] * 3)] == pytest.approx([0.3, 0.6, 0.7])
