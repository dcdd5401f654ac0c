"""Freezes a protocol into one file that opens anywhere, and the key that stays with the researcher."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from pathlib import Path

import archstudio
from archstudio.files.data import data_path
from archstudio.files.seal import seal
from archstudio.files.strict_json import canonical_json, dump_json
from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import zip_bytes
from archstudio.study.items import Item
from archstudio.study.pack.gather import Made, attention_item, gather
from archstudio.study.pack.manifest import (
    MANIFEST,
    PLAN_VERSION,
    PROTOCOL,
    SCHEMA,
    SEALED_KEY,
    VERSION,
    ItemEntry,
    KeyFile,
    Manifest,
    TextEntry,
    item_pack_digest,
)
from archstudio.study.pack.provenance import commit, grader_version
from archstudio.study.protocol.model import TEXTS, Protocol, TextSource
from archstudio.study.protocol.orders import STREAM_VERSION, sample
from archstudio.study.protocol.questionnaire import parse_consent, parse_questionnaire

LONGEST_TEXT = 200_000


@dataclass(frozen=True)
class Frozen:
    """The bytes of a `.study` file, and of the key file that belongs to it."""

    manifest: Manifest
    study: bytes
    key: bytes


def freeze(protocol: Protocol, base: Path, salt: str | None = None) -> Frozen:
    """Freeze a protocol whose files lie in `base`. The same protocol and salt give the same bytes.

    Raises `UnusableFile` or `UnknownName` for items and texts that cannot be used.
    """
    items = _items(protocol, base)
    texts = {name: _text(name, protocol.texts[name], base) for name in TEXTS}
    keys = {each.item.id: each.key.as_json() for each in items if each.key is not None}
    key = dump_json(KeyFile(study_id=protocol.id, salt=salt or secrets.token_hex(32), keys=keys).as_json()).encode()
    content = canonical_json(protocol.as_json()).encode()
    entries = [_entry(place, each.item, protocol) for place, each in enumerate(items)]
    manifest = Manifest(
        schema=SCHEMA,
        version=VERSION,
        study_id=protocol.id,
        app_version=archstudio.__version__,
        commit=commit(),
        grader_version=grader_version(protocol),
        plan=PLAN_VERSION,
        orders=STREAM_VERSION,
        protocol_sha256=_sha256(content),
        texts={
            name: TextEntry(path=f"texts/{name}.md", version=protocol.texts[name].version, sha256=_sha256(text))
            for name, text in texts.items()
        },
        items=entries,
        item_pack_sha256=item_pack_digest(entries),
        key="sealed" if protocol.has_feedback else "none",
        key_sha256=_sha256(key),
    )
    members = {MANIFEST: dump_json(manifest.as_json()).encode(), PROTOCOL: content}
    members |= {manifest.texts[name].path: text for name, text in texts.items()}
    members |= {entry.path: made.item.content for entry, made in zip(entries, items, strict=True)}
    if protocol.has_feedback:
        members[SEALED_KEY] = seal(key, protocol.id)
    return Frozen(manifest, zip_bytes(members), key)


def _items(protocol: Protocol, base: Path) -> list[Made]:
    """Practice, then the sampled main items, then attention items."""
    main = gather(protocol.items, base, "main")
    families = {each.item.id: each.item.family for each in main}
    chosen = set(sample([each.item.id for each in main], families, protocol.sampling))
    made = [
        *gather(protocol.practice, base, "practice"),
        *(each for each in main if each.item.id in chosen),
        *map(attention_item, protocol.attention),
    ]
    ids = [each.item.id for each in made]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        problem = f"the item {twice!r} is in two blocks"
        raise UnusableFile("protocol", problem=problem, remedy="Choose other practice items.")
    return made


def _entry(place: int, item: Item, protocol: Protocol) -> ItemEntry:
    before = next((check.before for check in protocol.attention if check.id == item.id), None)
    return ItemEntry(id=item.id, path=f"items/{place:04d}.json", sha256=item.sha256, block=item.block, before=before)


def _text(name: str, source: TextSource, base: Path) -> bytes:
    """One text's bytes; those that are read by the program must be readable to it."""
    place = data_path("resources", "study", f"{source.template}.md") if source.file is None else base / source.file
    try:
        content = place.read_bytes()
        text = content.decode("utf-8")
    except OSError as error:
        remedy = "Put the file beside the protocol, or name a template."
        raise UnusableFile(str(source.file), problem=f"cannot be read ({error.strerror})", remedy=remedy) from error
    except UnicodeDecodeError as error:
        raise UnusableFile(place.name, problem="is not UTF-8 text", remedy="Save it again as UTF-8.") from error
    if len(content) > LONGEST_TEXT:
        raise UnusableFile(place.name, problem=f"is longer than {LONGEST_TEXT:,} bytes", remedy="Shorten it.")
    if name == "questionnaire":
        parse_questionnaire(text, place.name)
    if name == "consent":
        parse_consent(text)
    return content


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
