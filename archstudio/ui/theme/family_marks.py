"""A pattern for each layer family beside its hue, so that families are told apart without seeing colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF

_MARKS: dict[str, str] = {
    "io": "1111111",
    "dense": "1110111",
    "conv": "1101011",
    "norm": "1000111",
    "activation": "1010101",
    "attention": "1111101",
    "embedding": "1011111",
    "pool": "1110001",
    "shape": "1001001",
    "merge": "1101111",
    "recurrent": "1111011",
    "loss": "1011101",
}
"""The stripe of a family from top to bottom: 1 is drawn, 0 is a gap."""

_INTO_GAP = 0.25
"""How far a piece reaches into the gap beside it, as a share of a cell: gaps are to be seen, not to be heard."""


def stripe_parts(stripe: QRectF, family: str) -> list[QRectF]:
    """The pieces of a family's stripe within a rectangle; an unknown family has a whole one, as `io`."""
    cells = _MARKS.get(family, _MARKS["io"])
    tall = stripe.height() / len(cells)
    parts: list[QRectF] = []
    begin: int | None = None
    for k, cell in enumerate(cells + "0"):
        if cell == "1" and begin is None:
            begin = k
        elif cell == "0" and begin is not None:
            top = begin - (_INTO_GAP if begin else 0)
            end = k + (_INTO_GAP if k < len(cells) else 0)
            parts.append(QRectF(stripe.left(), stripe.top() + top * tall, stripe.width(), (end - top) * tall))
            begin = None
    return parts
