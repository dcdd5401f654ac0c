"""The running application without its window: open documents, settings, what was opened lately."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.collecting import collection_put_off
from archstudio.app.document import Document
from archstudio.app.favourites import Favourites
from archstudio.app.storage import (
    TASK,
    DocumentJournal,
    Unsaved,
    disk_state,
    open_document,
    recover,
    reload_document,
    save_document,
)
from archstudio.app.tasks.opening import task_document
from archstudio.app.tasks.room import TaskRoom
from archstudio.app.watched import Watched
from archstudio.bench.tasks import UnknownName
from archstudio.files.home import recovery_path, settings_path
from archstudio.files.recent import RecentFiles
from archstudio.files.recovery import find_unsaved_work
from archstudio.files.settings import SettingsFile
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Connection, Graph, GraphError, Node
from archstudio.study.visibility import EVERYTHING, Visibility

_LEAST_BYTES_A_PART = 40
"""A wire takes no less in a file."""


class Application(Watched):
    """Everything the windows of one process share. Watchers hear when documents open, close, save or become current."""

    def __init__(self, visibility: Visibility = EVERYTHING) -> None:
        super().__init__()
        self.visibility = visibility
        self.settings = SettingsFile(settings_path() / "settings.json")
        self.recent = RecentFiles(SettingsFile(settings_path() / "recent.json"))
        self.tasks = TaskRoom()
        self.favourites = Favourites(self.settings)
        self.documents: list[Document] = []
        self.current: Document | None = None
        self._journals: dict[int, DocumentJournal] = {}

    # ------------------------------------------------------------- documents

    def new_document(self) -> Document:
        """Open an empty graph: an input wired to an output."""
        return self.adopt(Document(empty_graph(self._fresh_title("untitled")), visibility=self.visibility))

    def open_task(self, ref: str) -> Document:
        """Open the starting graph of a task or an exercise, or come back to it if it is open.

        UnknownName if there is none; UnusableFile or GraphError if its file or graph cannot be used.
        """
        for document in self.documents:
            if document.task_id == ref:
                self.make_current(document)
                return document
        return self.adopt(task_document(ref, self.visibility, self.tasks.library))

    def open_file(self, path: Path) -> Document:
        """Open a graph file, or come back to it if it is open; UnusableFile or GraphError says what is wrong.

        A picture with a graph inside opens as an untitled copy, so that saving does not write over the picture.
        """
        path = path.resolve()
        for document in self.documents:
            if document.path == path:
                self.make_current(document)
                return document
        with collection_put_off(_parts_at_most(path)):
            return self._open_anew(path)

    def _open_anew(self, path: Path) -> Document:
        document = open_document(path)
        document.visibility = self.visibility
        self._rejoin(document)
        self.recent.add(path)
        return self.adopt(document)

    def _rejoin(self, document: Document) -> None:
        """Give a saved solution its task back; of a task that is not known here the file keeps the name."""
        ref = document.graph.meta.get(TASK)
        if not isinstance(ref, str):
            return
        try:
            task = task_document(ref, self.visibility, self.tasks.library)
        except (UnknownName, UnusableFile, GraphError):
            return
        document.graph.set_meta(TASK, None)
        document.task_id, document.start, document.visibility = ref, task.graph, task.visibility

    def adopt(self, document: Document) -> Document:
        """Make a document one of ours: journalled, listed and current."""
        self._journals[id(document)] = DocumentJournal(document, recovery_path())
        self.documents.append(document)
        self.make_current(document)
        return document

    def make_current(self, document: Document | None) -> None:
        """Show this document."""
        self.current = document
        self.tell()

    def save(self, document: Document, path: Path, *, overwrite: bool = False) -> None:
        """Save a document; SaveFailed and ChangedOnDisk leave file, edits and journal as they were."""
        save_document(document, path.resolve(), overwrite=overwrite)
        self._journals[id(document)].saved()
        self.recent.add(path.resolve())
        self.tell()

    def reload(self, document: Document) -> None:
        """Take over what its file says now, as one undo step; UnusableFile or GraphError changes nothing."""
        reload_document(document)
        self._journals[id(document)].saved()
        self.tell()

    def look_at_files(self) -> list[Document]:
        """Look whether files were changed by others; returns their documents. One whose file is gone is unsaved."""
        states = {document: disk_state(document) for document in self.documents}
        for document, state in states.items():
            if document.vanished != (state == "gone"):
                document.vanished = state == "gone"
                document.tell()
        return [document for document, state in states.items() if state == "changed"]

    def close(self, document: Document) -> None:
        """Close a document for good: saved, or deliberately given up."""
        self._journals.pop(id(document)).close()
        at = self.documents.index(document)
        self.documents.remove(document)
        if self.current is document:
            self.make_current(self.documents[min(at, len(self.documents) - 1)] if self.documents else None)
        else:
            self.tell()

    def flush_journals(self) -> None:
        """Bring all journalled edits onto the disk; the window calls this often."""
        for journal in self._journals.values():
            journal.flush()

    def journal_failure(self) -> str | None:
        """Why unsaved edits cannot be kept safe at present, if so."""
        failures = [str(j.failure) for j in self._journals.values() if j.failure is not None]
        return failures[0] if failures else None

    # -------------------------------------------------------------- recovery

    def unsaved_work(self) -> tuple[list[Unsaved], list[str]]:
        """Work of instances that died, with its edits made again; and what was found but could not be read."""
        findings = find_unsaved_work(recovery_path())
        unsaved: list[Unsaved] = []
        unreadable = [str(fault) for fault in findings.unreadable]
        for found in findings.recovered:
            try:
                unsaved.append(recover(found))
            except (GraphError, UnusableFile) as fault:
                found.leave()
                unreadable.append(str(fault))
        return unsaved, unreadable

    def restore(self, unsaved: Unsaved) -> Document:
        """Open recovered work. It is journalled anew before the old journal goes, so a second crash loses nothing."""
        document = self.adopt(unsaved.begin(self.visibility))
        document.lost = unsaved.replay(document)
        self.flush_journals()
        unsaved.discard()
        self.tell()
        return document

    def reopen(self, tab: Unsaved) -> Document | None:
        """Open a tab again that a crash closed without unsaved edits; None if it is open already."""
        if any(_is_same(document, tab) for document in self.documents):
            tab.discard()
            return None
        try:
            if tab.path is None:
                return self.restore(tab)
            document = self.open_file(tab.path)
        except (UnusableFile, GraphError):
            return self.restore(tab)  # the file is gone or spoilt: what it held last is all there is
        tab.discard()
        return document

    def _fresh_title(self, stem: str) -> str:
        taken = {d.graph.name for d in self.documents}
        k = 1
        while (title := stem if k == 1 else f"{stem} {k}") in taken:
            k += 1
        return title


def empty_graph(name: str) -> Graph:
    """An input wired to an output: the smallest graph that is one."""
    graph = Graph(name)
    graph.insert_node(Node("n0", "input", "input", {"shape": [1, 32]}))
    graph.insert_node(Node("n1", "output", "output"))
    graph.insert_connection(Connection("c0", "n0", "n1"))
    return graph


def _is_same(document: Document, tab: Unsaved) -> bool:
    """Whether a tab is open already: on the same file or, where neither has one, on the same task."""
    if document.path is not None or tab.path is not None:
        return document.path == tab.path
    return document.task_id == tab.task_id is not None


def _parts_at_most(path: Path) -> int:
    """How many layers and wires a file may hold; none where it cannot be asked."""
    try:
        return path.stat().st_size // _LEAST_BYTES_A_PART
    except OSError:
        return 0
