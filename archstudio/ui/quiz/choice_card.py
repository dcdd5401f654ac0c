"""One choice as a card: its settings with what differs marked, its probability, and after the answer its result."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSlider, QSpinBox, QVBoxLayout

from archstudio.app.quiz.confidence import STEP, WHOLE
from archstudio.app.quiz.item import Result, Row, ShownChoice
from archstudio.app.quiz.wording import ABSENT, number_text, setting_group, setting_label, setting_value
from archstudio.app.words import said
from archstudio.ui.panels.curve_colours import run_colour
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.quiz.looks import badge, chip, set_state
from archstudio.ui.theme import Theme

CARD_LEAST_PX = 218
_LABEL_PX = 84
_SLIDER_PX = 24


@dataclass(frozen=True)
class Outcome:
    """What a card tells after the answer."""

    place: int
    result: Result
    right: bool
    given: bool


class ProbabilitySlider(QSlider):
    """A slider of whole percents whose focus is the card's."""

    focused = Signal(bool)

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, WHOLE)
        self.setSingleStep(STEP)
        self.setPageStep(2 * STEP)
        self.setMinimumHeight(_SLIDER_PX)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The card is the one that arrows change."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """It no longer is."""
        super().focusOutEvent(event)
        self.focused.emit(False)


class ChoiceCard(QFrame):
    """`picked` when the card is taken for the answer, `percent_set` when its probability is moved."""

    picked = Signal(str)
    percent_set = Signal(str, int)
    files_asked = Signal(str, object)

    def __init__(self, choice: ShownChoice, place: int, theme: Theme) -> None:
        super().__init__()
        self.choice = choice
        self.setProperty("role", "choice")
        self.setObjectName(f"choice-{choice.label}")
        self.setAccessibleName(self.tr("Choice {letter}: {what}").format(letter=choice.label, what=choice.summary))
        self.setMinimumWidth(CARD_LEAST_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.slider, self.field = ProbabilitySlider(), roomy(QSpinBox())
        self._rows: list[tuple[int, QLabel, QLabel]] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(0, _LABEL_PX)
        self._grid.setColumnStretch(1, 1)
        self._add_rows(choice.rows)
        self._result = label("", wrap=True)
        self._result.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 12, 14, 12)
        self._column.setSpacing(8)
        self._column.addLayout(self._head(place, theme))
        self._column.addLayout(self._grid)
        self._column.addStretch(1)
        self._column.addWidget(self._result)
        self._column.addLayout(self._probability())
        self._focus, self._state = False, ""

    def _head(self, place: int, theme: Theme) -> QHBoxLayout:
        line = QHBoxLayout()
        line.addWidget(badge(self.choice.label, run_colour(place, theme), theme))
        self.tag = chip("")
        self.tag.hide()
        line.addWidget(self.tag)
        line.addStretch(1)
        if self.choice.files:
            code = QPushButton(self.tr("Code"))
            code.setProperty("role", "quiet")
            code.setObjectName(f"code-{self.choice.label}")
            code.setAccessibleName(self.tr("Code of choice {letter}").format(letter=self.choice.label))
            title = self.tr("Choice {letter}").format(letter=self.choice.label)
            code.clicked.connect(lambda: self.files_asked.emit(title, self.choice.files))
            line.addWidget(code)
        self.key = label(str(place + 1), "key")
        self.key.setToolTip(self.tr("Press this key to choose it."))
        line.addWidget(self.key)
        return line

    def _add_rows(self, rows: tuple[Row, ...]) -> None:
        """The settings in their groups, each under its name where there is more than one."""
        groups = {"budget": self.tr("budget"), "model": self.tr("model"), "optimiser": self.tr("optimiser"),
                  "loss": self.tr("loss")}  # fmt: skip
        named = len({setting_group(row.label) for row in rows}) > 1
        line, group = 0, ""
        for row in rows:
            if named and setting_group(row.label) != group:
                group = setting_group(row.label)
                self._grid.addWidget(label(groups[group].upper(), "section"), line, 0, 1, 2)
                line += 1
            self._add_row(line, row)
            line += 1

    def _add_row(self, line: int, row: Row) -> None:
        name = label(setting_label(row.label), "setting", wrap=True)
        marked = row.differs and row.value != ABSENT
        value = label(setting_value(row.value), "differs" if marked else "same", wrap=True)
        value.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(name, line, 0)
        self._grid.addWidget(value, line, 1)
        self._rows.append((line, name, value))

    def _probability(self) -> QHBoxLayout:
        letter = self.choice.label
        self.slider.setObjectName(f"slider-{letter}")
        self.field.setObjectName(f"percent-{letter}")
        for control in (self.slider, self.field):
            control.setAccessibleName(self.tr("Probability of {letter} in percent").format(letter=letter))
        self.field.setRange(0, WHOLE)
        self.field.setSuffix(" %")
        self.field.setFixedWidth(82)
        self.field.setKeyboardTracking(False)
        self.slider.valueChanged.connect(lambda value: self.percent_set.emit(letter, value))
        self.field.valueChanged.connect(lambda value: self.percent_set.emit(letter, value))
        self.slider.focused.connect(self._focused)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.slider, 1)
        line.addWidget(self.field)
        return line

    # ------------------------------------------------------------------ rows

    @property
    def row_count(self) -> int:
        """Number of settings."""
        return len(self._rows)

    def row_height(self, number: int, width: int) -> int:
        """The height a row needs on a card of that width."""
        _, name, value = self._rows[number]
        room = max(40, width - 28 - _LABEL_PX - 8)
        return max(value.heightForWidth(room), name.heightForWidth(_LABEL_PX))

    def set_row_height(self, number: int, height: int) -> None:
        """Give a row the height it has on the other cards."""
        self._grid.setRowMinimumHeight(self._rows[number][0], height)

    # ---------------------------------------------------------------- showing

    def show_percent(self, percent: int, chosen: bool) -> None:
        """Show the probability, and whether this is the answer."""
        for control in (self.slider, self.field):
            control.blockSignals(True)
            control.setValue(percent)
            control.blockSignals(False)
        self.tag.setText(self.tr("your answer"))
        self.tag.setVisible(chosen)
        self._state = "picked" if chosen else ""
        self._restate()

    def show_outcome(self, outcome: Outcome | None) -> None:
        """No more answers; with an outcome, how the choice really ended."""
        self.slider.setEnabled(False)
        self.field.setEnabled(False)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.key.hide()
        if outcome is None:
            return
        tags = [self.tr("right")] if outcome.right else []
        tags += [self.tr("your answer")] if outcome.given else []
        self.tag.setText(", ".join(tags))
        self.tag.setToolTip(self.tag.text())  # a narrow card cuts it
        self.tag.setVisible(bool(tags))
        self._state = "right" if outcome.right else "wrong" if outcome.given else ""
        self._result.setText(result_text(outcome.place, outcome.result))
        self._result.setProperty("role", "ok" if outcome.right else "strong")
        self._result.show()
        self._restate()

    def _focused(self, on: bool) -> None:
        self._focus = on
        self._restate()

    def _restate(self) -> None:
        set_state(self, self._state or ("focus" if self._focus else ""))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the card takes it for the answer."""
        if self.slider.isEnabled() and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(self.choice.label)
            self.slider.setFocus(Qt.FocusReason.MouseFocusReason)
        super().mousePressEvent(event)


def result_text(place: int, result: Result) -> str:
    """A place and a result, as a line."""
    if result.mean is None:
        return f"{place}.  {said('every seed failed')}"
    spread = "" if result.std is None else f" ± {result.std:.2g}"
    return f"{place}.  {number_text(result.mean)}{spread}"
