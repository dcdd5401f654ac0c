"""The page with one question: what is asked, the data, the choices, the answer, and what may then be shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from archstudio.app.quiz.confidence import Confidence
from archstudio.app.quiz.item import QuizItem
from archstudio.app.quiz.session import CannotAnswer, QuizSession
from archstudio.files.atomic import SaveFailed
from archstudio.ui.quiz.choice_board import ChoiceBoard
from archstudio.ui.quiz.code_view import CodeDialog
from archstudio.ui.quiz.data_side import DataSide
from archstudio.ui.quiz.foot import Foot
from archstudio.ui.quiz.head import Head
from archstudio.ui.quiz.looks import NARROW_PX, quiz_sheet
from archstudio.ui.quiz.ranking_board import RankingBoard
from archstudio.ui.quiz.reveal import RevealPanel, Verdict
from archstudio.ui.theme import Theme

_DATA_SHARE, _CHOICES_SHARE = 5, 8


class OwnPanel(Protocol):
    """What lets a person try settings of their own; see `ui.quiz.own_panel`."""

    def widget(self) -> QWidget: ...

    def show_item(self, item: QuizItem, reveal: Callable[[], RevealPanel]) -> None: ...


class QuizPage(QWidget):
    """Shows a session; it can stand in any window. All that is decided, the session decides.

    `answered` carries the recorded answer, `lesson_written` the note, `moved_on` follows each step to another
    question, `over` the last one; `refused` says why something could not be kept. `leave_asked` wants to go elsewhere.
    """

    answered = Signal(object)
    lesson_written = Signal(str)
    moved_on = Signal()
    over = Signal()
    refused = Signal(str)
    leave_asked = Signal()

    def __init__(self, session: QuizSession, theme: Theme, own: Callable[[], OwnPanel] | None = None) -> None:
        super().__init__()
        self.session = session
        self._theme = theme
        self._make_own = own
        self._own: OwnPanel | None = None
        self._drafts: dict[str, tuple[Confidence | None, list[str], str]] = {}
        self.board: ChoiceBoard | RankingBoard | None = None
        self.reveal: RevealPanel | None = None
        self.setObjectName("quiz")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.head, self.foot = Head(session), Foot()
        self.head.leave_asked.connect(self.leave_asked)
        self.head.question_asked.connect(self.go_to)
        self.foot.answer_asked.connect(self.answer)
        self.foot.next_asked.connect(self.go_on)
        self.foot.lesson_written.connect(self._keep_lesson)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body: QBoxLayout | None = None
        self._right: QVBoxLayout | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part, share in ((self.head, 0), (self._scroll, 1), (self.foot, 0)):
            column.addWidget(part, share)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours; what was entered stays."""
        self._theme = theme
        self._keep_draft()
        body = self._scroll.takeWidget()
        if body is not None:
            body.deleteLater()  # it is drawn anew, so it need not be dressed anew
        self.setStyleSheet(quiz_sheet(theme))
        self.show_question()

    # ---------------------------------------------------------------- showing

    def show_question(self) -> None:
        """Show the question in front as it stands: open, or answered."""
        item = self.session.item
        self.head.show_session()
        self._own = None
        self.reveal = None
        if item is None:
            self.foot.hide()
            return
        body = QWidget()
        body.setObjectName("quizBody")
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight, body)
        self._body.setContentsMargins(16, 14, 16, 14)
        self._body.setSpacing(14)
        data = DataSide(item, self._theme)
        data.files_asked.connect(self.show_files)
        self._body.addWidget(data, _DATA_SHARE)
        right = QWidget()
        self._right = QVBoxLayout(right)
        self._right.setContentsMargins(0, 0, 0, 0)
        self._right.setSpacing(12)
        self.board = self._make_board(item)
        self._right.addWidget(self.board)
        self._right.addStretch(1)
        right.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._body.addWidget(right, _CHOICES_SHARE)
        self._turn()
        self._scroll.setWidget(body)
        self._scroll.verticalScrollBar().setValue(0)
        self.foot.show()
        self._after_change()
        if self.isVisible():
            self.session.shown()
            QTimer.singleShot(0, self, self._focus_first)

    def _make_board(self, item: QuizItem) -> ChoiceBoard | RankingBoard:
        confidence, order, reason = self._drafts.get(item.id, (None, [], ""))
        made: ChoiceBoard | RankingBoard
        if item.kind == "ranking":
            made = RankingBoard(item, self._theme, order)
        else:
            made = ChoiceBoard(item, self._theme, confidence)
        made.changed.connect(self._offer)
        made.files_asked.connect(self.show_files)
        self.foot.begin(reason)
        return made

    def _after_change(self) -> None:
        """Bring everything below the board in line with whether there is an answer."""
        answer, feedback, item = self.session.answer, self.session.feedback, self.session.item
        assert item is not None
        assert self.board is not None
        assert self._right is not None
        if answer is None:
            self._offer()
        else:
            self.board.close_answer(answer, feedback)
            self._right.insertWidget(0, Verdict(feedback, item))
            self.foot.show_answered(
                answer, last=self.session.number == self.session.count, lessons=feedback is not None
            )
        if feedback is not None:
            self.reveal = RevealPanel(item, feedback, self._theme)
            self._right.insertWidget(1, self.reveal)
        if self._make_own is not None and self.session.may_try and item.kind == "choice" and item.data.params:
            self._add_own(item)
        self._order_tabs()

    def _order_tabs(self) -> None:
        """Tab goes from the data through the choices to the foot, which is older than they are."""
        last: QWidget
        if isinstance(self.board, ChoiceBoard):
            last = self.board.cards[-1].field
        else:
            assert self.board is not None  # the question has just been shown
            last = self.board.list
        for following in (self.foot.edit, self.foot.answer_button, self.foot.next_button):
            QWidget.setTabOrder(last, following)
            last = following

    def _add_own(self, item: QuizItem) -> None:
        assert self._make_own is not None
        assert self._right is not None
        if self._own is None:
            self._own = self._make_own()
            self._right.insertWidget(self._right.count() - 1, self._own.widget())
        self._own.show_item(item, self._reveal_made)

    def _reveal_made(self) -> RevealPanel:
        """Where curves are shown: the panel of the answer, or, before it, one of own curves alone."""
        if self.reveal is None:
            item = self.session.item
            assert item is not None
            assert self._right is not None
            self.reveal = RevealPanel(item, None, self._theme)
            self._right.insertWidget(self._right.count() - 2, self.reveal)
        return self.reveal

    def _offer(self) -> None:
        """Say what would be answered now."""
        if self.session.answer is not None:
            return
        may_skip = self.session.protocol == "practice"
        if isinstance(self.board, ChoiceBoard):
            choice = self.board.confidence.choice
            percent = 0 if choice is None else self.board.confidence.of(choice)
            self.foot.offer_choice(choice, percent, len(self.board.cards), may_skip=may_skip)
        else:
            self.foot.offer_order(may_skip=may_skip)

    def _focus_first(self) -> None:
        if self.session.answer is not None:
            self.foot.next_button.setFocus()
        elif isinstance(self.board, ChoiceBoard):
            self.board.cards[0].slider.setFocus()
        elif self.board is not None:
            self.board.list.setFocus()

    def _keep_draft(self) -> None:
        item = self.session.item
        if item is None or self.board is None or self.session.answer is not None:
            return
        confidence = self.board.confidence if isinstance(self.board, ChoiceBoard) else None
        order = self.board.order if isinstance(self.board, RankingBoard) else []
        self._drafts[item.id] = (confidence, order, self.foot.reason)

    # ----------------------------------------------------------------- acting

    def answer(self) -> None:
        """Record the answer as it stands, then show what may be shown."""
        try:
            if isinstance(self.board, ChoiceBoard):
                confidence = self.board.confidence
                if confidence.choice is None:
                    return
                made = self.session.answer_choice(confidence.probabilities(), confidence.choice, self.foot.reason)
            elif self.board is not None:
                made = self.session.answer_order(self.board.order, self.foot.reason)
            else:
                return
        except (CannotAnswer, SaveFailed) as reason:
            self.refused.emit(str(reason))
            return
        if self._own is not None:
            self.show_question()  # what was tried in practice stays, under the answer
        else:
            self._after_change()
        self.head.show_session()
        self._scroll.verticalScrollBar().setValue(0)
        self.foot.next_button.setFocus()
        self.answered.emit(made)

    def go_on(self) -> None:
        """Go to the next question, or to the end."""
        self.foot.write_now()
        self._step(self.session.next)

    def go_to(self, number: int) -> None:
        """Go to a question by its number; only in practice."""
        if number != self.session.number:
            self.foot.write_now()
            self._step(lambda: self.session.go_to(number))

    def _step(self, step: Callable[[], None]) -> None:
        self._keep_draft()
        try:
            step()
        except (CannotAnswer, SaveFailed) as reason:
            self.refused.emit(str(reason))
            return
        self.show_question()
        self.moved_on.emit()
        if self.session.finished:
            self.over.emit()

    def _keep_lesson(self, text: str) -> None:
        try:
            self.session.write_lesson(text)
        except (CannotAnswer, SaveFailed) as reason:
            self.refused.emit(str(reason))
            return
        self.lesson_written.emit(text)

    def show_own(self) -> None:
        """Bring the form for an own setting into sight."""
        if self._own is not None:
            self._scroll.ensureWidgetVisible(self._own.widget())
            self._own.widget().setFocus()

    def close_page(self) -> None:
        """Keep what was being written and end what works for this page."""
        self.foot.write_now()

    def show_files(self, title: str, files: object) -> None:
        """Open files to read."""
        assert isinstance(files, (list, tuple))
        dialog = CodeDialog(self, title, files, self._theme)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # ----------------------------------------------------------- Qt's own calls

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits choose; Enter answers, or goes on once there is an answer."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.foot.act()
        elif isinstance(self.board, ChoiceBoard) and event.text().isdecimal():
            self.board.pick_number(int(event.text()))
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """The question's time runs while it can be seen."""
        super().showEvent(event)
        self.session.shown()
        QTimer.singleShot(0, self, self._focus_first)

    def hideEvent(self, event: QHideEvent) -> None:
        """Out of sight the time stands still, and a note that was being written is kept."""
        super().hideEvent(event)
        self.session.hidden()
        self.foot.write_now()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow pages have the choices under the data."""
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        if self._body is not None:
            wide = self.width() >= NARROW_PX
            self._body.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
