"""What the canvas looks like: scene, zoom, dots, overview, minimap, and what a gesture draws over the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QResizeEvent, QShowEvent, QStaticText
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

from archstudio.graph import Point
from archstudio.ui.canvas.camera import Camera
from archstudio.ui.canvas.gliding import MOST, Glide
from archstudio.ui.canvas.grid import paint_grid
from archstudio.ui.canvas.ink import Ink, Level
from archstudio.ui.canvas.minimap import Minimap
from archstudio.ui.canvas.overview import Overview
from archstudio.ui.canvas.scene import CanvasScene
from archstudio.ui.theme import Theme
from archstudio.ui.theme.fonts import ui_font

if TYPE_CHECKING:
    from archstudio.app.document import Document
    from archstudio.ui.canvas.gestures.base import Gesture


class CanvasSurface(QGraphicsView):
    """Shows one document. `zoom_changed` carries the factor (1 = 100 %)."""

    zoom_changed = Signal(float)
    is_ready = False
    ready = Signal()
    """The canvas is made."""
    ending = Signal()
    """The canvas is closed; nothing may ask it any more."""

    def __init__(self, document: Document, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.ink = Ink(theme)
        self._ended = False
        self._overlay: Gesture | None = None
        self._overlay_area = QRectF()
        self._set_up()
        self.graph_scene = CanvasScene(document, self.ink, self)
        self.setScene(self.graph_scene)
        self.camera = Camera(self, self._zoomed)
        self._overview = Overview(self.graph_scene)
        self.motion = False
        """Whether layers glide to new places."""
        self.glide = Glide(self.graph_scene)
        self.minimap = Minimap(self, self.graph_scene, self._overview, self.camera.seen, self.camera.center_on)
        self.graph_scene.looking = self._looking
        self.graph_scene.drawn.connect(self._drawn)
        self._unwatch_selection = document.selection.watch(self._describe)
        self._make_hint()
        self._describe()

    def _set_up(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.MinimalViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Canvas"))

    def dispose(self) -> None:
        """Stop following the document; the view is not used after this."""
        if not self._ended:
            self._ended = True
            self.ending.emit()
            self.glide.finish()
            self.minimap.stop()
            self._unwatch_selection()
            self.graph_scene.dispose()

    # --------------------------------------------------------------- theme

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.ink.set_theme(theme)
        self.graph_scene.restyle()
        self.viewport().update()
        self.minimap.follow()

    # ------------------------------------------------------------- the window

    def fit(self) -> None:
        """Show the whole graph; it stays fitted until the view is moved."""
        self.graph_scene.settle()
        self.camera.fit(self.graph_scene.bounds_with_wires())
        self.camera.untouched = True
        self.minimap.update()

    def fit_selection(self) -> None:
        """Show the selected nodes; everything if none are."""
        chosen = self.document.selection.nodes
        if not chosen:
            self.fit()
            return
        self.graph_scene.settle()
        self.camera.fit(self.graph_scene.bounds(chosen))
        self.camera.untouched = False

    def zoom_100(self) -> None:
        """Show at real size, around the middle of the view."""
        self.camera.zoom_to(1.0)

    def zoom_by(self, factor: float) -> None:
        """Zoom around the middle of the view."""
        self.camera.zoom_to(self.camera.zoom * factor)

    def center_on(self, node_id: str) -> None:
        """Bring a node to the middle; unknown ids are ignored."""
        self.graph_scene.settle()
        if node_id in self.graph_scene.nodes:
            self.camera.center_on(self.graph_scene.nodes[node_id].body().center())
            self.minimap.update()

    def reveal(self, node_id: str) -> None:
        """Bring a node into view if it is outside of it."""
        self.graph_scene.settle()
        item = self.graph_scene.nodes.get(node_id)
        if item is not None and not self.camera.seen().contains(item.body()):
            self.center_on(node_id)

    def set_minimap(self, on: bool) -> None:
        """Show or hide the minimap."""
        self.minimap.wanted = on
        self.minimap.place()

    def port_position(self, node_id: str, port: int = 0, output: bool = True) -> Point:
        """Middle of a port in scene coordinates; KeyError for an unknown node."""
        self.graph_scene.settle()
        at = self.graph_scene.nodes[node_id].port_position(port, output=output)
        return (at.x(), at.y())

    def _looking(self) -> QRectF:
        """What is in view near enough for words; null from afar."""
        return self.camera.seen() if self.ink.level >= Level.TITLES and self.isVisible() else QRectF()

    def _zoomed(self, factor: float) -> None:
        self.ink.set_zoom(factor)
        self.graph_scene.look()
        self.zoom_changed.emit(factor)

    def showEvent(self, event: QShowEvent) -> None:
        """Draw for the screen it is shown on."""
        super().showEvent(event)
        self.ink.set_density(self.devicePixelRatioF())
        self.graph_scene.look()

    def event(self, event: QEvent) -> bool:
        """Draw for another screen once it is there."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.ink.set_density(self.devicePixelRatioF())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the graph fitted while nobody has moved the view."""
        super().resizeEvent(event)
        self.graph_scene.width_hint = max(float(self.viewport().width()), 600.0)
        if self.camera.untouched:
            self.fit()
        self.minimap.place()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Scroll, and let the minimap show where to."""
        super().scrollContentsBy(dx, dy)
        self.graph_scene.look()
        if self.ink.level is Level.OVERVIEW or not self.graph_scene.nodes:
            self.viewport().update()
        self.minimap.update()

    def set_motion(self, on: bool) -> None:
        """Let layers glide to new places, or jump."""
        self.motion = on
        if not on:
            self.glide.finish()

    def _drawn(self) -> None:
        jumped = self.graph_scene.jumped
        self.glide.finish()
        if self.motion and self.isVisible() and 0 < len(jumped) <= MOST:
            self.glide.begin(jumped)
        if self.ink.level is Level.OVERVIEW:
            self.viewport().update()
        self.minimap.place()
        self._describe()
        chosen = self.document.selection.single
        if self.graph_scene.fresh and self.camera.untouched:
            if not self.camera.seen().contains(self.graph_scene.bounds()):
                self.fit()
        elif chosen in self.graph_scene.fresh:
            self.reveal(chosen)

    def _describe(self) -> None:
        """Tell those who hear the canvas what is selected."""
        chosen = self.document.selection.nodes
        nodes = self.graph_scene.nodes
        noted = self.document.graph.notes
        told = [
            self.tr("Comment: {text}").format(text=noted[n].text) for n in noted if n in self.document.selection.notes
        ]
        told += [nodes[n].face.description for n in self.document.graph.node_ids if n in chosen and n in nodes]
        self.setAccessibleDescription("; ".join(told[:20]) or self.tr("Nothing selected"))
        self.minimap.follow()

    # -------------------------------------------------------------- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint items, or below a zoom the overview in their place."""
        if self.ink.level is not Level.OVERVIEW:
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region())
        painter.setWorldTransform(self.viewportTransform())
        seen = self.camera.seen()
        self.drawBackground(painter, seen)
        self._overview.paint(painter)
        self.drawForeground(painter, seen)
        painter.end()

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """The ground and its dots."""
        area = rect if isinstance(rect, QRectF) else rect.toRectF()
        painter.fillRect(area, self.ink.canvas)
        paint_grid(painter, area, self.ink)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """What the gesture draws; on an empty canvas, what to do."""
        if self._overlay is not None:
            self._overlay.paint(painter)
        if not self.graph_scene.nodes:
            self._paint_hint(painter)

    def _make_hint(self) -> None:
        self._hint_fonts: tuple[QFont, QFont] = (ui_font(15, bold=True), ui_font(12))
        words = (self.tr("Press Tab to add a layer"), self.tr("or drag one from Layers, or open a task"))
        self._hints = tuple(QStaticText(text) for text in words)
        for text, font in zip(self._hints, self._hint_fonts, strict=True):
            text.prepare(font=font)

    def _paint_hint(self, painter: QPainter) -> None:
        painter.save()
        painter.resetTransform()
        middle = QPointF(self.viewport().rect().center())
        pens = (self.ink.text, self.ink.muted)
        y = middle.y() - 22
        for text, font, pen in zip(self._hints, self._hint_fonts, pens, strict=True):
            painter.setPen(pen)
            painter.setFont(font)
            painter.drawStaticText(QPointF(middle.x() - text.size().width() / 2, y), text)
            y += text.size().height() + 6
        painter.restore()

    def show_overlay(self, gesture: Gesture | None) -> None:
        """Draw a gesture over the graph; only what it drew before and draws now is painted again."""
        before, self._overlay = self._overlay_area, gesture
        self._overlay_area = QRectF() if gesture is None else gesture.area()
        for area in (before, self._overlay_area):
            if not area.isNull():
                self.viewport().update(self.mapFromScene(area).boundingRect().adjusted(-4, -4, 4, 4))
