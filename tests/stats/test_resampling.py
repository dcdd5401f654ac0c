"""Clusters drawn again give the intervals that counting every case, and scipy, give."""

import random
from itertools import product

import numpy as np
import pytest
from scipy import stats

from archstudio.stats.resampling import (
    SEED,
    Crossed,
    cluster_mean,
    paired_difference,
    percentile_interval,
    sign_flip,
    weights,
)


def test_draws_are_those_of_the_standard_library():
    draw = random.Random(SEED).random
    first = [int(draw() * 3) for _ in range(3)]
    assert list(weights(3)[0]) == [first.count(cluster) for cluster in range(3)]
    assert (weights(3).sum(axis=1) == 3).all()


def test_the_mean_counts_answers_not_people():
    # 1 of 1 and 1 of 3 right: 2 of 4, not (1 + 1/3) / 2.
    assert cluster_mean([1, 1], [1, 3]).value == 0.5


def test_two_people_of_whom_one_always_is_right_may_be_anything():
    # Of two clusters both draws are the same one in half of the replicates, so both ends lie beyond 2.5 %.
    assert cluster_mean([10, 0], [10, 10]) == (0.5, 0.0, 1.0, 2)


def test_answers_that_hang_together_widen_the_interval():
    alike = cluster_mean([10] * 10 + [0] * 10, [10] * 20)
    mixed = cluster_mean([5] * 20, [10] * 20)
    assert (alike.low, alike.high) == pytest.approx((0.3, 0.7), abs=0.051)
    assert (mixed.low, mixed.high) == (0.5, 0.5)


def test_the_interval_is_near_the_normal_one_for_many_people():
    generator = np.random.default_rng(1)
    sums = generator.binomial(12, 0.6, size=200)
    made = cluster_mean(list(sums), [12] * 200)
    half = 1.96 * np.std(sums / 12, ddof=1) / np.sqrt(200)
    assert made.low == pytest.approx(made.value - half, abs=0.003)
    assert made.high == pytest.approx(made.value + half, abs=0.003)


def test_one_cluster_has_no_interval_and_none_no_value():
    assert cluster_mean([3], [4]) == (0.75, None, None, 1)
    assert cluster_mean([], []) == (None, None, None, 0)


def test_percentiles_are_linear_between_neighbours():
    # 0..100: the 2.5th percentile lies at place 2.5.
    assert percentile_interval(np.arange(101.0)) == (2.5, 97.5)


def test_sign_flips_by_hand():
    # |±3 ±1 ±2| >= 6 only for +++ and ---: 2 of 8.
    assert sign_flip([3, 1, 2]) == 0.25
    # |±1 ±1| >= 0 always.
    assert sign_flip([1, -1]) == 1.0


def test_sign_flips_agree_with_scipy():
    values = [0.4, -0.1, 0.3, 0.25, 0.6, -0.2, 0.05, 0.1, 0.35, -0.3]
    reference = stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert sign_flip(values) == pytest.approx(reference.pvalue)


def test_drawn_sign_flips_come_near_the_count_of_all():
    values = [0.1 * k - 0.4 for k in range(14)]
    patterns = np.array(list(product((-1, 1), repeat=14)))
    exact = float((np.abs(patterns @ np.array(values)) >= abs(sum(values)) - 1e-9).mean())
    assert sign_flip(values) == pytest.approx(exact, abs=0.015)


def test_people_and_a_model_are_compared_item_by_item():
    # Two people on three items: shares 1, 0.5, 0; the model 0, 0, 1: differences 1, 0.5, -1.
    answers = Crossed(np.array([[1, 1, 0], [1, 0, 0]]), np.ones((2, 3)), [0, 1, 2])
    made = paired_difference(answers, [0, 0, 1])
    assert made.difference.value == pytest.approx(0.5 / 3)
    # |±1 ±0.5 ±1| >= 0.5: all 8 patterns but none below; smallest is |1 - 1 ± 0.5| = 0.5.
    assert made.p == 1.0
    assert made.items == 3


def test_items_of_one_instance_turn_their_sign_together():
    answers = Crossed(np.ones((2, 4)), np.ones((2, 4)), [0, 0, 1, 1])
    # Two clusters of sum 2: |±2 ±2| >= 4 for 2 of 4 patterns; item by item it would be 2 of 16.
    assert paired_difference(answers, [0, 0, 0, 0]).p == 0.5


def test_items_nobody_answered_are_left_out():
    answers = Crossed(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]]), [0, 1])
    made = paired_difference(answers, [0, 0])
    assert (made.items, made.difference.value) == (1, 1.0)


def test_the_crossed_interval_covers_both_people_and_items():
    generator = np.random.default_rng(2)
    skill, ease = generator.normal(size=40), generator.normal(size=30)
    right = (generator.random((40, 30)) < 1 / (1 + np.exp(-(skill[:, None] + ease)))).astype(float)
    made = paired_difference(Crossed(right, np.ones((40, 30)), list(range(30))), [0.0] * 30)
    people = np.std(right.mean(axis=1), ddof=1) / np.sqrt(40)
    items = np.std(right.mean(axis=0), ddof=1) / np.sqrt(30)
    width = made.difference.high - made.difference.low
    assert 2 * 1.96 * max(people, items) < width < 2 * 1.96 * (people + items)
