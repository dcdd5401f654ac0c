"""Keeps small versioned settings in JSON files that survive crashes, newer versions and damage."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from archstudio.files.aside import move_aside
from archstudio.files.atomic import SaveFailed, save_atomic, saving
from archstudio.files.locks import FileLock
from archstudio.files.strict_json import dump_json, read_json
from archstudio.files.unusable import UnusableFile

_VERSION = "version"
Values = dict[str, object]
Migration = Callable[[Values], Values]


class SettingsFile:
    """One JSON object of settings on disk, shared safely between running instances.

    Keys this version does not know are kept. `migrations[n]` turns the values of version n into those of n + 1.
    """

    def __init__(
        self,
        path: Path,
        *,
        version: int = 1,
        migrations: Mapping[int, Migration] | None = None,
        report: Callable[[UnusableFile], None] = lambda damage: None,
    ) -> None:
        self.path = path
        self.version = version
        self.damage: UnusableFile | None = None
        self._stored_version = version
        self._migrations = dict(migrations or {})
        self._report = report

    def read(self) -> Values:
        """Return the settings, without the version; empty when there are none yet.

        A damaged file is moved aside (never deleted), kept in `damage` and reported; then the settings are empty.
        """
        try:
            return self._stored()
        except UnusableFile as damage:
            try:
                with self._exclusive():
                    return self._stored_or_moved_aside()
            except SaveFailed as failed:
                damage.remedy = f"The defaults are used; it stays where it is, because {failed.reason}."
                self._tell(damage)
                return {}

    def update(self, changes: Mapping[str, object], *, remove: tuple[str, ...] = ()) -> Values:
        """Set `changes`, drop the keys in `remove`, keep all else, and return the whole. Raises `SaveFailed`."""
        return self.change(lambda values: {key: v for key, v in {**values, **changes}.items() if key not in remove})

    def change(self, edit: Callable[[Values], Values]) -> Values:
        """Read, edit and write as one step that no other instance can come between. Raises `SaveFailed`."""
        with self._exclusive():
            before = self._stored_or_moved_aside()
            after = edit(dict(before))
            if after != before or not self.path.exists():
                written = {_VERSION: max(self.version, self._stored_version), **after}
                save_atomic(self.path, dump_json(written).encode(), backups=0)
            return after

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        with saving(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock.take(self.path.with_name(self.path.name + ".lock"))
        with lock:
            yield

    def _stored_or_moved_aside(self) -> Values:
        try:
            return self._stored()
        except UnusableFile as damage:
            with saving(self.path):
                damage.remedy = f"It was kept as '{move_aside(self.path)}', and the defaults are used."
            self._tell(damage)
            return {}

    def _tell(self, damage: UnusableFile) -> None:
        self.damage = damage
        self._report(damage)

    def _stored(self) -> Values:
        self._stored_version = self.version
        return self._migrated(self._checked(read_json(self.path))) if self.path.exists() else {}

    def _checked(self, content: object) -> Values:
        file = str(self.path)
        if not isinstance(content, dict):
            raise UnusableFile(file, problem="settings must be a JSON object", place="$")
        version = content.get(_VERSION)
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            problem = "the version must be a whole number from 1"
            raise UnusableFile(file, problem=problem, place=f"$.{_VERSION}", value=repr(version))
        return content

    def _migrated(self, content: Values) -> Values:
        stored = content[_VERSION]
        assert isinstance(stored, int)
        self._stored_version = stored
        values = {key: value for key, value in content.items() if key != _VERSION}
        for version in range(stored, self.version):
            if version in self._migrations:
                values = self._migrations[version](values)
        return values
