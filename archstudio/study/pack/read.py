"""Opens a `.study` file: every digest is checked before anything of it is believed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from archstudio.files.seal import BrokenSeal, unseal
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import read_zip
from archstudio.intuition.records import checked
from archstudio.study.items import GraphItem, GraphKey, Item, Key, QuestionItem, QuestionKey
from archstudio.study.pack.manifest import (
    MANIFEST,
    PROTOCOL,
    SCHEMA,
    SEALED_KEY,
    VERSION,
    ItemEntry,
    KeyFile,
    Manifest,
    item_pack_digest,
)
from archstudio.study.protocol.model import Protocol, checked_protocol
from archstudio.study.protocol.questionnaire import Field as AskedField
from archstudio.study.protocol.questionnaire import parse_consent, parse_questionnaire

_GET_ANEW = "Get the file anew from the researcher."
_KEYS: TypeAdapter[Key] = TypeAdapter(Annotated[GraphKey | QuestionKey, Field(discriminator="kind")])


@dataclass(frozen=True)
class StudyPack:
    """An opened study. `keys` is empty for blind questions unless the researcher's key was given."""

    file: str
    sha256: str
    """Of the whole file."""
    manifest: Manifest
    protocol: Protocol
    texts: Mapping[str, str]
    items: Mapping[str, Item]
    keys: Mapping[str, Key] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The study's id."""
        return self.protocol.id

    def block(self, block: str) -> list[str]:
        """Ids of a block's items, as in the file."""
        return [entry.id for entry in self.manifest.items if entry.block == block]

    def entry(self, item_id: str) -> ItemEntry:
        """An item's line of the manifest."""
        return self._entries[item_id]

    @cached_property
    def _entries(self) -> dict[str, ItemEntry]:
        return {entry.id: entry for entry in self.manifest.items}

    @cached_property
    def questionnaire(self) -> tuple[AskedField, ...]:
        """What is asked about the person."""
        return parse_questionnaire(self.texts["questionnaire"], "questionnaire.md")

    @cached_property
    def consent_points(self) -> tuple[str, ...]:
        """The points to be agreed to, one by one."""
        return parse_consent(self.texts["consent"])

    def graph_key(self, item: GraphItem) -> GraphKey:
        """What a task is graded by; every study of graphs has it."""
        key = self.keys.get(item.id)
        if not isinstance(key, GraphKey):
            raise UnusableFile(self.file, problem=f"holds no limits for {item.id}", remedy=_GET_ANEW)
        return key

    def question_key(self, item: QuestionItem) -> QuestionKey | None:
        """The answer to a question; None while the key is not opened."""
        key = self.keys.get(item.id)
        return key if isinstance(key, QuestionKey) else None

    def with_key(self, keys: Mapping[str, Key]) -> StudyPack:
        """The same study with the researcher's key opened."""
        return StudyPack(self.file, self.sha256, self.manifest, self.protocol, self.texts, self.items, keys)


def open_study(source: Path | bytes, *, name: str | None = None) -> StudyPack:
    """Open a `.study` file; raises `UnusableFile` for one that is damaged, altered, or of a newer version."""
    file = name or (source.name if isinstance(source, Path) else "the study")
    content = source if isinstance(source, bytes) else _bytes(source)
    members = read_zip(content, name=file)
    manifest = _manifest(members, file)
    protocol = checked_protocol(read_json(_member(members, PROTOCOL, manifest.protocol_sha256, file)), file)
    texts = {
        text: _member(members, entry.path, entry.sha256, file).decode("utf-8") for text, entry in manifest.texts.items()
    }
    items = {entry.id: _item(members, entry, file) for entry in manifest.items}
    if protocol.id != manifest.study_id or item_pack_digest(manifest.items) != manifest.item_pack_sha256:
        raise UnusableFile(file, problem="its manifest contradicts its content", remedy=_GET_ANEW)
    digest = hashlib.sha256(content).hexdigest()
    pack = StudyPack(file, digest, manifest, protocol, texts, items)
    if manifest.key == "none":
        return pack
    if SEALED_KEY not in members:
        raise UnusableFile(file, place=SEALED_KEY, problem="a part is missing", remedy=_GET_ANEW)
    try:
        key = unseal(members[SEALED_KEY], manifest.study_id)
    except BrokenSeal as error:
        raise UnusableFile(file, place=SEALED_KEY, problem=str(error), remedy=_GET_ANEW) from error
    return pack.with_key(_keys(key, pack, SEALED_KEY))


def open_key(path: Path, pack: StudyPack) -> StudyPack:
    """The study with the researcher's key file opened; raises `UnusableFile` if it belongs to another study."""
    return pack.with_key(_keys(_bytes(path), pack, path.name))


def _keys(content: bytes, pack: StudyPack, name: str) -> dict[str, Key]:
    if hashlib.sha256(content).hexdigest() != pack.manifest.key_sha256:
        problem = f"is not the key that {pack.file} was frozen with"
        raise UnusableFile(name, problem=problem, remedy="Use the key file written at the same freezing.")
    record = checked(KeyFile, read_json(content, name=name), name)
    try:
        return {item: _KEYS.validate_python(value) for item, value in record.keys.items()}
    except ValidationError as error:
        raise UnusableFile(name, problem=str(error.errors()[0]["msg"]), remedy=_GET_ANEW) from error


def _manifest(members: Mapping[str, bytes], file: str) -> Manifest:
    if MANIFEST not in members:
        raise UnusableFile(file, problem="is no study: it has no manifest", remedy="Choose a .study file.")
    value = read_json(members[MANIFEST], name=f"{file}, {MANIFEST}")
    said: dict[str, Any] = value if isinstance(value, dict) else {}
    if said.get("schema") != SCHEMA:
        raise UnusableFile(file, problem="is no study", value=str(said.get("schema")), remedy="Choose a .study file.")
    version = said.get("version")
    if isinstance(version, int) and version > VERSION:
        raise UnusableFile(
            file,
            place="version",
            value=str(version),
            problem=f"was frozen by a newer version of the program; this one reads up to {VERSION}",
            remedy="Update Arch Studio.",
        )
    return checked(Manifest, value, file)


def _item(members: Mapping[str, bytes], entry: ItemEntry, file: str) -> Item:
    value = read_json(_member(members, entry.path, entry.sha256, file), name=f"{file}, {entry.path}")
    kind = value.get("kind") if isinstance(value, dict) else None
    place = f"{file}, {entry.path}"
    item: Item = checked(GraphItem, value, place) if kind == "graph" else checked(QuestionItem, value, place)
    if (item.id, item.block) != (entry.id, entry.block):
        raise UnusableFile(file, place=entry.path, problem="is not the item it is listed as", remedy=_GET_ANEW)
    if isinstance(item, GraphItem):
        item.graph()  # GraphError names the item; better here than in the middle of a session
    return item


def _member(members: Mapping[str, bytes], path: str, sha256: str, file: str) -> bytes:
    if path not in members:
        raise UnusableFile(file, place=path, problem="a part is missing", remedy=_GET_ANEW)
    found = hashlib.sha256(members[path]).hexdigest()
    if found != sha256:
        raise UnusableFile(
            file,
            place=path,
            value=f"sha256 {found[:12]}…",
            problem=f"a part was altered after freezing; its digest should be {sha256[:12]}…",
            remedy=_GET_ANEW,
        )
    return members[path]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnusableFile(path.name, problem=f"cannot be read: {reason}", remedy="Check its name.") from error
