"""Suites ship, are drawn from a recipe or read from a file, and are there again after a restart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from archstudio.app.task_report import task_report
from archstudio.app.tasks.entry import split_ref
from archstudio.app.tasks.library import TaskLibrary, suites_path, task_of
from archstudio.app.tasks.opening import task_document
from archstudio.app.tasks.suites import FiledSuite, GeneratedSuite
from archstudio.bench.brief import brief_facts
from archstudio.bench.generate import generated_task
from archstudio.bench.task_files import FiledTask
from archstudio.bench.tasks import UnknownName
from archstudio.files.unusable import UnusableFile


def row(task_id: str = "widen", **changes: Any) -> dict[str, Any]:
    start = {
        "components": [{"id": "i", "type": "input", "name": "input"}, {"id": "o", "type": "output", "name": "output"}],
        "connections": [{"from": "i", "to": "o"}],
    }
    task = {"id": task_id, "spec": "Widen it.", "constraints": {"minComponents": 3}, "start": start, "reference": []}
    return {**task, **changes}


def written(path: Path, *rows: Any) -> Path:
    path.write_text(json.dumps({"version": 1, "tasks": list(rows)}), encoding="utf-8")
    return path


def titles(library: TaskLibrary) -> list[str]:
    return [suite.title for suite in library.suites()]


def test_three_suites_are_there_from_the_start() -> None:
    library = TaskLibrary()
    assert titles(library) == ["Curated", "Practice", "Mine"]
    assert [len(list(suite.entries())) for suite in library.suites()] == [12, 61, 0]


def test_a_generated_suite_is_there_again_after_a_restart_with_the_same_tasks() -> None:
    TaskLibrary().keep_generated(GeneratedSuite("core", 7, 25))
    again = TaskLibrary()
    assert titles(again)[3:] == ["Core, seed 7"]
    entries = list(again.suite("core-7").entries())
    assert [entry.id for entry in entries] == [generated_task("core", 7, k).id for k in range(25)]
    assert entries[0].family == "mlp"
    assert entries[0].tier == "core"
    made = again.task(entries[17].ref)
    assert dict(made.constraints) == dict(generated_task("core", 7, 17).constraints)


def test_a_larger_count_of_the_same_seed_continues_the_suite() -> None:
    library = TaskLibrary()
    library.keep_generated(GeneratedSuite("edge", 3, 10))
    library.keep_generated(GeneratedSuite("edge", 3, 30))
    assert titles(library)[3:] == ["Edge, seed 3"]
    assert len(list(library.suite("edge-3").entries())) == 30


def test_the_largest_seed_is_taken_and_one_more_is_not() -> None:
    library = TaskLibrary()
    library.keep_generated(GeneratedSuite("core", 2**32 - 1, 1))
    with pytest.raises(ValueError, match=r"seed is 4,294,967,296; it must be from 0 to 4,294,967,295"):
        library.keep_generated(GeneratedSuite("core", 2**32, 1))
    for count in (0, 10**7):
        with pytest.raises(ValueError, match="count"):
            library.keep_generated(GeneratedSuite("core", 1, count))


def test_a_brief_of_the_original_facts_alone_is_a_suite_of_its_own() -> None:
    library = TaskLibrary()
    library.keep_generated(GeneratedSuite("core", 7, 10, "original-facts"))
    task = library.task("core-7-facts/gen-norm-7")
    assert task.spec == generated_task("core", 7, 7).brief("original-facts")
    assert len(brief_facts(task)) <= len(generated_task("core", 7, 7).facts)


def test_a_document_on_a_generated_task_is_graded_with_its_facts() -> None:
    TaskLibrary().keep_generated(GeneratedSuite("core", 7, 10))
    document = task_document("core-7/gen-cnn-2")
    report = task_report(document)
    assert report is not None
    assert report.task.id == "gen-cnn-2"
    assert report.runs is True
    assert len(report.facts) == len(generated_task("core", 7, 2).facts)


@pytest.mark.parametrize("ref", ["core-7/gen-mlp-99", "core-7/gen-ae-0", "core-7/x", "nothing/x", "../x/y", "mine/x"])
def test_refs_that_name_nothing_are_answered(ref: str) -> None:
    library = TaskLibrary()
    library.keep_generated(GeneratedSuite("core", 7, 10))
    with pytest.raises(UnknownName):
        library.task(ref)
    assert task_of(ref) is None


def test_an_imported_file_keeps_its_tasks_and_says_why_rows_were_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "tasks.json", row(), row("odd", constraints={"maxWishes": 3}), 7, row())
    library = TaskLibrary()
    made = library.import_file(path)
    assert (made.taken, len(made.rejected)) == (1, 3)
    assert "maxWishes" in made.rejected[0].reason
    path.unlink()
    again = TaskLibrary().suite(made.suite or "")
    assert again.title == "tasks.json"
    assert [entry.ref for entry in again.entries()] == [f"{made.suite}/widen"]
    assert dict(again.task("widen").constraints) == {"minComponents": 3}


def test_the_same_name_twice_makes_two_suites(tmp_path: Path) -> None:
    library = TaskLibrary()
    path = written(tmp_path / "tasks.json", row())
    assert library.import_file(path).suite != library.import_file(path).suite
    assert len(titles(library)) == 5


def test_exported_cases_and_proposals_are_imported(tmp_path: Path) -> None:
    inner = row()
    start, reference = inner.pop("start"), inner.pop("reference")
    case = {"task": inner, "start": start, "reference": {"actions": reference}}
    proposals = tmp_path / "proposed.json"
    proposals.write_text(json.dumps({"version": 1, "proposer": "x", "probe": None, "tasks": [case]}), encoding="utf-8")
    lines = tmp_path / "cases.jsonl"
    lines.write_text(json.dumps(case) + "\n{broken\n", encoding="utf-8")
    library = TaskLibrary()
    assert library.import_file(proposals).taken == 1
    made = library.import_file(lines)
    assert (made.taken, len(made.rejected)) == (1, 1)


def test_generated_tasks_that_were_exported_are_known_again_after_import(tmp_path: Path) -> None:
    from archstudio.bench.task_files import task_row

    path = tmp_path / "split.jsonl"
    path.write_text(json.dumps(task_row(generated_task("core", 7, 2), 7, 2)) + "\n", encoding="utf-8")
    library = TaskLibrary()
    made = library.import_file(path)
    (entry,) = library.suite(made.suite or "").entries()
    assert (entry.tier, entry.family) == ("core", "cnn")
    assert brief_facts(library.task(entry.ref))


def test_a_file_without_any_task_makes_no_suite(tmp_path: Path) -> None:
    made = TaskLibrary().import_file(written(tmp_path / "tasks.json", 1, 2))
    assert made.suite is None
    assert len(made.rejected) == 2
    assert len(titles(TaskLibrary())) == 3


def test_a_file_that_is_no_task_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{\n"a": 1\n}', encoding="utf-8")
    with pytest.raises(UnusableFile, match="holds no tasks"):
        TaskLibrary().import_file(path)


def test_a_damaged_suite_is_told_and_the_others_stay() -> None:
    library = TaskLibrary()
    library.keep_generated(GeneratedSuite("core", 7, 10))
    (suites_path() / "bad.json").write_text("{", encoding="utf-8")
    (suites_path() / "odd.json").write_text('{"kind": "generated", "tier": "core", "seed": -1, "count": 1}')
    assert titles(library)[3:] == ["Core, seed 7"]
    assert len(library.unreadable) == 2


def test_a_suite_can_be_removed_and_the_shipped_ones_cannot(tmp_path: Path) -> None:
    library = TaskLibrary()
    made = library.import_file(written(tmp_path / "tasks.json", row()))
    library.remove(made.suite or "")
    assert len(titles(library)) == 3
    assert list(suites_path().iterdir()) == []
    with pytest.raises(UnknownName):
        library.remove("curated")


def test_own_tasks_are_kept_and_replaced_by_id(mlp: Any) -> None:
    library = TaskLibrary()
    library.keep_own(FiledTask("wide", "extend", "Widen it.", {}, {"minParams": 5}, mlp, []))
    library.keep_own(FiledTask("wide", "extend", "Widen it more.", {}, {"minParams": 9}, mlp, []))
    (entry,) = TaskLibrary().suite("mine").entries()
    assert (entry.ref, entry.text, entry.tier) == ("mine/wide", "Widen it more.", "mine")


def test_watchers_hear_of_every_change(tmp_path: Path) -> None:
    library = TaskLibrary()
    heard: list[str] = []
    end = library.watch(lambda: heard.append("!"))
    library.keep_generated(GeneratedSuite("core", 7, 10))
    library.remove("core-7")
    end()
    library.import_file(written(tmp_path / "tasks.json", row()))
    assert heard == ["!", "!"]


def test_a_ref_says_its_suite() -> None:
    assert split_ref("cnn-cifar") == ("curated", "cnn-cifar")
    assert split_ref("core-7/gen-mlp-0") == ("core-7", "gen-mlp-0")


def test_a_filed_suite_reads_only_as_far_as_it_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps(row(f"t{k}")) + "\n" for k in range(50)) + "{broken\n", encoding="utf-8")
    suite = FiledSuite("x", "X", "imported", [path])
    assert next(suite.entries()).id == "t0"
    assert suite.task("t3").id == "t3"
    assert suite.rejected == []
    assert [entry.id for entry in suite.entries()] == [f"t{k}" for k in range(50)]
    assert [entry.id for entry in suite.entries()] == [f"t{k}" for k in range(50)]
    assert len(suite.rejected) == 1


def test_a_filed_suite_of_a_missing_file_says_so(tmp_path: Path) -> None:
    suite = FiledSuite("x", "X", "imported", [tmp_path / "gone.jsonl"])
    assert list(suite.entries()) == []
    assert len(suite.rejected) == 1
