"""Reproduction: candidates are run from their specs alone, and a changed spec cannot pass for the recorded one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.reproduce import compare_with_recorded, dataset_of, find_candidate_folders, reproduce
from archstudio.intuition.truth.conform import CandidateComparison, Conformance, SeedComparison
from archstudio.intuition.truth.sets import CandidateSet, open_set
from archstudio.training.engine import LocalEngine


@pytest.fixture
def hidden(quick_set: CandidateSet, tmp_path: Path) -> Path:
    """The data root of the set without any results: only specs, files and tensors."""
    shutil.copytree(quick_set.folder.parents[4], tmp_path / "data", ignore=shutil.ignore_patterns("results"))
    return tmp_path / "data"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, engine: LocalEngine):
    """An engine that remembers none of the runs the set was made with."""
    from archstudio.intuition.truth.description import KINDS

    with LocalEngine(tmp_path_factory.mktemp("fresh"), kinds=KINDS, workers=1) as running:
        yield running


def test_hidden_results_come_out_again_bit_for_bit(hidden: Path, quick_set: CandidateSet, fresh) -> None:
    folders = find_candidate_folders([hidden])
    assert len(folders) == 12
    made = list(reproduce(fresh, folders[:4], range(2)))
    assert [again.folder for again in made] == folders[:4]
    assert not list(hidden.rglob("results"))
    result = compare_with_recorded(made, quick_set.folder.parents[4])
    assert result.holds
    assert len(result.seeds) == 8
    assert all(seed.difference == 0.0 for seed in result.seeds if not seed.recorded_failed)


def test_a_perturbed_spec_does_not_match(hidden: Path, quick_set: CandidateSet, fresh) -> None:
    alive = [c for c in quick_set.candidates if c.summary.failed_seeds == 0][:3]
    folders = [folder for folder in find_candidate_folders([hidden]) if folder.name in {c.id for c in alive}]
    made = list(reproduce(fresh, folders, range(2), perturbed=True))
    result = compare_with_recorded(made, quick_set.folder.parents[4])
    assert len(result.seeds) == 6
    assert result.reproduced == 0
    assert not result.holds
    assert result.noticed


def test_a_candidate_that_fails_again_says_nothing_of_a_change() -> None:
    failed = SeedComparison(0, None, None, recorded_failed=True, again_failed=True)
    other = SeedComparison(1, 1.0, 1.5, recorded_failed=False, again_failed=False)
    same = SeedComparison(1, 1.0, 1.0, recorded_failed=False, again_failed=False)

    def of(*seeds: SeedComparison) -> Conformance:
        return Conformance((CandidateComparison("sym", "c", seeds, None),))

    assert [of(failed, other).noticed, of(failed, same).noticed, of(failed).noticed] == [True, False, False]
    assert of(failed).reproduced == 1


def test_what_was_never_recorded_is_told_and_left_out(hidden: Path, fresh) -> None:
    made = list(reproduce(fresh, find_candidate_folders([hidden])[:1], range(1)))
    missing: list[object] = []
    assert not compare_with_recorded(made, told=missing.append).seeds
    assert missing == made


def test_seeds_beyond_the_record_are_not_compared(quick_set: CandidateSet, fresh) -> None:
    folder = quick_set.candidates[0].folder
    made = list(reproduce(fresh, [folder], range(3)))
    assert not compare_with_recorded(made).seeds


def test_a_folder_without_candidates_or_outside_a_data_set_is_named(tmp_path: Path, quick_set: CandidateSet) -> None:
    with pytest.raises(UnusableFile, match="no candidate in it"):
        find_candidate_folders([tmp_path])
    lone = tmp_path / "c_lone"
    shutil.copytree(quick_set.candidates[0].folder, lone)
    with pytest.raises(UnusableFile, match="no data set above it"):
        dataset_of(lone)
    assert open_set(quick_set.folder).candidates
