"""What a session came to: shares with intervals beside chance, Brier scores, and every answer."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.quiz.item import QuizItem
from archstudio.app.quiz.record import Answer
from archstudio.app.quiz.results import Line, Results, Scored, results_of
from archstudio.app.quiz.session import QuizSession
from archstudio.app.quiz.wording import family_title, protocol_title, type_title
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.looks import chip, quiz_sheet, sheet
from archstudio.ui.theme import Theme

_BAR_PX = (220, 18)


class IntervalBar(QWidget):
    """A share from 0 to 1: its interval as a bar, itself as a dot, chance as a tick."""

    def __init__(self, line: Line, theme: Theme) -> None:
        super().__init__()
        self._line = line
        self._colours = {name: theme.colour(name) for name in ("hair", "accent", "warn", "surface")}
        self.setMinimumSize(QSize(*_BAR_PX))
        right = line.right
        figures = {"share": right.share, "low": right.low, "high": right.high, "chance": line.chance}
        told = self.tr("{share} right, between {low} and {high}, chance {chance}")
        self.setAccessibleName(told.format(**{name: f"{value:.0%}" for name, value in figures.items()}))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar."""
        right, width, middle = self._line.right, self.width() - 12, self.height() / 2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colours["hair"])
            painter.drawRoundedRect(QRectF(6, middle - 2, width, 4), 2, 2)
            soft = self._colours["accent"]
            soft.setAlpha(90)
            painter.setBrush(soft)
            painter.drawRoundedRect(
                QRectF(6 + width * right.low, middle - 4, width * (right.high - right.low), 8), 4, 4
            )
            painter.setPen(QPen(self._colours["warn"], 2))
            at = round(6 + width * self._line.chance)
            painter.drawLine(at, round(middle - 8), at, round(middle + 8))
            painter.setPen(Qt.PenStyle.NoPen)
            solid = self._colours["accent"]
            solid.setAlpha(255)
            painter.setBrush(solid)
            painter.drawEllipse(QRectF(6 + width * right.share - 5, middle - 5, 10, 10))


class ResultsPage(QWidget):
    """`export_asked` wants the answers in a file, `back_asked` the question in front, `leave_asked` all sessions."""

    export_asked = Signal()
    back_asked = Signal()
    leave_asked = Signal()

    def __init__(self, session: QuizSession, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("quiz")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setStyleSheet(quiz_sheet(theme))
        self.results = results_of(session)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(32, 24, 32, 24)
        column.setSpacing(14)
        column.addLayout(self._heading())
        if self.results.lines:
            column.addWidget(self._figures(self.results, theme))
        column.addWidget(self._words(self.results))
        self.table = self._answers(self.results)
        column.addWidget(self.table, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        body.setObjectName("quizBody")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _heading(self) -> QHBoxLayout:
        session = self._session
        line = QHBoxLayout()
        title = label(session.pack.title, "", wrap=True)
        title.setObjectName("question")
        line.addWidget(title, 1)
        line.addWidget(chip(protocol_title(session.protocol)))
        self.back = QPushButton(self.tr("Back to the question"))
        self.back.clicked.connect(self.back_asked)
        self.back.setVisible(not session.finished)
        self.export = QPushButton(self.tr("Export answers…"))
        self.export.clicked.connect(self.export_asked)
        leave = QPushButton(self.tr("All questions"))
        leave.clicked.connect(self.leave_asked)
        for button in (self.back, self.export, leave):
            line.addWidget(button)
        return line

    def _figures(self, results: Results, theme: Theme) -> QWidget:
        made = sheet()
        grid = QGridLayout(made)
        grid.setContentsMargins(18, 14, 18, 14)
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(8)
        heads = ("", self.tr("right"), self.tr("0 to 100 %, chance marked"), self.tr("95 % interval"),
                 self.tr("Brier (even odds)"), self.tr("mean confidence"))  # fmt: skip
        for column, text in enumerate(heads):
            grid.addWidget(label(text, "muted"), 0, column)
        for row, line in enumerate(results.lines, 1):
            right = line.right
            cells: tuple[QWidget, ...] = (
                label(_line_title(line, self.tr("All choice questions")), "strong" if row == 1 else ""),
                label(f"{right.right} / {right.total}  ({right.share:.0%})", "strong" if row == 1 else ""),
                IntervalBar(line, theme),
                label(f"{right.low:.0%} – {right.high:.0%}", "muted"),
                label(f"{line.brier:.2f}  ({line.brier_even:.2f})"),
                label(f"{line.sure:.0%}"),
            )
            for column, cell in enumerate(cells):
                grid.addWidget(cell, row, column)
        grid.setColumnStretch(2, 1)
        return made

    def _words(self, results: Results) -> QWidget:
        parts = [self.tr("{answered} of {asked} questions answered.")]
        if results.pairs:
            good, most = results.pairs
            told = self.tr("Rankings: {good} of {most} pairs in order ({share}); chance gives half.")
            parts.append(told.format(good=good, most=most, share=f"{good / most:.0%}"))
        if self._session.pack.key is None:
            parts.append(self.tr("The pack holds no answers: export yours and have them scored with the key."))
        elif not self._session.may_score:
            parts.append(self.tr("A blind session is scored when it is over."))
        return label(" ".join(parts).format(answered=results.answered, asked=results.asked), "muted", wrap=True)

    def _answers(self, results: Results) -> QTableWidget:
        scored = {one.item.id: one for one in results.scored}
        answers = self._session.record.answers
        heads = [self.tr("#"), self.tr("Data"), self.tr("Kind"), self.tr("Your answer"), self.tr("Right"),
                 self.tr("Seconds"), self.tr("Reason"), self.tr("Learnt")]  # fmt: skip
        table = QTableWidget(len(answers), len(heads))
        table.setAccessibleName(self.tr("Answers"))
        table.setHorizontalHeaderLabels(heads)
        table.verticalHeader().setVisible(False)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setMinimumHeight(260)
        table.setShowGrid(False)
        numbers = {item: number for number, item in enumerate(self._session.record.order, 1)}
        for row, answer in enumerate(answers):
            item = self._session.pack.item(answer.item)
            cells = _cells(item, answer, scored.get(answer.item))
            for column, text in enumerate((str(numbers[answer.item]), *cells)):
                table.setItem(row, column, QTableWidgetItem(text))
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        return table


def _line_title(line: Line, all_: str) -> str:
    if line.name == "all":
        return all_
    known = family_title(line.name)
    return known if known != line.name.replace("_", " ") else type_title(line.name)


def _cells(item: QuizItem, answer: Answer, scored: Scored | None) -> tuple[str, ...]:
    if answer.order is not None:
        given = " < ".join(answer.order)
        right = "" if scored is None or scored.pairs is None else f"{scored.pairs[0]} of {scored.pairs[1]} pairs"
    else:
        share = (answer.probabilities or {}).get(answer.choice or "", 0.0)
        given = f"{answer.choice} ({share:.0%})"
        right = "" if scored is None else "✓" if scored.right else f"✗ {scored.key.right}"
    seconds = f"{answer.seconds:.0f}"
    return family_title(item.family), type_title(item.type), given, right, seconds, answer.reason, answer.lesson
