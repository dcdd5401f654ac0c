"""What is revealed after an answer: whether it was right, every choice's curve with its band, and the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from archstudio.app.quiz.item import QuizItem
from archstudio.app.quiz.session import Feedback
from archstudio.app.quiz.wording import metric_title, number_text
from archstudio.intuition.questions.scoring import inversions
from archstudio.stats.forecasts import brier
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.looks import badge, sheet
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.ui.quiz.result_plot import Drawn, ResultPlot

_SIDE_BY_SIDE_PX = 640
_PLOT_PX = 300


class Verdict(QFrame):
    """One coloured line: right or wrong, and what the probabilities were worth."""

    def __init__(self, feedback: Feedback | None, item: QuizItem) -> None:
        super().__init__()
        self.setProperty("role", "verdict")
        self.setObjectName("verdict")
        self.setProperty("state", _state(feedback))
        line = QVBoxLayout(self)
        line.setContentsMargins(16, 10, 16, 10)
        line.setSpacing(2)
        title, detail = self._words(feedback, item)
        self.title = label(title, "verdictTitle", wrap=True)
        line.addWidget(self.title)
        if detail:
            line.addWidget(label(detail, "muted", wrap=True))
        self.setAccessibleName(title)

    def _words(self, feedback: Feedback | None, item: QuizItem) -> tuple[str, str]:
        if feedback is None:
            return self.tr("Your answer is recorded."), ""
        answer, key = feedback.answer, feedback.key
        if answer.order is not None:
            most = len(key.order) * (len(key.order) - 1) // 2
            good = most - inversions(key.order, answer.order)
            told = self.tr("{good} of {most} pairs are in order.").format(good=good, most=most)
            return told, self.tr("The true order is {order}. Chance gives half of the pairs.").format(
                order=" < ".join(key.order)
            )
        given = answer.probabilities or {}
        score = brier(given, key.right)
        even = 1 - 1 / len(given)
        detail = self.tr(
            "You gave {right} {percent}. Brier score {score} (0 is perfect, even odds give {even})."
        ).format(right=key.right, percent=f"{given[key.right]:.0%}", score=f"{score:.2f}", even=f"{even:.2f}")
        if feedback.right:
            return self.tr("Right: {letter} ends lowest.").format(letter=key.right), detail
        said = self.tr("{letter} ends lowest; you chose {given}.")
        return said.format(letter=key.right, given=answer.choice), detail


def _state(feedback: Feedback | None) -> str:
    """A ranking is wrong where it is no better than chance; between that and all pairs it is only noted."""
    if feedback is None:
        return "noted"
    if feedback.right:
        return "right"
    order, right = feedback.answer.order, feedback.key.order
    if order is None:
        return "wrong"
    return "noted" if 4 * inversions(right, order) < len(right) * (len(right) - 1) else "wrong"


class RevealPanel(QWidget):
    """Curves beside the ranking; `show_own` adds the curves of own settings."""

    def __init__(self, item: QuizItem, feedback: Feedback | None, theme: Theme) -> None:
        super().__init__()
        self._item, self._feedback, self._theme = item, feedback, theme
        self._plot: ResultPlot | None = None
        self._own: Sequence[Drawn] = ()
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(12)
        curves = sheet()
        column = QVBoxLayout(curves)
        column.setContentsMargins(14, 10, 14, 12)
        column.addWidget(label(self.tr("How they learnt"), "title"))
        self._plot = self._make_plot()
        self._plot.plot.setFixedHeight(_PLOT_PX)
        column.addWidget(self._plot, 1)
        self._box.addWidget(curves, 3)
        curves.setVisible(feedback is None or any(r.curve is not None for r in feedback.key.results))
        self._ranked = sheet()
        self._ranked.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._rows = QVBoxLayout(self._ranked)
        self._rows.setContentsMargins(14, 10, 14, 12)
        self._box.addWidget(self._ranked, 2)
        self._draw()

    def _make_plot(self) -> ResultPlot:
        from archstudio.ui.quiz.result_plot import ResultPlot

        return ResultPlot(self._theme, metric_title(self._item.metric))

    def show_own(self, own: Sequence[Drawn], results: Sequence[tuple[str, float | None, float | None, int]]) -> None:
        """Show own settings beside the choices: curves, and (name, mean, deviation, colour's place) in the ranking."""
        self._own = own
        self._draw(results)

    def _draw(self, own: Sequence[tuple[str, float | None, float | None, int]] = ()) -> None:
        from archstudio.ui.quiz.result_plot import Drawn

        assert self._plot is not None
        places = {choice.label: place for place, choice in enumerate(self._item.choices)}
        results = () if self._feedback is None else self._feedback.key.results
        drawn = [Drawn(r.label, r.curve, places[r.label]) for r in results if r.curve is not None]
        self._plot.show_curves([*drawn, *self._own])
        while (item := self._rows.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._rows.addWidget(label(self.tr("Lowest first"), "title"))
        rows = [(r.label, r.mean, r.std, places[r.label]) for r in results] + list(own)
        rows.sort(key=lambda row: (row[1] is None, row[1] or 0.0))
        self._rows.addWidget(self._table(rows))
        self._rows.addStretch(1)

    def _table(self, rows: Sequence[tuple[str, float | None, float | None, int]]) -> QWidget:
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        best = next((mean for _, mean, _, _ in rows if mean is not None), None)
        for line, (name, mean, std, place) in enumerate(rows):
            grid.addWidget(label(f"{line + 1}.", "muted"), line, 0)
            grid.addLayout(_tagged(name, place, self._theme), line, 1)
            for column, text in enumerate(self._figures(mean, std, best, first=line == 0), 2):
                grid.addWidget(label(text, "" if column == 2 else "muted"), line, column)
        grid.setColumnStretch(4, 1)
        return table

    def _figures(self, mean: float | None, std: float | None, best: float | None, *, first: bool) -> list[str]:
        if mean is None:
            return [self.tr("every seed failed"), "", ""]
        spread = "" if std is None else f"± {std:.2g}"
        if first or not best:
            return [number_text(mean), spread, ""]
        times = mean / best
        return [number_text(mean), spread, f"× {times:.2f}" if times < 100 else f"× {times:,.0f}"]

    def resizeEvent(self, event: object) -> None:
        """Under each other where it is narrow."""
        wide = self.width() >= _SIDE_BY_SIDE_PX
        self._box.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)


def _tagged(name: str, place: int, theme: Theme) -> QHBoxLayout:
    line = QHBoxLayout()
    tag: QLabel = badge(name, run_colour(place, theme), theme)
    line.addWidget(tag)
    line.addStretch(1)
    return line
