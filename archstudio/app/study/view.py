"""What the commands about studies may ask of a window."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class StudiesView(Protocol):
    """The part of a window that opens the windows of studies."""

    # what only a person can answer
    def ask_study(self) -> Path | None: ...

    # showing
    def take_part(self, study: Path) -> None: ...
    def new_study(self) -> None: ...
    def replay(self) -> None: ...
    def collect(self) -> None: ...
