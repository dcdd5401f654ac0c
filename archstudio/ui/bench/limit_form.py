"""The limits of a task as a form: a tick for each, and a field where it has a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from archstudio.app.tasks.authoring import LIMIT_FIELDS, LimitField, limit_text, machine_names, names_in
from archstudio.ui.panels.panel import set_role

_FIELD_PX = 190


class LimitForm(QWidget):
    """`changed` follows every change; `limits` is what the form says now, `faults` what cannot be read in it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        grid.setHorizontalSpacing(10)
        grid.setColumnStretch(0, 1)
        self.rows: dict[str, LimitRow] = {}
        for place, field in enumerate(LIMIT_FIELDS):
            row = LimitRow(field)
            row.changed.connect(self.changed)
            grid.addWidget(row.tick, place, 0)
            grid.addWidget(row.value, place, 1)
            self.rows[field.key] = row

    @property
    def limits(self) -> dict[str, Any]:
        """The limits that are ticked; one whose field cannot be read is left out."""
        values = {key: row.limit for key, row in self.rows.items()}
        return {key: value for key, value in values.items() if value is not None}

    @property
    def faults(self) -> list[str]:
        """What is wrong with ticked fields, as sentences."""
        return [row.fault for row in self.rows.values() if row.fault]

    def show_limits(self, limits: Mapping[str, Any]) -> None:
        """Make the form say these limits, without telling."""
        self.blockSignals(True)
        for key, row in self.rows.items():
            row.show_limit(limits.get(key))
        self.blockSignals(False)


class LimitRow(QWidget):
    """One limit: its tick, and the field beside it, which is only used while it is ticked."""

    changed = Signal()

    def __init__(self, field: LimitField) -> None:
        super().__init__()
        self.field = field
        self.tick = QCheckBox(self.tr(field.title))
        self.tick.setObjectName(f"limit-{field.key}")
        self.tick.setToolTip(self.tr(field.help))
        self.value = QWidget()
        self.line, self.machine = QLineEdit(), QComboBox()
        self.line.setObjectName(f"value-{field.key}")
        self.line.setAccessibleName(self.tr(field.title))
        self.line.setToolTip(self.tr(field.help))
        self.machine.setAccessibleName(self.tr("Machine"))
        self._arrange()
        self.show_limit(None)
        self.tick.toggled.connect(self._told)
        self.line.textChanged.connect(self._told)
        self.machine.currentIndexChanged.connect(self._told)

    def _arrange(self) -> None:
        line = QHBoxLayout(self.value)
        line.setContentsMargins(0, 0, 0, 0)
        self.value.setFixedWidth(_FIELD_PX)
        if self.field.form == "switch":
            return
        line.addWidget(self.line)
        if self.field.form == "decode":
            self.line.setFixedWidth(64)
            for name in machine_names():
                self.machine.addItem(name)
            line.addWidget(self.machine, 1)

    def show_limit(self, limit: Any) -> None:
        """Show a limit, or None for one that is not set."""
        self.tick.setChecked(bool(limit) if self.field.form == "switch" else limit is not None)
        shown = self.field.usual if limit is None else limit
        if self.field.form == "decode":
            self.line.setText(f"{shown['value']:g}")
            self.machine.setCurrentIndex(max(self.machine.findText(shown["machine"]), 0))
        elif self.field.form != "switch":
            self.line.setText(f"{shown:,}" if isinstance(shown, int) else limit_text(shown))
        self._enable()

    @property
    def limit(self) -> Any:
        """The limit as the task holds it; None where it is not ticked or cannot be read."""
        if not self.tick.isChecked():
            return None
        if self.field.form == "switch":
            return True
        if self.field.form == "names":
            return names_in(self.line.text()) or None
        number = _number(self.line.text())
        if self.field.form == "number" or number is None:
            return number
        return {"value": number, "machine": self.machine.currentText()}

    @property
    def fault(self) -> str:
        """Why the ticked field cannot be read, if it cannot."""
        if not self.tick.isChecked() or self.limit is not None:
            return ""
        wanted = self.tr("names, separated by commas") if self.field.form == "names" else self.tr("a number from 0")
        return self.tr("{limit}: write {what}.").format(limit=self.field.title, what=wanted)

    def _told(self) -> None:
        self._enable()
        self.changed.emit()

    def _enable(self) -> None:
        self.value.setEnabled(self.tick.isChecked())
        set_role(self.line, "refused" if self.fault else "")


def _number(text: str) -> int | float | None:
    """A number as people type it, from 0; None for anything else."""
    digits = text.replace(",", "").replace(" ", "")
    try:
        value = float(digits)
    except ValueError:
        return None
    if not 0 <= value < 1e18:
        return None
    return int(value) if value == int(value) else value
