"""Session files are put together in a window, and the report is made by another process that can be given up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archstudio.study.simulated import simulate
from archstudio.ui.study.collecting import CollectWindow


@pytest.fixture
def collected(qtbot, own_home, graphs, tmp_path: Path):
    study = graphs("single_shot", "verifier_tool")
    file, folder = tmp_path / "small-graphs.study", tmp_path / "sessions"
    folder.mkdir()
    file.write_bytes(study.content)
    simulate(study.pack, folder, 4, seed=1)
    window = CollectWindow()
    window.show()
    window.study = file
    window.add_sessions([folder])
    yield window
    window.close()
    window.deleteLater()
    qtbot.wait(1)


def column(table, number: int) -> list[str]:
    return [table.item(row, number).text() for row in range(table.rowCount())]


def test_coverage_is_shown_by_condition_and_item(collected) -> None:
    assert column(collected.conditions, 0) == ["single_shot", "verifier_tool"]
    assert column(collected.conditions, 1) == ["2", "2"]
    assert sorted(column(collected.items, 0)) == ["add-normalization", "fix-broken-attention", "mlp-tabular"]
    assert collected.told.text().startswith("4 people")


def test_a_file_that_does_not_count_is_listed_with_the_reason(collected, tmp_path: Path) -> None:
    bad = tmp_path / "bad.session"
    bad.write_bytes(b"nothing")
    collected.add_sessions([bad])
    assert column(collected.left, 0) == ["bad.session"]
    assert column(collected.left, 1) == ["unreadable"]


def test_a_damaged_study_is_said_and_offers_no_report(collected, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.study"
    damaged.write_bytes(b"PK nothing")
    collected.study = damaged
    collected.refresh()
    assert "damaged.study" in collected.told.text()
    assert not collected.report_button.isEnabled()


def test_simulated_people_are_refused_unless_allowed(collected, tmp_path: Path, qtbot) -> None:
    collected.make_report(tmp_path / "report")
    qtbot.waitUntil(lambda: not collected.run.is_running, timeout=60_000)
    assert "simulated" in collected.status.text()
    assert not collected.open_button.isVisible()


@pytest.mark.long
def test_the_report_is_made_and_can_be_opened(collected, tmp_path: Path, qtbot) -> None:
    collected.simulated.setChecked(True)
    collected.make_report(tmp_path / "report")
    assert collected.cancel_button.isVisible()
    qtbot.waitUntil(lambda: not collected.run.is_running, timeout=120_000)
    assert Path(collected.page).is_file(), collected.status.text()
    assert collected.open_button.isVisible()


def test_a_report_can_be_given_up(collected, tmp_path: Path) -> None:
    collected.make_report(tmp_path / "report")
    collected.cancel_button.click()
    assert not collected.run.is_running
    assert "given up" in collected.status.text()
    assert collected.report_button.isEnabled()


def test_a_list_of_exclusions_by_hand_marks_rows_and_goes_into_the_report(collected, tmp_path: Path, qtbot) -> None:
    person = collected.made.records.sessions[0].participant_id
    listed = tmp_path / "by-hand.json"
    line = {
        "scope": "participant",
        "participant_id": person,
        "reason": "asked a colleague",
        "at": "2026-12-01T00:00:00Z",
    }
    listed.write_text(json.dumps([line]))
    before = collected.exclusions.rowCount()
    collected.listed = listed
    collected.refresh()
    assert collected.exclusions.rowCount() == before + 1
    assert "asked a colleague" in column(collected.exclusions, 4)
    collected.simulated.setChecked(True)
    collected.make_report(tmp_path / "report")
    qtbot.waitUntil(lambda: not collected.run.is_running, timeout=60_000)
    assert "asked a colleague" in (tmp_path / "report" / "tables" / "exclusions.csv").read_text()
    listed.write_text("{}")
    collected.refresh()
    assert "by-hand.json" in collected.told.text()
    assert not collected.report_button.isEnabled()
