"""The line over a question: which one it is, how far the session is, and what is asked."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.quiz.results import results_of
from archstudio.app.quiz.session import QuizSession
from archstudio.app.quiz.wording import (
    family_title,
    protocol_title,
    question_detail,
    question_sentence,
    type_title,
)
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.looks import chip


class Head(QFrame):
    """`question_asked` carries the number of a question chosen in the list that practice has."""

    leave_asked = Signal()
    question_asked = Signal(int)

    def __init__(self, session: QuizSession) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("quizHead")
        self.place = label("", "muted")
        self.jump = QComboBox()
        self.jump.setAccessibleName(self.tr("Go to question"))
        self.jump.activated.connect(lambda index: self.question_asked.emit(index + 1))
        self.jump.setVisible(session.protocol == "practice")
        self.place.setVisible(session.protocol != "practice")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(180)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.family, self.kind = chip(""), chip("")
        self.tally = label("", "muted")
        self.leave = QPushButton(self.tr("All questions"))
        self.leave.setProperty("role", "quiet")
        self.leave.clicked.connect(self.leave_asked)
        self.question, self.detail = label("", wrap=True), label("", "muted", wrap=True)
        self.question.setObjectName("question")
        top = QHBoxLayout()
        top.setSpacing(10)
        left: tuple[QWidget, ...] = (self.place, self.jump, self.bar, self.family, self.kind)
        right: tuple[QWidget, ...] = (self.tally, chip(protocol_title(session.protocol)), self.leave)
        for part in left:
            top.addWidget(part)
        top.addStretch(1)
        for part in right:
            top.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 10, 16, 10)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.question)
        column.addWidget(self.detail)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_session(self) -> None:
        """Show where the session stands."""
        session, item = self._session, self._session.item
        done = len(session.answers)
        self.bar.setRange(0, session.count)
        self.bar.setValue(done)
        self.bar.setToolTip(self.tr("{done} of {count} answered").format(done=done, count=session.count))
        self._show_jump()
        self.tally.setText(self._tally())
        if item is None:
            return
        told = self.tr("Question {n} of {count}").format(n=session.number, count=session.count)
        self.place.setText(told)
        self.family.setText(family_title(item.family))
        self.family.setVisible(bool(item.family))
        self.kind.setText(type_title(item.type))
        self.kind.setVisible(bool(item.type))
        self.question.setText(question_sentence(item))
        self.detail.setText(question_detail(item))
        self.detail.setVisible(bool(self.detail.text()))
        self.setAccessibleName(told)

    def _show_jump(self) -> None:
        session = self._session
        answered = set(session.answers)
        texts = [
            self.tr("Question {n} of {count}").format(n=n, count=session.count) + ("  ✓" if item in answered else "")
            for n, item in enumerate(session.record.order, 1)
        ]
        if [self.jump.itemText(k) for k in range(self.jump.count())] != texts:
            self.jump.clear()
            self.jump.addItems(texts)
        self.jump.setCurrentIndex(min(session.number, session.count) - 1)

    def _tally(self) -> str:
        """The score so far, where the protocol lets it be known."""
        session = self._session
        if session.protocol == "blind":
            return ""
        results = results_of(session)
        parts = []
        if results.lines:
            right = results.lines[0].right
            parts.append(self.tr("{right} of {total} right").format(right=right.right, total=right.total))
        if results.pairs:
            good, most = results.pairs
            parts.append(self.tr("{good} of {most} pairs in order").format(good=good, most=most))
        return ", ".join(parts)
