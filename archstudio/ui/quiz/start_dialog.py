"""What is asked before a session begins: which questions, under which protocol, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.figures import plural
from archstudio.app.quiz.packs import QuizPack
from archstudio.app.quiz.record import Protocol
from archstudio.app.quiz.wording import family_title, protocol_title, protocol_words
from archstudio.ui.panels.panel import label, roomy

_MOST_SEED = 2**31 - 1
_INDENT_PX = 22


class StartDialog(QDialog):
    """One pack, or a choice of several. Read `pack`, `protocol`, `seed` and `items` after it was accepted."""

    def __init__(self, parent: QWidget, packs: Sequence[QuizPack]) -> None:
        super().__init__(parent)
        self._packs = packs
        self.setWindowTitle(self.tr("Begin questions"))
        self.which = QComboBox()
        self.which.setAccessibleName(self.tr("Pack"))
        for pack in packs:
            self.which.addItem(f"{pack.title} ({len(pack.items)})")
        self.which.setVisible(len(packs) > 1)
        self.which.currentIndexChanged.connect(self._show_pack)
        self._title, self._detail = label("", "heading", wrap=True), label("", "muted", wrap=True)
        self._families = QVBoxLayout()
        self._boxes: dict[str, QCheckBox] = {}
        self.radios: dict[Protocol, QRadioButton] = {}
        self.shuffled, self.seed_box = QCheckBox(self.tr("Shuffle, by seed")), roomy(QSpinBox())
        self.seed_box.setRange(0, _MOST_SEED)
        self.seed_box.setMinimumWidth(110)
        self.seed_box.setAccessibleName(self.tr("Seed of the order"))
        self.shuffled.toggled.connect(self.seed_box.setEnabled)
        self.seed_box.setEnabled(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.begin = QPushButton(self.tr("Begin"))
        self.begin.setDefault(True)
        buttons.addButton(self.begin, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(8)
        self.warning = label("", "warn", wrap=True)
        for part in (self._title, self._detail, self.which, self.warning):
            column.addWidget(part)
        column.addLayout(self._families)
        column.addSpacing(6)
        self._add_protocols(column)
        column.addSpacing(6)
        line = QHBoxLayout()
        line.addWidget(self.shuffled)
        line.addWidget(self.seed_box)
        line.addStretch(1)
        column.addLayout(line)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(520)
        self._show_pack()

    def _add_protocols(self, column: QVBoxLayout) -> None:
        for protocol in ("full_sequential_feedback", "blind", "practice"):
            assert protocol in get_args(Protocol)
            radio = QRadioButton(protocol_title(protocol))
            radio.setObjectName(f"protocol-{protocol}")
            radio.setAccessibleDescription(protocol_words(protocol))
            words = label(protocol_words(protocol), "muted", wrap=True)
            words.setContentsMargins(_INDENT_PX, 0, 0, 4)
            self.radios[protocol] = radio
            column.addWidget(radio)
            column.addWidget(words)

    def _show_pack(self) -> None:
        pack = self.pack
        self._title.setText(pack.title)
        told = plural(len(pack.items), "question")
        self._detail.setText(told if pack.key is not None else self.tr("{n}, without answers").format(n=told))
        leaks = self.tr(
            "What some rankings show to judge by is asked in others: they give answers away (cyclic layout)."
        )
        self.warning.setText(leaks)
        self.warning.setVisible(pack.tells_results)
        while (item := self._families.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        self._boxes = {}
        if len(pack.families) > 1:
            for family, count in pack.families.items():
                box = QCheckBox(f"{family_title(family)} ({count})")
                box.setChecked(True)
                box.toggled.connect(self._check)
                self._boxes[family] = box
                self._families.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        scored = pack.key is not None
        self.radios["full_sequential_feedback"].setEnabled(scored)
        self.radios["practice"].setEnabled(scored)
        self.radios["full_sequential_feedback" if scored else "blind"].setChecked(True)
        self.shuffled.setChecked(not pack.ordered)
        self._check()

    def _check(self) -> None:
        self.begin.setEnabled(bool(self.items))

    @property
    def pack(self) -> QuizPack:
        """The pack chosen."""
        return self._packs[max(0, self.which.currentIndex())]

    @property
    def protocol(self) -> Protocol:
        """The protocol chosen."""
        return next(protocol for protocol, radio in self.radios.items() if radio.isChecked())

    @property
    def seed(self) -> int | None:
        """What the order follows from; None for the pack's own order."""
        return self.seed_box.value() if self.shuffled.isChecked() else None

    @property
    def items(self) -> list[str]:
        """The questions chosen, in the pack's order."""
        left_out = {family for family, box in self._boxes.items() if not box.isChecked()}
        return [item.id for item in self.pack.items if item.family not in left_out]
