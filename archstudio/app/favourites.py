"""Which layer types and templates a person has marked as favourites; the same for every graph and start."""

from __future__ import annotations

from archstudio.files.settings import SettingsFile, Values

_KEY = "favouriteLayers"
MOST = 200


class Favourites:
    """Names of types (and of templates, with their prefix), in the order they were marked."""

    def __init__(self, settings: SettingsFile) -> None:
        self._settings = settings

    @property
    def types(self) -> tuple[str, ...]:
        """The names."""
        return _listed(self._settings.read())

    def toggle(self, kind: str) -> bool:
        """Mark a type, or unmark it; returns whether it is marked now. SaveFailed leaves it as it was."""

        def change(values: Values) -> Values:
            marked = _listed(values)
            after = [k for k in marked if k != kind] if kind in marked else [*marked, kind][-MOST:]
            return {**values, _KEY: after}

        return kind in _listed(self._settings.change(change))

    def rename(self, before: str, after: str | None) -> None:
        """Follow a template that got another name, or (None) was deleted."""
        if before in self.types:
            self._settings.change(
                lambda values: {
                    **values,
                    _KEY: [k if k != before else after for k in _listed(values) if k != before or after],
                }
            )


def _listed(values: Values) -> tuple[str, ...]:
    stored = values.get(_KEY)
    return tuple(k for k in stored if isinstance(k, str)) if isinstance(stored, list) else ()
