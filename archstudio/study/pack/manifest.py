"""The first member of a `.study` file: what is in it, by digest, and the versions that decide a grade."""

from __future__ import annotations

import hashlib
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from archstudio.intuition.records import Record

SCHEMA: Final = "archstudio.study"
VERSION: Final = 1
PLAN_VERSION: Final = "plan/1"
MANIFEST, PROTOCOL, SEALED_KEY = "manifest.json", "protocol.json", "key.sealed"

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class TextEntry(Record):
    """One text: where it lies, its version, its digest."""

    path: str
    version: str
    sha256: Digest


class ItemEntry(Record):
    """One item: its id, where it lies, its digest, its block; and for an attention item the place it comes before."""

    id: str
    path: str
    sha256: Digest
    block: Literal["practice", "main", "attention"]
    before: int | None = None


class Manifest(Record):
    """The content of a frozen study."""

    schema_: str = Field(alias="schema")
    version: int
    study_id: str
    app_version: str
    commit: str | None = None
    grader_version: str
    plan: str
    orders: int
    """Version of the rules of random order."""
    protocol_sha256: Digest
    texts: dict[str, TextEntry]
    items: list[ItemEntry]
    item_pack_sha256: Digest
    key: Literal["none", "sealed"]
    key_sha256: Digest
    """Of the researcher's key file, salted, so that small keys cannot be guessed from it."""


def item_pack_digest(items: list[ItemEntry]) -> str:
    """One digest over those of all items, in order."""
    return hashlib.sha256("\n".join(f"{each.id} {each.sha256}" for each in items).encode()).hexdigest()


class KeyFile(Record):
    """The researcher's key: kept apart, never sent to those who take part."""

    schema_: Literal["archstudio.study-key"] = Field(default="archstudio.study-key", alias="schema")
    version: Literal[1] = 1
    study_id: str
    salt: Annotated[str, Field(min_length=32)]
    keys: dict[str, dict[str, Any]]
