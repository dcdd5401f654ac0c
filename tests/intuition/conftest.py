"""A small profile, and data sets made under it, for every test of ArchitectureIQ."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import Dataset, create_dataset
from archstudio.intuition.profile import Family, LoadedProfile
from archstudio.intuition.profile_file import load_profile


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
