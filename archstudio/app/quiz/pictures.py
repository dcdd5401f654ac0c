"""What a data set looks like, as arrays to draw: computed from its parameters, so that no tensor need be read."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from archstudio.intuition.datasets.source import formula_of
from archstudio.intuition.datasets.spec import BigramParams, MultivariateParams, TabularParams, UnivariateParams
from archstudio.intuition.formulas.tree import evaluate

Array = NDArray[np.float64]
LINE_POINTS = 401
SLICE_POINTS = 241
OTHERS = 256
"""Points of the other coordinates that a dependence is averaged over."""
RULE_OTHERS = 48
GRID = 81
REACH = 3.2
"""Normal features are drawn from −REACH to REACH; one in 700 lies outside."""


@dataclass(frozen=True)
class Slice:
    """How the target depends on one coordinate: averaged over the others, with what lies between a tenth and nine."""

    coordinate: int
    x: Array
    mean: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Chances:
    """The chance of label 1 over two features, the other features averaged over; rows are the second feature."""

    first: int
    second: int
    at: Array
    grid: Array


def target_line(params: UnivariateParams) -> tuple[Array, Array]:
    """Return the target over its domain, (x, y); raises `UnusableFile`."""
    low, high = params.domain
    x = np.linspace(low, high, LINE_POINTS)
    return x, evaluate(formula_of(params, "formula"), x[:, None])


def slices(params: MultivariateParams) -> list[Slice]:
    """Return the partial dependence on each coordinate over uniform points; raises `UnusableFile`.

    The points are drawn afresh from a fixed seed, they are not those of the data set.
    """
    formula = formula_of(params, "formula")
    low, high = params.domain
    others = np.random.default_rng(0).uniform(low, high, (OTHERS, params.input_dim))
    along = np.linspace(low, high, SLICE_POINTS)
    made = []
    for coordinate in range(params.input_dim):
        points = np.repeat(others[None], SLICE_POINTS, axis=0)
        points[:, :, coordinate] = along[:, None]
        values = evaluate(formula, points.reshape(-1, params.input_dim)).reshape(SLICE_POINTS, OTHERS)
        low_edge, high_edge = np.quantile(values, [0.1, 0.9], axis=1)
        made.append(Slice(coordinate, along, values.mean(axis=1), low_edge, high_edge))
    return made


def transition(params: BigramParams) -> Array:
    """Return the probabilities P[previous, next], as the data set's program makes them."""
    size = params.vocab_size
    logits = params.alpha * np.random.default_rng(params.table_seed).standard_normal((size, size))
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    made: Array = weights / weights.sum(axis=1, keepdims=True)
    return made


def feature_pairs(params: TabularParams) -> list[tuple[int, int]]:
    """Return the pairs of features worth looking at: those that interact, then the other active ones."""
    wanted = [(a, b) for a, b in params.interaction_pairs]
    active = params.active_features
    wanted += [(a, b) for place, a in enumerate(active) for b in active[place + 1 :]]
    if not wanted:
        rest = [index for index in range(params.input_dim) if index not in active]
        wanted = [(active[0], rest[0])] if rest else []
    return list(dict.fromkeys(wanted))


def chances(params: TabularParams, first: int, second: int) -> Chances:
    """Return the chance of label 1 over two features, noise included."""
    at = np.linspace(-REACH, REACH, GRID)
    count = 1 if set(params.active_features) <= {first, second} else RULE_OTHERS
    others = np.random.default_rng(0).standard_normal((count, params.input_dim))
    points = np.broadcast_to(others, (GRID, GRID, count, params.input_dim)).copy()
    points[..., first] = at[None, :, None]
    points[..., second] = at[:, None, None]
    above = scores(params, points.reshape(-1, params.input_dim)).reshape(GRID, GRID, count) - params.decision_threshold
    share = _normal_cdf(above / params.noise_std) if params.noise_std else (above > 0).astype(np.float64)
    return Chances(first, second, at, share.mean(axis=2))


def scores(params: TabularParams, x: Array) -> Array:
    """Return the rule's scores (N,) of features (N, d), without noise."""
    weights = params.rule_weights
    match params.rule_family:
        case "smooth_additive":
            terms: list[Any] = [
                w * (np.sin(x[:, j]) + 0.25 * x[:, j] ** 2)
                for w, j in zip(weights, params.active_features, strict=True)
            ]
        case "sparse_interaction":
            terms = [w * x[:, a] * x[:, b] for w, (a, b) in zip(weights, params.interaction_pairs, strict=True)]
        case "piecewise_boundary":
            (first, second), (below, above, offset) = params.active_features[:2], weights
            slope = np.where(x[:, first] < params.piecewise_breakpoint, below, above)
            terms = [slope * x[:, second], offset * x[:, first]]
    made: Array = np.sum(terms, axis=0)
    return made


def _normal_cdf(z: Array) -> Array:
    table = np.linspace(-6, 6, 2401)
    values = np.array([0.5 * (1 + erf(value / sqrt(2))) for value in table])
    made: Array = np.interp(z, table, values)
    return made
