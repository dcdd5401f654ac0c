"""The keys of commands as a person has set them: only what differs from the usual ones is stored."""

from __future__ import annotations

import re

from archstudio.app.commands.command import Command, all_commands, command
from archstudio.files.settings import SettingsFile, Values

_KEY = "shortcuts"
SEPARATOR = "; "
_WITH_MODIFIER = re.compile(r"(Ctrl|Alt|Meta)\+.")
_FUNCTION_KEY = re.compile(r"(Shift\+)?F\d{1,2}")


class ShortcutRefused(ValueError):
    """Keys that a command cannot have; the message says why."""


class ShortcutTaken(ShortcutRefused):
    """Keys that another command has; `assign` can take them from it."""


class Shortcuts:
    """Keys by command, in Qt's portable text form, several separated by `; `; empty for none."""

    def __init__(self, settings: SettingsFile) -> None:
        self._settings = settings
        self._own = _stored(settings.read())

    def keys(self, row: Command) -> str:
        """The keys of a command now."""
        return self._own.get(row.id, row.shortcut)

    def is_own(self, row: Command) -> bool:
        """Whether a person has given it other keys than usual."""
        return self.keys(row) != row.shortcut

    def holders(self, keys: str, *, but: str = "") -> list[Command]:
        """The commands that have one of these keys already, without one."""
        wanted = set(_split(keys))
        return [row for row in all_commands() if row.id != but and wanted & set(_split(self.keys(row)))]

    def assign(self, command_id: str, keys: str, *, take: bool = False) -> None:
        """Give a command these keys instead of its own.

        ShortcutRefused if they would be typed into fields, or if another command has them, unless `take` says that
        it shall lose them. SaveFailed, UnknownCommand.
        """
        row = command(command_id)
        for one in _split(keys):
            if not row.canvas and not _WITH_MODIFIER.match(one) and not _FUNCTION_KEY.fullmatch(one):
                raise ShortcutRefused(f"{one} alone is needed for typing; add Ctrl or Alt, or use a function key.")
        holders = self.holders(keys, but=command_id)
        if holders and not take:
            names = ", ".join(holder.title.rstrip("…") for holder in holders)
            raise ShortcutTaken(f"{keys} already stands for {names}.")
        changes = {command_id: SEPARATOR.join(_split(keys))}
        for holder in holders:
            left = [one for one in _split(self.keys(holder)) if one not in _split(keys)]
            changes[holder.id] = SEPARATOR.join(left)
        self._store({**self._own, **changes})

    def reset(self, command_id: str) -> None:
        """Give a command its usual keys again; ShortcutRefused if another has taken them meanwhile."""
        row = command(command_id)
        holders = self.holders(row.shortcut, but=command_id)
        if holders:
            names = ", ".join(holder.title.rstrip("…") for holder in holders)
            raise ShortcutRefused(f"{row.shortcut} now stands for {names}. Give that other keys first.")
        self._store({k: v for k, v in self._own.items() if k != command_id})

    def reset_all(self) -> None:
        """Give every command its usual keys again."""
        self._store({})

    def _store(self, own: dict[str, str]) -> None:
        usual = {row.id: row.shortcut for row in all_commands()}
        kept = {k: v for k, v in own.items() if usual.get(k) != v}
        self._settings.change(lambda values: {**values, _KEY: kept})
        self._own = kept


def _split(keys: str) -> list[str]:
    return [one for one in keys.split(SEPARATOR) if one]


def _stored(values: Values) -> dict[str, str]:
    """What the settings say, where it makes sense: a command may be gone, a value be of another kind."""
    stored = values.get(_KEY)
    if not isinstance(stored, dict):
        return {}
    known = {row.id for row in all_commands()}
    return {k: v for k, v in stored.items() if k in known and isinstance(v, str)}
