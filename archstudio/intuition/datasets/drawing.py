"""Draws the parameters of a data set from a profile and a seed, number by number as the reference does."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Literal, assert_never

from archstudio.intuition.datasets.source import tabular_scores_source
from archstudio.intuition.datasets.spec import (
    BigramParams,
    Calibration,
    DatasetFiles,
    DatasetSpec,
    MultivariateParams,
    Params,
    PointSampling,
    RecordedSignificance,
    Sampler,
    TabularParams,
    UnivariateParams,
    dataset_id,
)
from archstudio.intuition.formulas.drawing import draw_multivariate, draw_univariate
from archstudio.intuition.formulas.text import printed
from archstudio.intuition.profile import (
    BigramConfig,
    Family,
    MultivariateConfig,
    Profile,
    RuleFamily,
    Splits,
    TabularConfig,
    UnivariateConfig,
)

POINTS_AFTER = 1000
CALIBRATION_AFTER = 2000
TABLE_AFTER = 10_000
DIMENSION_AFTER = 7
"""Seeds of the parts of a data set lie so far after the seed of the whole."""


class CannotDraw(ValueError):
    """What was asked for does not exist in the profile; the text says what does."""


@dataclass(frozen=True)
class Pins:
    """What is fixed instead of drawn."""

    input_dim: int | None = None
    rule_family: RuleFamily | None = None


def draw_spec(profile: Profile, family: Family, seed: int, pins: Pins | None = None) -> DatasetSpec:
    """Return the data set of a family and a seed; raises `CannotDraw` and `NoFormula`.

    Tabular data need torch for their decision threshold; do not draw them in the window's process.
    """
    pins = pins or Pins()
    if not profile.knows(family):
        known = ", ".join(profile.pools.dataset_families)
        raise CannotDraw(f"The profile {profile.profile} has no family {family}; it has {known}.")
    if seed < 0:
        raise CannotDraw(f"A seed is 0 or more, not {seed}.")
    config: Splits = getattr(profile.dataset_configs, family)
    params = _params(config, seed, pins)
    threshold = config.fail_threshold if isinstance(config, BigramConfig) else profile.ground_truth.fail_threshold
    return DatasetSpec(
        family=family,
        params=params,
        selection_metric="test_mse" if isinstance(config, UnivariateConfig) else "test_ce",
        significance=RecordedSignificance(gap_min=profile.significance.gap_min, fail_threshold=threshold),
        files=DatasetFiles(
            validation="validation.pt" if config.validation_size else None,
            transition="transition.npz" if isinstance(config, BigramConfig) else None,
        ),
        dataset_id=dataset_id(family, params, profile.id_digits),
    )


def _params(config: Splits, seed: int, pins: Pins) -> Params:
    if pins.rule_family is not None and not isinstance(config, TabularConfig):
        raise CannotDraw("Only tabular data have a rule family.")
    if isinstance(config, MultivariateConfig):
        return _multivariate(config, seed, pins)
    if isinstance(config, TabularConfig):
        return _tabular(config, seed, pins)
    if pins.input_dim is not None:
        raise CannotDraw("Only multivariate and tabular data have an input dimension to choose.")
    if isinstance(config, UnivariateConfig):
        return _univariate(config, seed)
    if isinstance(config, BigramConfig):
        return _bigram(config, seed)
    raise AssertionError(config)


def _sizes(config: Splits) -> dict[str, int | None]:
    return {
        "train_size": config.train_size,
        "validation_size": config.validation_size or None,
        "test_size": config.test_size,
    }


def _univariate(config: UnivariateConfig, seed: int) -> UnivariateParams:
    sampler = config.sampler
    drawn = draw_univariate(
        seed,
        max_depth=sampler.max_depth,
        max_retries=sampler.max_retries,
        domain=config.domain,
        canonical=sampler.canonical,
    )
    return UnivariateParams.model_validate(
        {
            "instance_seed": seed,
            "sampler": _sampler(config, seed, drawn.retry),
            "expression": printed(drawn.formula, many=False),
            "domain": list(config.domain),
            "point_sampling": PointSampling(distribution="uniform", seed=seed + POINTS_AFTER),
            **_sizes(config),
        }
    )


def _sampler(config: UnivariateConfig, seed: int, retry: int) -> Sampler:
    sampler = config.sampler
    mark: Literal[True] | None = True if sampler.canonical else None
    return Sampler(id=sampler.id, seed=seed, max_depth=sampler.max_depth, retry=retry, canonical=mark)


def _multivariate(config: MultivariateConfig, seed: int, pins: Pins) -> MultivariateParams:
    sampler = config.sampler
    dimension = _dimension(Random(seed + DIMENSION_AFTER), config.input_dims, pins)
    drawn = draw_multivariate(
        seed,
        dimension,
        max_depth=sampler.max_depth,
        max_retries=sampler.max_retries,
        domain=config.domain,
        canonical=sampler.canonical,
    )
    return MultivariateParams.model_validate(
        {
            "instance_seed": seed,
            "input_dim": dimension,
            "sampler": _sampler(config, seed, drawn.retry),
            "expression": printed(drawn.formula, many=True),
            "domain": list(config.domain),
            "point_sampling": PointSampling(distribution="uniform", seed=seed + POINTS_AFTER),
            **_sizes(config),
        }
    )


def _dimension(rng: Random, pool: Sequence[int], pins: Pins) -> int:
    if pins.input_dim is None:
        return rng.choice(pool)
    if pins.input_dim not in pool:
        offered = ", ".join(map(str, pool))
        raise CannotDraw(f"The input dimension {pins.input_dim} is not in the profile, which has {offered}.")
    return pins.input_dim


def _bigram(config: BigramConfig, seed: int) -> BigramParams:
    return BigramParams.model_validate(
        {
            "instance_seed": seed,
            "vocab_size": config.vocab_size,
            "context_length": config.context_length,
            "alpha": config.alpha,
            "layout": config.layout,
            "sequence_seed": seed,
            "table_seed": seed + TABLE_AFTER,
            **_sizes(config),
        }
    )


def _tabular(config: TabularConfig, seed: int, pins: Pins) -> TabularParams:
    rng = Random(seed)
    dimension = _dimension(rng, config.input_dims, pins)
    rule = pins.rule_family or config.rule_families[seed % len(config.rule_families)]
    wanted = rng.choice(config.active_feature_counts)
    active = min(max(wanted, 1 if rule == "smooth_additive" else 2), dimension)
    features = sorted(rng.sample(range(dimension), active))
    pairs, weights, breakpoint_ = _rule(rng, rule, features)
    params = TabularParams.model_validate(
        {
            "instance_seed": seed,
            "input_dim": dimension,
            "rule_family": rule,
            "active_features": features,
            "interaction_order": config.interaction_order,
            "interaction_pairs": pairs,
            "rule_weights": weights,
            "piecewise_breakpoint": breakpoint_,
            "noise_std": rng.choice(config.noise_std),
            "decision_threshold": 0.0,
            "point_sampling": PointSampling(distribution="standard_normal", seed=seed + POINTS_AFTER),
            "calibration": Calibration(
                seed=seed + CALIBRATION_AFTER,
                size=config.calibration_size,
                target_positive_rate=config.target_positive_rate,
            ),
            **_sizes(config),
        }
    )
    return params.model_copy(update={"decision_threshold": _threshold(params)})


def _rule(rng: Random, rule: RuleFamily, features: list[int]) -> tuple[list[list[int]], list[float], float]:
    """Return the interacting pairs, the weights, and where the slope changes."""

    def weight(low: float, high: float) -> float:
        size = rng.uniform(low, high)
        return size * rng.choice([-1, 1])

    match rule:
        case "smooth_additive":
            return [], [weight(0.6, 1.4) for _ in features], 0.0
        case "sparse_interaction":
            pairs = rng.sample(list(combinations(features, 2)), max(1, len(features) - 1))
            return [list(pair) for pair in pairs], [weight(0.8, 1.6) for _ in pairs], 0.0
        case "piecewise_boundary":
            where = rng.uniform(-0.5, 0.5)
            return [], [weight(0.8, 1.6) for _ in range(3)], where
        case _:
            assert_never(rule)


def _threshold(params: TabularParams) -> float:
    """Run the generated scores on the calibration sample; the threshold is a quantile of them."""
    import torch

    space: dict[str, object] = {"torch": torch}
    exec(compile(tabular_scores_source(params), "scores", "exec"), space)  # our own text, made of checked numbers
    scores = space["scores"]
    calibration = params.calibration
    generator = torch.Generator().manual_seed(calibration.seed)
    x = torch.randn(calibration.size, params.input_dim, generator=generator)
    noise = params.noise_std * torch.randn(calibration.size, generator=generator)
    noisy = scores(x) + noise  # type: ignore[operator]
    return float(torch.quantile(noisy, 1 - calibration.target_positive_rate))
