"""A graph laid out for paper: light, without selection, at full detail, whatever the window looks like."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from archstudio.app.document import Document, copy_graph
from archstudio.ui.canvas.ink import Ink
from archstudio.ui.canvas.scene import MOST_INDEXED, CanvasScene
from archstudio.ui.canvas.wire_item import WireItem
from archstudio.ui.theme import Theme

MARGIN = 16.0
"""White around the drawing, in canvas units."""
_PAPER = "#ffffff"


@cache
def paper_theme() -> Theme:
    """The light theme on white."""
    light = Theme.named("light")
    return replace(light, tokens={**light.tokens, "canvas": _PAPER, "node": _PAPER})


class PaperInk(Ink):
    """Lines keep their width in canvas units: on a printer, a width in device dots would be invisible."""

    def __init__(self) -> None:
        super().__init__(paper_theme())

    def set_zoom(self, zoom: float) -> None:
        """Always full detail."""
        super().set_zoom(1.0)
        for pen in vars(self).values():
            if isinstance(pen, QPen):
                pen.setCosmetic(False)


class Sheet:
    """A copy of a document's graph as it is drawn on paper. Ends with `close`.

    `area` is what there is to draw, with its margin, in canvas units (1/96 inch at 100 %). With `only`, the layers of
    these ids and the wires between them are drawn, with what is known of them in the whole. `crowded` says that there
    are more wires than anybody can follow; their shapes, one over the other, are left out.
    """

    def __init__(self, document: Document, only: Collection[str] | None = None) -> None:
        self.title = document.title
        self.crowded = len(document.graph.connection_ids) > MOST_INDEXED
        self._document = Document(copy_graph(document.graph), visibility=document.visibility)
        ink = PaperInk()
        ink.tells_wires = not self.crowded
        self._scene = CanvasScene(self._document, ink, on_paper=True)
        if only is not None:
            self._leave(only)
        self.area = self._drawn_area().adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)

    def _leave(self, only: Collection[str]) -> None:
        scene, graph = self._scene, self._document.graph
        wires = {c.id for c in graph.connections if c.source in only and c.target in only}
        kept = {*(scene.nodes[n] for n in only), *(scene.wires[w] for w in wires)}
        for item in scene.items():
            if item.parentItem() is None:
                item.setVisible(item in kept)

    def _drawn_area(self) -> QRectF:
        """Around everything that is seen, texts beside wires included."""
        area = QRectF()
        for item in self._scene.items():
            if item.isVisible() and not area.contains(item.sceneBoundingRect()):
                area = area.united(item.drawn() if isinstance(item, WireItem) else item.sceneBoundingRect())
        return QRectF(area.toAlignedRect())

    def paint(self, painter: QPainter, target: QRectF) -> None:
        """Draw all of it into a rectangle of the painter's device; the proportions are kept."""
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self._scene.render(painter, target, self.area)

    def close(self) -> None:
        """Let go of the copy."""
        self._scene.dispose()
        self._scene.clear()

    def __enter__(self) -> Sheet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
