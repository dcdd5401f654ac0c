"""Lets several engines share one root: each holds a lock while it lives, so that no other takes its jobs."""

import os
import secrets
from pathlib import Path

from archstudio.files.locks import FileLock


class Presence:
    """This engine's name among those under `root`, valid until `leave` or the end of the process."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "engines"
        self._folder.mkdir(parents=True, exist_ok=True)
        self.name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = FileLock.take(self._folder / self.name)

    def is_alive(self, name: str) -> bool:
        """Whether the engine of that name still runs; a number that another process got later does not matter."""
        path = self._folder / name
        if name == self.name:
            return True
        if not path.exists():
            return False
        lock = FileLock.try_take(path)
        if lock is None:
            return True
        lock.release_and_remove()
        return False

    def leave(self) -> None:
        """Give the name up."""
        self._lock.release_and_remove()
