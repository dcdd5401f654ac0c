"""Goes through the items of a session in its window: shows them, hides them in pauses, submits and answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QWidget

from archstudio.study.session import Feedback, GraphDesk, QuestionDesk, Session
from archstudio.ui.study.before import TellingPage
from archstudio.ui.study.brief_panel import BriefPanel
from archstudio.ui.study.graph_stage import GraphStage
from archstudio.ui.study.painting import FirstPaint
from archstudio.ui.study.small_dialogs import FlagDialog, ModelTextDialog, SubmitDialog

if TYPE_CHECKING:
    from archstudio.ui.quiz.page import QuizPage
    from archstudio.ui.study.window import StudyWindow


class ItemFlow:
    """The items, one after the other. The item in front is `graph` or `quiz`."""

    def __init__(self, window: StudyWindow, session: Session) -> None:
        self._window, self._session = window, session
        self.graph: GraphStage | None = None
        self.quiz: QuizPage | None = None
        self._paint: FirstPaint | None = None

    # ------------------------------------------------------------------ showing

    @property
    def widget(self) -> QWidget | None:
        """What shows the item in front."""
        return self.quiz if self.graph is None else self.graph.canvas

    def present(self) -> None:
        """Show the next item, or the one in front again; after the last one the next stage."""
        window, session = self._window, self._session
        self.leave()
        if not window.record(session.present):
            return
        desk = session.desk
        if desk is None:
            window.show_stage()
            return
        order = session.state.order
        practice = desk.item.block == "practice"
        window.bar.show_item(desk.shown.position, len(order), practice=practice)
        window.bar.show_time(0, None)
        window.actions_of["study.seen"].setChecked(bool(desk.shown.seen_before))
        if isinstance(desk, GraphDesk):
            self._show_graph(desk)
        else:
            self._show_question(desk)
        self.reappear(session.painted)

    def _show_graph(self, desk: GraphDesk) -> None:
        window = self._window
        assert window.docks is not None
        self.graph = GraphStage(window.application, desk, self._session.visibility, window.theme)
        self.graph.canvas.refused.connect(window.notice.tell)
        self.graph.canvas.edit_asked.connect(window.view.edit_parameters)
        self.graph.document.watch(window.commands.update)
        self.graph.document.selection.watch(window.commands.update)
        window.commands.give_canvas(self.graph.canvas)
        window.central.show(self.graph.canvas)
        brief = BriefPanel(desk.item.brief)
        window.docks.show_brief(brief)
        self._show_told_before(desk, brief)

    def _show_told_before(self, desk: GraphDesk, brief: BriefPanel) -> None:
        """After a crash: what was told last, as it stood there."""
        conduct = self._session.conduct
        may = {"audit": conduct.audits, "submit": conduct.tells_failures}
        told = [each for each in desk.shown.tried if may[each.kind]]
        if told:
            last = told[-1]
            failures, passed = tuple(last.data["told"]), bool(last.data["g"]["passed"])
            brief.show_earlier(last.number, failures, audit=last.kind == "audit", passed=passed)

    def _show_question(self, desk: QuestionDesk) -> None:
        from archstudio.app.study.question import StudyQuestion
        from archstudio.ui.quiz.page import QuizPage  # pyqtgraph comes with it

        question = StudyQuestion(desk, desk.shown.position, len(self._session.state.order))
        self.quiz = QuizPage(question, self._window.theme)
        for part in (self.quiz.head.leave, self.quiz.head.place, self.quiz.head.bar):
            part.hide()  # the study's own bar says it
        self.quiz.refused.connect(lambda why: self._window.notice.tell(why, fault=True))
        self.quiz.over.connect(self._later(self.present))
        if not desk.reveals:
            self.quiz.answered.connect(self._later(self.present))

    def _later(self, run: Callable[[], None]) -> Callable[[], None]:
        """Once the page that asked for it has finished its own work."""
        return lambda *_: QTimer.singleShot(0, self._window, run)

    def reappear(self, then: Callable[[], object]) -> None:
        """Put the item on the screen; its clock goes on once it is fully painted."""
        window, widget = self._window, self.widget
        assert widget is not None
        window.show_item(widget)
        if window.docks is not None:
            window.docks.set_visible(self.graph is not None)
        painted = widget if self.graph is None else self.graph.canvas.viewport()
        if self.graph is not None:
            self.graph.canvas.setFocus()
            QTimer.singleShot(0, self.graph.canvas, self.graph.canvas.fit)
        self._paint = FirstPaint(painted, lambda: window.record(then))

    def leave(self) -> None:
        """The item is done, or the window closes."""
        window = self._window
        if self._paint is not None:
            self._paint.cancel()
            self._paint = None
        if window.dialog is not None:
            window.dialog.reject()
        widget = self.widget
        if widget is not None:
            window.stack.removeWidget(widget)
        if self.graph is not None:
            window.central.show(None)
            self.graph.end()
            self.graph = None
        if self.quiz is not None:
            self.quiz.deleteLater()
            self.quiz = None
        if window.docks is not None:
            window.docks.set_visible(False)

    def show_actions(self) -> None:
        """Offer what this item has."""
        actions, desk = self._window.actions_of, self._session.desk
        graph = isinstance(desk, GraphDesk)
        actions["study.submit"].setVisible(graph)
        actions["study.audit"].setVisible(graph and self._session.conduct.audits)
        actions["study.text"].setVisible(desk is not None and desk.item.block != "attention")

    def set_theme(self) -> None:
        """Draw in other colours."""
        if self.graph is not None:
            self.graph.canvas.set_theme(self._window.theme)
        if self.quiz is not None:
            self.quiz.set_theme(self._window.theme)

    # ------------------------------------------------------------------- acting

    def add_layer(self, kind: str) -> None:
        """Add a layer from the Layers dock."""
        if self.graph is not None:
            refusal = self.graph.add_layer(kind)
            if refusal:
                self._window.notice.tell(refusal)

    def tick(self) -> None:
        """Show the time; an item out of time gives way to the next."""
        window = self._window
        tick = self._session.tick()
        window.bar.show_time(tick.active_ms, tick.left_ms)
        if tick.timed_out:
            window.notice.tell(window.tr("The time for the last item was over; it is kept as it was."))
            self.present()

    def pause(self) -> None:
        """Hide the item and stop its clock."""
        window, session = self._window, self._session
        if not window.record(session.pause):
            return
        if window.docks is not None:
            window.docks.set_visible(False)
        told = window.tr("The clock stands still and the item is hidden. Take your time.")
        page = TellingPage(window.tr("Pause"), told, window.tr("Go on"))
        window.show_page(page, lambda: self.reappear(session.resume_clock))

    def submit(self) -> None:
        """Show exactly what will be sent; sending it follows."""
        window, graph = self._window, self.graph
        if graph is None or not self._is_recorded(graph):
            return
        left = graph.desk.attempts_left if self._session.conduct.tells_failures else None
        dialog = SubmitDialog(window, graph.desk.preview(), left)
        dialog.accepted.connect(lambda: self.send(dialog.reason.comment))
        self._open(dialog)

    def send(self, reason: str = "") -> None:
        """Submit the graph as it stands."""
        window, graph, told = self._window, self.graph, list[Feedback]()
        if graph is None or not window.record(lambda: told.append(graph.desk.submit(reason))):
            return
        if told[0].locked:
            self._later(self.present)()
            return
        graph.document.begin_turn()
        self._show_feedback(told[0], audit=False)

    def audit(self) -> None:
        """Ask for a dry-run grade."""
        window, graph, told = self._window, self.graph, list[Feedback]()
        if graph is None or not self._is_recorded(graph):
            return
        if window.record(lambda: told.append(graph.desk.audit())):
            self._show_feedback(told[0], audit=True)

    def _show_feedback(self, feedback: Feedback, *, audit: bool) -> None:
        docks = self._window.docks
        if docks is not None and docks.brief is not None:
            docks.brief.show_feedback(feedback, audit=audit)

    def _is_recorded(self, graph: GraphStage) -> bool:
        """Whether what is shown is what is recorded; if not, the record is shown, and nothing is sent."""
        if graph.document.is_recorded:
            return True
        why = graph.document.unreported
        self.present()
        told = self._window.tr("The last edit could not be recorded; the graph is shown as it is recorded.")
        self._window.notice.tell(told, why, fault=True)
        return False

    def flag(self) -> None:
        """Ask what is wrong with the item."""
        dialog = FlagDialog(self._window)
        kind, comment = dialog.kind, dialog.comment
        dialog.accepted.connect(
            lambda: self._window.record(lambda: self._session.flag(kind.currentData(), comment.comment))
        )
        self._open(dialog)

    def tell_seen(self) -> None:
        """The person has met this item before, or takes that back."""
        seen = self._window.actions_of["study.seen"].isChecked()
        self._window.record(lambda: self._session.seen_before(seen))

    def show_text(self) -> None:
        """Show the text that models read."""
        desk = self._session.desk
        if desk is not None and self._window.record(self._session.text_opened):
            self._open(ModelTextDialog(self._window, desk.item))

    def _open(self, dialog: QDialog) -> None:
        window = self._window
        if window.dialog is not None:
            window.dialog.reject()
        window.dialog = dialog
        dialog.finished.connect(lambda: self._closed(dialog))
        dialog.open()

    def _closed(self, dialog: QDialog) -> None:
        if self._window.dialog is dialog:
            self._window.dialog = None
        dialog.deleteLater()
