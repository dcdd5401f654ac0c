"""Keeps the heat of a canvas true: measured again a moment after each change, with its legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from archstudio.app.heat import HeatKind, heat
from archstudio.ui.canvas.scene import CanvasScene
from archstudio.ui.canvas.warmth import Legend
from archstudio.ui.theme import Theme

_PAUSE_MS = 120


class HeatView(QObject):
    """One canvas's heat; `gradients` are norms by layer names from a run, if there are any."""

    def __init__(self, canvas: QWidget, scene: CanvasScene, theme: Theme) -> None:
        super().__init__(canvas)
        self._scene = scene
        self.kind: HeatKind = "off"
        self.gradients: Callable[[], Mapping[str, float]] = dict
        self.legend = Legend(canvas, theme)
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(_PAUSE_MS)
        self._due.timeout.connect(self.show)
        scene.drawn.connect(self._changed)

    def set_kind(self, kind: HeatKind) -> None:
        """Colour by this from now on."""
        self.kind = kind
        self.show()

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.legend.set_theme(theme)
        if self.kind != "off":
            self.show()

    def _changed(self) -> None:
        if self.kind != "off":
            self._due.start()

    def stop(self) -> None:
        """Measure no more."""
        self._due.stop()

    def show(self) -> None:
        """Measure and colour now."""
        self._due.stop()
        measured = heat(self._scene.document, self.kind, self.gradients())
        self._scene.show_heat(measured)
        self.legend.show_heat(measured)
