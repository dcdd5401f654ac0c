"""Names of what can be dragged onto a canvas."""

LAYER_MIME = "application/x-archstudio-layer"
"""Carries the type name of one layer, in UTF-8."""
