"""Which layer types and templates a person has marked as favourites; the same for every graph and start."""

from __future__ import annotations

from archstudio.files.settings import SettingsFile, Values

_KEY = "favouriteLayers"
MOST = 200


class Favourites:
    """Names of types (and of templates, with their prefix), in the order they were marked; read once, then kept."""

    def __init__(self, settings: SettingsFile) -> None:
        self._settings = settings
        self._types = _listed(settings.read())

    @property
    def types(self) -> tuple[str, ...]:
        """The names."""
        return self._types

    def toggle(self, kind: str) -> bool:
        """Mark a type, or unmark it; returns whether it is marked now. SaveFailed leaves it as it was."""
        on = kind not in self._types

        def change(values: Values) -> Values:
            others = [k for k in _listed(values) if k != kind]
            return {**values, _KEY: [*others, kind][-MOST:] if on else others}

        self._types = _listed(self._settings.change(change))
        return on

    def rename(self, before: str, after: str | None) -> None:
        """Follow a template that got another name, or (None) was deleted; SaveFailed leaves it as it was."""
        if before not in self._types:
            return

        def change(values: Values) -> Values:
            renamed = [after if k == before else k for k in _listed(values)]
            return {**values, _KEY: [k for k in renamed if k is not None]}

        self._types = _listed(self._settings.change(change))


def _listed(values: Values) -> tuple[str, ...]:
    stored = values.get(_KEY)
    return tuple(k for k in stored if isinstance(k, str)) if isinstance(stored, list) else ()
