"""The report's numbers agree with a study small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_records import Maker, graph_items

from archstudio.study.records import Exclusion
from archstudio.study.report.figures import SimulatedRefused, make_figures
from archstudio.study.report.material import Material, prepare
from archstudio.study.report.models import ModelRows
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import ConditionFigures


def row(who: str, item: str, passed: bool | None, seconds: float = 60, **more) -> Row:
    kind = more.pop("respondent_type", "human")
    return Row(
        kind, who, False, "single_shot", item, "graph", "family", more.pop("instance", item), "main", "byte-equal", 0.0,
        "answered" if passed is not None else "unanswered", passed, first_passed=passed,
        active_ms=int(1000 * seconds), success_ms=int(1000 * seconds) if passed else None, **more,
    )  # fmt: skip


def model(who: str, item: str, passed: bool | None) -> Row:
    return Row(
        "model", who, False, "single_shot", item, "graph", "family", item, "main", "byte-equal", 0.0,
        "answered" if passed is not None else "error", passed,
    )  # fmt: skip


def figures(rows: list[Row], variant: str = "primary") -> ConditionFigures:
    records = replace(Maker(people=2, simulated=False).records(), withdrawals=())
    return make_figures(records, ModelRows(), rows).variant(variant).conditions[0]


HAND = [
    row("ann", "x", True, 30), row("ann", "y", True, 90), row("ann", "z", False, 40),
    row("bob", "x", True, 60), row("bob", "y", False, 100), row("bob", "z", None),
    model("m · single shot · f", "x", False), model("m · single shot · f", "y", True),
    model("m · single shot · f", "z", None),
]  # fmt: skip


def test_a_study_by_hand():
    made = figures(HAND)
    assert (made.counts.people, made.counts.items, made.counts.responses, made.counts.unanswered) == (2, 3, 5, 1)
    assert made.headline.value == pytest.approx(3 / 5)
    assert (made.headline.low, made.headline.high) == (0.5, pytest.approx(2 / 3))  # both times bob, both times ann
    assert made.if_unanswered_failed.value == pytest.approx(3 / 6)
    assert [(each.id, each.share.passed, each.share.n) for each in made.items] == [
        ("x", 2, 2),
        ("y", 1, 2),
        ("z", 0, 1),
    ]
    assert made.times.success.median == 60
    assert made.times.failure.median == 70
    assert dict(zip(made.times.limits, made.times.share_by, strict=True))[60.0] == pytest.approx(2 / 5)


def test_people_beside_a_model_by_hand():
    (paired,) = figures(HAND).paired
    # x: 1 - 0; y: 1/2 - 1; z has no model answer.
    assert paired.items == 2
    assert paired.difference.value == pytest.approx(0.25)
    # |±1 ±0.5| >= 0.5 for every pattern.
    assert paired.p == paired.p_holm == 1.0
    assert (paired.by_majority.wins, paired.by_majority.ties, paired.by_majority.losses) == (1, 0, 1)
    assert (paired.by_response.wins, paired.by_response.ties, paired.by_response.losses) == (2, 1, 1)
    (found,) = figures(HAND).models
    assert (found.n, found.passed, found.errors) == (2, 1, 1)


def test_a_model_with_several_tries_counts_by_their_mean():
    tries = [model("m · single shot · f", "x", passed) for passed in (True, False, False, True, True)]
    (paired,) = figures([*HAND[:6], *tries]).paired
    assert paired.difference.value == pytest.approx(1 - 3 / 5)
    assert (paired.by_majority.ties, paired.by_response.wins) == (1, 2)
    made = figures([*HAND[:6], *tries])
    assert made.model_matrix.values == ((1, None, None),)
    assert (made.models[0].n, made.models[0].passed) == (5, 3)


def test_several_people_together_by_hand():
    one, two = figures(HAND).many_people
    assert (one.k, one.items, one.any_of_k) == (1, 3, pytest.approx((1 + 0.5 + 0) / 3))
    assert (two.k, two.items, two.any_of_k, two.all_of_k) == (2, 2, pytest.approx(1.0), pytest.approx(0.5))


def test_guarantee_09_excluded_rows_leave_the_default_report_and_their_counts_do_not():
    marked = [replace(each, excluded_by="rule" if each.respondent_id == "bob" else "") for each in HAND]
    primary, everyone = figures(marked), figures(marked, "everyone")
    assert primary.headline.value == pytest.approx(2 / 3)
    assert primary.counts.people == 1
    assert everyone.headline.value == pytest.approx(3 / 5)
    for each in (primary, everyone):
        assert (each.counts.people_excluded, each.counts.rows_excluded) == (1, 3)


def test_one_person_has_no_interval():
    made = figures([each for each in HAND if each.respondent_id == "ann"])
    assert (made.headline.low, made.headline.high) == (None, None)
    assert 0 < made.wilson.low < made.wilson.high < 1


def test_simulated_rows_are_refused_unless_allowed():
    records = Maker(people=2).records()
    with pytest.raises(SimulatedRefused, match="--allow-simulated"):
        prepare(records)
    assert prepare(records, allow_simulated=True).figures.simulated


def test_people_are_never_marked_simulated():
    made = prepare(Maker(people=2, simulated=False).records())
    assert not made.figures.simulated


def test_no_model_row_is_invented(graphs: Material):
    sources = {each.source for each in graphs.rows if each.respondent_type == "model"}
    assert sources == {"example.json"}
    assert prepare(graphs.records, allow_simulated=True).figures.variant("primary").conditions[0].models == ()


def test_holm_counts_all_models_of_a_condition(graphs: Material):
    paired = graphs.figures.variant("primary").conditions[0].paired
    smallest = min(paired, key=lambda each: each.p)
    assert smallest.p_holm == pytest.approx(min(1.0, 3 * smallest.p))


def test_a_rasch_scale_needs_people_and_items(graphs: Material, questions: Material):
    assert "30 and 20" in graphs.figures.variant("primary").conditions[0].scale.reason
    made = questions.figures.variant("primary").conditions[0].scale
    assert made.reason == ""
    assert sum(value for _, value, _ in made.difficulties) == pytest.approx(0, abs=1e-9)


def test_probabilities_are_scored(questions: Material):
    made = questions.figures.variant("primary").conditions[0]
    stated = [each for each in questions.rows if each.brier is not None and not each.excluded_by]
    assert made.forecasts.n == len(stated)
    assert made.forecasts.brier.value == pytest.approx(sum(each.brier for each in stated) / len(stated))
    assert made.chance == pytest.approx(1 / 3)


def test_wordings_are_counted_and_told(graphs: Material):
    assert graphs.figures.variant("primary").conditions[0].wordings == {"byte-equal": 8, "fact-equal": 4}


def test_a_study_in_which_everybody_is_excluded_has_figures_without_values():
    records = Maker(people=2, conditions=("single_shot",)).records()
    marks = tuple(
        Exclusion("participant", each.id, True, "r", "all", "2026-12-08T00:00:00Z") for each in records.participants
    )
    made = prepare(replace(records, exclusions=marks), allow_simulated=True)
    (primary,) = made.figures.variant("primary").conditions
    assert primary.headline.value is None
    assert primary.counts.rows_excluded == 2 * len(graph_items("s1")[:-2])
