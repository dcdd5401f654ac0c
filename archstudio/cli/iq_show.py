"""What `archstudio iq show` says of a folder, whatever it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sizes import parameter_count
from archstudio.intuition.candidates.spec import SPEC_FILE as CANDIDATE_FILE
from archstudio.intuition.candidates.spec import CandidateSpec, read_candidate_spec
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.datasets.source import formula_of
from archstudio.intuition.datasets.spec import SPEC_FILE as DATASET_FILE
from archstudio.intuition.datasets.spec import FormulaParams
from archstudio.intuition.formulas.text import mathematics
from archstudio.intuition.packs.bake import CONTAINS_ANSWERS, read_bake
from archstudio.intuition.packs.read import is_pack_path, read_pack
from archstudio.intuition.questions.record import RUN_FILE, open_questions
from archstudio.intuition.questions.words import loss_lines, model_lines, optimizer_lines
from archstudio.intuition.truth.sets import SET_FILE, open_set
from archstudio.intuition.truth.summary import Summary, read_summary


def show(folder: Path) -> Iterator[str]:
    """Yield the lines about a data set, a set of candidates, one candidate, a run of questions, or a BakeFile."""
    if is_pack_path(folder):
        yield from _own_pack(folder)
        return
    if folder.is_file():
        yield from _pack(folder)
        return
    kinds = {DATASET_FILE: _dataset, SET_FILE: _set, CANDIDATE_FILE: _candidate, RUN_FILE: _questions}
    for file, lines in kinds.items():
        if (folder / file).is_file():
            yield from lines(folder)
            return
    remedy = f"Choose a folder that holds one of {', '.join(kinds)}."
    raise UnusableFile(str(folder), problem="There is nothing to show in it", remedy=remedy)


def _dataset(folder: Path) -> Iterator[str]:
    dataset = open_dataset(folder)
    spec = dataset.spec
    yield f"{spec.dataset_id}, {spec.family}, judged by {spec.selection_metric}"
    if isinstance(spec.params, FormulaParams):
        many = spec.params.input_dim is not None
        yield f"y = {mathematics(formula_of(spec.params, spec.dataset_id), many=many)}"
    for name, split in dataset.splits().items():
        yield f"{name}: inputs {tuple(split.x.shape)}, targets {tuple(split.y.shape)}"
    for path in sorted((folder / "candidates").glob("*")):
        state = "" if (path / SET_FILE).is_file() else " (not finished)"
        yield f"set {path.name}{state}"


def _set(folder: Path) -> Iterator[str]:
    made = open_set(folder)
    yield f"{made.id} on {made.record.dataset_id}, varying {', '.join(made.record.varying_axes)}"
    for candidate in sorted(made.candidates, key=lambda c: (c.summary.mean is None, c.summary.mean or 0)):
        yield f"{candidate.id}  {_result(candidate.summary)}  {_short(candidate.spec)}"


def _candidate(folder: Path) -> Iterator[str]:
    spec, summary = read_candidate_spec(folder), read_summary(folder)
    yield f"{spec.candidate_id} on {spec.dataset_id}, {spec.budget.total_samples_seen} samples"
    yield from (*model_lines(spec.model), *optimizer_lines(spec.optimizer), *loss_lines(spec.loss))
    yield f"Parameters: {parameter_count(spec.model)}"
    yield "not trained yet" if summary is None else _result(summary)


def _questions(folder: Path) -> Iterator[str]:
    for record in open_questions(folder):
        letters = ", ".join(choice.letter for choice in record.choices)
        yield f"{record.question_id}  {record.type}  choices {letters}"


def _pack(path: Path) -> Iterator[str]:
    pack = read_bake(path)
    yield CONTAINS_ANSWERS
    for entry in pack.questions:
        question = pack.by_id[entry.id]
        yield f"{question.id}  {question.family}  {question.type}  {len(question.detail.choices)} choices"


def _own_pack(path: Path) -> Iterator[str]:
    manifest = read_pack(path).manifest
    yield f"{manifest.title} ({manifest.id}), {manifest.n} questions; more with: archstudio iq pack show"
    yield "It holds no answers." if manifest.key == "apart" else "Its answers are sealed."


def _result(summary: Summary) -> str:
    if summary.mean is None:
        return "every seed failed"
    failed = f", {summary.failed_seeds} failed" if summary.failed_seeds else ""
    return f"{summary.selection_metric} {summary.mean:.4g} ± {summary.std:.2g} ({summary.n_seeds} seeds{failed})"


def _short(spec: CandidateSpec) -> str:
    return f"{spec.model.type} {parameter_count(spec.model)} parameters, {spec.optimizer.type} {spec.optimizer.lr}"
