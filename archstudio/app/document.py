"""One open graph: what is edited, its history, its verdict, its selection and where it is saved."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from archstudio.app.selection import Selection
from archstudio.app.watched import Watched
from archstudio.bench.task_files import FiledTask
from archstudio.design.follow import follow
from archstudio.edits import Batch, Edit
from archstudio.edits.diff import diff
from archstudio.edits.history import History
from archstudio.graph import Graph
from archstudio.study.visibility import EVERYTHING, Visibility
from archstudio.verify.session import Session
from archstudio.verify.verdict import Verdict


class Document(Watched):
    """A graph with everything that belongs to editing it. Knows neither Qt nor files' contents.

    `start` is the graph as it was opened: the plan is made from it. `task_id` names the task it belongs to, if any.
    Watchers hear of each step, save and change of task.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        path: Path | None = None,
        task_id: str | None = None,
        start: Graph | None = None,
        visibility: Visibility = EVERYTHING,
    ) -> None:
        super().__init__()
        self.graph = graph
        self.path = path
        self.task_id = task_id
        self.start = copy_graph(graph) if start is None else start
        self.visibility = visibility
        self.task: FiledTask | None = None
        """The task itself, where it is in no library of this person's: studies bring their own."""
        self.history = History(graph)
        self.session = Session(graph)
        self.selection = Selection()
        self.opened_at = perf_counter()
        """When it was opened, by the clock that only measures."""
        self.checked_ms: float | None = None
        """How long the last check took, in milliseconds; None before the first."""
        self.on_disk: str | None = None
        """Fingerprint of the file as it was last read or written; None if it never was."""
        self.vanished = False
        """Whether its file was deleted meanwhile, so that only the window still has the graph."""
        self.repairs: tuple[str, ...] = ()
        """What had to be changed to make a graph of the file; empty once that is saved."""
        self.lost = ""
        """Why some recovered edits could not be made again; empty if none were lost."""

    @property
    def title(self) -> str:
        """What its tab shows."""
        return self.graph.name if self.path is None else self.path.name.removesuffix(".arch.json")

    @property
    def verdict(self) -> Verdict:
        """What is true of the graph now."""
        if self.session.is_current:
            return self.session.verdict()
        start = perf_counter()
        verdict = self.session.verdict()
        self.checked_ms = (perf_counter() - start) * 1000
        return verdict

    @property
    def modified(self) -> bool:
        """Whether there is something that no file holds."""
        return self.vanished or bool(self.repairs) or not self.history.is_clean

    def push(self, edit: Edit, label: str, merge_key: str | None = None) -> None:
        """Make an edit as one undo step; sizes that follow a wire are rewritten within the same step.

        EditRefused leaves everything as it was.
        """
        if self.visibility.sized_splice:
            edit = self._with_followers(edit, label)
        self.history.push(edit, label, merge_key)
        self._after_change()

    def _with_followers(self, edit: Edit, label: str) -> Edit:
        """The edit together with what it makes follow: tried on the graph, measured, and taken back."""
        inverse = edit.apply(self.graph)
        try:
            following = follow(self.graph, self.session.verdict())
        finally:
            inverse.apply(self.graph)
        return edit if following is None else Batch((edit, following), label)

    def become(self, graph: Graph, label: str) -> None:
        """Make the graph equal to another as one undo step; nothing is added to what the other says."""
        edit = diff(self.graph, graph, label)
        if edit is not None:
            self.history.push(edit, label)
        self.graph.extra = dict(graph.extra)
        self._after_change()

    def undo(self) -> None:
        """Take the last step back."""
        self.history.undo()
        self._after_change()

    def retract(self) -> None:
        """Take the last step back for good."""
        self.history.retract()
        self._after_change()

    def redo(self) -> None:
        """Make the step again that was taken back last."""
        self.history.redo()
        self._after_change()

    def mark_saved(self, path: Path | None = None) -> None:
        """Remember that the present state is the one in the file."""
        if path is not None:
            self.path = path
        self.history.mark_clean()
        self.tell()

    def _after_change(self) -> None:
        kept = (n for n in self.selection.nodes if n in self.graph)
        wires = (c for c in self.selection.connections if self.graph.has_connection(c))
        self.selection.set(kept, wires, (n for n in self.selection.notes if n in self.graph.notes))
        self.tell()


def copy_graph(graph: Graph) -> Graph:
    """An independent copy: its parts cannot be changed, so they are shared."""
    return graph.copy()
