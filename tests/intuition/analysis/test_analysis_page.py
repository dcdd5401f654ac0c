"""The page, the tables and the command, over a really trained set."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from archstudio.cli.iq import app
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.analysis.drawing import Axis
from archstudio.intuition.analysis.figures import Analysis, analyse
from archstudio.intuition.analysis.material import gather
from archstudio.intuition.analysis.page import page
from archstudio.intuition.analysis.tables import DICTIONARY, csv_files
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.profile import LoadedProfile
from archstudio.intuition.questions.record import make_questions
from archstudio.intuition.questions.shortcuts import RULES
from archstudio.intuition.truth.sets import CandidateSet


@pytest.fixture(scope="module")
def run(quick_set: CandidateSet, quick: LoadedProfile) -> Path:
    """Two questions of two choices over the trained set."""
    dataset = open_dataset(quick_set.folder.parents[1])
    return make_questions(quick, dataset, [quick_set], count=2, choices=2, seed=0)[0].folder.parent


@pytest.fixture(scope="module")
def analysis(run: Path) -> Analysis:
    return analyse(gather([run]), trees=True, seed=0)


class _Outline(HTMLParser):
    """What stands in a page: tags that are open at the end, pictures without a text, addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.unnamed = 0
        self.ids: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "svg" and not (given.get("role") == "img" and given.get("aria-labelledby")):
            self.unnamed += 1
        if given.get("id"):
            self.ids.append(given["id"] or "")
        self.fetched += [v or "" for k, v in attrs if k in ("src", "href") and not (v or "").startswith("#")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_questions_bring_the_sets_they_are_of(run: Path, quick_set: CandidateSet) -> None:
    found = gather([run])
    assert [each.id for each in found.sets] == [quick_set.id]
    assert len(found.candidates) == 12
    again = gather([run, quick_set.folder, run.parents[1]])
    assert [each.of.folder for each in again.sets] == [each.of.folder for each in found.sets]
    assert again.questions == found.questions


def test_a_folder_with_nothing_to_analyse_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableFile, match="no finished set and no run of questions"):
        gather([tmp_path])


def test_the_shortcuts_score_as_in_the_report_of_the_questions(run: Path, analysis: Analysis) -> None:
    reported = json.loads((run / "report.json").read_text("utf-8"))["shortcuts"]
    mine = {each.rule: each.right for each in analysis.overall()}
    names = {**dict.fromkeys(RULES), "parameters_and_rate": "hand_formula"}
    assert {rule: mine[name or rule] for rule, name in names.items()} == {r: v["right"] for r, v in reported.items()}


def test_the_page_is_whole_and_fetches_nothing(analysis: Analysis) -> None:
    outline = _Outline()
    text = page(analysis, "Rates <b> & sizes")
    outline.feed(text)
    assert (outline.open, outline.unnamed, outline.fetched) == ([], 0, [])
    assert len(outline.ids) == len(set(outline.ids))
    assert text.count("<svg") == 5
    assert "<b>" not in text
    assert not re.search(r"\bNaN\b|\bnan\b|\binf\b|None", text)
    assert not re.search(r"https?://|@import|<script", text)


def test_the_same_input_gives_the_same_bytes(run: Path, analysis: Analysis) -> None:
    again = analyse(gather([run]), trees=True, seed=0)
    assert page(again, "A") == page(analysis, "A")
    assert csv_files(again) == csv_files(analysis)


def test_every_column_of_the_tables_is_in_the_dictionary(analysis: Analysis) -> None:
    files = csv_files(analysis)
    assert set(files) == {*DICTIONARY, "dictionary.csv"}
    for name, columns in DICTIONARY.items():
        rows = list(csv.DictReader(io.StringIO(files[name].decode())))
        assert rows
        assert list(rows[0]) == list(columns)
    assert len(list(csv.DictReader(io.StringIO(files["curves.csv"].decode())))) == 12


def test_a_set_without_questions_still_makes_a_page(quick_set: CandidateSet) -> None:
    text = page(analyse(gather([quick_set.folder]), trees=False, seed=0), "Set")
    assert text.count("<svg") == 4
    assert "How far rules get" not in text


def test_the_command_writes_page_and_tables_and_says_json(run: Path, tmp_path: Path) -> None:
    out, tables = tmp_path / "page.html", tmp_path / "tables"
    told = CliRunner().invoke(app, ["analyse", str(run), "--out", str(out), "--csv", str(tables), "--json"])
    assert told.exit_code == 0, told.output
    content = json.loads(told.stdout)
    assert content["schema"] == "archstudio.iq.analysis/1"
    assert {rule["n"] for rule in content["rules"]} == {2}
    assert [(each["n"], each["apart"]) for each in content["question_gaps"]] == [(2, 2)]
    assert all(rule["low"] <= rule["share"] <= rule["high"] for rule in content["rules"])
    assert out.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert len(list(tables.iterdir())) == len(DICTIONARY) + 1


def test_the_command_wants_somewhere_to_write(run: Path) -> None:
    told = CliRunner().invoke(app, ["analyse", str(run)])
    assert told.exit_code == 2
    assert "--out FILE.html" in told.output


def test_without_scikit_learn_the_command_offers_to_leave_the_trees_out(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.ensemble", None)
    told = CliRunner().invoke(app, ["analyse", str(run), "--out", str(tmp_path / "page.html")])
    assert told.exit_code == 2
    assert "archstudio[analysis]" in told.output
    assert "--no-trees" in told.output
    told = CliRunner().invoke(app, ["analyse", str(run), "--no-trees", "--out", str(tmp_path / "page.html")])
    assert told.exit_code == 0


def test_a_run_whose_set_lies_elsewhere_is_refused(run: Path, quick_set: CandidateSet, tmp_path: Path) -> None:
    root = tmp_path / "data"
    shutil.copytree(run.parents[4], root)
    place = root / run.relative_to(run.parents[4])
    for path in place.glob("*/question.json"):
        content = json.loads(path.read_text("utf-8"))
        content["candidate_sets"] = ["../elsewhere"]
        path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(UnusableFile, match="outside the data set"):
        gather([place])


@pytest.mark.parametrize(("low", "high", "log"), [(0.0, 1.0, False), (0.003, 40.0, True), (9.0, 11.0, True)])
def test_ticks_lie_within_the_axis(low: float, high: float, log: bool) -> None:
    ticks = Axis(low, high, 0, 100, log).ticks()
    assert 3 <= len(ticks) <= 8
    assert all(low * 0.998 - 1e-9 <= tick <= high * 1.002 for tick in ticks)
