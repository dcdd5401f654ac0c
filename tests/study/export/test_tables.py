"""Tidy tables: every column described, nothing a spreadsheet would run, keys that join."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from made_records import Maker

from archstudio.study.export.tables import study_tables
from archstudio.study.records import Flag
from archstudio.study.redaction import Redactor
from archstudio.study.report.rows import human_rows

NAMES = (
    *("participants", "sessions", "presentations", "attempts", "responses", "pauses", "items"),
    *("exclusions", "withdrawals", "responses_long"),
)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("name", NAMES)
def test_each_table_has_a_dictionary_of_exactly_its_columns(name, graphs_folder):
    with (graphs_folder / "tables" / f"{name}.csv").open(newline="", encoding="utf-8") as stream:
        header = next(csv.reader(stream))
    dictionary = read(graphs_folder / "tables" / f"{name}.dictionary.csv")
    assert [row["column"] for row in dictionary] == header
    assert all(row["description"].endswith(".") and row["type"] for row in dictionary)


@pytest.mark.parametrize("name", NAMES)
def test_values_are_of_the_type_and_levels_the_dictionary_tells(name, graphs_folder, questions_folder):
    for folder in (graphs_folder, questions_folder):
        dictionary = {row["column"]: row for row in read(folder / "tables" / f"{name}.dictionary.csv")}
        for row in read(folder / "tables" / f"{name}.csv"):
            for column, value in row.items():
                told = dictionary[column]
                if value == "":
                    continue
                if told["type"] == "integer":
                    int(value)
                elif told["type"] == "number":
                    float(value)
                elif told["type"] == "boolean":
                    assert value in ("true", "false")
                elif told["type"] == "json":
                    json.loads(value)
                if told["levels"]:
                    assert value in told["levels"].split("|")


def test_people_and_models_join_on_the_same_keys(graphs_folder):
    rows = read(graphs_folder / "tables" / "responses_long.csv")
    people = {(row["condition"], row["item_id"]) for row in rows if row["respondent_type"] == "human"}
    models = {(row["condition"], row["item_id"]) for row in rows if row["respondent_type"] == "model"}
    assert models <= people
    items = {row["item_id"] for row in read(graphs_folder / "tables" / "items.csv")}
    assert {row["item_id"] for row in rows} <= items
    persons = {row["participant_id"] for row in read(graphs_folder / "tables" / "participants.csv")}
    assert {row["respondent_id"] for row in rows if row["respondent_type"] == "human"} <= persons


def test_each_row_of_people_says_that_it_is_simulated(graphs_folder):
    for name in NAMES:
        if name == "items":
            continue
        for row in read(graphs_folder / "tables" / f"{name}.csv"):
            if row.get("respondent_type") != "model":
                assert row["simulated"] == "true"


@pytest.mark.parametrize("start", ["=1+1", "+A1", "-cmd", "@SUM(A1)", "\t=1", "＝1"])
def test_no_cell_starts_a_formula(start):
    records = Maker(conditions=("single_shot",), people=2).records()
    flagged = tuple(replace(each, flag=Flag(f"{start}|calc")) for each in records.presentations)
    changed = replace(records, presentations=flagged)
    tables = {table.name: table for table in study_tables(changed, human_rows(changed), Redactor())}
    rows = list(csv.DictReader(tables["presentations"].csv.decode().splitlines()))
    assert {row["flag"] for row in rows} == {f"'{start}|calc"}


def test_free_text_is_told_by_its_length_alone(questions_folder):
    rows = read(questions_folder / "tables" / "responses.csv")
    assert {row["explanation_chars"] for row in rows} == {str(len("I guess so"))}
    assert b"I guess so" not in (questions_folder / "tables" / "responses.csv").read_bytes()


def test_what_one_person_alone_answered_is_rare():
    records = Maker(conditions=("single_shot",), people=4).records()
    first, *others = records.participants
    alone = replace(first, education="doctor of falconry")
    changed = replace(records, participants=(alone, *others))
    tables = {table.name: table for table in study_tables(changed, [], Redactor())}
    rows = list(csv.DictReader(tables["participants"].csv.decode().splitlines()))
    assert [row["education"] for row in rows] == ["[rare]", "master", "master", "master"]


def test_the_same_records_give_the_same_bytes(graphs):
    first, again = (study_tables(graphs.records, graphs.rows, Redactor()) for _ in range(2))
    assert [table.csv for table in first] == [table.csv for table in again]
