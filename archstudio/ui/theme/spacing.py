"""Distances and roundings that the window shares, in device-independent pixels."""

UNIT = 4
"""Every margin and gap is a multiple of this."""
TIGHT = UNIT
GAP = 2 * UNIT
PANEL_MARGIN = 3 * UNIT
FIELD_RADIUS = 6
CARD_RADIUS = 8
FIELD_HEIGHT = 28
FOCUS_WIDTH = 2
ICON_SIZE = 16
