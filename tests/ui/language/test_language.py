"""Everything the window says has a German text, and a person can choose the language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QDialogButtonBox

import archstudio
from archstudio.app.commands import all_commands
from archstudio.app.figures import plural
from archstudio.app.words import said
from archstudio.ui.language import (
    SHIPPED,
    catalogue,
    chosen_language,
    install_language,
    resolve_language,
    spoken,
    spoken_menu,
)
from archstudio.ui.menus import MENUS

ROOM = Path(archstudio.__file__).parent
HOLE = re.compile(r"\{\w*[^}]*\}")


def literals(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be; what is looked up by a variable is in a table of its own."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def texts_of(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("tr", "said") and call.args:
        yield from literals(call.args[0])
    elif name == "plural" and len(call.args) > 1:
        ones = list(literals(call.args[1]))
        yield from ones
        yield from literals(call.args[2]) if len(call.args) > 2 else [f"{one}s" for one in ones]


def texts_in_code() -> dict[str, str]:
    """Every text that the window and the application translate, with the file it stands in."""
    found: dict[str, str] = {}
    for file in sorted([*(ROOM / "ui").rglob("*.py"), *(ROOM / "app").rglob("*.py")]):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                found.update({text: file.name for text in texts_of(node) if text.strip()})
    return found


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    install_language("de")
    yield
    install_language("en")


@pytest.mark.parametrize("language", SHIPPED)
def test_every_text_of_the_window_has_one_in_each_language(language: str) -> None:
    missing = {text: file for text, file in texts_in_code().items() if text not in catalogue(language)}
    assert not missing, f"{len(missing)} texts without {language}: {missing}"


@pytest.mark.parametrize("language", SHIPPED)
def test_every_command_has_its_title_menu_and_help_in_each_language(language: str) -> None:
    texts = {text for row in all_commands() for text in (row.title, row.help, *row.menu.split("/")) if text}
    assert not sorted(text for text in {*texts, *MENUS} if text not in catalogue(language))


@pytest.mark.parametrize("language", SHIPPED)
def test_translations_have_the_same_holes_and_are_not_empty(language: str) -> None:
    for source, text in catalogue(language).items():
        assert text.strip(), source
        assert sorted(HOLE.findall(source)) == sorted(HOLE.findall(text)), source
        assert source.endswith("…") == text.endswith("…"), source
        assert source.startswith(" ") == text.startswith(" "), source


def test_texts_are_looked_up_wherever_they_stand_and_others_stay(german: None) -> None:
    assert QCoreApplication.translate("AnyClass", "Layers") == "Schichten"
    assert QCoreApplication.translate("AnyClass", "nobody wrote this") == "nobody wrote this"
    assert (plural(1, "layer"), plural(2_000, "layer")) == ("1 Schicht", "2,000 Schichten")
    assert said("no such text") == "no such text"
    undo = next(row for row in all_commands() if row.id == "edit.undo")
    assert (spoken(undo).title, spoken_menu(undo)) == ("Rückgängig", "Bearbeiten")


def test_qts_own_words_are_german_too(german: None, qtbot: Any) -> None:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "Abbrechen"


def test_back_in_english_nothing_german_is_left(qapp: QApplication) -> None:
    install_language("de")
    install_language("en")
    assert QCoreApplication.translate("AnyClass", "Layers") == "Layers"
    assert plural(2, "layer") == "2 layers"


def test_the_system_decides_unless_a_person_has(monkeypatch: pytest.MonkeyPatch) -> None:
    class System:
        languages = ("de-AT", "en-GB")

        def uiLanguages(self) -> tuple[str, ...]:
            return self.languages

    monkeypatch.setattr("archstudio.ui.language.QLocale.system", System)
    assert resolve_language("system") == "de"
    monkeypatch.setattr(System, "languages", ("fr-FR", "en-GB", "de-DE"))
    assert resolve_language("system") == "en"
    assert resolve_language("de") == "de"
    assert (chosen_language("de"), chosen_language(None), chosen_language("xx")) == ("de", "system", "system")


def test_the_window_speaks_german_after_it_was_chosen(own_home: Path, qtbot: Any, qapp: QApplication) -> None:
    from archstudio.app.application import Application
    from archstudio.ui.start import make_window

    application = Application()
    application.settings.update({"language": "de"})
    window = make_window(application)
    assert [action.text() for action in window.menuBar().actions()][:3] == ["Datei", "Bearbeiten", "Ansicht"]
    assert window.commands.action("edit.undo").text() == "Rückgängig"
    assert window.docks.docks["layers"].windowTitle() == "Schichten"
    window.view.set_language("en")
    assert window.view.language_choice() == "en"
    window.close()
    window.deleteLater()
    install_language("en")
