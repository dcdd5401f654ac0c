"""Published result files come back as they were, with every total made from their rows."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from archstudio.bench.generate import FAMILIES
from archstudio.bench.results.boards import derived_part, exported
from archstudio.bench.results.difficulty import band_of, family_of, rated
from archstudio.bench.results.outcomes import (
    family_difficulty,
    family_shares,
    outcomes,
    repeats,
    summaries,
    task_difficulty,
)
from archstudio.bench.results.published import published_difficulty, published_family_difficulty, table
from archstudio.bench.results.records import Leaderboard, Results, read_results
from archstudio.bench.results.tables import as_csv, as_markdown
from archstudio.bench.tasks import curated_tasks
from archstudio.files.unusable import UnusableFile


def reply(provider: str, task: str, status: str, score: int, tokens: int, *categories: str) -> dict[str, Any]:
    row: dict[str, Any] = {"provider": provider, "taskId": task, "status": status, "score": score}
    row |= {"pass": status == "PASS", "params": 10, "blockers": [], "failures": ["x"] * len(categories)}
    return {**row, "failureCategories": list(categories), "tokens": tokens, "ms": 5}


LEADERBOARD: dict[str, Any] = {
    "benchmark": 1,
    "split": {"kind": "generated", "count": 2, "seed": 7},
    "models": {"a": "model-a", "b": "model-b"},
    "generatedAt": "2026-07-22T05:00:00.000Z",
    "board": [
        {
            "provider": "b",
            "passed": 2,
            "total": 2,
            "avgScore": 83,  # (80 + 85) / 2 = 82.5, rounded half up
            "tokensPerSolve": 151,  # 301 / 2 = 150.5
            "failureCategories": {},
        },
        {
            "provider": "a",
            "passed": 0,
            "total": 2,
            "avgScore": 20,
            "tokensPerSolve": None,
            "failureCategories": {"low-score": 1, "other": 2},
        },
    ],
    "rows": [
        reply("a", "gen-mlp-0", "FAIL", 40, 70, "low-score", "other"),
        {
            "provider": "a",
            "taskId": "gen-ae-1",
            "status": "ERROR",
            "score": 0,
            "error": "no network",
            "failureCategories": ["other"],
            "tokens": 0,
            "ms": 9,
        },
        reply("b", "gen-mlp-0", "PASS", 80, 100),
        reply("b", "gen-ae-1", "PASS", 85, 201),
    ],
}


def rounds(task: str, first: bool, final: bool, used: int, **more: Any) -> dict[str, Any]:
    row = {"provider": "a", "taskId": task, "passAtTurn1": first, "passFinal": final, "turnsUsed": used}
    return {**row, "tokens": 50, "finalFailures": [] if final else ["score 9 < min 50"], **more}


REPAIR: dict[str, Any] = {
    "split": {"kind": "generated", "count": 4, "seed": 7},
    "turns": 3,
    "generatedAt": "2026-07-22T05:00:00.000Z",
    "results": [
        {
            "provider": "a",
            "model": "model-a",
            "n": 4,
            "singleShot": 0.25,
            "withVerifier": 0.75,
            "liftPoints": 50,
            "errors": 1,
            "rescuedBy": {"turn2": 1, "turn3": 1},
        }
    ],
    "rows": [
        rounds("gen-mlp-0", True, True, 1),
        rounds("gen-ae-1", False, True, 2),
        rounds("gen-cnn-2", False, True, 3),
        rounds("gen-txf-3", False, False, 3),
        {"provider": "a", "taskId": "gen-gqa-4", "error": "no network"},
    ],
}
CALIBRATION: dict[str, Any] = {
    "who": "model-a",
    "seed": 11,
    "perFamily": 12,
    "generatedAt": "2026-07-22T05:00:00.000Z",
    "rows": [
        {
            "family": "txf",
            "n": 12,
            "passes": 0,
            "rate": 0,
            "ci": [0, 0.2425007574992425],
            "band": "TOO-HARD (<2%)",
        },
        {
            "family": "mlp",
            "n": 12,
            "passes": 3,
            "rate": 0.25,
            "ci": [0.08894003962896138, 0.53231033912066],
            "band": "EASY (eval-useful)",
        },
    ],
}
TOOL_USE: dict[str, Any] = {
    "provider": "a",
    "model": "model-a",
    "tier": "generated",
    "count": 1,
    "seed": 7,
    "rows": [
        {"arm": "raw", "taskId": "gen-mlp-0", "error": "Error: no JSON object in reply"},
        {"arm": "tool", "taskId": "gen-mlp-0", "pass": True, "score": 90, "audits": 1, "failures": []},
    ],
}
FORMS = [LEADERBOARD, REPAIR, CALIBRATION, TOOL_USE]


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def reading(value: Any) -> Results:
        path = tmp_path / "results.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        return read_results(path)

    return reading


@pytest.mark.parametrize("form", FORMS)
def test_a_file_comes_back_as_it_was_with_totals_made_anew(read: Any, form: dict[str, Any]) -> None:
    results = read(form)
    assert results.model_extra == {}
    assert all(row.model_extra == {} for row in results.rows)
    again = exported(results)
    assert again == form
    assert list(again) == list(form)


def test_totals_are_made_from_rows_not_copied(read: Any) -> None:
    results = read({**LEADERBOARD, "board": [{**LEADERBOARD["board"][0], "passed": 99}]})
    assert derived_part(results) == LEADERBOARD["board"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": [{**LEADERBOARD["rows"][0], "status": "OK"}]}, r"\$\.rows\[0\]\.status"),
        ({"rows": [{**LEADERBOARD["rows"][0], "tokens": "7"}]}, r"\$\.rows\[0\]\.tokens"),
        ({"rows": [{**LEADERBOARD["rows"][0], "pass": 1}]}, r"\$\.rows\[0\]\.pass"),
        ({"rows": 3}, r"\$\.rows"),
        ({"split": {"kind": "x"}}, r"\$\.split\.count"),
    ],
)
def test_a_wrong_value_is_placed(read: Any, change: dict[str, Any], words: str) -> None:
    with pytest.raises(UnusableFile, match=words):
        read({**LEADERBOARD, **change})


@pytest.mark.parametrize("value", [[], {}, {"rows": []}])
def test_other_files_are_no_results(read: Any, value: Any) -> None:
    with pytest.raises(UnusableFile, match="holds no results of a known form"):
        read(value)


def test_errors_stay_tries_and_are_counted(read: Any) -> None:
    by_model = {row.setting.model: row for row in summaries(outcomes(read(LEADERBOARD)))}
    assert (by_model["model-a"].passed, by_model["model-a"].total, by_model["model-a"].errors) == (0, 2, 1)
    assert by_model["model-a"].categories == {"low-score": 1, "other": 2}
    assert (by_model["model-b"].average_score, by_model["model-b"].tokens_per_solve) == (83, 151)
    assert by_model["model-b"].families == {"mlp": (1, 1), "ae": (1, 1)}


def test_repair_rounds_are_two_ways_and_tool_use_too(read: Any) -> None:
    ways = {row.setting.way: (row.passed, row.total) for row in summaries(outcomes(read(REPAIR)))}
    assert ways == {"round 1": (1, 5), "up to 3 rounds": (3, 5)}
    tools = {row.setting.way: (row.passed, row.total) for row in summaries(outcomes(read(TOOL_USE)))}
    assert tools == {"without tool": (0, 1), "with tool": (1, 1)}


def test_files_from_before_rubric_2_are_kept_apart_and_rate_nothing(read: Any) -> None:
    old = read({**LEADERBOARD, "generatedAt": "2026-07-21T05:00:00.000Z"})
    assert {row.setting.split for row in summaries(outcomes(old))} == {"core, seed 7, rubric 1"}
    assert task_difficulty(outcomes(old)) == {}


def test_several_tries_at_the_same_tasks(read: Any) -> None:
    worse = {**LEADERBOARD, "rows": [reply("b", "gen-mlp-0", "FAIL", 1, 1), reply("b", "gen-ae-1", "PASS", 1, 1)]}
    rows = repeats([*outcomes(read(LEADERBOARD)), *outcomes(read(worse))])
    assert [(row.k, row.tasks, row.any_passes, row.all_pass) for row in rows] == [(1, 2, 0.75, 0.75), (2, 2, 1.0, 0.5)]
    assert repeats(outcomes(read(LEADERBOARD))) == []


# Difficulty ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passes", "trials", "band"),
    [
        (0, 0, "unrated"),
        (0, 12, "too hard"),
        (1, 51, "too hard"),
        (1, 50, "target"),
        (15, 100, "target"),
        (16, 100, "easy"),
        (70, 100, "easy"),
        (71, 100, "saturated"),
    ],
)
def test_bands_are_the_published_ones(passes: int, trials: int, band: str) -> None:
    assert band_of(passes, trials) == rated(passes, trials).band == band


def test_difficulty_pools_models_and_calibrations(read: Any) -> None:
    tries = outcomes(read(LEADERBOARD))
    tasks = task_difficulty(tries)
    assert (tasks["core, seed 7: gen-mlp-0"].passes, tasks["core, seed 7: gen-mlp-0"].trials) == (1, 2)
    families = family_difficulty(tries, family_shares(read(CALIBRATION)))
    assert {name: (each.passes, each.trials) for name, each in families.items()} == {
        "mlp": (4, 14),
        "ae": (1, 2),
        "txf": (0, 12),
    }
    assert task_difficulty(outcomes(read(TOOL_USE)))["core, seed 7: gen-mlp-0"].trials == 1


def test_families_are_read_off_generated_ids_alone() -> None:
    assert family_of("gen-eshrink-11") == "eshrink"
    assert [family_of(name) for name in ("cnn-cifar", "gen-mlp", "gen-mlp-x", "fix-broken-attention")] == [None] * 4


def test_published_counts_rate_tasks_and_families_and_nothing_else() -> None:
    assert all(published_difficulty(task.id).trials == 5 for task in curated_tasks())
    assert published_difficulty("cnn-cifar").band == "saturated"
    assert published_difficulty("bst-sequence-ranking").band == "easy"
    assert published_family_difficulty("tower").band == "too hard"
    assert all(published_family_difficulty(family).trials for family in FAMILIES["core"])
    assert published_family_difficulty("eedge").band == "unrated"
    assert published_difficulty("my-own-task").band == "unrated"


# Tables --------------------------------------------------------------------------------------------------------------


def test_the_compact_table_holds_counts_and_where_they_are_from(read: Any) -> None:
    runs = table([("results.json", read(LEADERBOARD))])["runs"]
    assert [(run["file"], run["model"], run["passed"], run["families"]) for run in runs] == [
        ("results.json", "model-a", 0, {"mlp": [0, 1], "ae": [0, 1]}),
        ("results.json", "model-b", 2, {"mlp": [1, 1], "ae": [1, 1]}),
    ]


def test_tables_for_spreadsheets_hold_no_formulas(read: Any) -> None:
    evil = {**LEADERBOARD, "models": {"a": "=HYPERLINK(1)", "b": "x|y"}}
    rows = summaries(outcomes(read(evil)))
    shown = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert shown[0]["model"] == "'=HYPERLINK(1)"
    assert (shown[1]["passed"], shown[1]["mlp"], shown[0]["failed: other"]) == ("2", "1/1", "2")
    lines = as_markdown(rows).splitlines()
    assert len(lines) == 4
    assert r"| x\|y | single shot | core, seed 7 | 2 of 2 | 34–100 % |  | 83 | 151 |  |" in lines


def test_the_forms_are_told_apart(read: Any) -> None:
    assert isinstance(read(LEADERBOARD), Leaderboard)
    assert len({type(read(form)) for form in FORMS}) == 4
