"""A clock that stands still, and a hand that takes a session through its first stages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from archstudio.study.pack import StudyPack
from archstudio.study.session import ManualClock, Session, Start

sys.path.insert(0, str(Path(__file__).parent))  # the makers are shared by the tests of several rooms

from made_studies import ANSWERS, Study, frozen, graph_protocol, question_protocol


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def begin(tmp_path: Path, clock: ManualClock) -> Iterator[Callable[..., Session]]:
    """Starts a session of a study and takes it to its items."""
    begun: list[Session] = []

    def started(pack: StudyPack, number: int = 0, **start: Any) -> Session:
        folder = tmp_path / "sessions"
        folder.mkdir(exist_ok=True)
        person = Start(f"{number:032x}", number, **start)
        session = Session.start(pack, folder, person, clock=clock, synchronous="OFF")
        session.agree(pack.consent_points)
        session.answer_questionnaire(ANSWERS)
        session.begin_items()
        begun.append(session)
        return session

    yield started
    for session in begun:
        session._recorder.writer.close()


@pytest.fixture
def graphs(tmp_path: Path) -> Callable[..., Study]:
    """Freezes a study of three graphs under some conditions."""
    return lambda *conditions, **changes: frozen(graph_protocol(*conditions, **changes), tmp_path)


@pytest.fixture
def questions(tmp_path: Path) -> Callable[..., Study]:
    """Freezes a study of six questions under some conditions."""
    return lambda *conditions, **changes: frozen(question_protocol(*conditions, **changes), tmp_path)
