"""A task of one's own is saved once its reference passes and nothing else does; then it is there, and opens again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QPushButton

from archstudio.app.tasks.authoring import LIMIT_FIELDS
from archstudio.bench.grade import OWN_LIMITS
from archstudio.bench.task_rows import checked_limits
from archstudio.edits import set_params
from archstudio.ui.bench.authoring import AuthoringWindow
from archstudio.ui.bench.limit_form import LimitForm
from archstudio.ui.window import MainWindow


@pytest.fixture
def writing(window: MainWindow, act) -> Iterator[AuthoringWindow]:
    """Task ▸ New from This Graph on the unstable MLP, with a name and a brief."""
    window.open_task("add-normalization")
    act("task.new")
    made = window.view.bench.authoring
    made.name.setText("widen")
    made.brief.setPlainText("Make fc1 512 wide.")
    yield made
    made.hide()  # closing the window would ask about the draft


def press(writing: AuthoringWindow, name: str) -> None:
    writing.findChild(QPushButton, name).click()


def limit(writing: AuthoringWindow, key: str, value: str | None = None) -> None:
    writing.findChild(QCheckBox, f"limit-{key}").setChecked(True)
    if value is not None:
        writing.findChild(QLineEdit, f"value-{key}").setText(value)


def solve(window: MainWindow, writing: AuthoringWindow) -> None:
    """Solve the draft in the tab that the button opens, and take the graph as the reference."""
    press(writing, "solveDraft")
    document = window.application.current
    document.push(set_params(document.graph.named("fc1"), outFeatures=512), "Wider")
    document.push(set_params(document.graph.named("fc2"), inFeatures=512), "Follow")
    press(writing, "useReference")


def test_saving_is_refused_with_the_reason_until_everything_is_shown(window: MainWindow, writing) -> None:
    writing.prove()
    assert not writing.save.isEnabled()
    assert "there is no reference yet" in writing.reasons.text()
    solve(window, writing)
    assert not writing.save.isEnabled()
    assert "The start does not pass: it passes" in writing.reasons.text()
    limit(writing, "minParams", "30,000")
    writing.prove()
    assert writing.reasons.text() == "All is shown."
    assert writing.save.isEnabled()
    assert {row.mark for row in writing.checklist.shown} == {"ok"}
    writing.name.clear()
    writing.prove()
    assert not writing.save.isEnabled()
    assert "Give the task a name" in writing.reasons.text()


def test_a_saved_task_is_in_the_browser_and_is_solved_by_its_reference(
    window: MainWindow, writing, qtbot, submit
) -> None:
    solve(window, writing)
    limit(writing, "minParams", "30000")
    writing.prove()
    press(writing, "saveTask")
    assert "Saved widen" in window.central.notice.full_text
    assert window.docks.tasks.suite == "mine"
    assert [entry.ref for entry in window.docks.tasks.model.entries] == ["mine/widen"]
    window.open_task("mine/widen")
    document = window.application.current
    assert document.graph.named("fc1").params["outFeatures"] == 128
    document.push(set_params(document.graph.named("fc1"), outFeatures=512), "Wider")
    document.push(set_params(document.graph.named("fc2"), inFeatures=512), "Follow")
    submit(window)
    assert window.application.tasks.attempts.solved("mine/widen")


def test_a_saved_task_opens_for_writing_again(window: MainWindow, writing, act) -> None:
    solve(window, writing)
    limit(writing, "minParams", "30000")
    writing.prove()
    press(writing, "saveTask")
    writing.close()
    window.open_task("mine/widen")
    act("task.edit")
    assert writing.isVisible()
    assert writing.name.text() == "widen"
    assert writing.brief.toPlainText() == "Make fc1 512 wide."
    assert writing.draft.limits["minParams"] == 30_000
    assert writing.save.isEnabled()
    writing.brief.setPlainText("Make it wider.")
    writing.prove()
    press(writing, "saveTask")
    assert window.application.tasks.library.task("mine/widen").spec == "Make it wider."


def test_a_copy_can_be_saved_anywhere_and_imported(window: MainWindow, writing, tmp_path: Path, monkeypatch) -> None:
    solve(window, writing)
    limit(writing, "minParams", "30000")
    writing.prove()
    path = tmp_path / "widen.task.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: (str(path), ""))
    press(writing, "saveTaskCopy")
    made = window.application.tasks.library.import_file(path)
    assert (made.taken, made.rejected) == (1, ())


def test_another_start_drops_the_reference(window: MainWindow, writing) -> None:
    solve(window, writing)
    assert writing.draft.actions
    window.open_task("cnn-cifar")
    press(writing, "useStart")
    assert writing.draft.actions is None
    assert len(writing.draft.start) == 2


def test_a_draft_with_changes_is_not_given_up_without_a_question(window: MainWindow, writing, monkeypatch) -> None:
    answers = [False, True]
    monkeypatch.setattr(window.view, "ask_confirm", lambda *a: answers.pop(0))
    writing.reject()
    assert writing.isVisible()
    writing.reject()
    assert not writing.isVisible()
    assert answers == []


def test_replacing_another_task_of_the_name_is_asked(window: MainWindow, writing, monkeypatch, mlp) -> None:
    from archstudio.bench.task_files import FiledTask

    window.application.tasks.library.keep_own(FiledTask("widen", "design", "Old.", {}, {}, mlp, []))
    solve(window, writing)
    limit(writing, "minParams", "30000")
    writing.prove()
    asked: list[Any] = []
    monkeypatch.setattr(window.view, "ask_confirm", lambda *a: asked.append(a[0]) and False)
    press(writing, "saveTask")
    assert asked == ["Replace your task widen?"]
    assert window.application.tasks.library.task("mine/widen").spec == "Old."
    monkeypatch.setattr(window.view, "ask_confirm", lambda *a: True)


def test_the_whole_form_can_be_walked_with_tab(window: MainWindow, writing, qtbot) -> None:
    writing.name.setFocus()
    seen = set()
    for _ in range(80):
        focus = writing.focusWidget()
        seen.add(focus.objectName())
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert {f"limit-{field.key}" for field in LIMIT_FIELDS} <= seen
    assert {"solveDraft", "useReference", "useStart"} <= seen


# ------------------------------------------------------------------------- the form


def test_the_form_has_every_limit_the_grader_knows(qtbot) -> None:
    every = {field.key: field.usual for field in LIMIT_FIELDS}
    assert checked_limits(every) == every
    assert set(OWN_LIMITS) <= set(every)
    form = LimitForm()
    qtbot.addWidget(form)
    form.show_limits(every)
    assert form.limits == every
    assert form.faults == []
    form.show_limits({})
    assert form.limits == {}


@pytest.mark.parametrize(
    ("key", "typed", "means"),
    [
        ("maxMacs", "1,500,000", 1_500_000),
        ("maxActivationBytes", "65536", 65_536),
        ("mustContainTypesOnPath", "conv2d, relu linear", ["conv2d", "relu", "linear"]),
        ("minScore", "62.5", 62.5),
    ],
)
def test_typed_limits_are_read(qtbot, key: str, typed: str, means: Any) -> None:
    form = LimitForm()
    qtbot.addWidget(form)
    row = form.rows[key]
    row.tick.setChecked(True)
    row.line.setText(typed)
    assert form.limits == {key: means}


@pytest.mark.parametrize(("key", "typed"), [("maxMacs", "lots"), ("maxMacs", "-3"), ("mustContainTypes", " , "),
                                            ("maxDecodeMs", "nan")])  # fmt: skip
def test_a_limit_that_cannot_be_read_is_refused_with_its_name(qtbot, key: str, typed: str) -> None:
    form = LimitForm()
    qtbot.addWidget(form)
    row = form.rows[key]
    row.tick.setChecked(True)
    row.line.setText(typed)
    assert form.limits == {}
    assert form.faults[0].startswith(row.field.title)
    assert row.line.property("role") == "refused"


def test_a_decode_limit_names_its_machine(qtbot) -> None:
    form = LimitForm()
    qtbot.addWidget(form)
    row = form.rows["maxDecodeMs"]
    row.tick.setChecked(True)
    row.line.setText("2.5")
    assert json.loads(json.dumps(form.limits)) == {"maxDecodeMs": {"value": 2.5, "machine": "A100-80GB SXM"}}
