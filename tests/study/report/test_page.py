"""The page is one file that needs nothing, tells what every figure rests on, and cannot be broken by its data."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from made_records import Maker

from archstudio.study.records import Exclusion
from archstudio.study.report.material import Material, prepare
from archstudio.study.report.page.page import page
from archstudio.study.report.page.pdf import pdf
from archstudio.study.report.words import basis


@pytest.fixture(scope="module")
def html(graphs: Material) -> str:
    return page(graphs)


class Structure(HTMLParser):
    """Collects tags, ids and links; fails on an end without a beginning."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [value for name, value in attrs if name in ("href", "src", "xlink:href", "data")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_it_is_well_formed_and_fetches_nothing(html):
    read = Structure()
    read.feed(html)
    assert read.open == []
    assert len(set(read.ids)) == len(read.ids)
    assert all(link.startswith(("#", "data:image/")) for link in read.links)
    assert "<script" not in html
    assert "@import" not in html
    assert not re.search(r"url\((?!#)", html)


def test_every_picture_stands_with_what_it_rests_on(html, graphs):
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", html)
    for condition in graphs.figures.variant("primary").conditions:
        told = basis(condition, graphs.figures)
        assert sum(caption.endswith(told) for caption in captions) >= 3
        for word in ("people", "items", "answers", "chance", "excluded", "grader"):
            assert word in told


def test_figures_stand_without_and_with_excluded_rows(html, graphs):
    for name in ("primary", "everyone"):
        for condition in graphs.figures.variant(name).conditions:
            found = condition.headline
            assert f"{100 * found.value:.1f} [{100 * found.low:.1f} to {100 * found.high:.1f}]" in html


def test_simulated_people_are_named_so(html):
    assert "Simulated participants" in html
    real = prepare(Maker(people=2, simulated=False, conditions=("single_shot",)).records())
    assert "Simulated participants" not in page(real)


def test_sessions_worth_watching_are_named(html, graphs):
    assert "the quickest success" in html
    assert any(session.id in html for session in graphs.records.sessions)


def test_the_wording_of_items_is_told(html):
    assert "8 read word for word as models got them, 4 told the same facts in other words" in html


def test_texts_from_data_are_no_markup():
    records = Maker(people=2, conditions=("single_shot",)).records()
    study = replace(records.study, title="<script>alert(1)</script>", grader_version="<b>2</b>")
    items = tuple(replace(item, family="<i>f</i>") for item in records.items)
    made = page(prepare(replace(records, study=study, items=items), allow_simulated=True))
    assert "<script" not in made
    assert "<b>2" not in made
    assert "<i>f" not in made


def test_few_people_are_told():
    made = page(prepare(Maker(people=3, conditions=("single_shot",)).records(), allow_simulated=True))
    assert "people are few" in made


def test_a_grader_that_differs_is_told(graphs):
    other = replace(graphs.records, study=replace(graphs.records.study, grader_version="archbench-rubric-3"))
    made = page(prepare(other, graphs.models, allow_simulated=True))
    assert "People are graded by archbench-rubric-3, models by rubric 2" in made


def test_questions_show_their_calibration(questions):
    made = page(questions)
    assert "Accuracy by stated confidence" in made
    assert "Brier score" in made
    assert "Rasch difficulty" in made


@pytest.mark.parametrize("left", ["excluded", "practice only", "nothing shown"])
def test_a_study_without_any_figure_is_a_page_all_the_same(left):
    records = Maker(people=2, conditions=("single_shot",)).records()
    if left == "excluded":
        marks = (
            Exclusion("participant", each.id, True, "r", "all", "2026-12-08T00:00:00Z") for each in records.participants
        )
        records = replace(records, exclusions=tuple(marks))
    else:
        kept = [each for each in records.presentations if each.block == "practice" and left == "practice only"]
        records = replace(records, presentations=tuple(kept), attempts=())
    material = prepare(records, allow_simulated=True)
    assert ("no answer is scored yet" in page(material)) == (left != "nothing shown")
    assert pdf(material).startswith(b"%PDF-")


def test_the_pdf_is_the_same_each_time():
    made = prepare(Maker(people=3, conditions=("single_shot",)).records(), allow_simulated=True)
    first = pdf(made)
    assert first.startswith(b"%PDF-")
    assert first == pdf(made)
