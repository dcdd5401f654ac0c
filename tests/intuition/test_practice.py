"""Packs made of a folder of trained candidates, and ranking packs: what they show, and what they keep apart."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.packs.bake import read_bake
from archstudio.intuition.packs.practice import make_practice
from archstudio.intuition.packs.ranking_pack import RankingPack, parse_ranking, ranking_pack
from archstudio.intuition.questions.ranking import ranking_tasks
from archstudio.intuition.truth.sets import CandidateSet


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory, quick_set: CandidateSet):
    """What is made of the data root that the twelve set-ups lie in."""
    return make_practice(quick_set.folder.parents[4], tmp_path_factory.mktemp("practice"))


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_profile_that_is_not_known_here_is_told_and_rankings_are_made_all_the_same(practice) -> None:
    assert [Path(pack.path).name.partition("-")[0] for pack in practice.packs] == ["ranking"]
    assert any("quick" in problem for problem in practice.problems)


def test_rankings_are_as_many_as_the_candidates_give(practice) -> None:
    (made,) = practice.packs
    pack = parse_ranking(json.loads(Path(made.path).read_bytes()), "pack")
    assert isinstance(pack, RankingPack)
    assert made.questions == len(pack.questions) == 1
    assert [one.label for one in pack.questions[0].calibration] == ["K1", "K2", "K3"]
    assert len(pack.questions[0].targets) == 5
    assert pack.results is not None


def test_nothing_is_written_into_the_folder_and_any_place_in_it_will_do(
    quick_set: CandidateSet, tmp_path: Path
) -> None:
    before = files(quick_set.folder.parents[4])
    made = make_practice(quick_set.folder, tmp_path / "out")
    assert len(made.packs) == 1
    assert files(quick_set.folder.parents[4]) == before


def test_finished_questions_are_asked_as_they_are(quick_set: CandidateSet, quick, tmp_path: Path) -> None:
    from archstudio.intuition.questions.record import make_questions

    root = tmp_path / "data"
    shutil.copytree(quick_set.folder.parents[4], root)
    folder = root / quick_set.folder.relative_to(quick_set.folder.parents[4])
    dataset = open_dataset(folder.parents[1])
    from archstudio.intuition.truth.sets import open_set

    questions = make_questions(quick, dataset, [open_set(folder)], count=1, choices=2, seed=0)
    made = make_practice(root, tmp_path / "out")
    pack = read_bake(Path(made.packs[0].path))
    assert list(pack.by_id) == [questions[0].id]


def test_a_folder_without_data_sets_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="no data set"):
        make_practice(tmp_path, tmp_path / "out")


def test_a_pack_that_must_not_tell_holds_no_result_of_a_target(quick_set: CandidateSet) -> None:
    dataset = open_dataset(quick_set.folder.parents[1])
    tasks = ranking_tasks(quick_set.candidates, layout="anchored", count=2, calibration=2, targets=4, seed=3)
    pack = ranking_pack(tasks, dataset, title="t", layout="anchored", seed=1, with_results=False)
    text = json.dumps(pack.as_json())
    assert pack.results is None
    for task in tasks:
        for target in task.targets:
            assert target.id not in text
            assert str(target.summary.mean) not in text


@pytest.mark.parametrize("layout", ["cyclic", "anchored"])
def test_results_are_best_first_under_both_layouts(quick_set: CandidateSet, layout) -> None:
    dataset = open_dataset(quick_set.folder.parents[1])
    tasks = ranking_tasks(quick_set.candidates, layout=layout, count=2, calibration=2, targets=3, seed=3)
    pack = ranking_pack(tasks, dataset, title="t", layout=layout, seed=1, with_results=True)
    assert pack.results is not None
    for question in pack.questions:
        means = [row.mean for row in pack.results[question.name]]
        assert means == sorted(means)
        assert [target.label for target in question.targets] == ["T1", "T2", "T3"]
    assert parse_ranking(json.loads(json.dumps(pack.as_json())), "again") == pack
