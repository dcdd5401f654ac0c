"""Imported results are kept, rate tasks, and become tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archstudio.app.tasks.attempts import Attempt
from archstudio.app.tasks.entry import make_entry
from archstudio.app.tasks.library import TaskLibrary
from archstudio.app.tasks.result_tables import (
    failures_table,
    families_table,
    own_outcomes,
    repeats_table,
    runs_table,
    tasks_table,
)
from archstudio.app.tasks.shelf import ResultShelf, results_path
from archstudio.bench.results.card import MOST_ROWS, as_card
from archstudio.bench.results.outcomes import FamilyShare, Outcome, Setting, summaries
from archstudio.bench.results.published import published_difficulty
from archstudio.files.unusable import UnusableFile

ALONE = Setting("m", "single shot", "curated")
HELPED = Setting("m", "up to 3 rounds", "curated")


def calibration(path: Path, passes: int, n: int, family: str = "tower") -> Path:
    row = {"family": family, "n": n, "passes": passes, "rate": passes / n, "ci": [0, 1], "band": "?"}
    path.write_text(json.dumps({"who": "m", "seed": 11, "perFamily": n, "generatedAt": "2026-08-01", "rows": [row]}))
    return path


def entry(task_id: str):
    return make_entry("core-7", "core", task_id, "design", "")


def test_published_rows_rate_tasks_without_any_import() -> None:
    shelf = ResultShelf()
    cnn = TaskLibrary().entry("cnn-cifar")
    assert shelf.difficulty(cnn) == published_difficulty("cnn-cifar")
    assert shelf.difficulty(entry("gen-tower-8")).band == "too hard"
    assert shelf.difficulty(entry("gen-unheard-0")).band == "unrated"
    assert shelf.difficulty(make_entry("mine", "mine", "own", "design", "")).band == "unrated"


def test_imported_rows_are_pooled_and_kept(tmp_path: Path) -> None:
    before = ResultShelf().difficulty(entry("gen-tower-8"))
    ResultShelf().add(calibration(tmp_path / "mine.json", 40, 40))
    after = ResultShelf().difficulty(entry("gen-tower-8"))
    assert (after.passes, after.trials) == (before.passes + 40, before.trials + 40)
    assert after.band != before.band


def test_a_file_that_is_published_already_counts_once(tmp_path: Path) -> None:
    from archstudio.files.data import data_path

    content = json.loads(data_path("fixtures", "published.json").read_text(encoding="utf-8"))
    run = next(
        r for r in content["runs"] if r["families"].get("tower") and r["way"] == "single shot" and r["rubric"] == 2
    )
    passed, total = run["families"]["tower"]
    before = ResultShelf().difficulty(entry("gen-tower-8"))
    shelf = ResultShelf()
    shelf.add(calibration(tmp_path / run["file"], passed, total))
    assert shelf.difficulty(entry("gen-tower-8")).trials <= before.trials


def test_watchers_hear_and_a_removed_file_no_longer_counts(tmp_path: Path) -> None:
    shelf = ResultShelf()
    heard: list[str] = []
    shelf.watch(lambda: heard.append("!"))
    before = shelf.difficulty(entry("gen-tower-8"))
    shelf.add(calibration(tmp_path / "mine.json", 1, 1))
    shelf.remove("mine.json")
    assert shelf.difficulty(entry("gen-tower-8")) == before
    assert heard == ["!", "!"]
    assert list(results_path().iterdir()) == []


def test_what_cannot_be_read_is_not_kept_and_a_damaged_copy_is_told(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("[]", encoding="utf-8")
    shelf = ResultShelf()
    with pytest.raises(UnusableFile):
        shelf.add(bad)
    assert shelf.files() == []
    (results_path() / "spoilt.json").write_text("{", encoding="utf-8")
    again = ResultShelf()
    assert again.files() == []
    assert len(again.unreadable) == 1


def tries(*flags: bool, task: str = "cnn-cifar", setting: Setting = ALONE, hollow: bool | None = None) -> list[Outcome]:
    return [Outcome(setting, task, flag, hollow=hollow) for flag in flags]


def test_tasks_are_rated_by_replies_without_help() -> None:
    table = tasks_table([*tries(True, False), *tries(True, setting=HELPED)])
    (row,) = table.rows
    assert row.cells[:3] == ("cnn-cifar", "1", "2")
    assert row.cells[3] == "50 % (9–91)"
    (row,) = tasks_table([*tries(True, False), *tries(True, setting=HELPED)], HELPED).rows
    assert row.cells[1:3] == ("1", "1")


def test_families_count_tries_and_calibrations() -> None:
    share = FamilyShare(Setting("c", "single shot", "calibration, seed 11"), "mlp", 3, 4)
    (row,) = families_table(tries(True, task="gen-mlp-0"), [share]).rows
    assert row.cells[:3] == ("mlp", "4", "5")


def test_failures_are_counted_once_a_reply() -> None:
    failed = Outcome(ALONE, "t", False, categories=("low-score", "low-score", "other"))
    table = failures_table([failed, *tries(True), Outcome(HELPED, "t", False, categories=("other",))])
    assert [row.cells[:3] for row in table.rows] in (
        [("low-score", "1", "2"), ("other", "1", "2")],
        [("other", "1", "2"), ("low-score", "1", "2")],
    )


def test_several_tries_at_a_task_give_chances() -> None:
    assert repeats_table(tries(True)).rows == ()
    rows = repeats_table(tries(True, False)).rows
    assert [row.cells[3:] for row in rows] == [("1", "1", "50 %", "50 %"), ("2", "1", "100 %", "0 %")]


def test_hollow_passes_are_counted_where_they_are_known() -> None:
    known = summaries(tries(True, True, hollow=True))
    unknown = summaries(tries(True))
    assert runs_table(known).rows[0].cells[5] == "2"
    assert runs_table(unknown).rows[0].cells[5] == "–"


def attempt(passed: bool, runs: bool, ref: str = "cnn-cifar") -> Attempt:
    return Attempt(ref, "2026-08-01T00:00:00+00:00", None, (), passed, runs, True, 60.0, 1, 1, (), "x")


def test_a_persons_attempts_are_first_and_later_ones() -> None:
    made = own_outcomes([attempt(False, True), attempt(True, False), attempt(True, True, "core-7/gen-mlp-0")])
    assert [(each.setting.way, each.task_id, each.hollow) for each in made] == [
        ("first attempt", "cnn-cifar", False),
        ("later attempts", "cnn-cifar", True),
        ("first attempt", "gen-mlp-0", False),
    ]


def test_the_card_is_well_formed_and_says_what_it_leaves_out() -> None:
    from xml.etree import ElementTree

    many = [summaries(tries(True, False, setting=Setting(f"<m{k}> & co", "single shot", "curated")))[0]
            for k in range(MOST_ROWS + 3)]  # fmt: skip
    root = ElementTree.fromstring(as_card(many, "A & B"))
    text = "".join(root.itertext())
    assert "<m0> & co" in text
    assert "3 more not shown" in text
    assert "50 %" not in text or "1 of 2, 9–91 %" in text
    assert ElementTree.fromstring(as_card([])) is not None
