"""The Psych-DS folder keeps the standard's rules.

The official validator is a Deno program that the package registries we use do not carry, so its rules of the schema
(https://github.com/psych-ds/psych-DS, version 0.4) stand here: names of files, required metadata, and that every column
of every data file is described.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

KEYWORDS = {"study", "site", "subject", "session", "task", "condition", "trial", "stimulus", "description"}
REQUIRED = ("@context", "@type", "name", "description", "variableMeasured")
DATA_NAME = re.compile(r"([a-z]+-[A-Za-z0-9]+)(_[a-z]+-[A-Za-z0-9]+)*_data\.csv")


def faults(folder: Path) -> list[str]:
    """What breaks a rule of the standard."""
    found = [f"{name} is missing" for name in ("dataset_description.json", "data") if not (folder / name).exists()]
    if found:
        return found
    about = json.loads((folder / "dataset_description.json").read_text(encoding="utf-8"))
    found += [
        f"no {name}" for name in ("@context", "@type", "name", "description", "variableMeasured") if not about.get(name)
    ]
    if about["@type"] != "Dataset" or "schema.org" not in about["@context"]:
        found.append("is no Dataset of schema.org")
    described = {each if isinstance(each, str) else each["name"] for each in about["variableMeasured"]}
    found += [f"{each['name']} says nothing" for each in about["variableMeasured"] if not each.get("description")]
    columns = set()
    for path in (folder / "data").glob("**/*.csv"):
        found += named_wrongly(path.name)
        columns |= set(table_columns(path, found))
    found += [f"column {name} is not described" for name in sorted(columns - described)]
    return found + [f"{name} is described and in no table" for name in sorted(described - columns)]


def named_wrongly(name: str) -> list[str]:
    if not DATA_NAME.fullmatch(name):
        return [f"{name} is no name of a data file"]
    keys = [part.split("-")[0] for part in name.removesuffix("_data.csv").split("_")]
    return [f"{name}: unknown or repeated keyword"] if set(keys) - KEYWORDS or len(set(keys)) < len(keys) else []


def table_columns(path: Path, found: list[str]) -> list[str]:
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    header = rows[0]
    if len(set(header)) < len(header) or "" in header:
        found.append(f"{path.name}: columns without a name of their own")
    if any(len(row) != len(header) for row in rows):
        found.append(f"{path.name}: rows of different lengths")
    if "row_id" in header:
        ids = [row[header.index("row_id")] for row in rows[1:]]
        found += [f"{path.name}: row_id repeats"] * (len(set(ids)) < len(ids))
    return header


@pytest.mark.parametrize("study", ["graphs_folder", "questions_folder"])
def test_the_folder_keeps_the_rules(study, request):
    folder = request.getfixturevalue(study) / "psych-ds"
    assert faults(folder) == []
    assert len(list((folder / "data").glob("*.csv"))) == 10
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("# ")


def test_the_check_finds_a_column_nobody_described(graphs_folder, tmp_path):
    folder = shutil.copytree(graphs_folder / "psych-ds", tmp_path / "ds")
    (folder / "data" / "study-s1_description-extra_data.csv").write_text("mystery\n1\n")
    (folder / "data" / "wrong name.csv").write_text("item_id\n1\n")
    assert faults(folder) == ["wrong name.csv is no name of a data file", "column mystery is not described"]


def test_a_sidecar_describes_each_file(graphs_folder):
    for path in (graphs_folder / "psych-ds" / "data").glob("*.csv"):
        described = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["variableMeasured"]
        with path.open(newline="", encoding="utf-8") as stream:
            assert [each["name"] for each in described] == next(csv.reader(stream))
