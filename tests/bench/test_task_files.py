"""Tasks survive the way through a file, and a row that cannot be graded says why."""

import json
from pathlib import Path
from typing import Any

import pytest

from archstudio.bench.brief import brief_facts
from archstudio.bench.generate import TIERS, Tier, generate
from archstudio.bench.task_files import FiledTask, Rejected, find_task, graph_record, read_tasks, task_row
from archstudio.bench.tasks import UnknownName, curated_tasks
from archstudio.files.data import data_path
from archstudio.files.unusable import UnusableFile


def write(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tasks.jsonl"


def a_task(**changed: Any) -> dict[str, Any]:
    start = {
        "components": [
            {"id": "i", "type": "input", "name": "input", "params": {"shape": [1, 8]}},
            {"id": "o", "type": "output", "name": "output"},
        ],
        "connections": [{"from": "i", "to": "o"}],
    }
    return {"id": "mine", "spec": "Build it.", "constraints": {"minScore": 50}, "start": start, **changed}


@pytest.mark.parametrize("tier", TIERS)
def test_generated_tasks_come_back_from_a_file_with_their_facts(file: Path, tier: Tier) -> None:
    made = list(generate(tier, 12, 7))
    write(file, *(task_row(task, 7, place) for place, task in enumerate(made)))
    for task, read in zip(made, read_tasks(file), strict=True):
        assert isinstance(read, FiledTask)
        assert (read.id, read.spec, read.kind, read.reference()) == (task.id, task.spec, task.kind, task.reference())
        assert (read.constraints, read.budget) == (task.constraints, task.budget)
        assert graph_record(read.model()) == graph_record(task.model())
        assert brief_facts(read) == task.facts


def test_a_generated_task_that_was_altered_has_no_facts_to_check(file: Path) -> None:
    row = task_row(next(generate("core", 1, 7)), 7, 0)
    row["constraints"]["maxParams"] = 1
    (read,) = read_tasks(write(file, row))
    assert isinstance(read, FiledTask)
    assert brief_facts(read) == ()


def test_a_brief_of_the_original_facts_is_not_held_to_what_it_leaves_unsaid(file: Path) -> None:
    made = list(generate("core", 7, 7))[6]
    (read,) = read_tasks(write(file, task_row(made, 7, 6, "original-facts")))
    assert isinstance(read, FiledTask)
    said = [fact.text for fact in brief_facts(read)]
    assert "At most 2,000,000 parameters" in said
    assert not any(text.startswith("The input") for text in said)


def test_the_table_of_the_twelve_tasks_is_a_task_file(tmp_path: Path) -> None:
    copy = tmp_path / "tasks.json"
    copy.write_text(data_path("fixtures", "archbench_tasks.json").read_text(encoding="utf-8"), encoding="utf-8")
    for task, read in zip(curated_tasks(), read_tasks(copy), strict=True):
        assert isinstance(read, FiledTask)
        assert read.model() == task.model()
        assert brief_facts(read) == brief_facts(task)


@pytest.mark.parametrize("wrap", [lambda rows: {"version": 1, "tasks": rows}, lambda rows: rows])
@pytest.mark.parametrize("reference", [{"actions": [{"type": "clear_canvas"}]}, [{"type": "clear_canvas"}]])
def test_exported_cases_hold_task_start_and_reference(tmp_path: Path, wrap: Any, reference: Any) -> None:
    case = a_task()
    start = case.pop("start")
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(wrap([{"task": case, "start": start, "reference": reference}])), encoding="utf-8")
    (read,) = read_tasks(path)
    assert isinstance(read, FiledTask)
    assert read.reference() == [{"type": "clear_canvas"}]
    assert [item["id"] for item in read.model()["connections"]] == ["c0"]


def test_a_file_may_bring_starting_graphs_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    graph = a_task()["start"]
    path.write_text(json.dumps({"fixtures": {"own": graph}, "tasks": [a_task(start="own")]}), encoding="utf-8")
    (read,) = read_tasks(path)
    assert isinstance(read, FiledTask)
    assert read.model()["name"] == "own"


def broken_start(**changed: Any) -> dict[str, Any]:
    return {**a_task()["start"], **changed}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (3, "is not a task object"),
        (a_task(id=""), "id: must be text that is not empty"),
        (a_task(spec=None), "spec: must be text"),
        (a_task(kind="puzzle"), "kind: is 'puzzle', it must be one of design, repair, extend"),
        (a_task(constraints=[]), "constraints: must be an object"),
        (a_task(constraints={"maxWidgets": 3}), "constraints.maxWidgets: is no limit this program knows"),
        (a_task(constraints={"maxParams": "9"}), "constraints.maxParams: must be a number"),
        (a_task(constraints={"maxParams": True}), "constraints.maxParams: must be a number"),
        (a_task(constraints={"mustRun": 1}), "constraints.mustRun: must be true or false"),
        (a_task(constraints={"mustContainTypes": "linear"}), "constraints.mustContainTypes: must be a list"),
        (a_task(constraints={"maxDecodeMs": {"value": 1}}), "constraints.maxDecodeMs: must be an object"),
        (a_task(budget={"maxParams": None}), "budget.maxParams: must be a number"),
        (a_task(start="nowhere"), "start: There is no starting graph 'nowhere'"),
        (a_task(start=None), "start: must be the name of a starting graph, or a graph"),
        (a_task(start=broken_start(components={})), "start.components: must be a list"),
        (a_task(start=broken_start(components=[{"id": "a"}])), "start.components[0].type: must be text"),
        (a_task(start=broken_start(connections=[{"from": "i", "to": "x"}])), "start.connections[0].to: 'x' is no"),
        (a_task(reference={"actions": [1]}), "reference: must be a list of actions"),
    ],
)
def test_a_row_that_is_no_task_is_rejected_with_its_reason(file: Path, row: Any, reason: str) -> None:
    good = a_task(id="good")
    first, second = read_tasks(write(file, good, row))
    assert isinstance(first, FiledTask)
    assert isinstance(second, Rejected)
    assert second.place == "line 2"
    assert second.reason.startswith(reason)


def test_an_id_may_stand_only_once(file: Path) -> None:
    _, second = read_tasks(write(file, a_task(), a_task()))
    assert second == Rejected("line 2", "mine", "id: 'mine' is taken by line 1")


def test_unreadable_lines_are_placed_and_the_others_still_read(file: Path) -> None:
    file.write_text(f"{json.dumps(a_task())}\n\n{{oops\n{json.dumps(a_task(id='b'))}\n", encoding="utf-8")
    first, bad, last = read_tasks(file)
    assert isinstance(first, FiledTask)
    assert isinstance(bad, Rejected)
    assert bad.place == "line 3"
    assert "not valid JSON" in bad.reason
    assert last.id == "b"


@pytest.mark.parametrize("text", ["", "nonsense", '{"x": \n1}', "3"])
def test_a_file_without_tasks_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableFile, match=r"tasks\.json"):
        list(read_tasks(path))


def test_finding_a_task_tells_a_rejected_one_from_an_unknown_one(file: Path) -> None:
    write(file, a_task(), a_task(id="bad", spec=""))
    assert find_task(file, "mine").id == "mine"
    with pytest.raises(UnusableFile, match=r"line 2: task 'bad' cannot be used: spec"):
        find_task(file, "bad")
    with pytest.raises(UnknownName, match=r"no task 'other'.*mine"):
        find_task(file, "other")
