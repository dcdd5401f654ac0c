"""Puts a pack of questions beside a protocol: the one that is named, or the one that ships with the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from archstudio.files.atomic import save_atomic
from archstudio.files.data import MissingData, data_path
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.pack import SUFFIX
from archstudio.intuition.packs.read import is_pack_path, read_pack, read_questions
from archstudio.study.protocol.model import Protocol
from archstudio.study.protocol.sources import QuestionPack

SHIPPED: Final = "studio-60"
"""The pack of the ready-made protocols of questions: `fixtures/packs/studio-60`."""


@dataclass(frozen=True)
class Beside:
    """A protocol, and the files that belong beside it, by name."""

    protocol: Protocol
    files: dict[str, bytes]

    def write(self, folder: Path) -> None:
        """Write the files; one that is there already must be the same. Raises `UnusableFile`, `SaveFailed`."""
        for name, content in self.files.items():
            place = folder / name
            if place.exists() and (not place.is_file() or place.read_bytes() != content):
                remedy = "Write the protocol into another folder, or rename the pack."
                raise UnusableFile(name, problem="another file of this name lies beside the protocol", remedy=remedy)
            save_atomic(place, content, backups=0)


def asks_questions(protocol: Protocol) -> bool:
    """Whether the items of a protocol come from a pack of questions."""
    return any(isinstance(source, QuestionPack) for source in protocol.items)


def with_pack(protocol: Protocol, pack: Path | None = None, key: Path | None = None) -> Beside:
    """Return a protocol of questions that asks those of a pack, ours or a BakeFile; by default of the shipped one.

    `key` opens a blind pack. Raises `UnusableFile` for packs that cannot be used, or while none is shipped.
    """
    if not asks_questions(protocol):
        remedy = "Begin from a ready-made protocol of questions, such as questions-60-blind."
        raise UnusableFile(protocol.id, problem="asks no questions of a pack", remedy=remedy)
    place = pack or shipped_pack()
    baked = read_questions(place, key)
    own = is_pack_path(place)
    name = f"{place.name.removesuffix(SUFFIX)}{SUFFIX}" if own else place.name
    files = {name: read_pack(place).file_bytes() if own else place.read_bytes()}
    source = {"kind": "questions", "path": name}
    if key is not None:
        source["key"] = key.name
        files[key.name] = key.read_bytes()
    changed = {**protocol.as_json(), "items": [source]}
    if pack is not None:
        title = (baked.collection.title if baked.collection else None) or name
        changed |= _fitted(protocol, len(baked.questions), title)
    return Beside(Protocol.model_validate(changed), files)


def _fitted(protocol: Protocol, available: int, title: str) -> dict[str, Any]:
    """What changes where a pack is not the one the protocol was written for; no check comes after the last question."""
    sampling = protocol.sampling
    count = available if sampling.count is None else min(sampling.count, available)
    fitted = sampling if sampling.count is None else sampling.model_copy(update={"count": count})
    return {
        "title": f"{title}, {count} questions, {', '.join(protocol.conditions).replace('_', ' ')}",
        "split": f"{count} questions of {title}",
        "sampling": fitted.as_json(),
        "attention": [check.as_json() for check in protocol.attention if check.before <= count],
    }


def shipped_pack() -> Path:
    """Return the pack that ships with the program; raises `UnusableFile` while there is none."""
    for name in (SHIPPED, f"{SHIPPED}{SUFFIX}"):
        try:
            place = Path(str(data_path("fixtures", "packs", name)))
        except MissingData:
            continue
        if is_pack_path(place):
            return place
    problem = f"does not ship with this program (looked for fixtures/packs/{SHIPPED})"
    remedy = "Name a pack of questions with --pack FILE."
    raise UnusableFile(f"the pack {SHIPPED}", problem=problem, remedy=remedy)
