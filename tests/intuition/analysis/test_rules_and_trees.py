"""Rules and trees against questions whose answers are known."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

from archstudio.intuition.analysis.figures import analyse
from archstudio.intuition.analysis.material import Material
from archstudio.intuition.analysis.rules import BASELINES, answer, rule_answers, scores
from archstudio.intuition.analysis.trees import FOLDS, boosted, features, traced_by_id, tree_baseline
from archstudio.stats.extra import MissingExtra

from .conftest import Trace, question_of


def test_each_rule_picks_what_its_name_says(trace: Trace) -> None:
    first = trace((1.0, 0.9, 0.1), width=64, depth=1, rate=0.001, optimizer="SGD")
    second = trace((0.9, 0.2, 0.5), width=16, depth=2, rate=0.01, optimizer="Adam")
    asked = [question_of("q", [first, second], "A")]
    right = {name: each[0].right for name, each in rule_answers(asked, traced_by_id([first, second])).items()}
    # 4,353 and 321 parameters: ln of their ratio, 2.61, is more than 0.7 · ln(0.0115 / 0.000935) = 1.76
    expected = {"most_parameters", "lowest_rate", "widest", "hand_formula"}
    assert {name for name, is_right in right.items() if is_right} == expected


def test_the_early_look_sees_five_per_cent_of_the_budget_and_no_more(trace: Trace) -> None:
    # 5 % of 1,000 samples are 50: the last measurement before is at 10
    leads_at_10, leads_at_100 = trace((0.5, 0.9, 0.9), width=16), trace((0.6, 0.1, 0.1), width=17)
    found = rule_answers(
        [question_of("q", [leads_at_10, leads_at_100], "A")], traced_by_id([leads_at_10, leads_at_100])
    )
    assert found["early_look"][0].right


def test_a_rule_that_cannot_decide_takes_the_first_letter_and_says_so(trace: Trace) -> None:
    asked = question_of("q", [trace(width=16), trace(width=17), trace(width=18)], "A")
    assert answer(asked, [1.0, 0.0, 1.0]).tied
    assert answer(asked, [1.0, 0.0, 1.0]).right
    assert not answer(asked, [0.0, 0.0, 1.0]).tied


def test_scores_carry_n_chance_and_wilsons_interval(trace: Trace) -> None:
    two, three = [trace(width=16), trace(width=32)], [trace(width=w) for w in (16, 24, 32)]
    asked = [question_of("q1", two, "B"), question_of("q2", three, "A", "architecture_only")]
    answers = rule_answers(asked, traced_by_id([*two, *three]))["most_parameters"]
    found = {each.group: each for each in scores("most_parameters", answers, asked)}
    assert set(found) == {"all", "family: univariate_regression", "type: mixed", "type: architecture_only"}
    assert (found["all"].right, found["all"].n, found["all"].chance) == (1, 2, pytest.approx(5 / 12))
    assert found["type: mixed"].share == 1
    # Wilson, 1 of 2: centre 1/2, half width z √(1/8 + z²/16) / (1 + z²/2)
    z = 1.96
    half = z * np.sqrt(1 / 8 + z * z / 16) / (1 + z * z / 2)
    assert (found["all"].low, found["all"].high) == (pytest.approx(0.5 - half), pytest.approx(0.5 + half))


def test_no_tree_is_fitted_to_a_candidate_of_a_question_it_answers(two_data_sets: Material) -> None:
    rows = {
        tuple(features(each.candidate.spec, two_data_sets.datasets[each.candidate.spec.dataset_id]).values()): each.id
        for each in two_data_sets.candidates
    }
    assert len(rows) == 16
    fits: list[tuple[set[str], set[str]]] = []

    def spying(x: np.ndarray, y: np.ndarray):  # type: ignore[no-untyped-def]
        seen = {rows[tuple(row)] for row in x.tolist()}

        def predict(asked: np.ndarray) -> np.ndarray:
            fits.append((seen, {rows[tuple(row)] for row in asked.tolist()}))
            return np.zeros(len(asked))

        return predict

    tree_baseline(two_data_sets, fit=spying)
    assert len(fits) == FOLDS + 2
    for seen, predicted in fits:
        assert not seen & predicted
        for question in two_data_sets.questions:
            choices = {candidate.id for candidate in question.candidates}
            assert not (choices & predicted and choices & seen)
    homes = {each.id: each.candidate.spec.dataset_id for each in two_data_sets.candidates}
    for seen, predicted in fits[FOLDS:]:
        assert not {homes[name] for name in seen} & {homes[name] for name in predicted}


def test_trees_find_a_rule_that_holds_everywhere_and_repeat_themselves(two_data_sets: Material) -> None:
    first, again = tree_baseline(two_data_sets, seed=3), tree_baseline(two_data_sets, seed=3)
    assert first == again
    for result in first:
        assert all(each.right for each in result.answers)
        assert len(result.answers) == 4
        assert result.rho is not None
        assert result.rho > 0.8


def test_one_data_set_alone_cannot_be_left_out(two_data_sets: Material) -> None:
    alone = replace(two_data_sets, sets=two_data_sets.sets[:1], questions=two_data_sets.questions[:2])
    result = tree_baseline(alone)[1]
    assert (result.answers, result.r2) == ((), None)
    assert "not done: 8 candidates in 1 part" in result.note


def test_r2_is_that_of_the_formula(two_data_sets: Material) -> None:
    exact = tree_baseline(two_data_sets, fit=lambda x, y: lambda rows: np.full(len(rows), y.mean()))
    assert exact[1].r2 == pytest.approx(0.0)  # both data sets have the same mean, which predicts nothing within them


def test_without_scikit_learn_the_extra_is_named(two_data_sets: Material, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    with pytest.raises(MissingExtra, match=r"pip install archstudio\[analysis\]"):
        boosted(np.zeros((4, 1)), np.zeros(4))
    assert analyse(two_data_sets, trees=False, seed=0).trees == ()


def test_every_rule_is_told_in_words() -> None:
    assert all(rule.told for rule in BASELINES.values())
