"""A button whose menu narrows the list of tasks by tier, family, difficulty and progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton

from archstudio.app.tasks.filters import STATES, TaskFilter
from archstudio.app.words import said
from archstudio.ui.bench.task_model import TaskModel
from archstudio.ui.panels.panel import set_role

LONGEST = 16
"""Letters of what is set that the button shows; its tip tells all."""


class FilterButton(QToolButton):
    """Offers what the list holds; `changed` carries the new filter."""

    changed = Signal(object)

    def __init__(self, model: TaskModel) -> None:
        super().__init__()
        self.setObjectName("taskFilter")
        self.setAccessibleName(self.tr("Filter tasks"))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._model = model
        self.tells = True
        """Whether difficulty and progress may be told."""
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self.fill)
        self.setMenu(self._menu)
        self.show_filter()

    def show_filter(self) -> None:
        """Say on the button what is set."""
        told = self._model.filter.described()
        short = told if len(told) <= LONGEST else f"{told[: LONGEST - 1]}…"
        self.setText((self.tr("Filter: {what}").format(what=short) if told else self.tr("Filter")) + " ▾")
        self.setToolTip(told)
        set_role(self, "on" if told else "")

    def fill(self) -> None:
        """Make the menu for what the list holds now."""
        wanted = self._model.filter
        self._menu.clear()
        tiers, families = self._model.tiers(), self._model.families()
        self._offer(self.tr("Tier"), tiers, wanted.tier, lambda v: replace(wanted, tier=v))
        self._offer(self.tr("Family"), families, wanted.family, lambda v: replace(wanted, family=v))
        if self.tells:
            bands = [str(band) for band in self._model.bands()]
            self._offer(self.tr("Difficulty"), bands, wanted.band, lambda v: replace(wanted, band=v), _band_text)
            self._offer(
                self.tr("Progress"),
                list(STATES),
                wanted.state,
                lambda v: replace(wanted, state=v),
                lambda state: said(STATES[state]),
            )
        self._menu.addSeparator()
        clear = self._menu.addAction(self.tr("Show All"))
        clear.setEnabled(wanted.is_narrow)
        clear.triggered.connect(lambda: self.changed.emit(TaskFilter(text=wanted.text)))

    def _offer(
        self,
        title: str,
        values: list[str],
        chosen: str,
        changed: Callable[[str], TaskFilter],
        text: Callable[[str], str] = str.capitalize,
    ) -> None:
        """A submenu with one choice of several, the first of which is all."""
        menu = self._menu.addMenu(f"{title}: {text(chosen)}" if chosen else title)
        group = QActionGroup(menu)
        for value in ("", *values):
            action = menu.addAction(text(value) if value else self.tr("All"))
            action.setCheckable(True)
            action.setChecked(value == chosen)
            group.addAction(action)
            action.triggered.connect(lambda _=False, value=value: self.changed.emit(changed(value)))


def _band_text(band: str) -> str:
    return said(band).capitalize()
