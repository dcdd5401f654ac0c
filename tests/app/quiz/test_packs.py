"""Packs: every kind is read, and a bad one is refused with its name and the place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_packs import bake_content, ranking_content, write_pack

from archstudio.app.quiz.packs import QuizPack, open_pack, parse_pack
from archstudio.files.unusable import UnusableFile

Content = dict[str, Any]


def first(content: Content) -> Content:
    return next(iter(content["byId"].values()))


def test_a_bakefile_gives_items_without_answers_and_a_key(pack: QuizPack) -> None:
    assert pack.title == "A small pack"
    assert len(pack.items) == 4
    assert pack.key is not None
    for item in pack.items:
        assert item.labels == ("A", "B", "C")
        assert pack.key[item.id].right == "B"
        assert any(row.differs for row in item.choices[0].rows)
        assert all(not row.differs for row in item.shared)
        assert [row.label for row in item.choices[0].rows] == [row.label for row in item.choices[1].rows]
        assert {file.name for file in item.choices[0].files} == {"model.py", "optimizer.py", "loss.py", "train.py"}


def test_rows_that_are_alike_in_all_choices_are_not_marked(tmp_path: Path) -> None:
    content = bake_content(("univariate_regression",))
    for choice in first(content)["detail"]["choices"]:
        choice["variant"].append({"label": "weather", "value": "fine"})
    (item,) = open_pack(write_pack(content, tmp_path / "p.json")).items
    assert [row.differs for row in item.choices[0].rows if row.label == "weather"] == [False]


def test_a_ranking_pack_shows_results_only_of_what_is_calibrated_on(ranking: QuizPack) -> None:
    (item,) = ranking.items
    assert item.kind == "ranking"
    assert item.labels == ("T1", "T2", "T3", "T4")
    assert [one.choice.label for one in item.calibration] == ["K1", "K2"]
    assert ranking.key is not None
    assert ranking.key["rq_01"].order == ("T3", "T1", "T4", "T2")


def test_a_ranking_without_results_has_no_key(tmp_path: Path) -> None:
    path = write_pack(ranking_content(with_results=False), tmp_path / "blind.json")
    assert open_pack(path).key is None


def test_a_blind_bundle_is_read_too(tmp_path: Path) -> None:
    questions = ranking_content()["questions"]
    for one in (*questions[0]["calibration"], *questions[0]["targets"]):
        del one["settings"]
    bundle = {"schema_version": "ranking_blind_bundle_v1", "questions": questions}
    read = open_pack(write_pack(bundle, tmp_path / "bundle.json"))
    assert read.key is None
    assert read.items[0].choices[0].summary


def _wrong_right_letter(content: Content) -> None:
    first(content)["reveal"]["correctLetter"] = "A"


def _wrong_candidate(content: Content) -> None:
    first(content)["detail"]["choices"][1]["files"]["candidate_spec.json"]["optimizer"]["lr"] = 0.5


def _renamed_candidate(content: Content) -> None:
    first(content)["detail"]["choices"][0]["candidateId"] = "c_000000000000"


def _wrong_data(content: Content) -> None:
    first(content)["detail"]["dataset"]["params"]["train_size"] += 1


def _hostile_formula(content: Content) -> None:
    first(content)["detail"]["dataset"]["params"]["expression"] = "__import__('os').system('true')"


def _no_result(content: Content) -> None:
    first(content)["reveal"]["ranked"].pop()


def _no_question(content: Content) -> None:
    content["questions"][0]["id"] = "q_0000"


FAULTS = [
    (_wrong_right_letter, "reveal.correctLetter", "lowest mean"),
    (_wrong_candidate, "choices[1].files['candidate_spec.json'].candidate_id", "not the digest"),
    (_renamed_candidate, "choices[0].candidateId", "not the digest"),
    (_wrong_data, "detail.dataset.datasetId", "not the digest"),
    (_no_result, "reveal.ranked", "no result of choice A"),
    (_no_question, "$", "differ"),
]


@pytest.mark.parametrize(("spoil", "place", "problem"), FAULTS, ids=[spoil.__name__ for spoil, _, _ in FAULTS])
def test_a_pack_that_contradicts_itself_is_refused_with_file_and_place(
    tmp_path: Path, spoil: Callable[[Content], None], place: str, problem: str
) -> None:
    content = bake_content(("univariate_regression",))
    spoil(content)
    with pytest.raises(UnusableFile) as refused:
        open_pack(write_pack(content, tmp_path / "bad.json"))
    assert refused.value.file == "bad.json"
    assert place in refused.value.place
    assert problem in refused.value.problem


def test_a_formula_that_is_none_is_refused_and_not_run(tmp_path: Path) -> None:
    from archstudio.intuition.datasets.spec import PARAMS, dataset_id

    content = bake_content(("univariate_regression",))
    _hostile_formula(content)
    baked = first(content)["detail"]["dataset"]
    params = PARAMS["univariate_regression"].model_validate(baked["params"])
    baked["datasetId"] = dataset_id("univariate_regression", params, 16)
    with pytest.raises(UnusableFile, match="formula"):
        open_pack(write_pack(content, tmp_path / "bad.json"))


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda data: data[: len(data) // 2], "bad.json, line"),
        (lambda data: data.replace(b'"mean": 0.3', b'"mean": NaN', 1), "NaN"),
        (lambda data: b"\x00\x01", "bad.json"),
        (lambda data: b"", "bad.json"),
        (lambda data: b'{"a": 1}', "no pack of questions"),
        (lambda data: b"[]", "no pack of questions"),
    ],
    ids=["truncated", "nan", "bytes", "empty", "other", "list"],
)
def test_damaged_files_are_refused(spoil: Callable[[bytes], bytes], problem: str) -> None:
    with pytest.raises(UnusableFile, match=problem):
        parse_pack(spoil(json.dumps(bake_content(("bigram_lm",))).encode()), "bad.json")


def test_a_set_up_whose_seeds_all_failed_stands_last_without_a_curve(tmp_path: Path) -> None:
    content = bake_content(("univariate_regression",))
    reveal = first(content)["reveal"]
    reveal["ranked"][0], lost = {**reveal["ranked"][0]}, reveal["ranked"][1]
    lost.update(mean=None, std=None, label="every seed failed")
    letter = lost["letter"]
    reveal["curves"] = [
        {"letter": letter, "samples": [], "mean": [], "std": []} if curve["letter"] == letter else curve
        for curve in reveal["curves"]
    ]
    pack = open_pack(write_pack(content, tmp_path / "p.json"))
    assert pack.key is not None
    last = next(iter(pack.key.values())).results[-1]
    assert (last.label, last.mean, last.curve) == (letter, None, None)


def test_a_target_that_carries_its_result_is_refused(tmp_path: Path) -> None:
    content = ranking_content()
    content["questions"][0]["targets"][0]["final_mean"] = 0.1
    with pytest.raises(UnusableFile, match="give the answer away"):
        open_pack(write_pack(content, tmp_path / "bad.json"))


def test_a_folder_or_a_missing_file_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="is a folder"):
        open_pack(tmp_path)
    with pytest.raises(UnusableFile, match="cannot be read"):
        open_pack(tmp_path / "none.json")


def test_rankings_that_tell_each_others_results_are_noticed(tmp_path: Path) -> None:
    content = ranking_content()
    assert not open_pack(write_pack(content, tmp_path / "anchored.json")).tells_results
    first_, second = content["questions"][0], json.loads(json.dumps(content["questions"][0]))
    second["name"] = "rq_02"
    known = {k: v for k, v in first_["targets"][0].items() if k != "label"}
    second["calibration"][0] = {**second["calibration"][0], **known}
    content["questions"].append(second)
    content["results"]["rq_02"] = content["results"]["rq_01"]
    assert open_pack(write_pack(content, tmp_path / "cyclic.json")).tells_results
