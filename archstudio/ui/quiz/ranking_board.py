"""A ranking question: set-ups with their curves to calibrate on, and the list to put in order."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from archstudio.app.quiz.item import Calibration, QuizItem
from archstudio.app.quiz.record import Answer
from archstudio.app.quiz.session import Feedback
from archstudio.app.quiz.wording import metric_title, number_text, settings_line
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.choice_card import result_text
from archstudio.ui.quiz.looks import badge, sheet
from archstudio.ui.quiz.ranking_list import RankingList
from archstudio.ui.theme import Theme

_CURVE_PX = 200


class RankingBoard(QWidget):
    """`changed` after each move. The order can be answered as it stands."""

    changed = Signal()
    files_asked = Signal(str, object)

    def __init__(self, item: QuizItem, theme: Theme, order: Sequence[str] = ()) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        if item.calibration:
            column.addWidget(_calibrations(item, theme))
        self._said = label(self.tr("Your order, lowest first"), "title")
        told = self.tr("Drag the rows, or move one with Ctrl+↑ and Ctrl+↓; a digit sends it to that place.")
        self._told = label(told, "muted", wrap=True)
        self.list = RankingList(item.choices, theme, order)
        self.list.reordered.connect(self.changed)
        for part in (self._said, self._told, self.list):
            column.addWidget(part)
        column.addStretch(1)

    @property
    def order(self) -> list[str]:
        """The labels as they stand, best first."""
        return self.list.order

    def close_answer(self, answer: Answer, feedback: Feedback | None) -> None:
        """No more moves; with feedback each row says how it really ended."""
        self._told.hide()
        notes = {}
        if feedback is not None:
            for place, result in enumerate(feedback.key.results, 1):
                notes[result.label] = result_text(place, result)
        self.list.close_answer(notes)


def _calibrations(item: QuizItem, theme: Theme) -> QWidget:
    made = sheet()
    column = QVBoxLayout(made)
    column.setContentsMargins(16, 10, 16, 12)
    column.addWidget(label(made.tr("Trained already, to judge by"), "title"))
    column.addWidget(_curves(item, theme))
    grid = QGridLayout()
    grid.setHorizontalSpacing(10)
    grid.setColumnStretch(1, 1)
    for place, one in enumerate(item.calibration):
        _row(grid, place, one, theme)
    column.addLayout(grid)
    return made


def _row(grid: QGridLayout, place: int, one: Calibration, theme: Theme) -> None:
    tag = QHBoxLayout()
    tag.addWidget(badge(one.choice.label, run_colour(place, theme), theme), 0, Qt.AlignmentFlag.AlignTop)
    grid.addLayout(tag, place, 0)
    grid.addWidget(label(settings_line(one.choice), "muted", wrap=True), place, 1)
    grid.addWidget(label(number_text(one.final), "strong"), place, 2)


def _curves(item: QuizItem, theme: Theme) -> QWidget:
    from archstudio.ui.quiz.result_plot import Drawn, ResultPlot

    plot = ResultPlot(theme, metric_title(item.metric))
    plot.plot.setFixedHeight(_CURVE_PX)
    plot.show_curves([Drawn(one.choice.label, one.curve, place) for place, one in enumerate(item.calibration)])
    return plot
