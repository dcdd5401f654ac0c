"""What a graph can be compared with: its start, its saved file, another open graph, both of them, any file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from archstudio.app.application import Application
from archstudio.app.comparing import Comparison, compare, compare_with_start
from archstudio.app.document import Document
from archstudio.app.opening import open_graph
from archstudio.app.storage import TASK
from archstudio.app.words import said
from archstudio.graph import Graph
from archstudio.ui.chooser import Choice

START, SAVED, FILE = "start", "saved", "file"
_TAB, _TAB_AND_START = "tab:", "three:"


def comparable(application: Application, document: Document) -> list[Choice]:
    """The rows to choose from, likeliest first."""
    rows = []
    if document.task_id is not None:
        rows.append(Choice(START, said("The start of the task"), said("what you have changed so far")))
    elif document.history.can_undo or document.path is not None:
        rows.append(Choice(START, said("The graph as it was opened"), said("what you have changed since")))
    if document.path is not None and document.path.exists():
        title = said("The file {name}").format(name=document.path.name)
        rows.append(Choice(SAVED, title, said("what saving would change, or others have written")))
    others = [d for d in application.documents if d is not document]
    place, against = application.documents.index, said("{name}, each against the start")
    rows += [Choice(f"{_TAB}{place(d)}", d.title, said("another open graph")) for d in others]
    rows += [
        Choice(f"{_TAB_AND_START}{place(d)}", against.format(name=d.title), said("what either has changed"))
        for d in others
    ]
    rows.append(Choice(FILE, said("Another file…"), said("any graph file, or a picture with a graph")))
    return rows


def comparison_with(
    application: Application, document: Document, key: str, ask_file: Callable[[], Path | None]
) -> Comparison | None:
    """The comparison that was chosen; None if no file was. UnusableFile or GraphError where one cannot be read."""
    here = (document.title, document.graph)
    if key == START:
        return compare((said("{name} at the start").format(name=document.title), document.start), here)
    if key == SAVED:
        assert document.path is not None
        return compare((said("{name} on disk").format(name=document.path.name), _read(document.path)), here)
    if key == FILE:
        path = ask_file()
        return None if path is None else compare((path.name, _read(path)), here)
    other = application.documents[int(key.rpartition(":")[2])]
    title = other.title if other.title != document.title else f"{other.title} (2)"
    there = (title, other.graph)
    if key.startswith(_TAB_AND_START):
        return compare_with_start(document.start, here, there)
    return compare(there, here)


def _read(path: Path) -> Graph:
    graph = open_graph(path).graph
    graph.set_meta(TASK, None)  # whose solution a file holds is no difference between graphs
    return graph
