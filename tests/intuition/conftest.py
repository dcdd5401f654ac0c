"""A small profile, and data sets made under it, for every test of ArchitectureIQ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from archstudio.files.data import data_path
from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import Dataset, create_dataset
from archstudio.intuition.profile import Family, LoadedProfile
from archstudio.intuition.profile_file import load_profile, parse_profile
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.sets import CandidateSet, make_set
from archstudio.training.engine import LocalEngine


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """The numbers of a run do not depend on threads; the machine's patience does."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def v1() -> LoadedProfile:
    return load_profile("v1")


@pytest.fixture(scope="session")
def studio() -> LoadedProfile:
    return load_profile("studio")


Make = Callable[..., Dataset]


def _maker(root: Path, profile: LoadedProfile) -> Make:
    def make(family: Family, seed: int = 0) -> Dataset:
        return create_dataset(draw_spec(profile.content, family, seed), root)

    return make


@pytest.fixture
def make(tmp_path: Path, v1: LoadedProfile) -> Make:
    """Makes a data set under profile v1."""
    return _maker(tmp_path / "data", v1)


@pytest.fixture
def make_studio(tmp_path: Path, studio: LoadedProfile) -> Make:
    """Makes a data set under profile studio."""
    return _maker(tmp_path / "data", studio)


QUICK = {
    "width: [16, 24, 32, 48, 64, 96, 128, 192, 256]": "width: [16, 24]",
    "d_model: [32, 64, 128]": "d_model: [32]",
    "num_layers: [1, 2, 3]": "num_layers: [1]",
    "n_seeds: 10": "n_seeds: 2",
    "profile: studio": "profile: quick",
}


@pytest.fixture(scope="session")
def quick() -> LoadedProfile:
    """Like studio, with small models and two seeds."""
    text = data_path("profiles", "studio.yaml").read_text("utf-8")
    for written, instead in QUICK.items():
        assert text.count(written) == 1, written
        text = text.replace(written, instead)
    return parse_profile(text.encode(), "quick.yaml")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEngine]:
    """One worker, which has imported torch for the tests of a module."""
    with LocalEngine(tmp_path_factory.mktemp("engine"), kinds=KINDS, workers=1) as running:
        yield running


@pytest.fixture(scope="module")
def quick_set(tmp_path_factory: pytest.TempPathFactory, engine: LocalEngine, quick: LoadedProfile) -> CandidateSet:
    """Twelve trained set-ups on one data set."""
    root = tmp_path_factory.mktemp("root") / "data"
    dataset = create_dataset(draw_spec(quick.content, "univariate_regression", 4), root)
    request = SetRequest(budget=512, count=12, vary=frozenset({"model", "optimizer"}), seed=1)
    return make_set(engine, quick, dataset, request)
