"""The figures as CSV files, with a dictionary of their columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, Final

from archstudio.intuition.analysis.figures import Analysis, SetAnalysis

DICTIONARY: Final[Mapping[str, Mapping[str, str]]] = {
    "curves.csv": {
        "dataset_id": "the data set",
        "set_id": "the set",
        "candidate_id": "the candidate",
        "final": "mean final metric over the seeds that did not fail; lower is better",
        "best": "lowest value of the mean curve",
        "best_at": "samples at which it is reached first",
        "area": "mean height of the mean curve over log samples",
        "to_half": "samples to half of the gain from the first to the best value; empty: no gain",
        "to_90": "samples to 90 % of that gain",
        "early_slope": "least-squares change a decade of samples, first half of log samples",
        "late_slope": "the same, second half",
        "spread_first": "population deviation over seeds at the first measurement",
        "spread_last": "the same at the last",
        "spread_mean": "its mean over the measurements",
        "failed": "seeds that failed",
        "seeds": "seeds",
        "validation_gap": "final on the test split minus the last value on the validation split; empty: no such split",
    },
    "sets.csv": {
        "dataset_id": "the data set",
        "set_id": "the set",
        "n": "candidates with a curve",
        "pairs": "pairs of them",
        "crossing_pairs": "pairs whose mean curves cross",
        "crossings": "crossings of all pairs",
        "settled_at": "samples from which on the order is the last one; empty: not before the end",
        "leader_at": "samples from which on the last leader leads; empty: not before the end",
        "failed": "failed runs",
        "runs": "runs: candidates × seeds",
    },
    "early_and_final.csv": {
        "dataset_id": "the data set",
        "set_id": "the set",
        "samples": "samples seen",
        "share": "the same as a part of the budget",
        "rho": "Spearman's rank correlation of the mean curve there with the final means; chance 0",
        "low": "lower end of its 95 % interval",
        "high": "upper end",
        "n": "candidates",
        "leader": "whether the final winner leads there",
    },
    "pairs.csv": {
        "dataset_id": "the data set",
        "set_id": "the set",
        "relative_gap": "(worse − better) / better of two mean finals",
        "apart": "whether the better one's worst seed beats the other's best",
    },
    "rules.csv": {
        "rule": "the rule, or the tree model",
        "group": "all, or the family or type of questions",
        "right": "right answers",
        "n": "questions",
        "tied": "questions in which the rule could not decide and the earliest letter was taken",
        "chance": "mean of 1 / choices",
        "share": "right / n",
        "low": "lower end of the 95 % Wilson interval",
        "high": "upper end",
    },
    "trees.csv": {
        "way": "how candidates were kept apart",
        "n": "candidates",
        "r2": "out of fold, of ln(final), against each data set's mean",
        "rho": "mean Spearman correlation within data sets, out of fold",
        "note": "why it was not done",
    },
}


def csv_files(analysis: Analysis) -> dict[str, bytes]:
    """Return the files by name, `dictionary.csv` among them; UTF-8, lines end with a line feed."""
    rows: dict[str, list[dict[str, Any]]] = {
        "curves.csv": [{**_names(s), **asdict(each)} for s in analysis.sets for each in s.curves],
        "sets.csv": [
            {**_names(s), **{k: v for k, v in asdict(s.figures).items() if k != "looks"}} for s in analysis.sets
        ],
        "early_and_final.csv": [{**_names(s), **asdict(look)} for s in analysis.sets for look in s.figures.looks],
        "pairs.csv": [{**_names(s), **asdict(pair)} for s in analysis.sets for pair in s.pairs],
        "rules.csv": [
            {**asdict(each), "share": each.share, "low": each.low, "high": each.high} for each in analysis.scores
        ],
        "trees.csv": [{"way": t.way, "n": t.n, "r2": t.r2, "rho": t.rho, "note": t.note} for t in analysis.trees],
    }
    files = {name: _csv(DICTIONARY[name], content) for name, content in rows.items()}
    told = [{"file": f, "column": c, "meaning": m} for f, columns in DICTIONARY.items() for c, m in columns.items()]
    files["dictionary.csv"] = _csv(("file", "column", "meaning"), told)
    return files


def _names(found: SetAnalysis) -> dict[str, str]:
    return {"dataset_id": found.of.of.record.dataset_id, "set_id": found.of.id}


def _csv(columns: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()
