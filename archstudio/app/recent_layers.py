"""Which layer types were added lately, in any graph; remembered from one start to the next."""

from __future__ import annotations

from archstudio.files.settings import SettingsFile

KEPT = 8
_KEY = "recentLayers"


class RecentLayers:
    """Type names, newest first. Without a settings file they are forgotten with the program."""

    def __init__(self, settings: SettingsFile | None = None) -> None:
        self._settings = settings
        self._types: list[str] = []
        self._read()

    def _read(self) -> None:
        if self._settings is not None:
            stored = self._settings.read().get(_KEY)
            self._types = [t for t in stored if isinstance(t, str)][:KEPT] if isinstance(stored, list) else []

    @property
    def types(self) -> tuple[str, ...]:
        """The types, newest first, with those that another canvas or window has added."""
        self._read()
        return tuple(self._types)

    def add(self, type_name: str) -> None:
        """Put a type first."""
        self._read()
        self._types = [type_name, *(t for t in self._types if t != type_name)][:KEPT]
        if self._settings is not None:
            self._settings.update({_KEY: self._types})
