"""The dialog that asks where runs are trained, and connects meanwhile the window goes on."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.training_engine import BATCH_TITLES, Opening
from archstudio.app.words import said_made
from archstudio.training.engines import BATCH_SYSTEMS, EngineChoice, NoEngine
from archstudio.training.kept_engine import KeptEngine
from archstudio.ui.panels.panel import label, roomy, set_role

_LOOK_MS = 100
_MOST = 1024
_NOTES_PX = 500


class WhereDialog(QDialog):
    """`choice` and, where it was connected, `engine` are what was chosen, once the dialog is accepted."""

    def __init__(self, parent: QWidget, choice: EngineChoice, before: KeptEngine | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Where runs are trained"))
        self.choice = choice
        self.engine: KeptEngine | None = None
        self.before = before
        self._opening: Opening | None = None
        self.here = QRadioButton(self.tr("This machine"))
        self.dask = QRadioButton(self.tr("Dask on this machine"))
        self.address = QRadioButton(self.tr("A Dask scheduler at"))
        self.batch = QRadioButton(self.tr("A batch system"))
        self.workers, self.dask_workers, self.jobs = _count(), _count(), _count()
        for box in (self.workers, self.dask_workers):
            box.setMinimum(0)
            box.setValue(0)
            box.setSpecialValueText(self.tr("one a core"))
            box.setAccessibleName(self.tr("Workers"))
        self.jobs.setAccessibleName(self.tr("Jobs"))
        self.scheduler = QLineEdit()
        self.scheduler.setPlaceholderText("tcp://host:8786")
        self.scheduler.setAccessibleName(self.tr("Address of the scheduler"))
        self.system = QComboBox()
        self.system.setAccessibleName(self.tr("Batch system"))
        for name in BATCH_SYSTEMS:
            self.system.addItem(BATCH_TITLES[name], name)
        self.report = label("", "muted", wrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.use = self.buttons.addButton(self.tr("Use"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.connect_now)
        self.buttons.rejected.connect(self.reject)
        self._looker = QTimer(self)
        self._looker.setInterval(_LOOK_MS)
        self._looker.timeout.connect(self._look)
        self._arrange()
        self._show(choice)

    def _arrange(self) -> None:
        self.group = QButtonGroup(self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        rows: tuple[tuple[QRadioButton, tuple[QWidget, ...]], ...] = (
            (self.here, (self.workers, label(self.tr("workers"), "muted"))),
            (self.dask, (self.dask_workers, label(self.tr("workers"), "muted"))),
            (self.address, (self.scheduler,)),
            (self.batch, (self.system, self.jobs, label(self.tr("jobs of one thread"), "muted"))),
        )
        for row, (radio, fields) in enumerate(rows):
            self.group.addButton(radio)
            grid.addWidget(radio, row, 0)
            for column, field in enumerate(fields):
                grid.addWidget(field, row, 1 + column, 1, 3 if len(fields) == 1 else 1)
            radio.toggled.connect(lambda on, fields=fields: [field.setEnabled(on) for field in fields])
            for field in fields:
                field.setEnabled(False)
        grid.setColumnStretch(3, 1)
        notes = label(
            self.tr(
                "The same description gives the same numbers everywhere. Queue, account, memory and time of jobs come "
                "from Dask's own configuration. Whoever reaches a Dask scheduler can run code on it."
            ),
            "muted",
            wrap=True,
        )
        notes.setMinimumWidth(_NOTES_PX)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(20, 18, 20, 16)
        outer.setSpacing(14)
        outer.addLayout(grid)
        outer.addWidget(notes)
        outer.addWidget(self.report)
        outer.addWidget(self.buttons)

    def _show(self, choice: EngineChoice) -> None:
        radio = self.here
        if choice.scheduler in BATCH_SYSTEMS:
            radio = self.batch
            self.system.setCurrentIndex(self.system.findData(choice.scheduler))
            self.jobs.setValue(choice.workers or 1)
        elif choice.scheduler is not None:
            radio = self.address
            self.scheduler.setText(choice.scheduler)
        elif choice.name == "dask":
            radio = self.dask
            self.dask_workers.setValue(choice.workers or 0)
        else:
            self.workers.setValue(choice.workers or 0)
        radio.setChecked(True)

    def chosen(self) -> EngineChoice:
        """What the fields say; NoEngine if they contradict each other."""
        if self.batch.isChecked():
            return EngineChoice("dask", self.jobs.value(), self.system.currentData())
        if self.address.isChecked():
            if not (address := self.scheduler.text().strip()):
                raise NoEngine(self.tr("Give the address of the scheduler, such as tcp://host:8786."))
            return EngineChoice("dask", None, address)
        if self.dask.isChecked():
            return EngineChoice("dask", self.dask_workers.value() or None)
        return EngineChoice("local", self.workers.value() or None)

    def connect_now(self) -> None:
        """Open the engine chosen, and accept when it is there."""
        if self._opening is not None:
            return
        try:
            choice = self.chosen()
        except NoEngine as reason:
            self._tell(str(reason), "error")
            return
        before, self.before = self.before, None
        self._opening = Opening(choice, before)
        self.use.setEnabled(False)
        self._tell(self.tr("Connecting…"), "muted")
        self._looker.start()

    def _look(self) -> None:
        opening = self._opening
        if opening is None or not opening.over:
            return
        self._looker.stop()
        self._opening = None
        self.use.setEnabled(True)
        self.engine = opening.take()
        if self.engine is None:
            self._tell(opening.fault, "error")
            return
        self.choice = opening.choice
        self.accept()

    def reject(self) -> None:
        """Give up connecting as well."""
        self._looker.stop()
        if self._opening is not None:
            self._opening.give_up()
            self._opening = None
        super().reject()

    def _tell(self, text: str, role: str) -> None:
        self.report.setText(said_made(text))
        set_role(self.report, role)


def _count() -> QSpinBox:
    box = QSpinBox()
    box.setRange(1, _MOST)
    roomy(box).setMinimumWidth(110)
    return box
