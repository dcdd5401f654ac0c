"""The tree-model baseline: how far a regression on set-ups gets that never saw a candidate it is asked about."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log, log2, log10
from random import Random
from types import ModuleType
from typing import Any, Final

import numpy as np

from archstudio.intuition.analysis.material import Floats, Material, Traced
from archstudio.intuition.analysis.order import rank_correlation
from archstudio.intuition.analysis.rules import Answered, answer, depth
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import CandidateSpec, KanModel, MlpModel, TransformerModel
from archstudio.intuition.datasets.spec import BigramParams, DatasetSpec, FormulaParams, TabularParams
from archstudio.intuition.profile import FAMILIES
from archstudio.stats.extra import MissingExtra

SEED: Final = 0
FOLDS: Final = 5
FEWEST: Final = 10
"""Candidates below which no model is fitted."""
_SMALLEST: Final = 1e-12

Predict = Callable[[Floats], Floats]
Fit = Callable[[Floats, Floats], Predict]


@dataclass(frozen=True)
class TreeResult:
    """What one way of keeping candidates apart comes to."""

    way: str
    told: str
    answers: tuple[Answered, ...]
    n: int
    r2: float | None
    """1 − Σ(y − ŷ)² / Σ(y − ȳ of its data set)² of y = ln(final), out of fold; below 0 worse than each set's mean."""
    rho: float | None
    """Spearman's ρ of ŷ and y within data sets, out of fold: mean over data sets, weighted by candidates."""
    note: str = ""


def features(spec: CandidateSpec, dataset: DatasetSpec) -> dict[str, float]:
    """Return a set-up and the facts of its data set as numbers; 0 where something does not exist."""
    budget, optimizer, loss = spec.budget, spec.optimizer, spec.loss
    row = {
        "log_parameters": log10(parameter_count(spec.model)),
        "depth": float(depth(spec)),
        "width": float(spec.model.width),
        "log_rate": log10(optimizer.lr),
        "momentum": float(optimizer.momentum or 0),
        "log_decay": log10(optimizer.weight_decay + 1e-6),
        "second_beta": float(optimizer.betas[1]) if optimizer.betas else 0.0,
        "log_batch": log2(budget.batch_size),
        "log_steps": log2(budget.training_steps),
        "log_budget": log2(budget.total_samples_seen),
        "l1": float(loss.weight or 0) if loss.penalty == "l1" else 0.0,
        "l2": float(loss.weight or 0) if loss.penalty == "l2" else 0.0,
    }
    for name in ("SGD", "Adam", "AdamW", "RMSprop", "Adagrad"):
        row[f"is_{name}"] = float(optimizer.type == name)
    return row | _model(spec) | _data(dataset)


def _model(spec: CandidateSpec) -> dict[str, float]:
    model = spec.model
    mlp = model if isinstance(model, MlpModel) else None
    row = {f"is_{kind}": float(model.type == kind) for kind in ("mlp", "transformer_lm", "kan")}
    row["residual"] = float(mlp is not None and mlp.residual)
    row["norm_share"] = sum(mlp.layer_norm) / mlp.depth if mlp else 0.0
    for name in ("relu", "leaky_relu", "gelu", "silu"):
        row[f"share_{name}"] = mlp.activations.count(name) / mlp.depth if mlp else 0.0
    row["heads"] = float(model.num_heads) if isinstance(model, TransformerModel) else 0.0
    row["inner"] = float(model.inner) if isinstance(model, TransformerModel) else 0.0
    row["grid"] = float(model.grid_size) if isinstance(model, KanModel) else 0.0
    return row


def _data(dataset: DatasetSpec) -> dict[str, float]:
    params = dataset.params
    row = {f"family_{name}": float(dataset.family == name) for name in FAMILIES}
    row["train_size"] = float(params.train_size)
    formula = params.expression if isinstance(params, FormulaParams) else ""
    row["inputs"] = float(getattr(params, "input_dim", None) or 1)
    row["formula_length"] = float(len(formula))
    row["waves"] = float(formula.count("sin") + formula.count("cos"))
    row["divisions"] = float(formula.count("/"))
    bigram = params if isinstance(params, BigramParams) else None
    row["vocabulary"] = float(bigram.vocab_size) if bigram else 0.0
    row["context"] = float(bigram.context_length) if bigram else 0.0
    row["alpha"] = float(bigram.alpha) if bigram else 0.0
    table = params if isinstance(params, TabularParams) else None
    row["active"] = float(len(table.active_features)) if table else 0.0
    row["noise"] = float(table.noise_std) if table else 0.0
    return row


def boosted(x: Floats, y: Floats, seed: int = SEED) -> Predict:
    """Fit gradient-boosted trees and return what predicts; raises `MissingExtra`."""
    ensemble = _sklearn("sklearn.ensemble")
    model = ensemble.GradientBoostingRegressor(
        n_estimators=200, learning_rate=0.06, max_depth=4, min_samples_leaf=3, subsample=0.8, random_state=seed
    )
    model.fit(x, y)

    def predict(rows: Floats) -> Floats:
        return np.asarray(model.predict(rows), np.float64)

    return predict


def _sklearn(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and not module.startswith(error.name):
            raise
        raise MissingExtra("scikit-learn", "analysis") from error


def sklearn_version() -> str:
    """The installed version of scikit-learn; raises `MissingExtra`."""
    return str(_sklearn("sklearn").__version__)


def tree_baseline(material: Material, seed: int = SEED, fit: Fit | None = None) -> list[TreeResult]:
    """Return how trees do with candidates kept apart within data sets, and with whole data sets kept apart.

    A fold holds whole questions: questions that share a candidate lie in one fold, so that the model that answers a
    question was fitted to none of its candidates. Raises `MissingExtra`.
    """
    fitted = fit or (lambda x, y: boosted(x, y, seed))
    data = {each.id: each.candidate.spec.dataset_id for each in material.candidates}
    ways: list[tuple[str, str, Mapping[str, Any], int]] = [
        ("trees_candidates_apart", f"candidates apart within data sets, {FOLDS} folds", _folds(material, seed), 2),
        ("trees_data_sets_apart", "whole data sets apart, one left out at a time", data, 2),
    ]
    return [_validated(material, fitted, way, told, folds, least) for way, told, folds, least in ways]


def _validated(material: Material, fit: Fit, way: str, told: str, folds: Mapping[str, Any], least: int) -> TreeResult:
    candidates = material.candidates
    count = len(set(folds.values()))
    if count < least or len(candidates) < FEWEST:
        note = f"not done: {len(candidates)} candidates in {count} part{'s' * (count != 1)}"
        return TreeResult(way, told, (), len(candidates), None, None, note)
    rows = [features(c.candidate.spec, material.datasets[c.candidate.spec.dataset_id]) for c in candidates]
    x = np.array([list(row.values()) for row in rows])
    y = np.array([log(max(each.final, _SMALLEST)) for each in candidates])
    fold = np.array([str(folds[each.id]) for each in candidates])
    predicted = np.empty_like(y)
    for name in sorted(set(fold.tolist())):
        held = fold == name
        predicted[held] = fit(x[~held], y[~held])(x[held])
    found = {each.id: value for each, value in zip(candidates, predicted.tolist(), strict=True)}
    answers = tuple(answer(q, [-found[c.id] for c in q.candidates]) for q in material.questions)
    homes = np.array([each.candidate.spec.dataset_id for each in candidates])
    return TreeResult(way, told, answers, len(candidates), *_fitness(y, predicted, homes))


def _fitness(y: Floats, predicted: Floats, homes: Any) -> tuple[float | None, float | None]:
    """R² against the means of data sets, and the mean rank correlation within them."""
    total, correlations, sizes = 0.0, [], []
    for home in sorted(set(homes.tolist())):
        mine = homes == home
        total += float(((y[mine] - y[mine].mean()) ** 2).sum())
        rho = rank_correlation(predicted[mine], y[mine]) if mine.sum() > 2 else None
        if rho is not None:
            correlations.append(rho)
            sizes.append(int(mine.sum()))
    r2 = 1 - float(((y - predicted) ** 2).sum()) / total if total else None
    return r2, float(np.average(correlations, weights=sizes)) if sizes else None


def _folds(material: Material, seed: int) -> dict[str, int]:
    """A fold for each candidate; whole groups of candidates that questions tie together."""
    tied = {each.id: each.id for each in material.candidates}

    def root(name: str) -> str:
        while tied[name] != name:
            name = tied[name]
        return name

    for question in material.questions:
        first = root(question.candidates[0].id)
        for other in question.candidates[1:]:
            tied[root(other.id)] = first
            first = root(first)
    homes = {each.id: each.candidate.spec.dataset_id for each in material.candidates}
    groups = sorted({root(name) for name in tied})
    Random(seed).shuffle(groups)
    groups.sort(key=homes.__getitem__)  # neighbours of one data set go to different folds
    fold = {name: place % FOLDS for place, name in enumerate(groups)}
    return {name: fold[root(name)] for name in tied}


def traced_by_id(candidates: Sequence[Traced]) -> dict[str, Traced]:
    """Return candidates by id."""
    return {each.id: each for each in candidates}
