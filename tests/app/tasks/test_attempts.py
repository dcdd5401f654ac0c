"""What was submitted is kept with its graph and its verdicts, and the best of it is known."""

from __future__ import annotations

import pytest

from archstudio.app.document import Document
from archstudio.app.task_report import task_report
from archstudio.app.tasks.attempts import Attempt, AttemptBook, attempts_file
from archstudio.app.tasks.opening import task_document
from archstudio.edits import set_params
from archstudio.files.unusable import UnusableFile
from archstudio.graph import write_graph

REF = "fix-broken-attention"


def submitted(book: AttemptBook, heads: int | None = None) -> tuple[Document, Attempt]:
    document = task_document(REF)
    if heads is not None:
        document.push(set_params(document.graph.named("attn"), numHeads=heads), "Heads")
    report = task_report(document)
    assert report is not None
    return document, book.keep(REF, report, document.graph, 12.34)


def test_an_attempt_keeps_plan_graph_verdicts_and_time() -> None:
    document, made = submitted(AttemptBook(), heads=5)
    (kept,) = AttemptBook().of(REF)
    assert kept == made
    assert [action["type"] for action in kept.actions] == ["update_params"]
    assert (kept.passed, kept.runs, kept.does_the_brief, kept.solved) == (True, True, True, True)
    assert kept.seconds == 12.3
    assert kept.at.endswith("+00:00")
    assert write_graph(AttemptBook().graph(kept)) == write_graph(document.graph)


def test_the_best_attempt_is_the_one_with_most_verdicts_also_when_a_worse_one_follows() -> None:
    book = AttemptBook()
    submitted(book)
    submitted(book, heads=5)
    submitted(book, heads=7)
    reached = book.progress(REF)
    assert reached is not None
    assert reached.attempts == 3
    assert reached.best.solved
    again = AttemptBook().progress(REF)
    assert again is not None
    assert again.best == reached.best


def test_a_failing_attempt_says_why() -> None:
    _, made = submitted(AttemptBook())
    assert (made.passed, made.runs, made.solved) == (False, False, False)
    assert any("not divisible" in text for text in made.failures)


def test_without_attempts_there_is_no_progress() -> None:
    book = AttemptBook()
    assert book.of(REF) == []
    assert book.progress(REF) is None
    assert not book.solved(REF)


def test_a_line_cut_short_by_a_crash_costs_only_itself() -> None:
    submitted(AttemptBook(), heads=5)
    with attempts_file().open("a", encoding="utf-8") as file:
        file.write('{"task": "x", "at"')
    book = AttemptBook()
    assert len(book.of(REF)) == 1
    assert book.unreadable == 1


def test_equal_graphs_are_kept_once() -> None:
    book = AttemptBook()
    _, first = submitted(book, heads=5)
    _, second = submitted(book, heads=5)
    assert first.graph == second.graph
    assert len(list(attempts_file().parent.glob("*.arch.json"))) == 1


def test_a_graph_that_is_gone_is_told() -> None:
    book = AttemptBook()
    _, made = submitted(book, heads=5)
    for path in attempts_file().parent.glob("*.arch.json"):
        path.unlink()
    with pytest.raises(UnusableFile):
        book.graph(made)


def test_watchers_hear_of_each_attempt() -> None:
    book = AttemptBook()
    heard: list[str] = []
    end = book.watch(lambda: heard.append("!"))
    submitted(book)
    end()
    submitted(book)
    assert heard == ["!"]


def test_a_task_without_known_facts_is_solved_by_the_other_two() -> None:
    _, made = submitted(AttemptBook(), heads=5)
    from dataclasses import replace

    assert replace(made, does_the_brief=None, facts=0, facts_met=0).solved
    assert not replace(made, does_the_brief=None).solved
    assert not replace(made, runs=None).solved
