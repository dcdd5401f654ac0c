"""The courses of wires, and the room they take up."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import QPointF

from archstudio.ui.canvas.wire_path import course, room_of

STEPS = (-900.0, -300.0, -99.0, -60.0, -1.0, 0.0, 0.4, 3.0, 39.0, 92.0, 400.0)


@pytest.mark.parametrize(("dx", "dy"), list(product(STEPS, STEPS)))
def test_a_wire_lies_within_the_room_that_is_kept_for_it(dx: float, dy: float) -> None:
    start, end = QPointF(100.0, 50.0), QPointF(100.0 + dx, 50.0 + dy)
    assert room_of(start, end).contains(course(start, end).path.boundingRect().adjusted(-2, -2, 2, 2))
