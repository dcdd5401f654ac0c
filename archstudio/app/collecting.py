"""Keeps Python from looking for garbage while many parts are made: there is none, and looking takes as long again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 500
"""From so many parts at once on, making them takes long enough to be helped."""


@contextmanager
def collection_put_off(parts: int) -> Iterator[None]:
    """Put the collection off until so many parts are made; fewer than `MANY` are not worth it."""
    if parts < MANY or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
