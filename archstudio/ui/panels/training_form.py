"""The settings of a run as fields: loss, optimiser, rate, batch, budget, seeds, difficulty of the data."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QWidget,
)

from archstudio.app.training import Trainable, loss_title, optimiser_kinds, optimiser_title
from archstudio.app.training_data import OwnData
from archstudio.app.training_settings import TrainSettings
from archstudio.training.devices import TITLES, offered_devices
from archstudio.ui.panels.panel import label, roomy

_LEAST_PX = 84


class RateBox(QDoubleSpinBox):
    """A rate as people write it, without trailing zeros; a step is a doubling or halving."""

    def textFromValue(self, value: float) -> str:
        """`0.001`, `3e-05`."""
        return f"{value:g}"

    def stepBy(self, steps: int) -> None:
        """Each step doubles or halves."""
        self.setValue(self.value() * 2.0**steps)


class TrainingForm(QWidget):
    """Two columns of fields. `changed` follows a choice that changes what will be trained on what."""

    changed = Signal()
    file_asked = Signal()
    images_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.loss, self.optimiser = QComboBox(), QComboBox()
        self.loss.activated.connect(self.changed)
        for kind in optimiser_kinds():
            self.optimiser.addItem(optimiser_title(kind), kind)
        self.lr, self.difficulty = RateBox(), QDoubleSpinBox()
        for box, low, high, value, digits in ((self.lr, 1e-7, 10.0, 0.001, 7), (self.difficulty, 0.0, 1.0, 0.3, 2)):
            box.setDecimals(digits)
            box.setRange(low, high)
            box.setValue(value)
        self.difficulty.setSingleStep(0.1)
        self.batch, self.budget = _whole(65_536, 32), _whole(100_000_000, 16_384)
        self.seeds = _whole(64, 1)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        wide = ((self.tr("Loss"), self.loss), (self.tr("Optimiser"), self.optimiser))
        for k, (name, combo) in enumerate(wide):
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setAccessibleName(name)
            grid.addWidget(label(name), k, 0)
            grid.addWidget(combo, k, 1, 1, 3)
        numbers: tuple[tuple[str, QAbstractSpinBox], ...] = (
            (self.tr("Rate"), self.lr),
            (self.tr("Batch"), self.batch),
            (self.tr("Samples"), self.budget),
            (self.tr("Seeds"), self.seeds),
            (self.tr("Difficulty"), self.difficulty),
        )
        for k, (name, number) in enumerate(numbers):
            number.setAccessibleName(name)
            roomy(number).setMinimumWidth(_LEAST_PX)
            row, column = len(wide) + k // 2, 2 * (k % 2)
            grid.addWidget(label(name), row, column)
            grid.addWidget(number, row, column + 1)
        self.lr.setToolTip(self.tr("Learning rate at its highest, after warming up."))
        self.budget.setToolTip(self.tr("How many samples are seen in all; the run ends then."))
        self.seeds.setToolTip(self.tr("How often the run is repeated from another random start."))
        self.difficulty.setToolTip(self.tr("How hard the made-up data is: 0 easy, 1 hopeless."))
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self._add_recipe(grid, len(wide) + (len(numbers) + 1) // 2)
        self._add_data(grid, grid.rowCount())

    def _add_recipe(self, grid: QGridLayout, row: int) -> None:
        """Schedule, clipping, patience, precision and weights: defaults that train, for those who want others."""
        self.schedule, self.precision = QComboBox(), QComboBox()
        for kind, title in (
            ("cosine", self.tr("cosine")),
            ("constant", self.tr("constant")),
            ("linear", self.tr("linear")),
            ("exponential", self.tr("exponential")),
        ):
            self.schedule.addItem(title, kind)
        for precision in ("float32", "bfloat16"):
            self.precision.addItem(precision, precision)
        self.clip, self.patience = QDoubleSpinBox(), QSpinBox()
        self.clip.setRange(0.0, 1000.0)
        self.clip.setValue(1.0)
        self.clip.setSpecialValueText(self.tr("none"))
        self.patience.setRange(0, 1000)
        self.patience.setSpecialValueText(self.tr("never"))
        self.balanced = QCheckBox(self.tr("rare classes count as much"))
        self.schedule.setToolTip(self.tr("How the rate falls after warming up."))
        self.clip.setToolTip(self.tr("Gradients are shortened to this norm."))
        self.patience.setToolTip(self.tr("Stop after so many evaluations without a lower validation loss."))
        self.precision.setToolTip(self.tr("Products in half precision; weights stay in float32."))
        fields: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Schedule"), self.schedule),
            (self.tr("Clip"), self.clip),
            (self.tr("Patience"), self.patience),
            (self.tr("Precision"), self.precision),
        )
        for k, (name, field) in enumerate(fields):
            field.setAccessibleName(name)
            field.setMinimumWidth(_LEAST_PX)
            if isinstance(field, QAbstractSpinBox):
                roomy(field)
            grid.addWidget(label(name), row + k // 2, 2 * (k % 2))
            grid.addWidget(field, row + k // 2, 2 * (k % 2) + 1)
        grid.addWidget(self.balanced, row + 2, 1, 1, 3)
        self._add_device(grid, row + 3)

    def _add_device(self, grid: QGridLayout, row: int) -> None:
        """What to compute on, where there is a choice."""
        self.device = QComboBox()
        self.device.setAccessibleName(self.tr("Device"))
        self.device.setToolTip(
            self.tr("What it computes on; the same numbers to the last digit come from the CPU only.")
        )
        for device in offered_devices():
            self.device.addItem(TITLES[device], device)
        if self.device.count() > 1:
            grid.addWidget(label(self.tr("Device")), row, 0)
            grid.addWidget(self.device, row, 1)

    def _add_data(self, grid: QGridLayout, row: int) -> None:
        self.data: OwnData | None = None
        self.data_button = QToolButton()
        self.data_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.data_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.data_button.setAccessibleName(self.tr("Data"))
        menu = QMenu(self)
        menu.addAction(self.tr("Made-up data that fits")).triggered.connect(lambda: self.set_data(None))
        menu.addAction(self.tr("A file of your own…")).triggered.connect(self.file_asked)
        menu.addAction(self.tr("Folders of images…")).triggered.connect(self.images_asked)
        self.data_button.setMenu(menu)
        grid.addWidget(label(self.tr("Data")), row, 0)
        grid.addWidget(self.data_button, row, 1, 1, 3)
        self.where_button = QToolButton()
        self.where_button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.where_button.setAccessibleName(self.tr("Where"))
        self.where_button.setToolTip(self.tr("Train on this machine, through Dask, or as jobs of a batch system."))
        grid.addWidget(label(self.tr("Where")), row + 1, 0)
        grid.addWidget(self.where_button, row + 1, 1, 1, 3)
        self.set_data(None)

    def show_where(self, text: str) -> None:
        """Say where runs are trained."""
        self.where_button.setText(text)

    def set_data(self, data: OwnData | None) -> None:
        """Train on this file from now on, or on made-up data."""
        self.data = data
        self.data_button.setText(self.tr("made up, fits the graph") if data is None else data.columns.path.name)
        self.data_button.setToolTip("" if data is None else data.words)
        self.difficulty.setEnabled(data is None)
        self.changed.emit()

    def offer(self, ready: Trainable) -> None:
        """Offer the losses that fit, keeping the choice if it still does."""
        chosen = self.loss.currentData()
        if [self.loss.itemData(k) for k in range(self.loss.count())] != list(ready.losses):
            self.loss.clear()
            for kind in ready.losses:
                self.loss.addItem(loss_title(kind), kind)
        self.loss.setCurrentIndex(ready.losses.index(chosen) if chosen in ready.losses else 0)

    def show_settings(self, settings: TrainSettings) -> None:
        """Put these settings into the fields; what is not offered here stays out."""
        chosen = (
            (self.loss, settings.loss),
            (self.optimiser, settings.optimiser),
            (self.schedule, settings.schedule),
            (self.precision, settings.precision),
            (self.device, settings.device),
        )
        for combo, kind in chosen:
            if (place := combo.findData(kind)) >= 0:
                combo.setCurrentIndex(place)
        numbers: tuple[tuple[QSpinBox | QDoubleSpinBox, float | None], ...] = (
            (self.lr, settings.lr),
            (self.batch, settings.batch_size),
            (self.budget, settings.budget_samples),
            (self.seeds, settings.seeds),
            (self.difficulty, settings.difficulty),
            (self.clip, settings.clip),
            (self.patience, settings.patience),
        )
        for box, value in numbers:
            if value is not None:
                box.setValue(value)  # type: ignore[arg-type]
        self.balanced.setChecked(settings.balanced)
        self.changed.emit()

    def settings(self) -> TrainSettings:
        """What the fields say."""
        loss: Any = self.loss.currentData()
        optimiser: Any = self.optimiser.currentData()
        return TrainSettings(
            optimiser=optimiser,
            lr=self.lr.value(),
            batch_size=self.batch.value(),
            budget_samples=self.budget.value(),
            seeds=self.seeds.value(),
            difficulty=self.difficulty.value(),
            loss=loss,
            schedule=self.schedule.currentData(),
            clip=self.clip.value(),
            patience=self.patience.value(),
            balanced=self.balanced.isChecked(),
            precision=self.precision.currentData(),
            device=self.device.currentData(),
            data=self.data,
        )


def _whole(high: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setRange(1, high)
    box.setValue(value)
    box.setGroupSeparatorShown(True)
    return box
