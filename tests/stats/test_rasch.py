"""Difficulties are those that make the expected numbers solved equal the observed ones."""

import numpy as np
import pytest
from statsmodels.discrete.conditional_models import ConditionalLogit

from archstudio.stats import rasch as room
from archstudio.stats.rasch import TooFew, informative, rasch


def drawn(people, items, seed=3, share=1.0):
    generator = np.random.default_rng(seed)
    skill, hard = generator.normal(size=people), generator.normal(size=items)
    return [
        {f"i{i:02}": bool(generator.random() < 1 / (1 + np.exp(h - s))) for i, h in enumerate(hard)
         if generator.random() < share}
        for s in skill
    ]  # fmt: skip


def test_few_people_or_items_are_refused():
    with pytest.raises(TooFew, match="people and 5 items"):
        rasch(drawn(40, 5))
    with pytest.raises(TooFew):
        rasch(drawn(20, 25))


def test_two_items_by_hand(monkeypatch):
    # Of those with exactly one right, 30 had the first and 10 the second: difficulties differ by ln 3.
    monkeypatch.setattr(room, "LEAST_ITEMS", 2)
    answers = [{"a": True, "b": False}] * 30 + [{"a": False, "b": True}] * 10 + [{"a": True, "b": True}] * 7
    made = {each.item: each.value for each in rasch(answers)}
    assert made == {"a": pytest.approx(-np.log(3) / 2), "b": pytest.approx(np.log(3) / 2)}


def test_difficulties_agree_with_conditional_logit_where_answers_are_missing(monkeypatch):
    monkeypatch.setattr(room, "LEAST_ITEMS", 5)
    answers = drawn(60, 6, share=0.8)
    made = {each.item: each for each in rasch(answers)}
    rows = [(person, item, right) for person, mine in enumerate(answers) for item, right in mine.items()]
    names = sorted(made)
    columns = np.array([[float(item == name) for name in names[1:]] for _, item, _ in rows])
    with pytest.warns(UserWarning, match="Dropped"):
        fit = ConditionalLogit(
            np.array([r for _, _, r in rows], int), columns, groups=np.array([p for p, _, _ in rows])
        ).fit()
    easiness = np.array([0.0, *fit.params])
    assert [made[name].value for name in names] == pytest.approx(
        list(easiness.mean() - easiness), abs=1e-3
    )  # BFGS stops early


def test_difficulties_come_back_from_simulated_answers():
    answers = drawn(400, 25)
    made = rasch(answers)
    truth = np.random.default_rng(3)
    truth.normal(size=400)
    hard = truth.normal(size=25)
    errors = np.array([each.value for each in made]) - (hard - hard.mean())
    assert np.sqrt(np.mean(errors**2)) < 0.2
    assert np.mean([abs(error) < 1.96 * each.se for error, each in zip(errors, made, strict=True)]) > 0.8


def test_who_has_all_right_says_nothing():
    people, items = informative([{"a": True, "b": True}, {"a": True, "b": False}, {"a": False, "b": True}])
    assert (len(people), items) == (2, ["a", "b"])


def test_items_that_are_compared_one_way_only_are_not_placed():
    # c is never failed by who fails another: it may be easier without bound.
    both_ways = [{"a": True, "b": False}, {"a": False, "b": True}]
    people, items = informative([*both_ways, {"a": False, "c": True}])
    assert (len(people), items) == (2, ["a", "b"])


def test_of_two_scales_that_nobody_connects_the_larger_is_taken():
    ring = [{"c": True, "d": False}, {"d": True, "e": False}, {"e": True, "c": False}]
    assert informative([{"a": True, "b": False}, {"a": False, "b": True}, *ring])[1] == ["c", "d", "e"]
    assert informative([])[1] == []
