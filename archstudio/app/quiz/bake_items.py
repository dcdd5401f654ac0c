"""Turns a BakeFile into items and keys, and refuses one that contradicts itself, naming the place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from archstudio.app.quiz.item import CodeFile, Curve, ItemKey, QuizItem, Result, Row, ShownChoice, ShownData
from archstudio.app.quiz.wording import ABSENT, in_card_order
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import CandidateSpec, candidate_id
from archstudio.intuition.datasets.source import formula_of
from archstudio.intuition.datasets.spec import PARAMS, FormulaParams, Params, dataset_id
from archstudio.intuition.packs.bake import (
    AskedQuestion,
    BakedChoice,
    BakedDataset,
    BakedQuestion,
    BakeFile,
    CurveSeries,
)
from archstudio.intuition.profile import FAMILIES
from archstudio.intuition.records import checked

SPEC_FILE = "candidate_spec.json"
CODE_ORDER = ("model.py", "optimizer.py", "loss.py", "train.py", "synthesize.py")
_REMEDY = "The pack was changed or damaged; ask for it again."


def bake_items(pack: BakeFile, name: str) -> tuple[list[QuizItem], dict[str, ItemKey]]:
    """Return the items in the pack's order and the key; raises `UnusableFile` about the file `name`."""
    items, key = [], {}
    for entry in sorted(pack.questions, key=lambda one: one.order if one.order is not None else 0):
        question = pack.by_id[entry.id]
        items.append(asked_item(question, name))
        key[entry.id] = _key(question, name)
    return items, key


def asked_item(question: AskedQuestion, name: str) -> QuizItem:
    """Return a question as it is shown, without its answer; raises `UnusableFile` about the file `name`."""
    place = f"$.byId.{question.id}.detail"
    detail, evaluation = question.detail, question.evaluation or {}
    seeds = evaluation.get("n_seeds")
    return QuizItem(
        id=question.id,
        kind="choice",
        type=question.type,
        metric=question.metric or detail.dataset.selection_metric or "test_metric",
        seeds=seeds if isinstance(seeds, int) else None,
        shared=tuple(Row(row.label, row.value, differs=False) for row in detail.shared),
        data=shown_data(detail.dataset, name, f"{place}.dataset"),
        choices=_choices(detail.choices, name, place),
        prompt=detail.prompt,
    )


def shown_data(dataset: BakedDataset, name: str, place: str) -> ShownData:
    """Return a data set as it is shown; its parameters must be those of its id. Raises `UnusableFile`."""
    return ShownData(
        family=dataset.family,
        dataset_id=dataset.dataset_id,
        params=_params(dataset, name, place),
        plot=dataset.plot,
        files=code_files(dataset.files or {}),
    )


def _params(dataset: BakedDataset, name: str, place: str) -> Params | None:
    if dataset.params is None or dataset.family not in FAMILIES:
        return None
    at = tuple(place.removeprefix("$.").split("."))
    params = checked(PARAMS[dataset.family], dataset.params, name, (*at, "params"))
    expected = dataset_id(dataset.family, params, len(dataset.dataset_id.partition("_")[2]))
    if expected != dataset.dataset_id:
        raise _contradiction(
            name, f"{place}.datasetId", f"The id is not the digest of the parameters, which is {expected}",
            dataset.dataset_id,
        )  # fmt: skip
    if isinstance(params, FormulaParams):
        formula_of(params, f"{name}, {place}.params.expression")
    return params


def _choices(choices: Sequence[BakedChoice], name: str, place: str) -> tuple[ShownChoice, ...]:
    labels = in_card_order(dict.fromkeys(row.label for choice in choices for row in choice.variant))
    tables = [{row.label: row.value for row in choice.variant} for choice in choices]
    same = {label for label in labels if len({table.get(label) for table in tables}) == 1}
    made = []
    for number, (choice, table) in enumerate(zip(choices, tables, strict=True)):
        rows = tuple(Row(label, table.get(label, ABSENT), differs=label not in same) for label in labels)
        spec = _spec(choice, name, f"{place}.choices[{number}]")
        made.append(ShownChoice(choice.letter, rows, code_files(choice.files), spec))
    return tuple(made)


def _spec(choice: BakedChoice, name: str, place: str) -> CandidateSpec | None:
    """Return the spec in a choice's files; None for one without, or of a kind that is not known here."""
    content = choice.files.get(SPEC_FILE)
    if not isinstance(content, dict):
        return None
    try:
        spec = checked(CandidateSpec, content, name)
    except UnusableFile:
        return None  # of a later profile: it is shown by its lines, and cannot be inherited from
    expected = candidate_id(spec, len(spec.candidate_id) - len("c_"))
    for at, found in ((f"files['{SPEC_FILE}'].candidate_id", spec.candidate_id), ("candidateId", choice.candidate_id)):
        if found != expected:
            problem = f"The id is not the digest of the set-up, which is {expected}"
            raise _contradiction(name, f"{place}.{at}", problem, found)
    return spec


def code_files(files: Mapping[str, Any]) -> tuple[CodeFile, ...]:
    """Return the Python files among those of a pack, in reading order; other files may hold names and results."""
    found = [CodeFile(name, text) for name, text in files.items() if name.endswith(".py") and isinstance(text, str)]
    known = {name: place for place, name in enumerate(CODE_ORDER)}
    return tuple(sorted(found, key=lambda file: known.get(file.name, len(known))))


def _key(question: BakedQuestion, name: str) -> ItemKey:
    reveal, place = question.reveal, f"$.byId.{question.id}.reveal"
    curves = {curve.letter: _curve(curve) for curve in reveal.curves if curve.samples}
    rows = sorted(reveal.ranked, key=lambda row: (row.mean is None, row.mean or 0.0))
    if rows[0].mean is not None and rows[0].letter != reveal.correct_letter:
        problem = f"The right choice is said to be {reveal.correct_letter}, and {rows[0].letter} has the lowest mean"
        raise _contradiction(name, f"{place}.correctLetter", problem, reveal.correct_letter)
    missing = [choice.letter for choice in question.detail.choices if choice.letter not in {r.letter for r in rows}]
    if missing:
        problem = f"There is no result of choice {missing[0]}"
        raise _contradiction(name, f"{place}.ranked", problem, ", ".join(row.letter for row in rows))
    results = tuple(Result(row.letter, row.mean, row.std, curves.get(row.letter)) for row in rows)
    return ItemKey(reveal.correct_letter, results)


def _curve(series: CurveSeries) -> Curve:
    samples, mean, std = (tuple(map(float, values)) for values in (series.samples, series.mean, series.std))
    return Curve(samples, mean, std)


def _contradiction(name: str, place: str, problem: str, value: str) -> UnusableFile:
    return UnusableFile(name, problem=problem, place=place, value=value, remedy=_REMEDY)
