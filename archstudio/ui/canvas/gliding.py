"""Lets layers glide from where they were to where the model has them, in at most a fifth of a second."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEasingCurve, QPointF, QVariantAnimation

from archstudio.ui.canvas.scene import CanvasScene

DURATION_MS = 180
MOST = 600
"""More layers than this jump: drawing so many in between would take longer than the way is worth."""


class Glide(QVariantAnimation):
    """Only shows; the model is at its end from the beginning, and one `finish` brings the picture there."""

    def __init__(self, scene: CanvasScene) -> None:
        super().__init__(scene)
        self._scene = scene
        self._from: dict[str, QPointF] = {}
        self._to: dict[str, QPointF] = {}
        self.setStartValue(0.0)
        self.setEndValue(1.0)
        self.setDuration(DURATION_MS)
        self.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.valueChanged.connect(self._show)
        self.finished.connect(self.finish)

    @property
    def is_going(self) -> bool:
        """Whether layers are on their way."""
        return bool(self._to)

    def begin(self, before: Mapping[str, QPointF]) -> None:
        """Start from these places; the layers stand where they are to go already."""
        nodes = self._scene.nodes
        self._from = {n: at for n, at in before.items() if n in nodes}
        self._to = {n: QPointF(nodes[n].pos()) for n in self._from}
        self._scene.preview_positions(self._from)
        self.start()

    def _show(self, share: float) -> None:
        nodes = self._scene.nodes
        self._scene.preview_positions(
            {n: start + (self._to[n] - start) * share for n, start in self._from.items() if n in nodes}
        )

    def finish(self) -> None:
        """Show every layer where the model has it, now."""
        if self._to:
            nodes, self._from, self._to = list(self._to), {}, {}
            self.stop()
            self._scene.forget_preview(nodes)
