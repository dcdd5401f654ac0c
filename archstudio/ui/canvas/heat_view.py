"""Keeps the heat of a canvas true: measured again a moment after each change, with its legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QTimer

from archstudio.app.heat import HeatKind, heat
from archstudio.ui.canvas.scene import CanvasScene
from archstudio.ui.canvas.warmth import Legend
from archstudio.ui.theme import Theme

if TYPE_CHECKING:
    from archstudio.ui.canvas.surface import CanvasSurface

_PAUSE_MS = 120
_AFTER_MOVING_MS = 60
_MOST_LOOKED_AT = 2_000
"""Of more layers than this not each is kept clear of the legend, only the whole they make."""


class HeatView(QObject):
    """One canvas's heat; `gradients` are norms by layer names from a run, if there are any."""

    def __init__(self, canvas: CanvasSurface, scene: CanvasScene, theme: Theme) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._scene = scene
        self.kind: HeatKind = "off"
        self.gradients: Callable[[], Mapping[str, float]] = dict
        self.legend = Legend(canvas, theme)
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(_PAUSE_MS)
        self._due.timeout.connect(self.show)
        self._moved = QTimer(self)
        self._moved.setSingleShot(True)
        self._moved.setInterval(_AFTER_MOVING_MS)
        self._moved.timeout.connect(self._place)
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
        self._moved.stop()

    def view_moved(self) -> None:
        """Other layers may be where the legend is: it goes elsewhere once the view stands still."""
        if self.kind != "off":
            self._moved.start()

    def _place(self) -> None:
        canvas, scene = self._canvas, self._scene
        seen = canvas.camera.seen()
        boxes = (
            [item.body() for item in scene.nodes.values()] if len(scene.nodes) <= _MOST_LOOKED_AT else [scene.bounds()]
        )
        to_view = canvas.viewportTransform()
        taken = [to_view.mapRect(box) for box in boxes if box.intersects(seen)]
        if canvas.minimap.isVisible():
            taken.append(QRectF(canvas.minimap.geometry()))
        self.legend.place(taken)

    def show(self) -> None:
        """Measure and colour now."""
        self._due.stop()
        measured = heat(self._scene.document, self.kind, self.gradients())
        self._scene.show_heat(measured)
        self.legend.show_heat(measured)
        if measured is not None:
            self._place()
