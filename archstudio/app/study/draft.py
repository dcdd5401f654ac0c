"""A protocol being written: plain values that pages fill in, checked as a whole, and frozen with the files it names."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from archstudio.files.atomic import save_atomic, saving
from archstudio.files.strict_json import dump_json
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.make import default_key
from archstudio.intuition.packs.read import is_pack_path
from archstudio.study.conditions import CONDUCTS
from archstudio.study.pack import freeze
from archstudio.study.pack.freeze import Frozen
from archstudio.study.protocol.model import Protocol, checked_protocol
from archstudio.study.protocol.ready import ready_protocol
from archstudio.study.records import CONDITIONS, Condition

_NAME = "the protocol"


class Draft:
    """`said` are the protocol's fields as they stand in its file; `files` are those that lie beside it, by name.

    A frozen study holds the names of its files, so they are names only: no place on this machine gets into it.
    """

    def __init__(self, template: str) -> None:
        self.said: dict[str, Any] = ready_protocol(template).as_json()
        self.files: dict[str, Path] = {}

    @property
    def conditions(self) -> list[Condition]:
        """The conditions that this benchmark has."""
        kind = "graph" if self.said["benchmark"] == "arch-bench" else "question"
        return [condition for condition in CONDITIONS if CONDUCTS[condition].item_kind == kind]

    def put(self, path: Sequence[str], value: object) -> None:
        """Set a field by its path; None takes it away, so that its default holds."""
        place = self.said
        for name in path[:-1]:
            if not isinstance(place.get(name), dict):
                place[name] = {}
            place = place[name]
        if value is None or value == "":
            place.pop(path[-1], None)
        else:
            place[path[-1]] = value

    def get(self, path: Sequence[str]) -> Any:
        """A field by its path; None where nothing is said."""
        place: Any = self.said
        for name in path:
            place = place.get(name) if isinstance(place, Mapping) else None
        return place

    def add_file(self, path: Path) -> str:
        """Have a file lie beside the protocol; returns the name it goes by. ValueError where the name is taken."""
        if self.files.get(path.name, path) != path:
            raise ValueError(f"There is another file called {path.name}.")
        self.files[path.name] = path
        return path.name

    def protocol(self) -> Protocol:
        """The protocol as it stands; raises `UnusableFile` with the place of what is missing or wrong."""
        return checked_protocol(self.said, _NAME)

    def add_questions(self, path: Path) -> dict[str, Any]:
        """Have a pack of questions lie beside the protocol, a blind one with its key; returns the source it makes.

        The key of a blind pack is looked for where it was written by default. ValueError where a name is taken.
        """
        source: dict[str, Any] = {"kind": "questions", "path": self.add_file(path)}
        key = default_key(path)
        if is_pack_path(path) and key.is_file():
            source["key"] = self.add_file(key)
        return source

    def missing_files(self) -> list[str]:
        """Names of files that the protocol asks for and nobody chose yet."""
        named = [source["path"] for block in ("items", "practice") for source in self.said.get(block, ())
                 if "path" in source]  # fmt: skip
        named += [source["key"] for source in self.said.get("items", ()) if source.get("key")]
        named += [text["file"] for text in self.said.get("texts", {}).values() if text.get("file")]
        return [name for name in dict.fromkeys(named) if name not in self.files]

    def frozen(self) -> Frozen:
        """Freeze it; raises `UnusableFile` or `UnknownName` for what cannot be used."""
        protocol = self.protocol()
        if missing := self.missing_files():
            raise UnusableFile(_NAME, problem=f"names the file {missing[0]}", remedy="Choose it on the page of items.")
        with tempfile.TemporaryDirectory(prefix="archstudio-study-") as folder:
            for name, path in self.files.items():
                try:
                    shutil.copyfile(path, Path(folder) / name)
                except OSError as error:
                    raise UnusableFile(name, problem=f"cannot be read: {error.strerror}") from error
            return freeze(protocol, Path(folder))

    def write_frozen(self, path: Path) -> tuple[Path, Path]:
        """Freeze it into a `.study` file and the key beside it. Files that exist are never written over: SaveFailed."""
        study, key = path.with_suffix(".study"), path.with_suffix(".key")
        for each in (study, key):
            if each.exists():
                raise UnusableFile(each.name, problem="exists, and a frozen study never changes",
                                   remedy="Raise the plan's version and choose another name.")  # fmt: skip
        made = self.frozen()
        save_atomic(key, made.key, backups=0)
        save_atomic(study, made.study, backups=0)
        return study, key

    def write_protocol(self, path: Path) -> None:
        """Save the protocol with its files beside it, to go on later or from the command line. Raises SaveFailed."""
        save_atomic(path, dump_json(self.protocol().as_json()).encode(), backups=0)
        for name, file in self.files.items():
            if file.resolve() != (path.parent / name).resolve():
                with saving(path.parent / name):
                    shutil.copyfile(file, path.parent / name)
