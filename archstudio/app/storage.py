"""Opening, saving and recovering documents: the only place where a document meets the disk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archstudio.app.document import Document, copy_graph
from archstudio.edits import Edit, EditRefused, edit_from_json
from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.journal import Journal
from archstudio.files.recovery import Recovered
from archstudio.files.strict_json import read_json
from archstudio.graph import Graph, from_document, read_graph, write_graph
from archstudio.study.visibility import Visibility

EXTENSION = ".arch.json"
"""What a saved graph is called."""


def open_document(path: Path) -> Document:
    """Open a graph file; UnusableFile or GraphError says what is wrong with it."""
    return Document(read_graph(path), path=path)


def save_document(document: Document, path: Path) -> None:
    """Write the graph to `path`, whole or not at all; SaveFailed leaves the old file and the edits as they were."""
    save_atomic(path, write_graph(document.graph))
    document.mark_saved(path)


class DocumentJournal:
    """Keeps a document's unsaved edits on disk. One a document; ends with `close`."""

    def __init__(self, document: Document, folder: Path) -> None:
        self._document = document
        self._journal = Journal.create(folder, document.path, write_graph(document.graph))
        self._introduced = False
        self.failure: SaveFailed | None = None
        """Why the last edit could not be journalled, if it could not; it is tried again with the next one."""
        self._unwatch = document.history.watch(self._record)

    def _record(self, edit: Edit) -> None:
        try:
            if not self._introduced:
                self._introduced = True
                self._journal.append(_line({"about": self._about()}))
            self._journal.append(_line({"edit": edit.to_json()}))
            self.failure = None
        except SaveFailed as failure:
            self.failure = failure

    def _about(self) -> dict[str, Any]:
        start = json.loads(write_graph(self._document.start))
        return {"title": self._document.title, "task": self._document.task_id, "start": start}

    def flush(self) -> None:
        """Bring what was written onto the disk; called from the event loop within the journal's interval."""
        try:
            self._journal.flush()
        except SaveFailed as failure:
            self.failure = failure

    def saved(self) -> None:
        """Start over: the file now holds every edit."""
        self._journal.rebase(self._document.path, write_graph(self._document.graph))
        self._introduced = False

    def close(self) -> None:
        """End after a save or a deliberate discard: nothing is left to recover."""
        self._unwatch()
        self._journal.close_clean()


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Unsaved:
    """Unsaved work of an instance that died: what it started from, and the edits to make again."""

    title: str
    path: Path | None
    task_id: str | None
    base: Graph
    start: Graph
    edits: tuple[Edit, ...]
    incomplete: str
    """Why the last edits are missing; empty if all were kept."""
    found: Recovered

    def begin(self, visibility: Visibility) -> Document:
        """The document as it was last saved."""
        return Document(self.base, path=self.path, task_id=self.task_id, start=self.start, visibility=visibility)

    def replay(self, document: Document) -> str:
        """Make the edits again; returns why the rest could not be made, empty if all were."""
        for edit in self.edits:
            try:
                document.history.push(edit, "Recovered edit")
            except EditRefused as refusal:
                return str(refusal)
        return self.incomplete

    def discard(self) -> None:
        """Give the work up, or hand it over to the journal of the restored document."""
        self.found.discard()


def recover(found: Recovered) -> Unsaved:
    """Read a dead instance's journal; UnusableFile or GraphError if what it starts from cannot be used."""
    path = found.header.document
    name = "recovered work" if path is None else path.name
    base = from_document(read_json(found.header.base, name=name), file=name)
    about, edits, incomplete = _read_lines(found.lines)
    start = from_document(about["start"], file=name) if "start" in about else copy_graph(base)
    if found.torn and not incomplete:
        incomplete = "the last edit was cut off"
    return Unsaved(about.get("title", name), path, about.get("task"), base, start, tuple(edits), incomplete, found)


def _read_lines(lines: tuple[str, ...]) -> tuple[dict[str, Any], list[Edit], str]:
    about: dict[str, Any] = {}
    edits: list[Edit] = []
    for line in lines:
        content = json.loads(line)
        if "about" in content:
            about = content["about"]
        else:
            try:
                edits.append(edit_from_json(content["edit"]))
            except EditRefused as refusal:
                return about, edits, str(refusal)
    return about, edits, ""


def copy_as_text(graph: Graph) -> str:
    """The graph as the text of its file, for the clipboard."""
    return write_graph(graph).decode("utf-8")
