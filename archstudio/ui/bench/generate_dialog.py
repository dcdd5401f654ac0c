"""Asks for tier, count, seed and wording of a suite of generated tasks; the fields remember the last answer."""

from __future__ import annotations

from typing import cast, get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.tasks.library import LARGEST_COUNT, LARGEST_SEED
from archstudio.app.tasks.suites import GeneratedSuite
from archstudio.bench.generate import FAMILIES, TIERS, Tier, Wording, generate
from archstudio.files.settings import SettingsFile
from archstudio.ui.panels.panel import label, set_role

SETTINGS_KEY = "generateTasks"
_EXAMPLE_LETTERS = 700


class GenerateDialog(QDialog):
    """A form over an example of what the recipe draws. A seed or count that cannot be is refused with the reason."""

    def __init__(self, parent: QWidget, settings: SettingsFile) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle(self.tr("Generate tasks"))
        self.tier, self.wording = QComboBox(), QComboBox()
        self.count, self.seed = QLineEdit(), QLineEdit()
        self._about = label("", "muted", wrap=True)
        self._fault = label("", "error", wrap=True)
        self._example = label("", "code", wrap=True)
        self._example.setMinimumHeight(150)
        self._example.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.make = QPushButton(self.tr("Generate"))
        self._prepare()
        self._arrange()
        self._recall()
        self._check()

    def _prepare(self) -> None:
        for tier in TIERS:
            self.tier.addItem(tier.capitalize(), tier)
        self.wording.addItem(self.tr("Complete: every binding fact"), "complete")
        self.wording.addItem(self.tr("Original facts only"), "original-facts")
        names = (self.tr("Tier"), self.tr("Wording of briefs"), self.tr("Count"), self.tr("Seed"))
        for field, name in zip((self.tier, self.wording, self.count, self.seed), names, strict=True):
            field.setAccessibleName(name)
        for box in (self.tier, self.wording):
            box.currentIndexChanged.connect(self._check)
        for line in (self.count, self.seed):
            line.textChanged.connect(self._check)
        self.seed.setPlaceholderText(f"0 – {LARGEST_SEED:,}")
        self.count.setPlaceholderText(f"1 – {LARGEST_COUNT:,}")
        self.make.setDefault(True)

    def _arrange(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(16)
        form.addRow(self.tr("Tier"), self.tier)
        form.addRow("", self._about)
        form.addRow(self.tr("Count"), self.count)
        form.addRow(self.tr("Seed"), self.seed)
        form.addRow(self.tr("Briefs"), self.wording)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.make, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(12)
        column.addLayout(form)
        column.addWidget(self._fault)
        column.addWidget(label(self.tr("The first brief"), "strong"))
        column.addWidget(self._example, 1)
        column.addWidget(buttons)
        self.resize(560, 560)

    def _recall(self) -> None:
        stored = self._settings.read().get(SETTINGS_KEY)
        kept = stored if isinstance(stored, dict) else {}
        self.tier.setCurrentIndex(max(self.tier.findData(kept.get("tier")), 0))
        self.wording.setCurrentIndex(max(self.wording.findData(kept.get("wording")), 0))
        self.count.setText(str(kept.get("count", 120)))
        self.seed.setText(str(kept.get("seed", 7)))

    @property
    def recipe(self) -> GeneratedSuite | None:
        """What the fields say; None while they say nothing that can be drawn."""
        count, seed = _whole(self.count.text()), _whole(self.seed.text())
        if count is None or seed is None or not (1 <= count <= LARGEST_COUNT and 0 <= seed <= LARGEST_SEED):
            return None
        return GeneratedSuite(self._tier, seed, count, self._wording)

    @property
    def _tier(self) -> Tier:
        return cast(Tier, self.tier.currentData())

    @property
    def _wording(self) -> Wording:
        chosen: Wording = self.wording.currentData()
        return chosen if chosen in get_args(Wording) else "complete"

    @property
    def fault(self) -> str:
        """Why the fields cannot be used, if they cannot."""
        count, seed = _whole(self.count.text()), _whole(self.seed.text())
        if count is None or not 1 <= count <= LARGEST_COUNT:
            return self.tr("The count must be a whole number from 1 to {n}.").format(n=f"{LARGEST_COUNT:,}")
        if seed is None or not 0 <= seed <= LARGEST_SEED:
            return self.tr("The seed must be a whole number from 0 to {n}.").format(n=f"{LARGEST_SEED:,}")
        return ""

    def _check(self) -> None:
        count, seed = _whole(self.count.text()), _whole(self.seed.text())
        set_role(self.count, "" if count is not None and 1 <= count <= LARGEST_COUNT else "refused")
        set_role(self.seed, "" if seed is not None and 0 <= seed <= LARGEST_SEED else "refused")
        self._fault.setText(self.fault)
        self._fault.setVisible(bool(self.fault))
        self.make.setEnabled(not self.fault)
        families = ", ".join(FAMILIES[self._tier])
        self._about.setText(self.tr("Families, in turn: {names}.").format(names=families))
        recipe = self.recipe
        if recipe is not None:
            text = next(generate(recipe.tier, 1, recipe.seed)).brief(recipe.wording)
            self._example.setText(text if len(text) <= _EXAMPLE_LETTERS else f"{text[:_EXAMPLE_LETTERS]}…")

    def accept(self) -> None:
        """Take the answer and remember it."""
        recipe = self.recipe
        if recipe is not None:
            self._settings.update({SETTINGS_KEY: recipe.recipe()})
            super().accept()


def _whole(text: str) -> int | None:
    """A whole number as people type it, thousands separated or not; None for anything else."""
    digits = text.strip().replace(",", "").replace(" ", "")
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 12 else None
