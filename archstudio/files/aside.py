"""Moves a damaged file out of the way without destroying it."""

import os
from pathlib import Path


def move_aside(path: Path) -> Path:
    """Rename `path` to the first free `<name>.damaged<n>` beside it and return that place."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged{number}")).exists():
        number += 1
    os.replace(path, aside)
    return aside
