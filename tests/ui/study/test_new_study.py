"""A study is written on pages and frozen into a file that opens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_studies import baked
from PySide6.QtWidgets import QLineEdit

from archstudio.study.pack import open_key, open_study
from archstudio.study.protocol import read_protocol
from archstudio.study.protocol.power import planned
from archstudio.ui.study.new_study import NewStudyWizard


@pytest.fixture
def wizard(qtbot, own_home):
    made = NewStudyWizard()
    made.show()
    yield made
    made.close()
    made.deleteLater()
    qtbot.wait(1)


def type_into(wizard: NewStudyWizard, name: str, text: str) -> None:
    field = wizard.findChild(QLineEdit, name)
    field.setText(text)
    field.textEdited.emit(text)


def test_a_template_is_changed_and_frozen(wizard, tmp_path: Path) -> None:
    type_into(wizard, "id", "my-pilot")
    type_into(wizard, "limits.active_minutes", "7,5")
    wizard.rules.boxes["verifier_tool"].click()
    wizard.exclusions.boxes["not_completed"].click()
    wizard.freeze_to(tmp_path / "my-pilot.study")
    assert "Hand out my-pilot.study" in wizard.told.text()
    pack = open_study(tmp_path / "my-pilot.study")
    assert pack.id == "my-pilot"
    assert pack.protocol.limits.active_minutes == 7.5
    assert pack.protocol.conditions == ["single_shot", "verifier_turns_3"]
    assert "not_completed" in {rule.measure for rule in pack.protocol.exclusions}
    assert open_key(tmp_path / "my-pilot.key", pack).keys


def test_a_frozen_study_is_never_written_over(wizard, tmp_path: Path) -> None:
    (tmp_path / "there.study").write_bytes(b"a study")
    wizard.freeze_to(tmp_path / "there.study")
    assert "never changes" in wizard.told.text()
    assert (tmp_path / "there.study").read_bytes() == b"a study"


def test_what_is_wrong_is_named_with_its_place(wizard) -> None:
    type_into(wizard, "limits.active_minutes", "soon")
    wizard.next.click()
    assert "active_minutes" in wizard.told.text()
    type_into(wizard, "limits.active_minutes", "5")
    wizard.next.click()
    assert wizard.told.text() == ""


def test_a_pack_of_questions_takes_the_place_that_the_template_keeps_for_it(wizard, tmp_path: Path) -> None:
    pack = tmp_path / "my questions.json"
    pack.write_text(json.dumps(baked(6)))
    wizard.begin_from("questions-60-blind")
    assert wizard.rules.boxes.keys() == {"blind", "full_sequential_feedback"}
    assert "questions.json" in wizard.items.problem.text()
    wizard.items.add_file(pack)
    assert wizard.items.problem.text() == ""
    wizard.freeze_to(tmp_path / "q.study")
    made = open_study(tmp_path / "q.study")
    assert len(made.block("main")) == 6
    assert str(tmp_path) not in json.dumps(made.protocol.as_json())


def test_generated_items_are_added_and_removed(wizard) -> None:
    before = wizard.items.sources.count()
    wizard.items.count.setValue(3)
    wizard.items._add_generated()
    assert wizard.items.sources.count() == before + 1
    wizard.items.sources.setCurrentRow(before)
    wizard.items._remove()
    assert wizard.items.sources.count() == before


def test_the_protocol_is_saved_to_go_on_from_the_command_line(wizard, tmp_path: Path) -> None:
    type_into(wizard, "stopping_rule", "After six people.")
    wizard.save_to(tmp_path / "mine.json")
    assert read_protocol(tmp_path / "mine.json").stopping_rule == "After six people."


def test_the_planner_gives_the_figures_of_the_command_line(wizard) -> None:
    wizard.power.people.setValue(100)
    wizard.power.items.setValue(1)
    assert f"±{planned(100, 1).half_width_points:.1f} points" in wizard.power.told.text()
    assert "±9.4" in wizard.power.sizes.text()
