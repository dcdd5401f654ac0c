"""What every test gets: a home folder of its own, and small graphs in the benchmark's plain form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from archstudio.edits.actions.model import Model, hydrate

Chain = Callable[..., Model]

settings.register_profile("everyday", derandomize=True)
settings.register_profile("exploring")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the examples of property tests that stay the same, unless others are asked for."""
    if config.getoption("--hypothesis-profile") is None:
        settings.load_profile("everyday")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own home folder, so that none touches a person's settings, runs or recovery."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ARCHSTUDIO_HOME", str(home))
    return home


@pytest.fixture
def chain() -> Chain:
    """Builds a chain from (name, type, params) triples; ids are the names."""

    def build(*layers: tuple[str, str, dict[str, Any]]) -> Model:
        names = [name for name, _, _ in layers]
        return hydrate(
            {
                "name": "m",
                "components": [{"id": name, "type": kind, "name": name, "params": p} for name, kind, p in layers],
                "connections": [{"from": a, "to": b} for a, b in pairwise(names)],
            }
        )

    return build


@pytest.fixture
def mlp(chain: Chain) -> Model:
    return chain(
        ("input", "input", {"shape": [1, 32]}),
        ("a", "linear", {"inFeatures": 32, "outFeatures": 64}),
        ("r", "relu", {}),
        ("b", "linear", {"inFeatures": 64, "outFeatures": 8}),
        ("output", "output", {}),
    )


@pytest.fixture
def cases() -> Path:
    """The folder of recorded cases."""
    return Path(__file__).parent / "cases"
