"""The canvas: a view of a graph that turns gestures into edits."""
