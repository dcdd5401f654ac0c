"""Hints come one at a time, a graph counts as mended once it is, and both are remembered."""

from __future__ import annotations

from archstudio.app.task_report import task_report
from archstudio.app.tasks.opening import task_document
from archstudio.app.tasks.practice import PracticeBook, PracticeState, exercise_of, gives_hints, still_missing
from archstudio.bench.broken import exercise, exercise_names
from archstudio.edits import set_params
from archstudio.edits.from_actions import actions_to_edit
from archstudio.files.home import settings_path
from archstudio.study.visibility import EVERYTHING, SINGLE_SHOT

NAME = "seven-heads-for-a-hundred"


def test_hints_are_shown_one_at_a_time_and_no_more_than_there_are() -> None:
    book = PracticeBook()
    assert book.state(NAME) == PracticeState()
    assert [book.next_hint(NAME) for _ in range(5)] == [1, 2, 3, 3, 3]
    assert PracticeBook().state(NAME).hints == 3


def test_what_was_mended_stays_so_and_keeps_its_first_time() -> None:
    book = PracticeBook()
    book.next_hint(NAME)
    book.mark_mended(NAME)
    first = book.state(NAME)
    book.mark_mended(NAME)
    assert PracticeBook().state(NAME) == first
    assert first.mended
    assert first.hints == 1


def test_every_exercise_opens_and_is_mended_by_its_repair() -> None:
    for name in exercise_names()[:12]:
        document = task_document(f"practice/{name}")
        assert exercise_of(document) is exercise(name)
        assert still_missing(document)
        edit = actions_to_edit(document.graph, exercise(name).actions()).edit
        assert edit is not None
        document.push(edit, "Repair")
        assert still_missing(document) == []


def test_an_exercise_gives_hints_instead_of_fixes_and_neither_where_fixes_are_hidden() -> None:
    document = task_document(f"practice/{NAME}")
    assert not document.visibility.fixes
    assert gives_hints(EVERYTHING, document.visibility)
    assert not gives_hints(SINGLE_SHOT, task_document(f"practice/{NAME}", SINGLE_SHOT).visibility)
    assert task_document("fix-broken-attention").visibility.fixes


def test_an_exercise_is_not_graded_as_a_task() -> None:
    assert task_report(task_document(f"practice/{NAME}")) is None


def test_a_document_outside_practice_misses_nothing() -> None:
    document = task_document("fix-broken-attention")
    assert exercise_of(document) is None
    assert still_missing(document) == []


def test_another_number_of_heads_mends_too() -> None:
    document = task_document(f"practice/{NAME}")
    name = exercise(NAME).repair[0]["name"]
    document.push(set_params(document.graph.named(name), numHeads=10), "Heads")
    assert still_missing(document) == []


def test_damaged_progress_counts_as_none() -> None:
    settings_path().mkdir(parents=True, exist_ok=True)
    path = settings_path() / "practice.json"
    path.write_text(f'{{"version": 1, "{NAME}": {{"hints": "many", "mendedAt": 3}}}}', encoding="utf-8")
    assert PracticeBook().state(NAME) == PracticeState()


def test_watchers_hear_of_hints_and_of_the_first_repair_alone() -> None:
    book = PracticeBook()
    heard: list[str] = []
    book.watch(lambda: heard.append("!"))
    book.next_hint(NAME)
    book.mark_mended(NAME)
    book.mark_mended(NAME)
    assert len(heard) == 2
