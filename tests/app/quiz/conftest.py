"""Packs on disk for the tests of questions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from made_packs import bake_content, ranking_content, write_pack

from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.shelf import Shelf


@pytest.fixture
def pack(tmp_path: Path) -> QuizPack:
    """One three-choice question of each family; B is right everywhere."""
    return open_pack(write_pack(bake_content(), tmp_path / "pack.json"))


@pytest.fixture
def ranking(tmp_path: Path) -> QuizPack:
    """One ranking of four, best first T3, T1, T4, T2."""
    return open_pack(write_pack(ranking_content(), tmp_path / "ranking.json"))


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "questions")
