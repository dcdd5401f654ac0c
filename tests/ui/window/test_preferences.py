"""Preferences, keys and recent files: what a person sets takes effect at once and lasts."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from archstudio.app.commands import run_command
from archstudio.ui.palette import command_chooser
from archstudio.ui.preferences.dialog import PreferencesDialog
from archstudio.ui.recent_dialog import RecentDialog
from archstudio.ui.start import make_window
from archstudio.ui.window import MainWindow


@pytest.fixture
def dialogs(monkeypatch) -> list[PreferencesDialog]:
    """The dialogs that commands open, which stay open without being waited for."""
    shown: list[PreferencesDialog] = []
    monkeypatch.setattr(PreferencesDialog, "exec", lambda dialog: shown.append(dialog) or 0)
    return shown


@pytest.fixture
def keys(window: MainWindow, dialogs):
    """The page of shortcuts as F1 opens it."""
    run_command("help.shortcuts", window.context)
    return dialogs[0].keys


def test_the_commands_open_their_pages(window, dialogs) -> None:
    run_command("edit.preferences", window.context)
    run_command("help.shortcuts", window.context)
    assert [d.pages.currentWidget() for d in dialogs] == [dialogs[0].general, dialogs[1].keys]


def test_theme_and_switches_take_effect_at_once(window, dialogs) -> None:
    run_command("edit.preferences", window.context)
    page = dialogs[0].general
    page.theme.setCurrentIndex(page.theme.findData("dark"))
    assert window.theme.name == "dark"
    page.switches["snap"].setChecked(False)
    assert not window.view.is_on("snap")
    page.words.setCurrentIndex(page.words.findData("outlines"))
    page.scale.setValue(4)
    stored = window.application.settings.read()
    assert (stored["theme"], stored["snap"], stored["pictureWords"], stored["pictureScale"]) == (
        "dark",
        False,
        "outlines",
        4,
    )


def assign(keys, command_id: str, sequence: str) -> None:
    keys.choose(command_id)
    keys.keys.setKeySequence(QKeySequence(sequence))
    keys.assign.click()


def test_new_keys_work_at_once_in_menu_palette_and_at_the_next_start(window, keys) -> None:
    assign(keys, "file.welcome", "Ctrl+Alt+W")
    assert window.commands.action("file.welcome").shortcut() == QKeySequence("Ctrl+Alt+W")
    chooser = command_chooser(window, window.context, window.commands.shortcuts.keys)
    chooser.field.setText("welcome page")
    assert "Alt+W" in str(chooser.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole))
    chooser.deleteLater()
    again = make_window()
    assert again.commands.action("file.welcome").shortcut() == QKeySequence("Ctrl+Alt+W")
    again.close()
    again.deleteLater()


def test_a_conflict_is_named_and_taken_only_when_asked(window, keys) -> None:
    assign(keys, "file.welcome", "Ctrl+S")
    assert "already stands for Save" in keys.told.text()
    assert not keys.take.isHidden()
    assert window.commands.action("file.save").shortcut() == QKeySequence("Ctrl+S")
    keys.take.click()
    assert window.commands.action("file.welcome").shortcut() == QKeySequence("Ctrl+S")
    assert window.commands.action("file.save").shortcuts() == []
    keys.reset_all.click()
    assert window.commands.action("file.save").shortcut() == QKeySequence("Ctrl+S")


def test_keys_are_removed_and_reset(window, keys) -> None:
    keys.choose("graph.layout")
    keys.remove.click()
    assert window.commands.action("graph.layout").shortcuts() == []
    keys.choose("graph.layout")
    keys.reset.click()
    assert window.commands.action("graph.layout").shortcut() == QKeySequence("Ctrl+L")


def test_letters_that_would_be_typed_are_refused(window, keys) -> None:
    assign(keys, "file.save", "L")
    assert "needed for typing" in keys.told.text()
    assert keys.take.isHidden()
    keys.choose("file.open")
    keys.assign.click()
    assert "Press the new keys first" in keys.told.text()


def test_commands_are_found_by_words_and_by_keys(window, keys) -> None:
    for typed, command in (("paste pointer", "edit.paste"), ("ctrl+shift+p", "view.palette")):
        keys.search.setText(typed)
        keys.choose(command)
        assert keys.command_id == command
    keys.search.setText("no such thing")
    assert keys.command_id is None
    assert not keys.assign.isEnabled()


# ---------------------------------------------------------------------- recent files


@pytest.fixture
def three(window: MainWindow, tmp_path: Path) -> list[Path]:
    """Three files that were opened lately, the last one first."""
    document = window.application.new_document()
    paths = [(tmp_path / f"{name}.arch.json").resolve() for name in "abc"]
    for path in paths:
        window.application.save(document, path)
    window.application.close(document)
    return paths


def listed(dialog: RecentDialog) -> list[str]:
    return [dialog.list.item(k).text().split("\n")[0] for k in range(dialog.list.count())]


def test_recent_files_are_pinned_taken_off_and_opened_by_keyboard(window, three, monkeypatch, qtbot) -> None:
    dialog = RecentDialog(window, window.application.recent)
    dialog.show()
    assert listed(dialog) == ["c.arch.json", "b.arch.json", "a.arch.json"]
    dialog.list.setCurrentRow(2)
    qtbot.keyClick(dialog.list, Qt.Key.Key_P)
    assert listed(dialog) == ["★ a.arch.json", "c.arch.json", "b.arch.json"]
    dialog.list.clearSelection()
    dialog.list.setCurrentRow(1)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Delete)
    assert listed(dialog) == ["★ a.arch.json", "b.arch.json"]
    assert three[2].exists(), "only the list forgets it"
    dialog.search.setText("b.arch")
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert dialog.chosen == [three[1]]
    dialog.deleteLater()


def test_the_command_opens_what_was_chosen(window, three, monkeypatch) -> None:
    def choose(dialog: RecentDialog) -> int:
        dialog.list.selectAll()
        dialog.open_files.click()
        return 1

    monkeypatch.setattr(RecentDialog, "exec", choose)
    run_command("file.recent", window.context)
    assert {d.path for d in window.application.documents} == set(three)


def test_a_file_that_is_gone_says_so(window, three) -> None:
    three[0].unlink()
    dialog = RecentDialog(window, window.application.recent)
    assert listed(dialog)[2] == "a.arch.json  (gone)"
    dialog.deleteLater()
