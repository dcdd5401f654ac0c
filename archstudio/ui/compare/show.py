"""Asks what to compare the open graph with, and opens the window that shows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from archstudio.app.document import Document
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError
from archstudio.ui.chooser import Choice, Chooser
from archstudio.ui.compare.choosing import comparable, comparison_with
from archstudio.ui.compare.window import CompareWindow

if TYPE_CHECKING:
    from archstudio.ui.window import MainWindow


def show_comparison(window: MainWindow) -> CompareWindow | None:
    """Ask with what, and show it; None if nothing was chosen or it cannot be read."""
    document = window.application.current
    chosen = None if document is None else compare_chooser(window, document).ask()
    if document is None or chosen is None:
        return None
    try:
        comparison = comparison_with(window.application, document, chosen, lambda: _ask_file(window))
    except (UnusableFile, GraphError, OSError) as fault:
        window.view.notify(window.tr("Cannot be compared"), str(fault), fault=True)
        return None
    if comparison is None:
        return None
    shown = CompareWindow(window, comparison, window.theme, document.visibility)
    shown.chosen.connect(lambda part: go_to(window, document, part))
    shown.show()
    return shown


def compare_chooser(window: MainWindow, document: Document) -> Chooser:
    """Picks what to compare with."""
    rows = comparable(window.application, document)

    def find(text: str) -> list[Choice]:
        return [
            row for row in rows if all(w in f"{row.title} {row.beside}".casefold() for w in text.casefold().split())
        ]

    name, prompt = window.tr("Compare"), window.tr("Compare {name} with…").format(name=document.title)
    return Chooser(window, name, prompt, find, window.tr("Nothing is called that."))


def _ask_file(window: MainWindow) -> Path | None:
    return next(iter(window.view.ask_open()), None)


def go_to(window: MainWindow, document: Document, part: str) -> None:
    """Go to a part in the graph itself, if it is still open and has it."""
    if document not in window.application.documents:
        return
    window.application.make_current(document)
    if part in document.graph:
        document.selection.set([part])
        window.view.center_on(part)
    elif document.graph.has_connection(part):
        document.selection.set((), [part])
        window.view.center_on(document.graph.connection(part).target)
    window.activateWindow()
