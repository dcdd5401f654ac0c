"""Turns a pack of ours back into what every place that asks questions takes: questions with ids, and a BakeFile."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.spec import SPEC_FILE, CandidateSpec, candidate_id
from archstudio.intuition.datasets.spec import PARAMS, dataset_id
from archstudio.intuition.packs.bake import AskedQuestion, BakeFile
from archstudio.intuition.packs.pack import ID_DIGITS, Answer, Asked, PackedChoice, PackedData, QuestionPack
from archstudio.intuition.profile import FAMILIES
from archstudio.intuition.records import checked

NEEDS_KEY = "The pack is blind: its answers are in a key file that its maker has. Name it with --key."


def data_id(data: PackedData) -> str:
    """Return the id of a data set elsewhere, worked out from its parameters; raises `UnusableFile`."""
    if data.params is None or data.digits is None or data.family not in FAMILIES:
        return data.name
    params = checked(PARAMS[data.family], data.params, data.name, ("params",))
    return dataset_id(data.family, params, data.digits)


def choice_ids(question: Asked, data: PackedData) -> dict[str, str]:
    """Return the ids of the choices by letter: those of the set-ups elsewhere, or digests of what is shown.

    Raises `UnusableFile`.
    """
    return {choice.letter: _choice_id(choice, question, data) for choice in question.choices}


def _choice_id(choice: PackedChoice, question: Asked, data: PackedData) -> str:
    spec = _spec(choice, question, data)
    if spec is not None:
        return str(spec["candidate_id"])
    shown = choice.as_json()
    del shown["letter"], shown["color"]
    content = [shown, [row.as_json() for row in question.shared], question.data]
    return "c_" + sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:ID_DIGITS]


def _spec(choice: PackedChoice, question: Asked, data: PackedData) -> dict[str, Any] | None:
    """The set-up with its ids again."""
    if choice.spec is None or choice.digits is None:
        return None
    content = {**choice.spec, "dataset_id": data_id(data), "candidate_id": "c_" + "0" * choice.digits}
    spec = checked(CandidateSpec, content, question.id, ("choices", choice.letter, "spec"))
    return {**content, "candidate_id": candidate_id(spec, choice.digits)}


def asked_questions(pack: QuestionPack) -> list[AskedQuestion]:
    """Return the questions without answers, in the pack's order; raises `UnusableFile`."""
    return [checked(AskedQuestion, _question(one, pack.items.data[one.data]), one.id) for one in pack.questions]


def baked(pack: QuestionPack) -> BakeFile:
    """Return the pack as a BakeFile, answers included; raises `UnusableFile` where no key was opened."""
    if pack.answers is None:
        raise UnusableFile(pack.manifest.title, problem="It holds no answers", remedy=NEEDS_KEY)
    entries, by_id = [], {}
    for order, asked in enumerate(pack.questions):
        data = pack.items.data[asked.data]
        question = _question(asked, data)
        by_id[asked.id] = {**question, "reveal": _reveal(pack.answers[asked.id], choice_ids(asked, data))}
        entries.append(_entry(question, order))
    collection = {
        "collection_id": pack.manifest.id,
        "title": pack.manifest.title,
        "question_count": len(entries),
        "profiles": [profile.name for profile in pack.manifest.profiles],
        "note": "Contains the answers.",
    }
    content = {"schema_version": 1, "ordered": True, "collection": collection, "questions": entries, "byId": by_id}
    return checked(BakeFile, content, pack.manifest.title)


def _entry(question: dict[str, Any], order: int) -> dict[str, Any]:
    same = ("id", "type", "datasetId", "family", "metric", "profile", "profileHash")
    budget = question["budget"]
    total = budget.get("total_samples_seen") if isinstance(budget, dict) else budget
    return {
        **{name: question[name] for name in same},
        "budget": total if isinstance(total, int | float) else None,
        "choices": question["numChoices"],
        "order": order,
    }


def _question(asked: Asked, data: PackedData) -> dict[str, Any]:
    return {
        "id": asked.id,
        "title": f"Which set-up ends with the lowest {asked.metric.replace('_', ' ')}?",
        "family": asked.family,
        "datasetId": data_id(data),
        "type": asked.type,
        "profile": asked.profile or "",
        "profileHash": asked.profile_hash or "",
        "budget": asked.budget,
        "metric": asked.metric,
        "evaluation": {"selection_metric": asked.metric, **asked.seeds},
        "invariantAxes": asked.invariant_axes,
        "varyingAxes": asked.varying_axes,
        "numChoices": len(asked.choices),
        "detail": {
            "prompt": asked.prompt,
            "shared": [row.as_json() for row in asked.shared],
            "dataset": _dataset(data),
            "choices": [_choice(choice, asked, data) for choice in asked.choices],
        },
    }


def _dataset(data: PackedData) -> dict[str, Any]:
    shown = {
        "family": data.family,
        "datasetId": data_id(data),
        "selectionMetric": data.metric,
        "params": data.params,
        "plot": None if data.plot is None else data.plot.as_json(),
        "example": data.example,
        "files": dict(data.files),
        "tensorShapes": data.tensor_shapes,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _choice(choice: PackedChoice, asked: Asked, data: PackedData) -> dict[str, Any]:
    spec = _spec(choice, asked, data)
    return {
        "letter": choice.letter,
        "candidateId": _choice_id(choice, asked, data),
        "color": choice.color,
        "variant": [row.as_json() for row in choice.variant],
        "modelLines": choice.model_lines,
        "optimizerLines": choice.optimizer_lines,
        "lossLines": choice.loss_lines,
        "files": {**({} if spec is None else {SPEC_FILE: spec}), **choice.files},
    }


def _reveal(answer: Answer, ids: dict[str, str]) -> dict[str, Any]:
    ranked = [
        {
            "letter": row.letter,
            "candidateId": ids.get(row.letter, ""),
            "metric": row.metric,
            "mean": row.mean,
            "std": row.std,
            "label": row.label,
        }
        for row in answer.ranked
    ]
    curves = [curve.as_json() for curve in answer.curves]
    return {"correctLetter": answer.correct, "ranked": ranked, "curves": curves}
