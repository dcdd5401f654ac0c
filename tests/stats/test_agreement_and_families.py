"""Agreement and adjusted p-values agree with published and hand-computed cases."""

import pytest

from archstudio.stats.agreement import krippendorff_alpha
from archstudio.stats.families import holm


def test_krippendorffs_own_example_with_missing_answers():
    # Four observers, twelve units, nominal: alpha = 0.743 (Krippendorff 2011, section C).
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    units = [[answer for answer in unit if answer is not None] for unit in zip(*observers, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_full_agreement_is_1_and_constant_answers_say_nothing():
    assert krippendorff_alpha([["a", "a"], ["b", "b"]]) == 1
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None


def test_full_disagreement_of_two_observers_by_hand():
    # Coincidences a-b: 4 of 4; expected disagreement 2*2*2/3: alpha = 1 - 4 / (8/3) = -0.5.
    assert krippendorff_alpha([["a", "b"], ["b", "a"]]) == pytest.approx(-0.5)


def test_holm_by_hand():
    # Sorted 0.01, 0.03, 0.04: times 3, 2, 1 and never falling.
    assert holm([0.03, None, 0.01, 0.04]) == [pytest.approx(0.06), None, pytest.approx(0.03), pytest.approx(0.06)]
    assert holm([None]) == [None]
    assert holm([]) == []
