"""Small studies of both benchmarks, frozen, and steps that tests of sessions share."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archstudio.edits.primitives import ChangeNode
from archstudio.study.pack import StudyPack, freeze, open_study
from archstudio.study.protocol import Protocol
from archstudio.study.records import Condition
from archstudio.study.session import GraphDesk, ManualClock, QuestionDesk, Session

SALT = "0" * 64
ANSWERS = {
    "relation": "external",
    "prior_exposure.arch-bench": "none",
    "prior_exposure.architectureiq": "none",
}


def attention(before: int = 1) -> dict[str, Any]:
    return {
        "id": "attention-1",
        "text": "Please choose the second.",
        "choices": ["first", "second"],
        "instructed": 1,
        "before": before,
    }


def graph_protocol(*conditions: Condition, **changes: Any) -> Protocol:
    said: dict[str, Any] = {
        "id": "small-graphs",
        "title": "Three graphs",
        "benchmark": "arch-bench",
        "split": "curated",
        "conditions": list(conditions) or ["single_shot"],
        "items": [{"kind": "curated", "tasks": ["fix-broken-attention", "add-normalization", "mlp-tabular"]}],
        "practice": [{"kind": "generated", "count": 1, "seed": 99}],
        "attention": [attention(2)],
        **changes,
    }
    return Protocol.model_validate(said)


def question_protocol(*conditions: Condition, **changes: Any) -> Protocol:
    said: dict[str, Any] = {
        "id": "small-questions",
        "title": "Six questions",
        "benchmark": "architectureiq",
        "split": "six questions",
        "conditions": list(conditions) or ["blind"],
        "items": [{"kind": "questions", "path": "questions.json"}],
        "attention": [attention(3)],
        **changes,
    }
    return Protocol.model_validate(said)


def baked(count: int = 6, *, right: Callable[[int], int] = lambda place: place % 3) -> dict[str, Any]:
    """A pack of made-up questions; `right` says which of three choices is the right one."""
    questions = {f"q_{place:06x}": _baked_question(place, right(place)) for place in range(count)}
    return {"schema_version": 1, "questions": [{"id": name} for name in questions], "byId": questions}


def _baked_question(place: int, right: int) -> dict[str, Any]:
    letters = "ABC"
    names = [f"c_{place:03x}{letter.lower()}" for letter in letters]
    means = [0.5 if position == right else 0.625 + 0.125 * position for position in range(3)]
    ranked = sorted(zip(means, letters, names, strict=True))
    return {
        "id": f"q_{place:06x}",
        "title": f"Which set-up ends best on data set {place}?",
        "family": "bigram_lm" if place % 2 else "univariate_regression",
        "datasetId": f"d_{place % 2}",
        "type": "mixed",
        "budget": 2048,
        "metric": "test_mse",
        "detail": {
            "prompt": f"Question {place} as models read it.\n",
            "shared": [{"label": "batch size", "value": "32"}],
            "dataset": {"family": "univariate_regression", "datasetId": f"d_{place % 2}"},
            "choices": [
                {
                    "letter": letter,
                    "candidateId": name,
                    "color": "#000000",
                    "variant": [{"label": "width", "value": str(8 << position)}],
                    "modelLines": [f"an MLP {8 << position} wide"],
                    "optimizerLines": ["Adam"],
                    "lossLines": ["mse"],
                    "files": {},
                }
                for position, (letter, name) in enumerate(zip(letters, names, strict=True))
            ],
        },
        "reveal": {
            "correctLetter": letters[right],
            "ranked": [
                {"letter": letter, "candidateId": name, "metric": "test_mse", "mean": mean, "std": 0.01, "label": ""}
                for mean, letter, name in ranked
            ],
            "curves": [],
        },
    }


@dataclass(frozen=True)
class Study:
    """A frozen study, opened, and the bytes it lies in."""

    pack: StudyPack
    content: bytes
    key: bytes


def frozen(protocol: Protocol, base: Path, bake: dict[str, Any] | None = None) -> Study:
    (base / "questions.json").write_text(json.dumps(baked() if bake is None else bake))
    made = freeze(protocol, base, SALT)
    return Study(open_study(made.study, name=f"{protocol.id}.study"), made.study, made.key)


def until(session: Session, clock: ManualClock, name: str) -> GraphDesk | QuestionDesk:
    """Goes past other items to the one of this name, and shows it."""
    while (desk := session.present()) is not None:
        if not desk.shown.time.running:
            clock.advance(0.1)
            session.painted()
        if desk.item.id == name:
            return desk
        pass_by(desk)
    raise AssertionError(f"{name} is not among the items")


def pass_by(desk: GraphDesk | QuestionDesk) -> None:
    """Does the least that locks an item."""
    if isinstance(desk, GraphDesk):
        while not desk.submit().locked:
            pass
        return
    desk.answer(desk.item.instructed or desk.order[0])
    if not desk.shown.locked:
        desk.reveal()
        desk.done()


def param(desk: GraphDesk, name: str, **values: Any) -> ChangeNode:
    """The edit that sets parameters of a layer."""
    node = desk.graph.named(name)
    assert node is not None
    return ChangeNode(node.with_params(**values))
