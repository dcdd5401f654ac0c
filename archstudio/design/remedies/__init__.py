"""Remedies by family of problem; each module enters its generators with `@fixes(KIND)`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache


@cache
def load() -> None:
    """Import every module of remedies, so that all are entered."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
