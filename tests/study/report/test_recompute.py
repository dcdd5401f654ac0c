"""An independent script gets every number of the report from the exported tables, without the program."""

from __future__ import annotations

import csv
import importlib.util
import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archstudio.files.data import data_path
from archstudio.files.strict_json import dump_json
from archstudio.stats import wilson
from archstudio.stats.agreement import krippendorff_alpha
from archstudio.stats.durations import kaplan_meier
from archstudio.stats.families import holm
from archstudio.stats.resampling import cluster_mean, sign_flip
from archstudio.study.export.tables import study_tables
from archstudio.study.redaction import Redactor
from archstudio.study.report.figures import make_figures
from archstudio.study.report.material import Material

_ISOLATED = ("-I", "-S", "-B")
"""Python without site-packages, the current folder and PYTHON* variables: nothing but its standard library."""


def write_tables(material: Material, folder: Path) -> Path:
    (folder / "tables").mkdir(parents=True)
    for table in study_tables(material.records, material.rows, Redactor()):
        (folder / "tables" / f"{table.name}.csv").write_bytes(table.csv)
    (folder / "figures.json").write_text(dump_json(material.figures.plain()), encoding="utf-8")
    (folder / "recompute.py").write_bytes(data_path("resources", "study", "recompute.py").read_bytes())
    return folder


def recompute(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *_ISOLATED, str(folder / "recompute.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=300, check=False)


@pytest.fixture(scope="module")
def folder(graphs: Material, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tables(graphs, tmp_path_factory.mktemp("report") / "graphs")


@pytest.fixture(scope="session")
def script() -> ModuleType:
    """The script as a module, to look at its parts."""
    spec = importlib.util.spec_from_file_location("recompute", str(data_path("resources", "study", "recompute.py")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_runs_where_the_program_and_its_libraries_cannot_be_imported():
    for name in ("archstudio", "numpy", "scipy"):
        command = [sys.executable, *_ISOLATED, "-c", f"import {name}"]
        assert subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 1


def numbers(value: object) -> int:
    if isinstance(value, dict):
        return sum(numbers(each) for key, each in value.items() if key != "left_out")
    if isinstance(value, list):
        return sum(map(numbers, value))
    return int(isinstance(value, int | float))


def test_guarantee_10_an_independent_recomputation_gives_the_reports_numbers(folder, graphs, questions, tmp_path):
    for material, place in ((graphs, folder), (questions, write_tables(questions, tmp_path / "questions"))):
        done = recompute(place)
        assert done.returncode == 0, done.stdout + done.stderr
        count = numbers(material.figures.plain())
        assert count > 3_000
        assert done.stdout == f"{count} of {count} numbers agree.\n"


def test_names_that_a_spreadsheet_would_run_are_read_back(graphs, tmp_path):
    rows = [
        replace(row, respondent_id=f"@cf/{row.respondent_id}") if row.respondent_type == "model" else row
        for row in graphs.rows
    ]
    material = replace(graphs, rows=rows, figures=make_figures(graphs.records, graphs.models, rows))
    place = write_tables(material, tmp_path / "names")
    assert b"'@cf/" in (place / "tables" / "responses_long.csv").read_bytes()
    assert recompute(place).returncode == 0


def test_several_tries_of_a_model_are_recomputed_too(graphs, tmp_path):
    models = [row for row in graphs.rows if row.respondent_type == "model"]
    tries = [replace(row, passed=bool(place % 3)) for place, row in enumerate([*models, *models[::2]])]
    rows = [*graphs.rows, *tries]
    material = replace(graphs, rows=rows, figures=make_figures(graphs.records, graphs.models, rows))
    done = recompute(write_tables(material, tmp_path / "tries"))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "path",
    [
        ("headline", "value"), ("headline", "low"), ("wilson", "high"), ("paired", 0, "p"), ("paired", 2, "p_holm"),
        ("paired", 1, "difference", "high"), ("times", "km", 5, "se"), ("counts", "people_excluded"), ("alpha",),
        ("many_people", 1, "all_of_k"), ("items", 3, "share", "passed"), ("people_matrix", "values", 2, 4),
        ("models", 0, "estimate", "low"), ("effort", "undos"), ("times", "share_by", 3),
    ],
)  # fmt: skip
def test_any_changed_number_is_found(graphs, script, path):
    ours, theirs = graphs.figures.plain(), json.loads(json.dumps(graphs.figures.plain()))
    *way, last = path
    place = theirs["variants"][0]["conditions"][0]
    for step in way:
        place = place[step]
    place[last] += 1e-6 if isinstance(place[last], float) else 1
    found: list[str] = []
    script.compare(ours, theirs, "figures", found)
    assert len(found) == 1
    assert "the report says" in found[0]


@pytest.mark.parametrize(
    ("table", "column", "change"),
    [
        ("attempts", "passed", lambda old: {"true": "false", "false": "true"}[old]),
        ("presentations", "active_ms", lambda old: str(int(old) + 1000)),
        ("exclusions", "participant_id", lambda _: "nobody"),
        ("responses_long", "passed", lambda old: {"true": "false", "false": "true", "": "true"}[old]),
    ],
)
def test_a_changed_table_gives_other_numbers(graphs, tmp_path, table, column, change):
    place = write_tables(graphs, tmp_path / "changed")
    path = place / "tables" / f"{table}.csv"
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    of_models = (row for row in rows if row.get("respondent_type", "model") == "model")
    main = next(row for row in of_models if row.get("block", "main") == "main" and row.get("kind") != "audit")
    main[column] = change(main[column])
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    done = recompute(place)
    assert done.returncode == 1
    assert "places differ" in done.stdout


def test_it_says_how_it_is_called(tmp_path):
    script = str(data_path("resources", "study", "recompute.py"))
    done = subprocess.run([sys.executable, *_ISOLATED, script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "usage" in done.stderr


shares = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)).map(lambda pair: (min(pair), pair[1])), max_size=9)
times = st.lists(st.tuples(st.integers(1, 20), st.booleans()), min_size=1, max_size=30)
p_values = st.lists(st.none() | st.floats(0, 1), max_size=8)
units = st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=6)
differences = st.lists(st.integers(-8, 8).map(lambda eighth: eighth / 8), min_size=2, max_size=16)


@settings(deadline=None)
@given(shares)
def test_both_draw_the_same_people(script, clusters):
    answers = [(place, y) for place, (good, n) in enumerate(clusters) for y in [1] * good + [0] * (n - good)]
    rows = [{"who": f"{place:02}", "y": y} for place, y in answers]
    made = cluster_mean([good for good, _ in clusters], [n for _, n in clusters])
    assert script.clustered(rows, lambda row: row["y"]) == pytest.approx(made._asdict())


@settings(deadline=None)
@given(times)
def test_both_make_the_same_life_table(script, observed):
    spent, done = zip(*observed, strict=True)
    ours = [asdict(step) for step in kaplan_meier(spent, done)]
    theirs = script.kaplan_meier(spent, done)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        assert other == pytest.approx(mine, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(p_values)
def test_both_adjust_p_values_alike(script, values):
    assert script.holm(values) == pytest.approx(holm(values))


@given(units)
def test_both_measure_agreement_alike(script, answers):
    assert script.alpha(answers) == pytest.approx(krippendorff_alpha(answers))


@settings(max_examples=30, deadline=None)
@given(differences)
def test_both_turn_the_same_signs(script, sums):
    assert script.sign_flip(sums) == pytest.approx(sign_flip(sums))


@given(st.integers(0, 40), st.integers(0, 40))
def test_both_solve_wilsons_equation_alike(script, one, other):
    assert script.wilson(min(one, other), max(one, other)) == pytest.approx(wilson(min(one, other), max(one, other)))
