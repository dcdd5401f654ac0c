"""The dialog for a file of one's own: a preview, which column is which, how samples are split, what does not fit."""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.training import Trainable
from archstudio.app.training_data import OwnData, fitted_for, suggested_for
from archstudio.training.description import Loss
from archstudio.training.own_data.columns import Columns
from archstudio.training.own_data.roles import Roles
from archstudio.ui.panels.panel import label, roomy, set_role

_SIZE_PX = (720, 520)
_PREVIEWED, _MOST_COLUMNS = 4, 400
_LEFT_OUT = "–"


class DataDialog(QDialog):
    """`data` is what was chosen, None while something does not fit; *Use* can be pressed only then."""

    def __init__(self, parent: QWidget, ready: Trainable, columns: Columns, losses: tuple[Loss, ...]) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Data of your own"))
        self._ready, self._columns, self._losses = ready, columns, losses
        self.data: OwnData | None = None
        self.roles: list[QComboBox] = []
        self.validation, self.test = _share(0.2), _share(0.0)
        self.validation.setMinimum(0.01)
        self.seed = roomy(QSpinBox())
        self.seed.setRange(0, 2**31 - 1)
        self.standardise = QCheckBox(self.tr("bring columns to mean 0 and spread 1"))
        self.standardise.setChecked(True)
        self.standardise.setVisible(columns.is_table)
        self.report = label("", "muted", wrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.use = self.buttons.addButton(self.tr("Use"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._arrange()
        for box in (self.validation, self.test):
            box.valueChanged.connect(self.look)
        self.seed.valueChanged.connect(self.look)
        self.standardise.toggled.connect(self.look)
        self.resize(*_SIZE_PX)
        self.look()

    def _arrange(self) -> None:
        split = QGridLayout()
        fields = (
            (self.tr("Validation"), self.validation),
            (self.tr("Test"), self.test),
            (self.tr("Seed of the split"), self.seed),
        )
        for k, (name, box) in enumerate(fields):
            box.setAccessibleName(name)
            split.addWidget(label(name), 0, 2 * k)
            split.addWidget(box, 0, 2 * k + 1)
        line = QHBoxLayout()
        line.addLayout(split)
        line.addWidget(self.standardise)
        line.addStretch(1)
        column = QVBoxLayout(self)
        title = self.tr("{file}: {n} samples").format(file=self._columns.path.name, n=f"{len(self._columns):,}")
        column.addWidget(label(title, "heading", wrap=True))
        column.addWidget(self._table(), 1)
        column.addLayout(line)
        column.addWidget(self.report)
        column.addWidget(self.buttons)

    def _table(self) -> QTableWidget:
        """A row a column: name, role, what it holds, the first samples."""
        columns = self._columns.columns[:_MOST_COLUMNS]
        shown = self._columns.preview(_PREVIEWED)
        table = QTableWidget(len(columns), 3 + len(shown))
        heads = [self.tr("Column"), self.tr("Role"), self.tr("Holds")]
        heads += [self.tr("sample {k}").format(k=k + 1) for k in range(len(shown))]
        table.setHorizontalHeaderLabels(heads)
        table.setAccessibleName(self.tr("Columns"))
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.verticalHeader().setVisible(False)
        table.setShowGrid(False)
        suggested = suggested_for(self._ready, self._columns, self._losses)
        for k, column in enumerate(columns):
            table.setItem(k, 0, QTableWidgetItem(column.name))
            table.setCellWidget(k, 1, self._role_box(column.name, suggested))
            table.setItem(k, 2, QTableWidgetItem(column.summary))
            for place, sample in enumerate(shown):
                table.setItem(k, 3 + place, QTableWidgetItem(sample[k]))
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.resizeColumnsToContents()
        table.setColumnWidth(1, max(table.columnWidth(1), 140))
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        return table

    def _role_box(self, name: str, suggested: Roles | None) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Role of {name}").format(name=name))
        box.addItem(self.tr("left out"), _LEFT_OUT)
        for k, spec in enumerate(self._ready.inputs):
            box.addItem(self.tr("input {name}").format(name=spec.name), f"input {k}")
        for k in range(len(self._losses)):
            several = len(self._losses) > 1
            box.addItem(self.tr("target {n}").format(n=k + 1) if several else self.tr("target"), f"target {k}")
        box.setCurrentIndex(max(0, box.findData(_role_of(name, suggested))))
        box.currentIndexChanged.connect(self.look)
        self.roles.append(box)
        return box

    def look(self) -> None:
        """Check what is chosen against the graph, and tell everything that does not fit."""
        self.data = None
        try:
            made = OwnData(self._columns, self._chosen())
        except ValidationError as error:
            self._tell(error.errors()[0]["msg"].removeprefix("Value error, ").capitalize() + ".", "error")
            return
        fitted = fitted_for(self._ready, made, self._losses)
        if fitted.misfits:
            self._tell("\n".join(map(str, fitted.misfits)), "error")
            return
        self.data = made
        self._tell("\n".join([self.tr("Everything fits the graph."), *fitted.notes]), "muted")

    def _tell(self, text: str, role: str) -> None:
        self.report.setText(text)
        set_role(self.report, role)
        self.use.setEnabled(self.data is not None)

    def _chosen(self) -> Roles:
        chosen = [(name, box.currentData()) for name, box in zip(self._columns.names, self.roles, strict=False)]

        def of(role: str, count: int) -> tuple[tuple[str, ...], ...]:
            return tuple(tuple(name for name, its in chosen if its == f"{role} {k}") for k in range(count))

        return Roles(
            inputs=of("input", len(self._ready.inputs)),
            targets=of("target", len(self._losses)),
            validation_share=self.validation.value(),
            test_share=self.test.value(),
            seed=self.seed.value(),
            standardise=self.standardise.isChecked(),
        )


def _role_of(name: str, suggested: Roles | None) -> str:
    if suggested is None:
        return _LEFT_OUT
    for role, groups in (("input", suggested.inputs), ("target", suggested.targets)):
        for k, names in enumerate(groups):
            if name in names:
                return f"{role} {k}"
    return _LEFT_OUT


def _share(value: float) -> QDoubleSpinBox:
    box = roomy(QDoubleSpinBox())
    box.setRange(0.0, 0.9)
    box.setSingleStep(0.05)
    box.setValue(value)
    return box
