"""The questionnaire: one control a question, each with "prefer not to say" where the study offers it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from archstudio.study.protocol.questionnaire import LONGEST_ANSWER, PREFER_NOT, BadAnswer, Field
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.study.page import StudyPage

_COLUMNS = 3


class AskedField(QWidget):
    """One question; `answer` is None while nothing was given."""

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.field = field
        self._group = QButtonGroup(self)
        self.text: QLineEdit | None = None
        self.boxes: dict[str, QCheckBox | QRadioButton] = {}
        self.prefer_not = QRadioButton(self.tr("prefer not to say"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 6)
        column.setSpacing(6)
        self.question = label(field.question, "strong", wrap=True)
        column.addWidget(self.question)
        column.addLayout(self._controls())
        self.setAccessibleName(field.question)

    def _controls(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
        controls: list[QWidget] = []
        if self.field.options:
            self.boxes = {option: self._box(option) for option in self.field.options}
            controls += self.boxes.values()
        else:
            self.text = QLineEdit()
            self.text.setMaxLength(LONGEST_ANSWER)
            self.text.setAccessibleName(self.field.question)
            self.text.setPlaceholderText(self._takes())
            self.text.textEdited.connect(lambda: self._prefer(False))
            controls.append(self.text)
        if self.field.optional:
            self.prefer_not.setAccessibleName(f"{self.field.question} {self.prefer_not.text()}")
            self.prefer_not.setAutoExclusive(False)
            self.prefer_not.toggled.connect(self._preferred)
            controls.append(self.prefer_not)
        else:
            self.prefer_not.hide()
        for place, control in enumerate(controls):
            grid.addWidget(control, place // _COLUMNS, place % _COLUMNS)
        return grid

    def _box(self, option: str) -> QCheckBox | QRadioButton:
        box: QCheckBox | QRadioButton
        if self.field.kind == "several":
            box = QCheckBox(option)
        else:
            box = QRadioButton(option)
            self._group.addButton(box)
        box.setAccessibleName(f"{self.field.question} {option}")
        box.toggled.connect(lambda on: self._prefer(False) if on else None)
        return box

    def _takes(self) -> str:
        if self.field.low is None or self.field.high is None:
            return ""
        return self.tr("a number from {low} to {high}").format(low=f"{self.field.low:g}", high=f"{self.field.high:g}")

    def _prefer(self, on: bool) -> None:
        self.prefer_not.setChecked(on)

    def _preferred(self, on: bool) -> None:
        """Whoever prefers not to say has said nothing else."""
        if not on:
            return
        if self.text is not None:
            self.text.clear()
        self._group.setExclusive(False)
        for box in self.boxes.values():
            box.setChecked(False)
        self._group.setExclusive(True)

    @property
    def answer(self) -> object | None:
        """The answer as the session takes it."""
        if self.prefer_not.isChecked():
            return PREFER_NOT
        chosen = [option for option, box in self.boxes.items() if box.isChecked()]
        if self.boxes:
            return (chosen if self.field.kind == "several" else chosen[0]) if chosen else None
        text = "" if self.text is None else self.text.text().strip()
        if not text or self.field.kind == "text":
            return text or None
        try:
            return float(text.replace(",", "."))
        except ValueError:
            return text  # the field refuses it with its reason

    def first(self) -> QWidget:
        """What takes the keyboard."""
        return self.text if self.text is not None else next(iter(self.boxes.values()))

    def mark(self, wrong: bool) -> None:
        """Show that something is missing or wrong here."""
        set_role(self.question, "error" if wrong else "strong")


class QuestionnairePage(StudyPage):
    """All questions on one page."""

    def __init__(self, fields: Sequence[Field]) -> None:
        super().__init__(self.tr("About you"), self.tr("Go on"))
        self.fields = {field.name: AskedField(field) for field in fields}
        for field in self.fields.values():
            self.column.addWidget(field)
        self.column.addStretch(1)

    @property
    def answers(self) -> dict[str, object]:
        """What was answered, by the fields' names."""
        given = {name: field.answer for name, field in self.fields.items()}
        return {name: answer for name, answer in given.items() if answer is not None}

    def refuse(self, bad: BadAnswer) -> None:
        """Show which answer is missing or does not fit."""
        for name, field in self.fields.items():
            field.mark(name == bad.field)
        asked = self.fields.get(bad.field)
        question = bad.field if asked is None else asked.field.question
        self.tell_problem(f"{question} – {bad.reason}")
        if asked is not None:
            asked.first().setFocus()

    def first(self) -> QWidget:
        return next(iter(self.fields.values())).first() if self.fields else self.on_button
