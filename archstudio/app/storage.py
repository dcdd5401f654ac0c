"""Opening, saving and recovering documents: the only place where a document meets the disk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from archstudio.app.document import Document, copy_graph
from archstudio.app.opening import open_graph
from archstudio.edits import Edit, EditRefused, edit_from_json
from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.fingerprint import fingerprint, fingerprint_of
from archstudio.files.home import locks_path
from archstudio.files.journal import Journal
from archstudio.files.locks import FileLock
from archstudio.files.recovery import Recovered
from archstudio.files.strict_json import read_json
from archstudio.graph import Graph, from_document, write_graph
from archstudio.study.visibility import Visibility

EXTENSION = ".arch.json"
"""What a saved graph is called."""
TASK = "task"
"""Key of a file's `meta` that names the task whose solution the graph is."""


DiskState: TypeAlias = Literal["same", "changed", "gone"]
"""How a document's file stands against what was last read from it or written to it."""


class ChangedOnDisk(Exception):
    """A file was not written because somebody else has changed it since it was read or saved here."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"'{path}' was changed by another program or window. Nothing was written.")


def open_document(path: Path) -> Document:
    """Open a graph file, or a picture that carries a graph; UnusableFile or GraphError says what is wrong with it.

    A file that broke the rules is opened as it could be repaired, with unsaved changes.
    """
    before = fingerprint(path)  # taken first: a change while it is read is then noticed at the next save
    opened = open_graph(path)
    document = Document(opened.graph, path=path if opened.own_file else None)
    document.on_disk = before if opened.own_file else None
    document.repairs = opened.notes
    return document


def save_document(document: Document, path: Path, *, overwrite: bool = False) -> None:
    """Write the graph to `path`, whole or not at all.

    SaveFailed, and ChangedOnDisk unless `overwrite` says that another's changes may go, leave the old file and the
    edits as they were.
    """

    def check(target: Path) -> None:
        if path == document.path and disk_state(document) == "changed":
            raise ChangedOnDisk(path)

    data = write_graph(_named(document))
    with _one_at_a_time():
        save_atomic(path, data, check=None if overwrite else check)
    document.on_disk = fingerprint_of(data)
    document.vanished, document.repairs = False, ()
    document.mark_saved(path)


def _named(document: Document) -> Graph:
    """The graph as its file holds it: with the name of its task."""
    if document.task_id is None:
        return document.graph
    graph = document.graph.copy()
    graph.set_meta(TASK, document.task_id)
    return graph


def disk_state(document: Document) -> DiskState:
    """Whether a document's file is as it was left; a document without a file is."""
    if document.path is None:
        return "same"
    now = fingerprint(document.path)
    if now is None:
        return "gone"
    return "same" if now == document.on_disk else "changed"


def reload_document(document: Document) -> None:
    """Make the graph what its file says, as one undo step; UnusableFile or GraphError leaves it as it was."""
    assert document.path is not None
    before = fingerprint(document.path)
    opened = open_graph(document.path)
    if document.task_id is not None:
        opened.graph.set_meta(TASK, None)
    document.become(opened.graph, "Reload from disk")
    document.on_disk = before
    document.vanished, document.repairs = False, opened.notes
    document.mark_saved()


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let no other window of this person save between our look at a file and our write.

    Where the lock cannot be made the look alone has to do: it comes right before the file is replaced.
    """
    with ExitStack() as held:
        try:
            held.enter_context(FileLock.take(locks_path() / "saving.lock"))
        except OSError:
            held.close()
        yield


class DocumentJournal:
    """Keeps a document's unsaved edits on disk. One a document; ends with `close`."""

    def __init__(self, document: Document, folder: Path) -> None:
        self._document = document
        self._journal = Journal.create(folder, document.path, write_graph(document.graph))
        self._introduced = False
        self.failure: SaveFailed | None = None
        """Why the last edit could not be journalled, if it could not; it is tried again with the next one."""
        self._note_tab()
        self._unwatch = document.history.watch(self._record)

    def _note_tab(self) -> None:
        """Write down what is open, so that a crash costs no tab, edited or not."""
        try:
            self._journal.append(_line({"tab": self._tab()}))
        except SaveFailed as failure:
            self.failure = failure

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
        return {**self._tab(), "start": start}

    def _tab(self) -> dict[str, Any]:
        document = self._document
        return {"title": document.title, "task": document.task_id, "onDisk": document.on_disk}

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
        self._note_tab()

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
    on_disk: str | None
    """Fingerprint of its file when it was last read or written."""
    found: Recovered

    @property
    def edited(self) -> bool:
        """Whether there is more to restore than an open tab."""
        return bool(self.edits or self.incomplete)

    def begin(self, visibility: Visibility) -> Document:
        """The document as it was last saved."""
        made = Document(self.base, path=self.path, task_id=self.task_id, start=self.start, visibility=visibility)
        made.on_disk = self.on_disk
        return made

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
    title, task, on_disk = about.get("title", name), about.get("task"), about.get("onDisk")
    return Unsaved(title, path, task, base, start, tuple(edits), incomplete, on_disk, found)


def _read_lines(lines: tuple[str, ...]) -> tuple[dict[str, Any], list[Edit], str]:
    about: dict[str, Any] = {}
    edits: list[Edit] = []
    for line in lines:
        content = json.loads(line)
        if "about" in content or "tab" in content:
            about |= content.get("about") or content["tab"]
        else:
            try:
                edits.append(edit_from_json(content["edit"]))
            except EditRefused as refusal:
                return about, edits, str(refusal)
    return about, edits, ""


def copy_as_text(graph: Graph) -> str:
    """The graph as the text of its file, for the clipboard."""
    return write_graph(graph).decode("utf-8")
