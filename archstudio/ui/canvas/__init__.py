"""The canvas: a view of a graph that turns gestures into edits."""

from archstudio.ui.canvas.view import CanvasView

__all__ = ["CanvasView"]
