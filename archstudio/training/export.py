"""Writes runs out as CSV and JSON, every value in full and the digest of the description beside it."""

from collections.abc import Iterable, Iterator
from typing import Any

from archstudio.files.strict_json import dump_json
from archstudio.files.tables import Cell, csv_text
from archstudio.training.store import StoredRun

_HEADER = ("run", "spec_sha256", "title", "seed", "metric", "step", "samples", "seconds", "value")


def runs_as_csv(runs: Iterable[StoredRun]) -> str:
    """Return one line for every value of every metric of every seed; titles that look like formulas are defused."""
    return csv_text(_HEADER, (row for run in runs for row in _rows(run)))


def runs_as_json(runs: Iterable[StoredRun]) -> str:
    """Return descriptions, environments, results and all values as one JSON text."""
    return dump_json({"format": "archstudio-runs", "version": 1, "runs": [_run(run) for run in runs]})


def _rows(run: StoredRun) -> Iterator[tuple[Cell, ...]]:
    for seed in run.description.seeds:
        files = run.seed(seed)
        for metric in files.metric_names():
            for step, samples, seconds, value in files.series(metric).tolist():
                title = run.description.title
                yield (run.run_id, run.spec_sha256, title, seed, metric, step, samples, seconds, value)


def _run(run: StoredRun) -> dict[str, Any]:
    return {
        "run": run.run_id,
        "spec_sha256": run.spec_sha256,
        "environment": run.environment(),
        "description": run.description.model_dump(mode="json"),
        "seeds": [_seed(run, seed) for seed in run.description.seeds],
    }


def _seed(run: StoredRun, seed: int) -> dict[str, Any]:
    files = run.seed(seed)
    result = files.result()
    series = {name: files.series(name) for name in files.metric_names()}
    return {
        "seed": seed,
        "result": result.model_dump(mode="json") if result else None,
        "metrics": {
            name: {field: records[field].tolist() for field in ("step", "samples", "seconds", "value")}
            for name, records in series.items()
        },
    }
