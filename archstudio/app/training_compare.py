"""Compares runs: in which settings they differ, and what came of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from archstudio.training.store import StoredRun

_ABSENT = "–"
_RESULTS = (("val_loss", "validation loss"), ("val_accuracy", "validation accuracy"), ("train_loss", "training loss"))


@dataclass(frozen=True)
class ComparedRow:
    """One line of a comparison: what is compared, and a text for each run. `differs` is false for results."""

    name: str
    values: tuple[str, ...]
    differs: bool


def compared(runs: Sequence[StoredRun]) -> list[ComparedRow]:
    """Settings in which the runs differ, then their results as mean and range over the seeds."""
    flat = [
        _flat(run.description.model_dump(mode="json", exclude={"model": {"source"}, "title": True})) for run in runs
    ]
    names = list(dict.fromkeys(name for one in flat for name in one))
    rows = []
    for name in names:
        values = tuple(_text(one[name]) if name in one else _ABSENT for one in flat)
        if len(set(values)) > 1:
            rows.append(ComparedRow(name.replace("_", " "), values, differs=True))
    rows += [_parameters(runs), *(_result(runs, metric, title) for metric, title in _RESULTS)]
    return [row for row in rows if set(row.values) != {_ABSENT}]


def _flat(value: Any, name: str = "") -> dict[str, Any]:
    if isinstance(value, dict):
        parts = [_flat(inner, f"{name} › {key}" if name else key) for key, inner in value.items()]
        return {key: inner for part in parts for key, inner in part.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        parts = [_flat(inner, f"{name} {k + 1}" if len(value) > 1 else name) for k, inner in enumerate(value)]
        return {key: inner for part in parts for key, inner in part.items()}
    return {name: value}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: _ABSENT}[value]
    return f"{value:g}" if isinstance(value, float) else str(value)


def _results(run: StoredRun) -> list[Any]:
    found = [run.seed(seed).result() for seed in run.description.seeds]
    return [result for result in found if result is not None and result.state == "finished"]


def _parameters(runs: Sequence[StoredRun]) -> ComparedRow:
    counts = [next((f"{result.parameters:,}" for result in _results(run)), _ABSENT) for run in runs]
    return ComparedRow("parameters", tuple(counts), differs=False)


def _result(runs: Sequence[StoredRun], metric: str, title: str) -> ComparedRow:
    texts = []
    for run in runs:
        values = [result.metrics[metric] for result in _results(run) if metric in result.metrics]
        if not values:
            texts.append(_ABSENT)
        elif len(values) == 1:
            texts.append(f"{values[0]:.4g}")
        else:
            texts.append(f"{sum(values) / len(values):.4g} ({min(values):.4g} to {max(values):.4g}, n = {len(values)})")
    return ComparedRow(title, tuple(texts), differs=False)
