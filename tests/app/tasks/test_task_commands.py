"""Commands about tasks say what went wrong and change nothing when something does."""

from __future__ import annotations

from pathlib import Path

import pytest

from archstudio.app.application import Application
from archstudio.app.commands import Context, run_command
from archstudio.app.commands.task import open_task
from archstudio.app.task_report import task_report
from archstudio.app.tasks.attempts import attempts_file
from archstudio.app.tasks.library import own_tasks_path
from archstudio.app.tasks.suites import GeneratedSuite
from archstudio.bench.task_files import FiledTask
from archstudio.edits import set_params
from archstudio.files.atomic import SaveFailed
from archstudio.study.visibility import SINGLE_SHOT

FIX = "fix-broken-attention"


class Bench:
    """The part of a window that shows tasks, with answers set beforehand."""

    def __init__(self) -> None:
        self.recipe: GeneratedSuite | None = None
        self.files: list[Path] = []
        self.attempt = None
        self.asked: list[str] = []

    def ask_recipe(self):
        return self.recipe

    def ask_task_files(self):
        return self.files

    def watch_reading(self, file, steps):
        return bool(list(steps)) or True

    def shown_suite(self):
        return "curated"

    def chosen_attempt(self):
        return self.attempt

    def __getattr__(self, name):
        return lambda *args: self.asked.append(name)


class Window:
    def __init__(self) -> None:
        self.bench = Bench()
        self.told: list[str] = []

    def notify(self, text: str, detail: str = "", *, fault: bool = False) -> None:
        self.told.append(f"{text}: {detail}" if detail else text)

    def show_dock(self, dock: str) -> None:
        pass


@pytest.fixture
def context() -> Context:
    return Context(Application(), Window())  # type: ignore[arg-type]


def solve(context: Context):
    document = context.application.open_task(FIX)
    document.push(set_params(document.graph.named("attn"), numHeads=5), "Heads")
    report = task_report(document)
    assert report is not None
    return document, context.application.tasks.attempts.keep(FIX, report, document.graph)


def test_a_recipe_that_cannot_be_drawn_is_told(context: Context) -> None:
    context.view.bench.recipe = GeneratedSuite("core", -1, 5)
    run_command("task.generate", context)
    assert "seed is -1" in context.view.told[0]
    assert context.view.bench.asked == []


def test_no_answer_changes_nothing(context: Context) -> None:
    assert run_command("task.generate", context)
    assert run_command("task.import", context)
    assert context.view.told == []
    assert len(context.application.tasks.library.suites()) == 3


def test_a_suite_that_cannot_be_saved_is_told(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise SaveFailed(Path("x"), "the disk is full")

    monkeypatch.setattr("archstudio.app.tasks.library.save_atomic", fail)
    context.view.bench.recipe = GeneratedSuite("core", 1, 5)
    run_command("task.generate", context)
    assert "the disk is full" in context.view.told[0]


def test_an_attempt_whose_graph_is_gone_is_told(context: Context) -> None:
    _, context.view.bench.attempt = solve(context)
    for path in attempts_file().parent.glob("*.arch.json"):
        path.unlink()
    run_command("task.openAttempt", context)
    assert context.view.told[0].startswith("The attempt could not be opened")
    assert len(context.application.documents) == 1


def test_an_attempt_opens_also_when_its_task_is_not_open(context: Context) -> None:
    document, context.view.bench.attempt = solve(context)
    context.application.close(document)
    run_command("task.openAttempt", context)
    opened = context.application.current
    assert opened is not None
    report = task_report(opened)
    assert report is not None
    assert [action["type"] for action in report.plan.actions] == ["update_params"]


def test_an_own_task_that_is_gone_is_told(context: Context, mlp) -> None:
    context.application.tasks.library.keep_own(FiledTask("x", "design", "Do.", {}, {}, mlp, []))
    context.application.open_task("mine/x")
    for path in own_tasks_path().glob("*"):
        path.unlink()
    run_command("task.edit", context)
    assert context.view.told == ["The task is gone: Its file was removed."]


def test_a_start_that_is_no_graph_is_told_when_it_is_opened(context: Context, mlp) -> None:
    mlp["components"][1]["name"] = mlp["components"][2]["name"]
    context.application.tasks.library.keep_own(FiledTask("twice", "design", "Do.", {}, {}, mlp, []))
    assert open_task(context, "mine/twice") is None
    assert context.view.told[0].startswith("twice could not be opened")
    assert context.application.documents == []


def test_a_reference_that_is_no_network_is_told(context: Context, mlp) -> None:
    twice = [{"type": "add_component", "componentType": "relu", "name": "a"}]
    context.application.tasks.library.keep_own(FiledTask("odd", "design", "Do.", {}, {}, mlp, twice))
    document = context.application.open_task("mine/odd")
    report = task_report(document)
    assert report is not None
    context.application.tasks.attempts.keep("mine/odd", report, document.graph)
    assert run_command("task.openReference", context)
    assert context.view.told[0].startswith("The reference is no network")


def test_in_a_condition_of_a_study_tasks_are_neither_managed_nor_compared(context: Context) -> None:
    document, _ = solve(context)
    assert run_command("task.compare", context)
    document.visibility = SINGLE_SHOT
    for name in ("task.compare", "task.openReference", "task.generate", "task.import", "task.new", "task.results"):
        assert not run_command(name, context), name
