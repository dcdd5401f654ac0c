"""The page of looks, habits of the canvas, and pictures."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFormLayout, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.view import Switch, ThemeChoice, View
from archstudio.files.atomic import SaveFailed
from archstudio.ui.panels.panel import label, roomy
from archstudio.ui.pictures.write import SCALE, WORDS, picture_options


class GeneralPage(QWidget):
    """Changes take effect at once and last."""

    def __init__(self, application: Application, view: View) -> None:
        super().__init__()
        self._application, self._view = application, view
        self.theme = self._theme_box()
        self.switches: dict[Switch, QCheckBox] = {which: self._switch(which) for which in self._titles()}
        options = picture_options(application.settings.read())
        self.scale = roomy(QDoubleSpinBox())
        self.scale.setRange(0.5, 8.0)
        self.scale.setSingleStep(0.5)
        self.scale.setDecimals(1)
        self.scale.setValue(options.scale)
        self.scale.setAccessibleName(self.tr("Pixels of a PNG per unit"))
        self.scale.valueChanged.connect(lambda value: self._store({SCALE: value}))
        self.words = QComboBox()
        self.words.setAccessibleName(self.tr("Text of an SVG"))
        self.words.addItem(self.tr("Text in a named font, can be searched"), "font")
        self.words.addItem(self.tr("Outlines, looks alike everywhere"), "outlines")
        self.words.setCurrentIndex(self.words.findData(options.words))
        self.words.currentIndexChanged.connect(lambda _: self._store({WORDS: self.words.currentData()}))
        self.told = label("", "error", wrap=True)
        self._arrange()

    def _titles(self) -> dict[Switch, str]:
        return {
            "snap": self.tr("Snap dragged layers to the grid"),
            "minimap": self.tr("Show the minimap"),
            "path": self.tr("Fade what is not on a way through the selected layer"),
            "motion": self.tr("Let layers glide to new places"),
        }

    def _theme_box(self) -> QComboBox:
        names: dict[ThemeChoice, str] = {
            "system": self.tr("Follow the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
            "high-contrast": self.tr("High contrast"),
        }
        made = QComboBox()
        made.setAccessibleName(self.tr("Theme"))
        for choice in get_args(ThemeChoice):
            made.addItem(names[choice], choice)
        made.setCurrentIndex(made.findData(self._view.theme_choice()))
        made.currentIndexChanged.connect(lambda _: self._view.set_theme(made.currentData()))
        return made

    def _switch(self, which: Switch) -> QCheckBox:
        made = QCheckBox(self._titles()[which])
        made.setChecked(self._view.is_on(which))
        made.toggled.connect(lambda on: self._view.switch(which, on))
        return made

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.addLayout(_section(self.tr("Looks"), ((self.tr("Theme"), self.theme),)))
        column.addWidget(label(self.tr("Canvas"), "heading"))
        for box in self.switches.values():
            column.addWidget(box)
        pictures = ((self.tr("Pixels of a PNG per unit"), self.scale), (self.tr("Text of an SVG"), self.words))
        column.addSpacing(8)
        column.addLayout(_section(self.tr("Pictures"), pictures))
        column.addWidget(self.told)
        column.addStretch(1)

    def _store(self, changes: dict[str, object]) -> None:
        try:
            self._application.settings.update(changes)
        except SaveFailed as failed:
            self.told.setText(str(failed))


def _section(title: str, rows: tuple[tuple[str, QWidget], ...]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.addWidget(label(title, "heading"))
    form = QFormLayout()
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
    for text, control in rows:
        form.addRow(text, control)
    column.addLayout(form)
    column.addSpacing(8)
    return column
