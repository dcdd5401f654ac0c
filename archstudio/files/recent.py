"""Remembers the documents a person opened last."""

import os
from collections.abc import Callable
from pathlib import Path

from archstudio.files.settings import SettingsFile, Values

_FILES = "files"
_PINNED = "pinned"


class RecentFiles:
    """The recently opened documents, newest first, kept in a settings file shared by all running instances.

    Pinned ones come first, in the order they were pinned, and do not fall off the end.
    """

    def __init__(self, store: SettingsFile, most: int = 20) -> None:
        self._store = store
        self._most = most

    def paths(self) -> list[Path]:
        """Return the remembered paths, pinned ones first, then newest first; a file may have vanished since."""
        values = self._store.read()
        pinned = _paths(values, _PINNED)
        return [*pinned, *(path for path in _paths(values) if not _holds(pinned, path))]

    def pinned(self) -> list[Path]:
        """Return the pinned paths."""
        return _paths(self._store.read(), _PINNED)

    def pin(self, path: Path, on: bool = True) -> None:
        """Keep `path` at the top of the list, or no longer. Raises `SaveFailed`."""
        held = path.absolute()

        def change(values: Values) -> Values:
            others = _without(_paths(values, _PINNED), held)
            return {**values, _PINNED: [str(p) for p in ([*others, held] if on else others)]}

        self._store.change(change)

    def add(self, path: Path) -> None:
        """Put `path` first, once, and forget what falls off the end. Raises `SaveFailed`."""
        added = path.absolute()
        self._change(lambda paths: [added, *_without(paths, added)][: self._most])

    def forget(self, path: Path) -> None:
        """Remove `path` from the list, pinned or not. Raises `SaveFailed`."""
        gone = path.absolute()

        def change(values: Values) -> Values:
            kept = {key: [str(p) for p in _without(_paths(values, key), gone)] for key in (_FILES, _PINNED)}
            return {**values, **kept}

        self._store.change(change)

    def clear(self) -> None:
        """Forget every path that is not pinned. Raises `SaveFailed`."""
        self._change(lambda paths: [])

    def _change(self, edit: Callable[[list[Path]], list[Path]]) -> None:
        self._store.change(lambda values: {**values, _FILES: [str(path) for path in edit(_paths(values))]})


def _paths(values: Values, key: str = _FILES) -> list[Path]:
    files = values.get(key)
    return [Path(entry) for entry in files if isinstance(entry, str)] if isinstance(files, list) else []


def _without(paths: list[Path], unwanted: Path) -> list[Path]:
    return [path for path in paths if os.path.normcase(path) != os.path.normcase(unwanted)]


def _holds(paths: list[Path], wanted: Path) -> bool:
    return any(os.path.normcase(path) == os.path.normcase(wanted) for path in paths)
