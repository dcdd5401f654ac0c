"""Lets two canvases show the same place at the same size."""

from __future__ import annotations

from collections.abc import Callable

from archstudio.ui.canvas.surface import CanvasSurface


class Linked:
    """While it lives, moving or zooming either canvas moves the other. Ends with `end`."""

    def __init__(self, one: CanvasSurface, other: CanvasSurface) -> None:
        self._busy = False
        self._endings: list[Callable[[], object]] = []
        for leader, follower in ((one, other), (other, one)):
            self._follow(leader, follower)
        self._copy(one, other)

    def _follow(self, leader: CanvasSurface, follower: CanvasSurface) -> None:
        def moved(_: float) -> None:
            self._copy(leader, follower)

        bars = (leader.horizontalScrollBar().valueChanged, leader.verticalScrollBar().valueChanged)
        for signal in (*bars, leader.zoom_changed):
            signal.connect(moved)
            self._endings.append(lambda signal=signal: signal.disconnect(moved))  # type: ignore[misc]

    def _copy(self, leader: CanvasSurface, follower: CanvasSurface) -> None:
        if self._busy:
            return
        self._busy = True
        try:
            follower.camera.zoom_to(leader.camera.zoom)
            follower.camera.center_on(leader.camera.seen().center())
        finally:
            self._busy = False

    def end(self) -> None:
        """Let each go its own way."""
        for ending in self._endings:
            ending()
        self._endings.clear()
