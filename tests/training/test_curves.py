"""Curves: a constant stays one, what was drawn stays drawn, and bands say what they stand on."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.training.curves import Smoother, band, bucket_width, for_log_axis, smooth, thin, thin_log
from archstudio.training.eta import Rate
from archstudio.training.student_t import t_quantile

VALUES = st.floats(-1e6, 1e6, allow_nan=False)
SCALES = st.floats(0, 1e4)


@st.composite
def curve(draw, values=VALUES):
    steps = draw(st.lists(st.floats(0.01, 100), min_size=1, max_size=60))
    ys = draw(st.lists(values, min_size=len(steps), max_size=len(steps)))
    return np.cumsum(steps), np.array(ys)


@given(curve(), VALUES, SCALES)
def test_a_constant_is_smoothed_to_itself(xy, constant, scale) -> None:
    x, _ = xy
    assert (smooth(x, np.full(len(x), constant), scale) == constant).all()


@given(curve(), SCALES, st.data())
def test_a_longer_curve_smooths_its_earlier_part_to_the_same_bits(xy, scale, data) -> None:
    x, y = xy
    cut = data.draw(st.integers(0, len(x)))
    assert np.array_equal(smooth(x, y, scale)[:cut], smooth(x[:cut], y[:cut], scale))


@given(st.integers(1, 400), st.floats(0.1, 500), st.lists(st.integers(0, 400), max_size=6), st.integers(0, 9))
def test_a_curve_smoothed_piece_by_piece_is_the_same_to_the_bit(length, scale, cuts, seed) -> None:
    rng = np.random.default_rng(seed)
    x, y = np.arange(length) * 3.0, rng.standard_normal(length)
    y[rng.random(length) < 0.05] = np.nan
    smoother = Smoother(scale)
    places = [0, *sorted(min(cut, length) for cut in cuts), length]
    pieces = [smoother.extend(x[a:b], y[a:b]) for a, b in pairwise(places)]
    assert np.array_equal(np.concatenate(pieces), smooth(x, y, scale), equal_nan=True)


@given(st.floats(200, 5000), st.integers(0, 9))
def test_dense_stretches_give_what_the_formula_gives(scale, seed) -> None:
    x, y = np.arange(900.0), np.random.default_rng(seed).standard_normal(900)
    for at in (0, 1, 450, 899):
        expected = np.average(y[: at + 1], weights=np.exp((x[: at + 1] - x[at]) / scale))
        assert smooth(x, y, scale)[at] == pytest.approx(expected, abs=1e-10)


@given(curve(), SCALES)
def test_smoothing_stays_within_what_was_seen(xy, scale) -> None:
    x, y = xy
    smoothed = smooth(x, y, scale)
    slack = 1e-9 * (1 + np.abs(y).max())
    assert (smoothed >= np.minimum.accumulate(y) - slack).all()
    assert (smoothed <= np.maximum.accumulate(y) + slack).all()


def test_smoothing_is_the_debiased_exponential_average_in_units_of_x() -> None:
    x, y = np.array([0.0, 1.0, 2.0, 5.0]), np.array([1.0, 3.0, 2.0, 8.0])
    for at in range(4):
        weights = np.exp((x[: at + 1] - x[at]) / 2.0)
        assert smooth(x, y, 2.0)[at] == pytest.approx(np.average(y[: at + 1], weights=weights))
    assert np.array_equal(smooth(x, y, 0), y)


def test_broken_values_do_not_spread() -> None:
    smoothed = smooth([0, 1, 2], [1.0, np.nan, 1.0], 10)
    assert smoothed[[0, 2]].tolist() == [1.0, 1.0]
    assert np.isnan(smoothed[1])


@given(curve(), st.integers(-3, 6))
def test_thinning_keeps_low_and_high_of_every_bucket(xy, power) -> None:
    x, y = xy
    width = 2.0**power
    thinned = thin(x, y, width)
    for bucket in np.unique(np.floor(x / width)):
        all_of, kept = (v[np.floor(p / width) == bucket] for p, v in ((x, y), (thinned.x, thinned.y)))
        assert len(kept) <= 2
        assert (kept.min(), kept.max()) == (all_of.min(), all_of.max())
    assert set(zip(thinned.x, thinned.y, strict=True)) <= set(zip(x, y, strict=True))
    assert (np.diff(thinned.x) > 0).all()


@given(curve(), st.integers(-3, 6), st.data())
def test_a_longer_curve_changes_no_finished_bucket(xy, power, data) -> None:
    x, y = xy
    width = 2.0**power
    cut = data.draw(st.integers(1, len(x)))
    border = np.floor(x[cut - 1] / width) * width
    short, long = thin(x[:cut], y[:cut], width), thin(x, y, width)
    for part in ("x", "y"):
        assert np.array_equal(getattr(short, part)[short.x < border], getattr(long, part)[long.x < border])


@given(curve(), VALUES)
def test_a_constant_is_thinned_to_itself(xy, constant) -> None:
    x, _ = xy
    assert (thin(x, np.full(len(x), constant), 4.0).y == constant).all()


def test_a_bucket_with_nothing_finite_is_a_gap() -> None:
    thinned = thin([0, 1, 2, 3], [1.0, np.nan, np.nan, 2.0], 1.0)
    assert np.isnan(thinned.y).tolist() == [False, True, True, False]


@given(st.floats(1e-3, 1e9), st.integers(1, 4000))
def test_buckets_are_as_wide_as_the_picture_needs(x_range, pixels) -> None:
    width = bucket_width(x_range, pixels)
    assert pixels / 2 * (1 - 1e-9) <= x_range / width <= pixels * (1 + 1e-9)


def test_a_logarithmic_axis_has_as_many_points_in_every_decade() -> None:
    x = np.arange(0, 10_001, dtype=float)
    thinned = thin_log(x, np.sin(x), per_decade=10)
    assert thinned.x.min() == 1
    counts = [np.sum((thinned.x >= low) & (thinned.x < 10 * low)) for low in (100, 1000)]
    assert counts == [20, 20]


def test_values_a_log_axis_cannot_show_are_marked_gaps() -> None:
    curve = for_log_axis([0, 1, 2, 3, 4, 5], [0.0, 1.0, -1.0, 0.0, 2.0, -3.0])
    assert curve.gaps == ((0, 0), (2, 3), (5, 5))
    assert np.isnan(curve.y).tolist() == [True, False, True, True, False, True]


@pytest.mark.parametrize(
    ("freedom", "t"),  # the usual table, NIST/SEMATECH e-Handbook 1.3.6.7.2
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228), (30, 2.042), (100, 1.984)],
)
def test_t_quantiles_are_those_of_the_table(freedom, t) -> None:
    assert round(t_quantile(0.975, freedom), 3) == t


def test_t_quantiles_are_exact_where_a_formula_is_known() -> None:
    assert t_quantile(0.975, 1) == pytest.approx(np.tan(np.pi * 0.475), rel=1e-13)
    assert t_quantile(0.975, 2) == pytest.approx(0.95 * np.sqrt(2 / (1 - 0.95**2)), rel=1e-13)
    with pytest.raises(ValueError, match="no t quantile"):
        t_quantile(0.975, 0)


def test_bands_are_the_usual_statistics() -> None:
    x = [0.0, 1.0]
    curves = [(x, [1.0, 2.0]), (x, [2.0, 4.0]), (x, [3.0, 9.0])]
    t95, sd, span = (band(curves, kind) for kind in ("t95", "sd", "range"))
    assert t95.centre.tolist() == [2.0, 5.0]
    assert sd.high[0] == pytest.approx(3.0)
    assert t95.high[0] == pytest.approx(2 + 4.302652729911275 / np.sqrt(3))
    assert (span.low.tolist(), span.high.tolist()) == ([1.0, 2.0], [3.0, 9.0])
    assert band(curves, "quantiles", (0.0, 1.0)).centre.tolist() == [2.0, 4.0]
    assert t95.label == "n = 3"
    assert not t95.is_thin


@given(curve(), VALUES, st.integers(2, 5), st.sampled_from(["t95", "sd", "range", "quantiles"]))
def test_equal_curves_have_a_band_without_width(xy, constant, n, kind) -> None:
    x, _ = xy
    found = band([(x, np.full(len(x), constant))] * n, kind)
    assert (found.low == constant).all()
    assert (found.centre == constant).all()
    assert (found.high == constant).all()


def test_shorter_curves_are_counted_where_they_are() -> None:
    found = band([([0, 1, 2], [1.0, 1.0, 1.0]), ([0, 1], [3.0, 3.0])])
    assert found.n.tolist() == [2, 2, 1]
    assert found.label == "n = 1 to 2"
    assert found.is_thin
    assert found.centre.tolist() == [2.0, 2.0, 1.0]
    assert np.isnan(found.high[2])


def test_no_curves_give_an_empty_band() -> None:
    assert len(band([]).x) == 0


def test_the_time_left_is_a_range_around_a_steady_rate() -> None:
    rate = Rate()
    assert rate.left(100) is None
    for second in range(20):
        rate.update(second * 50, float(second))
    left = rate.left(500)
    assert left.low < 10 < left.high
    assert left.high - left.low < 2


def test_an_unsteady_rate_widens_the_range_and_a_new_rate_wins() -> None:
    rate = Rate()
    samples = 0
    for second in range(40):
        rate.update(samples, float(second))
        samples += 20 if second % 2 else 80
    left = rate.left(500)
    assert left.high - left.low > 5
    for second in range(40, 200):
        rate.update(samples, float(second))
        samples += 1000
    assert rate.left(1000).low < 1 < rate.left(1000).high
