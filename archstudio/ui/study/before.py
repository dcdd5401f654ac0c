"""The pages before the items: where to begin, consent, the withdrawal code, and texts to read."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from archstudio.app.figures import plural
from archstudio.study.pack.read import StudyPack
from archstudio.study.session.beginning import NextStep
from archstudio.ui.panels.panel import label
from archstudio.ui.study.page import StudyPage
from archstudio.ui.study.texts import StudyText, without_points

_LARGEST_NUMBER = 2**20


class StartPage(StudyPage):
    """Which study this is, what opening it does, and the number that the researcher dealt out."""

    def __init__(self, pack: StudyPack, step: NextStep) -> None:
        texts = {"start": self.tr("Begin"), "resume": self.tr("Go on"), "restart": self.tr("Begin anew")}
        super().__init__(pack.protocol.title, texts.get(step.action, self.tr("Close")), self.tr("Not now"))
        self.number = QLineEdit()
        self.number.setObjectName("number")
        self.number.setMaximumWidth(240)
        self.number.setAccessibleName(self.tr("Participant number"))
        self.number.setPlaceholderText(self.tr("if you were given one"))
        self._begins = step.action == "start"
        self.column.addWidget(label(self._told(pack, step), wrap=True))
        if self._begins:
            form = QFormLayout()
            form.addRow(self.tr("Participant number"), self.number)
            self.column.addLayout(form)
        self.column.addStretch(1)

    def _told(self, pack: StudyPack, step: NextStep) -> str:
        protocol = pack.protocol
        items = plural(len(pack.block("main")), "item")
        if step.action == "block":
            return self.tr(
                "You have taken part in this study on this computer. It can be done only once; please tell the "
                "researcher if this is wrong."
            )
        if step.action == "resume":
            return self.tr("You have begun this study. It goes on where you stopped, with the same item.")
        parts = [self.tr("This study has {items}.").format(items=items)]
        if protocol.session_minutes is not None:
            parts.append(self.tr("It takes about {n} minutes.").format(n=f"{protocol.session_minutes:g}"))
        parts.append(self.tr("Nothing is recorded before you have read what it is about and agreed."))
        return " ".join(parts)

    @property
    def given_number(self) -> int | None:
        """The number typed; None for none. ValueError for something else."""
        text = self.number.text().strip()
        if not text:
            return None
        if not text.isdecimal() or int(text) >= _LARGEST_NUMBER:
            raise ValueError(self.tr("The participant number is a whole number from 0."))
        return int(text)

    def first(self) -> QWidget:
        return self.number if self._begins else self.on_button


class ConsentPage(StudyPage):
    """What the study is about, and the points to agree to, one by one."""

    def __init__(self, text: str, points: Sequence[str]) -> None:
        super().__init__(self.tr("Consent"), self.tr("I agree"), self.tr("I do not take part"))
        self.text = StudyText(without_points(text), self.tr("Consent"))
        self.column.addWidget(self.text, 1)
        self.boxes = {point: _box(point) for point in points}
        for box, words in self.boxes.values():
            line = QHBoxLayout()
            line.setSpacing(8)
            line.addWidget(box)
            line.addWidget(words, 1)
            self.column.addLayout(line)
            box.toggled.connect(self._ticked)
        self._ticked()

    @property
    def agreed(self) -> list[str]:
        """The points that are ticked."""
        return [point for point, (box, _) in self.boxes.items() if box.isChecked()]

    def _ticked(self) -> None:
        self.on_button.setEnabled(len(self.agreed) == len(self.boxes))

    def first(self) -> QWidget:
        return self.text


def _box(point: str) -> tuple[QCheckBox, QLabel]:
    """A box and its words, which wrap as those of a check box do not."""
    box, words = QCheckBox(), label(point, wrap=True)
    box.setAccessibleName(point)
    box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    words.setBuddy(box)
    return box, words


class CodePage(StudyPage):
    """The withdrawal code, shown once; the way on opens when it was noted."""

    def __init__(self, code: str) -> None:
        super().__init__(self.tr("Your withdrawal code"), self.tr("Go on"))
        self.code = QLineEdit(code)
        self.code.setReadOnly(True)
        self.code.setObjectName("withdrawalCode")
        self.code.setAccessibleName(self.tr("Withdrawal code"))
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(code))
        self.noted = QCheckBox(self.tr("I have noted the code."))
        self.noted.toggled.connect(self.on_button.setEnabled)
        self.on_button.setEnabled(False)
        told = self.tr(
            "Whoever gives this code to the researcher has all data of this session erased, also later. It is shown "
            "only now and is kept nowhere else."
        )
        self.column.addWidget(label(told, wrap=True))
        line = QHBoxLayout()
        line.addWidget(self.code, 1)
        line.addWidget(self.copy)
        self.column.addLayout(line)
        self.column.addWidget(self.noted)
        self.column.addStretch(1)

    def first(self) -> QWidget:
        return self.code


class TextPage(StudyPage):
    """A text to read."""

    def __init__(self, heading: str, text: str, go_on: str) -> None:
        super().__init__(heading, go_on)
        self.text = StudyText(text, heading)
        self.column.addWidget(self.text, 1)

    def first(self) -> QWidget:
        return self.text


class TellingPage(StudyPage):
    """A few sentences and one button: a pause, an end, a reason why not."""

    def __init__(self, heading: str, told: str, go_on: str) -> None:
        super().__init__(heading, go_on)
        self.told = label(told, wrap=True)
        self.column.addWidget(self.told)
        self.column.addStretch(1)
