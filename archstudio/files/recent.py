"""Remembers the documents a person opened last."""

import os
from collections.abc import Callable
from pathlib import Path

from archstudio.files.settings import SettingsFile, Values

_FILES = "files"


class RecentFiles:
    """The recently opened documents, newest first, kept in a settings file shared by all running instances."""

    def __init__(self, store: SettingsFile, most: int = 20) -> None:
        self._store = store
        self._most = most

    def paths(self) -> list[Path]:
        """Return the remembered paths, newest first; a file may have vanished since."""
        return _paths(self._store.read())

    def add(self, path: Path) -> None:
        """Put `path` first, once, and forget what falls off the end. Raises `SaveFailed`."""
        added = path.absolute()
        self._change(lambda paths: [added, *_without(paths, added)][: self._most])

    def forget(self, path: Path) -> None:
        """Remove `path` from the list. Raises `SaveFailed`."""
        self._change(lambda paths: _without(paths, path.absolute()))

    def clear(self) -> None:
        """Forget every path. Raises `SaveFailed`."""
        self._change(lambda paths: [])

    def _change(self, edit: Callable[[list[Path]], list[Path]]) -> None:
        self._store.change(lambda values: {**values, _FILES: [str(path) for path in edit(_paths(values))]})


def _paths(values: Values) -> list[Path]:
    files = values.get(_FILES)
    return [Path(entry) for entry in files if isinstance(entry, str)] if isinstance(files, list) else []


def _without(paths: list[Path], unwanted: Path) -> list[Path]:
    return [path for path in paths if os.path.normcase(path) != os.path.normcase(unwanted)]
