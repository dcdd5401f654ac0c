"""Keys of commands: a person's own are kept, conflicts are named, and the usual ones come back."""

from __future__ import annotations

import pytest

from archstudio.app.commands import all_commands, command
from archstudio.app.shortcuts import ShortcutRefused, Shortcuts


@pytest.fixture
def shortcuts(desk) -> Shortcuts:
    return Shortcuts(desk.application.settings)


def keys(shortcuts: Shortcuts, command_id: str) -> str:
    return shortcuts.keys(command(command_id))


def test_without_a_choice_commands_have_their_usual_keys(shortcuts) -> None:
    assert all(shortcuts.keys(row) == row.shortcut for row in all_commands())


def test_own_keys_are_found_at_the_next_start(desk, shortcuts) -> None:
    shortcuts.assign("graph.layout", "Ctrl+Alt+L")
    assert keys(Shortcuts(desk.application.settings), "graph.layout") == "Ctrl+Alt+L"
    assert shortcuts.is_own(command("graph.layout"))
    shortcuts.reset("graph.layout")
    assert keys(Shortcuts(desk.application.settings), "graph.layout") == "Ctrl+L"


def test_a_command_may_have_several_keys_or_none(shortcuts) -> None:
    shortcuts.assign("graph.layout", "Ctrl+Alt+L; F9")
    assert [row.id for row in shortcuts.holders("F9")] == ["graph.layout"]
    shortcuts.assign("graph.layout", "")
    assert keys(shortcuts, "graph.layout") == ""


def test_a_conflict_names_the_other_command_and_can_be_settled(shortcuts) -> None:
    with pytest.raises(ShortcutRefused, match=r"Ctrl\+S already stands for Save"):
        shortcuts.assign("graph.layout", "Ctrl+S")
    assert keys(shortcuts, "graph.layout") == "Ctrl+L"
    shortcuts.assign("graph.layout", "Ctrl+S", take=True)
    assert (keys(shortcuts, "graph.layout"), keys(shortcuts, "file.save")) == ("Ctrl+S", "")
    with pytest.raises(ShortcutRefused, match="now stands for Auto-Layout"):
        shortcuts.reset("file.save")
    shortcuts.reset_all()
    assert (keys(shortcuts, "graph.layout"), keys(shortcuts, "file.save")) == ("Ctrl+L", "Ctrl+S")


def test_taking_one_of_two_keys_leaves_the_other(shortcuts) -> None:
    shortcuts.assign("graph.layout", "Ctrl+Y", take=True)
    assert keys(shortcuts, "edit.redo") == "Ctrl+Shift+Z"


@pytest.mark.parametrize("typed", ["L", "Shift+L", "Del", "Tab"])
def test_what_is_needed_for_typing_is_refused_everywhere_but_on_the_canvas(shortcuts, typed: str) -> None:
    with pytest.raises(ShortcutRefused, match="needed for typing"):
        shortcuts.assign("file.save", typed)


def test_single_letters_are_fine_on_the_canvas(shortcuts) -> None:
    shortcuts.assign("edit.bypass", "Y")
    assert keys(shortcuts, "edit.bypass") == "Y"


def test_settings_that_make_no_sense_are_passed_over(desk) -> None:
    desk.application.settings.update({"shortcuts": {"file.fly": "Ctrl+1", "file.save": 7, "file.open": "F12"}})
    shortcuts = Shortcuts(desk.application.settings)
    assert keys(shortcuts, "file.save") == "Ctrl+S"
    assert keys(shortcuts, "file.open") == "F12"
    desk.application.settings.update({"shortcuts": "none"})
    assert keys(Shortcuts(desk.application.settings), "file.open") == "Ctrl+O"
