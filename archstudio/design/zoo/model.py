"""What is said of a known network beside its graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from archstudio.graph import Graph


@dataclass(frozen=True, slots=True)
class Model:
    """A known network: how it is called, what it counts, and the function that draws it.

    `macs` are those of one input of the drawn size where somebody published them, else None.
    """

    name: str
    title: str
    family: str
    note: str
    parameters: int
    draw: Callable[[], Graph]
    macs: int | None = None
