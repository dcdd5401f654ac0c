"""Small studies with their model rows, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_records import Maker, leaderboard

from archstudio.study.report.material import Material, prepare
from archstudio.study.report.models import ModelRows, read_models


@pytest.fixture(scope="session")
def models_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return leaderboard(tmp_path_factory.mktemp("models") / "example.json")


@pytest.fixture(scope="session")
def graphs(models_file: Path) -> Material:
    """24 people in two conditions on twelve graphs, and three models."""
    records = Maker(people=24).records()
    return prepare(records, read_models([models_file], records), allow_simulated=True)


@pytest.fixture(scope="session")
def questions() -> Material:
    """38 people on 60 questions, enough for a Rasch scale."""
    records = Maker(conditions=("blind",), people=38, seed=4).records()
    return prepare(records, ModelRows(), allow_simulated=True)
