"""Pages of questions for the tests: standing alone, and in the window."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "app" / "quiz"))
sys.path.insert(0, str(Path(__file__).parent))

from made_packs import bake_content, ranking_content, write_pack

from archstudio.app.quiz.packs import QuizPack, open_pack
from archstudio.app.quiz.record import Protocol, SessionRecord
from archstudio.app.quiz.session import begin
from archstudio.ui.quiz.page import QuizPage
from archstudio.ui.theme import Theme, apply_theme

Shown = Callable[..., QuizPage]


@pytest.fixture
def pack_file(tmp_path: Path) -> Path:
    """A BakeFile of one three-choice question of each family; B is right everywhere."""
    return write_pack(bake_content(), tmp_path / "pack.json")


@pytest.fixture
def pack(pack_file: Path) -> QuizPack:
    return open_pack(pack_file)


@pytest.fixture
def ranking(tmp_path: Path) -> QuizPack:
    """One ranking of four, best first T3, T1, T4, T2."""
    return open_pack(write_pack(ranking_content(), tmp_path / "ranking.json"))


@pytest.fixture
def kept() -> list[SessionRecord]:
    """Every record that a shown page has kept."""
    return []


@pytest.fixture
def show(qtbot, kept: list[SessionRecord]) -> Iterator[Shown]:
    """Shows a page on a pack, in no window of ours."""
    theme = Theme.named("light")
    apply_theme(theme)
    pages = []

    def shown(pack: QuizPack, protocol: Protocol = "practice", **given: object) -> QuizPage:
        session = begin(pack, protocol=protocol, seed=None, keep=kept.append)
        page = QuizPage(session, theme, **given)  # type: ignore[arg-type]
        pages.append(page)
        page.resize(1500, 900)
        page.show()
        qtbot.waitExposed(page)
        qtbot.wait(1)
        return page

    yield shown
    for page in pages:
        page.close()
        page.deleteLater()
    qtbot.wait(1)
