"""Pictures of data sets agree with the programs that make the data, and formulas say what they compute."""

from __future__ import annotations

import numpy as np
import pytest
from made_packs import _drawn as drawn

from archstudio.app.quiz.mathematics import formula_boxes, has_guarded_division, plain, rule_boxes
from archstudio.app.quiz.pictures import chances, feature_pairs, scores, slices, target_line, transition
from archstudio.intuition.datasets.folder import _run, remade_splits
from archstudio.intuition.datasets.source import synthesize_source
from archstudio.intuition.datasets.spec import BigramParams, MultivariateParams, TabularParams, UnivariateParams
from archstudio.intuition.formulas.text import parse


def test_the_line_of_a_univariate_target_goes_through_its_points() -> None:
    dataset, _ = drawn("univariate_regression", 3)
    assert isinstance(dataset.params, UnivariateParams)
    x, y = target_line(dataset.params)
    split = remade_splits(dataset)["train"]
    between = np.interp(split.x.numpy()[:, 0], x, y)
    assert np.median(np.abs(between - split.y.numpy()[:, 0])) < 1e-2


def test_the_heat_map_is_the_transition_matrix_the_program_makes() -> None:
    dataset, _ = drawn("bigram_lm", 3)
    assert isinstance(dataset.params, BigramParams)
    made, _ = _run(synthesize_source(dataset))["build_transition"]()
    np.testing.assert_array_equal(transition(dataset.params), made)


def test_scores_are_those_of_the_program() -> None:
    import torch

    dataset, _ = drawn("synthetic_tabular_classification", 3)
    assert isinstance(dataset.params, TabularParams)
    x = np.random.default_rng(1).standard_normal((50, dataset.params.input_dim))
    made = _run(synthesize_source(dataset))["scores"](torch.from_numpy(x))
    np.testing.assert_allclose(scores(dataset.params, x), made.numpy(), rtol=1e-5)


def test_the_chances_of_a_label_are_even_over_the_whole_plane() -> None:
    dataset, _ = drawn("synthetic_tabular_classification", 3)
    assert isinstance(dataset.params, TabularParams)
    first, second = feature_pairs(dataset.params)[0]
    made = chances(dataset.params, first, second)
    weights = np.exp(-(made.at**2) / 2)
    share = np.average(made.grid, weights=np.outer(weights, weights))
    assert share == pytest.approx(dataset.params.calibration.target_positive_rate, abs=0.05)
    assert made.grid.min() >= 0
    assert made.grid.max() <= 1


def test_there_is_one_slice_for_each_coordinate_with_its_mean_within_the_data() -> None:
    dataset, _ = drawn("multivariate_regression", 3)
    assert isinstance(dataset.params, MultivariateParams)
    made = slices(dataset.params)
    y = remade_splits(dataset)["train"].y.numpy()
    assert len(made) == dataset.params.input_dim
    for one in made:
        assert (one.low <= one.high).all()
        assert y.min() - 1 < one.mean.mean() < y.max() + 1


def test_a_division_that_may_be_guarded_is_shown_with_its_double_bar() -> None:
    formula = parse("x / (x - 0.5)", coordinates=1, name="f")
    assert has_guarded_division(formula)
    assert plain(formula_boxes(formula, many=False)) == "(x) ⫽ (x − 0.5)"


def test_a_division_by_a_constant_far_from_zero_is_plain() -> None:
    formula = parse("(x)**2 / -1.5", coordinates=1, name="f")
    assert not has_guarded_division(formula)
    assert plain(formula_boxes(formula, many=False)) == "(x²) / (−1.5)"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sin(6.283185307179586*(x0 + 1)) * abs(x1)", "sin(2π (x₀ + 1)) · |x₁|"),
        ("x0 - (x1 - 2)", "x₀ − (x₁ − 2)"),
        ("tanh(2*x0) * -0.5", "tanh(2 x₀) · (−0.5)"),
        ("(x0 + x1)**3", "(x₀ + x₁)³"),
    ],
)
def test_formulas_are_read_as_mathematics(line: str, said: str) -> None:
    assert plain(formula_boxes(parse(line, coordinates=2, name="f"), many=True)) == said


def test_a_tabular_rule_names_its_features_its_threshold_and_its_noise() -> None:
    dataset, _ = drawn("synthetic_tabular_classification", 3)
    assert isinstance(dataset.params, TabularParams)
    score, label = (plain(boxes) for boxes in rule_boxes(dataset.params))
    assert score.startswith("s = ")
    assert "label 1 where s + ε >" in label
