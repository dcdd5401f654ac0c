"""The data of a question: its formula, its picture, and the settings that all choices share."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from archstudio.app.quiz.item import CodeFile, QuizItem, Row
from archstudio.app.quiz.mathematics import formula_boxes, guard_note, has_guarded_division, rule_boxes
from archstudio.app.quiz.wording import family_title, setting_label, setting_value
from archstudio.intuition.datasets.source import formula_of
from archstudio.intuition.datasets.spec import BigramParams, FormulaParams, TabularParams
from archstudio.ui.panels.panel import label
from archstudio.ui.quiz.formula_view import FormulaView
from archstudio.ui.quiz.looks import sheet
from archstudio.ui.theme import Theme

_COLUMNS = 2


class DataSide(QWidget):
    """Two sheets: the data set, and what is the same for all. `files_asked` carries the files to read."""

    files_asked = Signal(str, object)

    def __init__(self, item: QuizItem, theme: Theme) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        if item.family:
            column.addWidget(self._data(item, theme))
        if item.shared:
            column.addWidget(self._shared(item.shared))
        column.addStretch(1)

    def _data(self, item: QuizItem, theme: Theme) -> QWidget:
        made = sheet()
        column = QVBoxLayout(made)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(label(family_title(item.family), "title"))
        head.addStretch(1)
        files = [*item.data.files, *([CodeFile("question.txt", item.prompt)] if item.prompt else [])]
        if files:
            head.addWidget(self._button(self.tr("Code and text"), self.tr("The data set"), files))
        column.addLayout(head)
        for widget in _words(item, theme, self):
            column.addWidget(widget)
        picture = _picture(item, theme)
        if picture is None:
            column.addWidget(label(self.tr("The pack says nothing about the data that could be drawn."), "muted"))
        else:
            column.addWidget(picture)
        return made

    def _button(self, text: str, title: str, files: Sequence[CodeFile]) -> QPushButton:
        button = QPushButton(text)
        button.setProperty("role", "quiet")
        button.setObjectName("dataFiles")
        button.clicked.connect(lambda: self.files_asked.emit(title, files))
        return button

    def _shared(self, rows: Sequence[Row]) -> QWidget:
        made = sheet()
        grid = QGridLayout(made)
        grid.setContentsMargins(16, 10, 16, 12)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(2)
        grid.addWidget(label(self.tr("The same for all"), "title"), 0, 0, 1, 2 * _COLUMNS)
        lines = -(-len(rows) // _COLUMNS)
        for place, row in enumerate(rows):
            line, side = 1 + place % lines, 2 * (place // lines)
            grid.addWidget(label(setting_label(row.label), "setting"), line, side)
            grid.addWidget(label(setting_value(row.value), wrap=True), line, side + 1)
        for side in range(_COLUMNS):
            grid.setColumnStretch(2 * side + 1, 1)
        return made


def _picture(item: QuizItem, theme: Theme) -> QWidget | None:
    from archstudio.ui.quiz.plots import data_plot

    made = data_plot(item.data, theme)
    if made is not None:
        made.setAccessibleName(made.tr("Picture of the data"))
    return made


def _words(item: QuizItem, theme: Theme, parent: QWidget) -> list[QWidget]:
    """The formula or the rule, as mathematics; what a data set is, in words."""
    params = item.data.params
    if isinstance(params, FormulaParams):
        formula, many = formula_of(params, "formula"), params.input_dim is not None
        made: list[QWidget] = [FormulaView(formula_boxes(formula, many=many), theme, before="y = ")]
        if has_guarded_division(formula):
            made.append(label(guard_note(), "muted", wrap=True))
        low, high = params.domain
        told = parent.tr("Inputs uniform in [{low}, {high}], no noise.").format(low=f"{low:g}", high=f"{high:g}")
        return [*made, label(told, "muted", wrap=True)]
    if isinstance(params, TabularParams):
        score, when = rule_boxes(params)
        told = parent.tr("{n} standard normal features, of which {k} matter.").format(
            n=params.input_dim, k=len(params.active_features)
        )
        return [FormulaView(score, theme), FormulaView(when, theme, 14.0), label(told, "muted", wrap=True)]
    if isinstance(params, BigramParams):
        told = parent.tr(
            "Windows of {length} tokens of a Markov chain over {size} tokens; at each position the next token is to be "
            "predicted. A uniform guess costs ln {size} = {even} nats."
        ).format(length=params.context_length, size=params.vocab_size, even=_even(params.vocab_size))
        return [label(told, "muted", wrap=True)]
    return []


def _even(size: int) -> str:
    from math import log

    return f"{log(size):.3f}"
