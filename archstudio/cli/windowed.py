"""What commands ask of the window: the command line knows it only as functions that it was given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PictureOrder:
    """What to draw, and where to."""

    file: Path
    out: tuple[Path, ...]
    scale: float
    words: str


@dataclass(frozen=True, slots=True)
class StudyOrder:
    """Which study to open, where its sessions lie (None: the usual folder), and how."""

    study: Path
    sessions: Path | None = None
    full_screen: bool = False


@dataclass(frozen=True, slots=True)
class Windowed:
    """What needs Qt, given by whoever knows it; each returns an exit code. Commands find it as the context's object."""

    open_window: Callable[[list[Path], str | None], int]
    run_demo: Callable[[Path, int], int]
    draw_picture: Callable[[PictureOrder], int]
    run_study: Callable[[StudyOrder], int]
