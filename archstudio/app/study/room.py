"""The application as a study has it: one graph at a time, every edit reported, nothing journalled or remembered."""

from __future__ import annotations

from typing import Literal

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.edits import Edit, EditRefused
from archstudio.study.session import GraphDesk
from archstudio.study.session.desks import NotNow
from archstudio.study.visibility import Visibility


class StudyDocument(Document):
    """The window's copy of an item's graph; each edit goes to the desk as it is made, taken back or made again."""

    def __init__(self, desk: GraphDesk, visibility: Visibility) -> None:
        super().__init__(desk.graph, start=desk.turn_start, visibility=visibility)
        if visibility.task_verdict:
            self.task = desk.task
        self.desk = desk
        self.unreported = ""
        """Why an edit could not be recorded, if one could not; the graph is then taken from the record again."""
        self._how: Literal["do", "undo", "redo"] = "do"
        self.history.watch(self._report)

    @property
    def title(self) -> str:
        """The item's name is not shown: names of tasks tell what they are about."""
        return ""

    def undo(self) -> None:
        self._how = "undo"
        try:
            super().undo()
        finally:
            self._how = "do"

    def redo(self) -> None:
        self._how = "redo"
        try:
            super().redo()
        finally:
            self._how = "do"

    def begin_turn(self) -> None:
        """A submission was made: the next plan starts from here."""
        self.start = self.desk.turn_start
        self.tell()

    def _report(self, edit: Edit) -> None:
        try:
            self.desk.edited(edit, self._how)
        except (NotNow, EditRefused) as reason:
            self.unreported = str(reason)

    @property
    def is_recorded(self) -> bool:
        """Whether the record holds the very graph that is shown."""
        return not self.unreported and self.desk.matches(self.graph)


class StudyRoom(Application):
    """What panels and canvas of a study follow. Nothing is written beside the session's own log."""

    def adopt(self, document: Document) -> Document:
        """Show this graph, and no other."""
        self.documents = [document]
        self.make_current(document)
        return document

    def close(self, document: Document) -> None:
        """Let go of the graph."""
        self.documents = []
        self.make_current(None)
