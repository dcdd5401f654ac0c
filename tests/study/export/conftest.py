"""One study of each kind with everything it exports, made once."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_records import Maker, leaderboard

from archstudio.study.export.folder import export_files
from archstudio.study.redaction import Redactor
from archstudio.study.report.material import Material, prepare
from archstudio.study.report.models import read_models


@pytest.fixture(scope="session")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """People in three conditions on graphs, and models."""
    records = Maker(conditions=("single_shot", "verifier_turns_3", "verifier_tool"), people=18).records()
    file = leaderboard(tmp_path_factory.mktemp("models") / "example.json")
    return prepare(records, read_models([file], records), allow_simulated=True)


@pytest.fixture(scope="session")
def questions() -> Material:
    """People in both conditions on questions."""
    records = Maker(conditions=("blind", "full_sequential_feedback"), people=6, per_person=12).records()
    return prepare(records, allow_simulated=True)


def written(material: Material, folder: Path) -> Path:
    for name, content in export_files(material, Redactor()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


@pytest.fixture(scope="session")
def graphs_folder(graphs: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(graphs, tmp_path_factory.mktemp("graphs"))


@pytest.fixture(scope="session")
def questions_folder(questions: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(questions, tmp_path_factory.mktemp("questions"))
