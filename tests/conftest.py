"""What every test gets: a home folder of its own, so that none touches a person's settings, runs or recovery."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of the test."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ARCHSTUDIO_HOME", str(home))
    return home
