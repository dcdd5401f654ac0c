"""Bytes of weights stored in the number formats that people ask about."""

from __future__ import annotations

from math import ceil
from typing import Final

WEIGHT_BYTES: Final = {"fp32": 4.0, "bf16": 2.0, "int8": 1.0, "int4": 0.5}
"""Bytes of one weight; the scales of quantised formats are not counted."""


def weight_bytes(parameters: int, name: str) -> int:
    """Bytes of so many weights in a format of `WEIGHT_BYTES`; half bytes are rounded up. KeyError for another."""
    return ceil(parameters * WEIGHT_BYTES[name])
