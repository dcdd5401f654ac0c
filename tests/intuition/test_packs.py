"""BakeFiles: what is exported is a whole pack, failed seeds included, and a faulty pack is told with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.candidates.sampling import SetRequest, sample_set
from archstudio.intuition.candidates.spec import CandidateSpec
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import Dataset, create_dataset, open_dataset
from archstudio.intuition.packs.bake import BakeFile, bake_bytes, read_bake
from archstudio.intuition.packs.export import bake, load_questions
from archstudio.intuition.profile import FAMILIES, Family, LoadedProfile
from archstudio.intuition.questions.record import Question, make_questions
from archstudio.intuition.records import json_bytes
from archstudio.intuition.truth.runs import Truth, save_truth
from archstudio.intuition.truth.sets import CandidateSet, SetRecord, open_set, write_candidate
from archstudio.intuition.truth.summary import Curves, SeedEnd, summarise


def _pretended_set(root: Path, quick: LoadedProfile, family: Family, failing: frozenset[int]) -> CandidateSet:
    """A set whose results are made up, so that nothing need be trained to export it."""
    dataset = create_dataset(draw_spec(quick.content, family, 1), root)
    sampled = sample_set(quick, dataset.spec, SetRequest(512, 4, frozenset({"model", "optimizer"})))
    folder = dataset.folder / "candidates" / sampled.set_id
    for number, spec in enumerate(sampled.candidates):
        write_candidate(folder / spec.candidate_id, spec)
        save_truth(folder / spec.candidate_id, _pretended(spec, number, failing))
    record = SetRecord(
        set_id=sampled.set_id, dataset_id=dataset.id, family=family, budget={"total_samples_seen": 512},
        count=4, varying_axes=["model", "optimizer"], invariant_axes=["loss"], fixed_shared={}, seed=0,
        profile=quick.name, profile_hash=quick.hash, created_at="2026-01-01T00:00:00+00:00",
    )  # type: ignore[arg-type] # fmt: skip
    (folder / "set.json").write_bytes(json_bytes(record.as_json()))
    return open_set(folder)


def _pretended(spec: CandidateSpec, number: int, failing: frozenset[int]) -> Truth:
    failed = [number == 0 and seed in failing for seed in range(2)]
    ends = [
        SeedEnd.model_validate(
            {"seed": seed, "failed": failed[seed], f"final_{spec.metric}": 0.1 + number + 0.01 * seed}
        )
        for seed in range(2)
    ]
    values = np.array([[2.0 + number, 0.1 + number] if not lost else [np.nan, np.nan] for lost in failed])
    return Truth(summarise(spec.candidate_id, spec.metric, ends, 2, {}), Curves(values, np.array([256, 512]), 256))


def _asked(of: CandidateSet, quick: LoadedProfile, rules: dict[str, Any] | None = None) -> tuple[Question, Dataset]:
    dataset = open_dataset(of.folder.parents[1])
    content = quick.content.model_copy(
        update={
            "significance": quick.content.significance.model_copy(update=rules or {}),
            "question_generation": quick.content.question_generation.model_copy(update={"ratio_most": None}),
        }
    )
    profile = quick.model_copy(update={"content": content})
    (question,) = make_questions(profile, dataset, [of], count=1, choices=2, seed=0)
    return question, dataset


def _packed(of: CandidateSet, quick: LoadedProfile, rules: dict[str, Any] | None = None) -> tuple[BakeFile, Dataset]:
    question, dataset = _asked(of, quick, rules)
    return bake(load_questions(question.folder.parent, dataset), dataset, title="Some"), dataset


@pytest.mark.parametrize("family", FAMILIES)
def test_a_pack_of_every_family_is_read_back_as_it_was(tmp_path: Path, quick: LoadedProfile, family: Family) -> None:
    pack, dataset = _packed(_pretended_set(tmp_path / "data", quick, family, frozenset()), quick)
    (tmp_path / "pack.json").write_bytes(bake_bytes(pack))
    assert read_bake(tmp_path / "pack.json").as_json() == pack.as_json()
    (question,) = pack.by_id.values()
    detail = question.detail
    plot = detail.dataset.plot
    assert plot is not None
    kinds = {"univariate_regression": "scatter", "multivariate_regression": "none", "bigram_lm": "heatmap"}
    assert plot.kind == kinds.get(family, "classification")
    assert len(plot.train or []) <= 180
    assert detail.dataset.dataset_id == dataset.id
    first, second = detail.choices
    shared = {row.label for row in detail.shared}
    assert {"batch size", "loss"} <= shared
    assert not shared & {row.label for row in (*first.variant, *second.variant)}
    assert first.variant != second.variant
    assert question.reveal.ranked[0].letter == question.reveal.correct_letter


def test_curves_of_a_candidate_with_a_failed_seed_are_means_over_the_others(
    tmp_path: Path, quick: LoadedProfile
) -> None:
    made = _pretended_set(tmp_path / "data", quick, "univariate_regression", frozenset({1}))
    only = CandidateSet(made.folder, made.record, tuple(sorted(made.candidates, key=lambda c: c.summary.mean or 0)[:2]))
    pack, _ = _packed(only, quick, {"full_separation": False, "win_rate_min": 0.5})
    (question,) = pack.by_id.values()
    lost = next(c for c in question.reveal.curves if c.letter == question.reveal.correct_letter)
    assert lost.mean == [2.0, 0.1]
    assert "null" not in json.dumps(pack.as_json()["byId"][question.id]["reveal"]["curves"])


@pytest.fixture
def packed(tmp_path: Path, quick: LoadedProfile) -> dict[str, Any]:
    pack, _ = _packed(_pretended_set(tmp_path / "data", quick, "univariate_regression", frozenset()), quick)
    content: dict[str, Any] = json.loads(bake_bytes(pack))
    return content


def _question(content: dict[str, Any]) -> dict[str, Any]:
    question: dict[str, Any] = next(iter(content["byId"].values()))
    return question


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda c: c.update(schema_version=2), "$.schema_version"),
        (lambda c: c.update(more=1), "$.more"),
        (lambda c: c.update(questions=[]), "$.questions"),
        (lambda c: c["questions"].append(c["questions"][0]), "listed twice"),
        (lambda c: c["questions"][0].update(id="q_0"), "listed and contained questions differ"),
        (lambda c: _question(c).update(id="q_0"), "has the id q_0"),
        (lambda c: _question(c)["reveal"].update(correctLetter="Z"), "the right letter Z"),
        (lambda c: _question(c)["reveal"]["curves"][0].update(mean=[None, None]), "curves[0].mean[0]"),
        (lambda c: _question(c)["reveal"]["curves"][0].update(mean=[1.0]), "different lengths"),
        (lambda c: _question(c)["detail"]["choices"][0].update(letter="B"), "a letter is given to two choices"),
        (lambda c: _question(c)["detail"]["choices"][0].pop("color"), "choices[0].color"),
    ],
)
def test_a_faulty_pack_is_refused(
    packed: dict[str, Any], tmp_path: Path, change: Callable[[dict[str, Any]], object], told: str
) -> None:
    change(packed)
    (tmp_path / "pack.json").write_text(json.dumps(packed))
    with pytest.raises(UnusableFile) as refused:
        read_bake(tmp_path / "pack.json")
    assert told in str(refused.value)


def test_a_choice_outside_its_data_set_is_not_followed(tmp_path: Path, quick: LoadedProfile) -> None:
    made = _pretended_set(tmp_path / "data", quick, "univariate_regression", frozenset())
    question, dataset = _asked(made, quick)
    content = question.record.as_json()
    content["choices"][0]["candidate_path"] = "../../elsewhere"
    (question.folder / "question.json").write_text(json.dumps(content))
    with pytest.raises(UnusableFile, match="lies outside"):
        load_questions(question.folder.parent, dataset)


def test_more_than_is_known_is_kept_where_the_format_allows_it(packed: dict[str, Any], tmp_path: Path) -> None:
    _question(packed)["something"] = {"else": [1, None]}
    (tmp_path / "pack.json").write_text(json.dumps(packed))
    assert read_bake(tmp_path / "pack.json").as_json() == packed
