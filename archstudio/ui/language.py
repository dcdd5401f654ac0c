"""The language of the window: catalogues of `resources/translations`, chosen by a person or by the system.

A catalogue is one JSON object from English texts to those of a language, whatever class they stand in. Qt's own tools
want texts to stand in code of Qt; ours stand in tables (commands, columns) as well, and this finds both.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import get_args

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from archstudio.app.commands import Command
from archstudio.app.view import LanguageChoice
from archstudio.app.words import Pattern, said, set_words
from archstudio.files.data import data_path
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile

LANGUAGE = "language"
"""Key of the settings file that holds the choice."""
ENGLISH, SHIPPED = "en", ("de",)
PARTS = ("", "-problems", "-layers", "-practice", "-notices")
"""A language's files: the window, problems and explanations, layers and parameters, practice, refusals and notices."""


@cache
def catalogue(language: str) -> dict[str, str]:
    """Texts of a language by their English ones; empty for English and for languages that are not shipped."""
    if language not in SHIPPED:
        return {}
    return {source: text for part in PARTS for source, text in _read(f"{language}{part}.json").items()}


@cache
def patterns(language: str) -> tuple[Pattern, ...]:
    """How texts that are made of parts are said in a language; none for English and for languages not shipped."""
    if language not in SHIPPED:
        return ()
    return tuple(Pattern(source, target) for source, target in _read(f"{language}-patterns.json").items())


@cache
def parts(language: str) -> dict[str, str]:
    """Words that stand within made texts only, by their English ones."""
    return _read(f"{language}-words.json") if language in SHIPPED else {}


def _read(name: str) -> dict[str, str]:
    path = data_path("resources", "translations", name)
    found = read_json(path, name=path.name)
    if not isinstance(found, dict):
        raise UnusableFile(path.name, problem="holds no catalogue", remedy="Install Arch Studio again.")
    return {str(source): str(text) for source, text in found.items()}


def chosen_language(stored: object) -> LanguageChoice:
    """The choice in the settings file; anything else means the system's language."""
    known: tuple[LanguageChoice, ...] = get_args(LanguageChoice)
    return next((choice for choice in known if choice == stored), "system")


def resolve_language(choice: LanguageChoice) -> str:
    """The language that a choice means now: the first of the system's that is shipped, else English."""
    if choice != "system":
        return choice
    wanted = [name.replace("_", "-").split("-")[0] for name in QLocale.system().uiLanguages()]
    return next((name for name in wanted if name == ENGLISH or catalogue(name)), ENGLISH)


def spoken(row: Command) -> Command:
    """A command as the window's language says it: title and help. Its menu stays the key of that menu."""
    return replace(row, title=said(row.title), help=said(row.help))


def spoken_menu(row: Command) -> str:
    """Where a command stands, as the window's language says it: `Bearbeiten › Verschieben`."""
    return " › ".join(said(name) for name in row.menu.split("/") if name)


class Catalogue(QTranslator):
    """Answers Qt's questions for a text, in whatever class it stands."""

    def __init__(self, texts: dict[str, str], parent: QCoreApplication) -> None:
        super().__init__(parent)
        self._texts = texts

    def isEmpty(self) -> bool:
        """Whether there is nothing in it."""
        return not self._texts

    def translate(self, context: str, sourceText: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """The text in this language; None where there is none, so that others are asked and the English one stays."""
        return self._texts.get(sourceText)


_installed: list[QTranslator] = []


def install_language(language: str) -> None:
    """Speak a language from now on; what is on the screen already stays as it is."""
    application = QCoreApplication.instance()
    if application is None:
        raise RuntimeError("A language can only be set for a running application.")
    while _installed:
        application.removeTranslator(_installed.pop())
    texts = catalogue(language)
    set_words((lambda text: texts.get(text, text)) if texts else None, patterns(language), parts(language))
    if not texts:
        return
    of_qt = QTranslator(application)
    if of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        _installed.append(of_qt)
    _installed.append(Catalogue(texts, application))
    for translator in _installed:
        application.installTranslator(translator)
