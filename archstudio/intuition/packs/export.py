"""Makes a BakeFile of a run of questions, with pictures of the data and curves of the results. It contains answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.source import candidate_sources
from archstudio.intuition.candidates.spec import read_candidate_spec
from archstudio.intuition.datasets.folder import Dataset, read_transition
from archstudio.intuition.datasets.source import synthesize_source
from archstudio.intuition.datasets.spec import BigramParams, TabularParams
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.questions.record import Question, QuestionRecord, open_questions, question_prompt
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines, settings
from archstudio.intuition.truth.sets import Candidate
from archstudio.intuition.truth.summary import Summary, read_summary

if TYPE_CHECKING:
    from archstudio.intuition.datasets.folder import Split

COLOURS = ("#7c6cff", "#f26e4f", "#20a87e", "#2f7de1", "#e0b144")
MOST_POINTS = 180


def load_questions(run_folder: Path, dataset: Dataset) -> list[Question]:
    """Return a run's questions with their candidates; raises `UnusableFile`."""
    return [_loaded(run_folder, record, dataset) for record in open_questions(run_folder)]


def _loaded(run_folder: Path, record: QuestionRecord, dataset: Dataset) -> Question:
    candidates = []
    for choice in record.choices:
        folder = (dataset.root / choice.candidate_path).resolve()
        if not folder.is_relative_to(dataset.folder.resolve()):
            raise UnusableFile(
                record.question_id,
                problem="A choice lies outside its data set",
                place="$.choices",
                value=choice.candidate_path,
                remedy="Make the question again.",
            )
        spec, summary = read_candidate_spec(folder), read_summary(folder)
        if summary is None:
            raise UnusableFile(str(folder), problem="The candidate has no results", remedy="Train it again.")
        candidates.append(Candidate(folder, spec, summary))
    return Question(run_folder / record.question_id, record, tuple(candidates))


def bake(questions: Sequence[Question], dataset: Dataset, *, title: str) -> BakeFile:
    """Return a pack of questions about one data set; raises `UnusableFile`. Imports torch."""
    shown = baked_dataset(dataset)
    entries = [_entry(question, order) for order, question in enumerate(questions)]
    runs = sorted({question.record.question_run_path or "" for question in questions})
    return BakeFile.model_validate(
        {
            "schema_version": 1,
            "ordered": True,
            "collection": {
                "title": title,
                "question_count": len(questions),
                "candidate_count": len({c.id for question in questions for c in question.candidates}),
                "profiles": sorted({question.record.profile or "" for question in questions}),
                "source_runs": runs,
                "note": "Contains the answers.",
            },
            "questions": entries,
            "byId": {
                question.id: _question(question, entry, dataset, shown)
                for question, entry in zip(questions, entries, strict=True)
            },
        }
    )


def _entry(question: Question, order: int) -> dict[str, Any]:
    record = question.record
    total = record.budget.total_samples_seen
    return {
        "id": record.question_id,
        "type": record.type,
        "datasetId": record.dataset_id,
        "family": record.family,
        "budget": total if isinstance(total, int) else None,
        "choices": record.num_choices,
        "metric": record.evaluation.selection_metric,
        "profile": record.profile or "",
        "profileHash": record.profile_hash or "",
        "order": order,
    }


def _question(question: Question, entry: dict[str, Any], dataset: Dataset, shown: dict[str, Any]) -> dict[str, Any]:
    record = question.record
    tables = [settings(candidate.spec) for candidate in question.candidates]
    shared = {k: v for k, v in tables[0].items() if all(table.get(k) == v for table in tables)}
    choices = [
        _choice(choice.letter, number, candidate, {k: v for k, v in table.items() if k not in shared})
        for number, (choice, candidate, table) in enumerate(
            zip(record.choices, question.candidates, tables, strict=True)
        )
    ]
    metric = record.evaluation.selection_metric
    return {
        "id": record.question_id,
        "title": f"Which set-up ends with the lowest {metric.replace('_', ' ')}?",
        "family": record.family,
        "datasetId": record.dataset_id,
        "type": record.type,
        "profile": entry["profile"],
        "profileHash": entry["profileHash"],
        "sourceRun": record.question_run_path,
        "budget": record.budget.as_json(),
        "metric": metric,
        "evaluation": record.evaluation.as_json(),
        "invariantAxes": record.invariant_axes,
        "varyingAxes": record.varying_axes,
        "numChoices": record.num_choices,
        "summary": entry,
        "detail": {
            "prompt": question_prompt(question, dataset),
            "shared": _rows(shared),
            "dataset": shown,
            "choices": choices,
        },
        "reveal": _reveal(question),
    }


def _rows(table: dict[str, str]) -> list[dict[str, str]]:
    return [{"label": label, "value": value} for label, value in table.items()]


def _choice(letter: str, number: int, candidate: Candidate, variant: dict[str, str]) -> dict[str, Any]:
    spec = candidate.spec
    return {
        "letter": letter,
        "candidateId": candidate.id,
        "color": COLOURS[number % len(COLOURS)],
        "variant": _rows(variant),
        "modelLines": model_lines(spec.model),
        "optimizerLines": optimizer_lines(spec.optimizer),
        "lossLines": loss_lines(spec.loss),
        "files": {"candidate_spec.json": spec.as_json(), **candidate_sources(spec)},
    }


def _reveal(question: Question) -> dict[str, Any]:
    lettered = [(c.letter, of) for c, of in zip(question.record.choices, question.candidates, strict=True)]
    best_first = sorted(lettered, key=lambda one: (one[1].summary.mean is None, one[1].summary.mean or 0.0))
    curves = []
    for letter, candidate in lettered:
        read = candidate.curves()  # failed seeds are left out of mean and deviation
        drawn = {"samples": read.samples.tolist(), "mean": read.mean.tolist(), "std": read.std.tolist()}
        curves.append({"letter": letter, **drawn})
    return {
        "correctLetter": question.record.correct_letter,
        "ranked": [_ranked(letter, candidate) for letter, candidate in best_first],
        "curves": curves,
        "files": {letter: {"summary.json": candidate.summary.as_json()} for letter, candidate in lettered},
    }


def _ranked(letter: str, candidate: Candidate) -> dict[str, Any]:
    summary = candidate.summary
    return {
        "letter": letter,
        "candidateId": candidate.id,
        "metric": summary.selection_metric,
        "mean": summary.mean,
        "std": summary.std,
        "label": _result_label(summary),
    }


def _result_label(summary: Summary) -> str:
    if summary.mean is None:
        return f"{summary.selection_metric}: every seed failed"
    return f"{summary.selection_metric}: {summary.mean:.6f} ± {summary.std:.6f}"


def baked_dataset(dataset: Dataset) -> dict[str, Any]:
    """Return a data set as packs show it, with a picture; raises `UnusableFile`. Imports torch."""
    spec, train = dataset.spec, dataset.load("train")
    return {
        "family": spec.family,
        "datasetId": spec.dataset_id,
        "selectionMetric": spec.selection_metric,
        "params": spec.params.as_json(),
        "files": {"dataset_spec.json": spec.as_json(), "synthesize.py": synthesize_source(spec)},
        "example": {"input": _plain(train.x[0].tolist()), "output": _plain(train.y[0].tolist())},
        "plot": _plot(dataset, train),
        "tensorShapes": {"trainX": list(train.x.shape), "trainY": list(train.y.shape)},
    }


def _plain(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _plot(dataset: Dataset, train: Split) -> dict[str, Any]:
    params = dataset.spec.params
    if isinstance(params, BigramParams):
        probs = read_transition(dataset)
        if probs is None:
            return {"kind": "none"}
        labels = {"xLabel": "next token", "yLabel": "previous token", "legend": "probability"}
        return {
            "kind": "heatmap", "matrix": probs.tolist(), "min": float(probs.min()), "max": float(probs.max()), **labels,
        }  # fmt: skip
    test = dataset.load("test")
    if isinstance(params, TabularParams):
        first, second = (params.active_features * 2)[:2]
        pair = {"featurePair": [first, second], "xLabel": f"feature {first}", "yLabel": f"feature {second}"}
        return {
            "kind": "classification",
            "train": _pairs(train, first, second),
            "test": _pairs(test, first, second),
            **pair,
        }
    if params.input_dim is not None:
        return {"kind": "none"}
    return {"kind": "scatter", "train": _points(train), "test": _points(test)}


def _thinned(count: int) -> list[int]:
    """Return row numbers, evenly spaced, at most as many as a picture shows."""
    rows: list[int] = np.unique(np.linspace(0, count - 1, min(count, MOST_POINTS)).round().astype(int)).tolist()
    return rows


def _points(split: Split) -> list[dict[str, float]]:
    return [{"x": float(split.x[i, 0]), "y": float(split.y[i, 0])} for i in _thinned(len(split.x))]


def _pairs(split: Split, first: int, second: int) -> list[dict[str, float]]:
    return [
        {"x": float(split.x[i, first]), "y": float(split.x[i, second]), "label": int(split.y[i])}
        for i in _thinned(len(split.x))
    ]
