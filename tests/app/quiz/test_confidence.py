"""Probabilities: they sum to 100 whatever a person does, and the answer follows them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.app.quiz.confidence import Confidence, shared_out

LETTERS = "ABCDEFGHI"
moves = st.lists(
    st.tuples(st.sampled_from(["set", "step", "pick"]), st.integers(0, 8), st.integers(-30, 130)), max_size=30
)


@given(st.integers(2, 9), moves)
def test_whatever_is_changed_the_percents_sum_to_a_hundred_and_none_is_negative(count: int, made: list) -> None:
    now = Confidence.even(LETTERS[:count])
    for move, which, value in made:
        label = LETTERS[which % count]
        if move == "set":
            now = now.set(label, value)
            assert now.of(label) == max(0, min(100, value))
        elif move == "step":
            now = now.step(label, value // 10)
        else:
            now = now.pick(label)
            assert now.choice == label
        percents = [percent for _, percent in now.percents]
        assert sum(percents) == 100
        assert min(percents) >= 0
        assert abs(sum(now.probabilities().values()) - 1) < 1e-12
        if now.choice is not None:
            assert now.of(now.choice) == max(percents)


def test_nothing_is_chosen_while_all_are_even() -> None:
    assert Confidence.even("ABC").percents == (("A", 34), ("B", 33), ("C", 33))
    assert Confidence.even("ABC").choice is None


def test_picking_an_even_one_makes_it_firm_and_the_others_share_the_rest() -> None:
    assert Confidence.even("ABC").pick("B").percents == (("A", 20), ("B", 60), ("C", 20))


def test_picking_another_swaps_it_with_the_leader() -> None:
    now = Confidence.even("ABC").set("A", 70).pick("C")
    assert now.percents == (("A", 15), ("B", 15), ("C", 70))


def test_the_others_keep_their_proportion() -> None:
    now = Confidence((("A", 20), ("B", 60), ("C", 20))).set("A", 60)
    assert now.percents == (("A", 60), ("B", 30), ("C", 10))


def test_a_tie_for_the_lead_is_an_answer_only_if_one_of_them_was_picked() -> None:
    tied = Confidence((("A", 45), ("B", 45), ("C", 10)))
    assert tied.choice is None
    assert tied.pick("B").choice == "B"


def test_certainty_can_be_taken_back() -> None:
    now = Confidence.even("ABC").set("A", 100).set("A", 40)
    assert now.percents == (("A", 40), ("B", 30), ("C", 30))


def test_one_choice_or_two_of_a_name_are_refused() -> None:
    for labels in ("A", "AA"):
        with pytest.raises(ValueError, match="different labels"):
            Confidence.even(labels)


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.floats(0.001, 1e6), min_size=1, max_size=9))
def test_sharing_out_is_whole_and_within_one_of_exact(weights: dict[str, float]) -> None:
    shares = shared_out(weights, 100)
    total = sum(weights.values())
    assert sum(shares.values()) == 100
    assert all(abs(share - 100 * weights[name] / total) < 1 for name, share in shares.items())
