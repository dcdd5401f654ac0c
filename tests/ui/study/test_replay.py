"""A session is gone through on the canvas, and is said to hold or not."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from archstudio.ui.study.replay import ReplayWindow
from archstudio.ui.theme import Theme


@pytest.fixture
def recorded(study_window, graphs, tmp_path: Path):
    """A study's file, and a session in which two layers were added and one step taken back."""
    study = graphs("single_shot", items=[{"kind": "curated", "tasks": ["fix-broken-attention"]}],
                   practice=[], attention=[])  # fmt: skip
    hand = study_window(study)
    hand.to_items()
    document = hand.window.items.graph.document
    hand.window.items.add_layer("relu")
    hand.window.items.add_layer("dropout")
    document.undo()
    hand.submit()
    session = hand.session.path
    hand.window.close()
    file = tmp_path / "small-graphs.study"
    file.write_bytes(study.content)
    return file, session


@pytest.fixture
def replay(qtbot, own_home):
    window = ReplayWindow(Theme.named("light"))
    window.show()
    yield window
    window.close()
    window.deleteLater()
    qtbot.wait(1)


def layers(window: ReplayWindow) -> int:
    return len(window.canvas.document.graph)


def told(window: ReplayWindow) -> list[str]:
    return [window.events.item(k).text().split("   ")[1] for k in range(window.events.count())]


def test_the_scrubber_goes_back_and_forth_through_the_edits(replay, recorded) -> None:
    replay.open(*recorded)
    assert "holds" in replay.verdict.text()
    start = layers(replay)
    rows = told(replay)
    undone = rows.index("undo")
    replay.scrubber.setValue(undone - 1)
    assert layers(replay) == start + 2
    replay.scrubber.setValue(undone)
    assert layers(replay) == start + 1
    replay.events.setCurrentRow(0)
    assert layers(replay) == start
    assert any(row.startswith("submit 1") for row in rows)


def test_playing_comes_to_the_end_and_can_be_stopped(replay, recorded, qtbot) -> None:
    replay.open(*recorded)
    replay.speed.setCurrentIndex(replay.speed.count() - 1)
    replay.play_button.click()
    assert replay.is_playing
    replay.play_button.click()
    assert not replay.is_playing
    replay.play_button.click()
    qtbot.waitUntil(lambda: not replay.is_playing)
    assert replay.scrubber.value() == replay.scrubber.maximum()
    assert replay.play_button.text() == "Play"


def test_an_altered_session_is_said_not_to_hold_and_is_not_shown(replay, recorded) -> None:
    study, session = recorded
    with sqlite3.connect(session) as database:
        database.execute("DELETE FROM event WHERE seq = 5")
    database.close()
    replay.open(study, session)
    assert "does not hold" in replay.verdict.text()
    assert replay.canvas is None
    assert not replay.play_button.isEnabled()


def test_a_file_that_is_no_session_is_refused_with_the_reason(replay, recorded, tmp_path: Path) -> None:
    none = tmp_path / "none.session"
    none.write_bytes(b"nothing")
    replay.open(recorded[0], none)
    assert "none.session" in replay.verdict.text()
