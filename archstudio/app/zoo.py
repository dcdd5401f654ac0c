"""The known networks that ship with the program, offered as templates."""

from __future__ import annotations

import inspect
from dataclasses import dataclass

from archstudio.app.document import Document
from archstudio.bench.tasks import UnknownName
from archstudio.design.zoo import MODELS
from archstudio.files.data import data_path
from archstudio.files.strict_json import read_json
from archstudio.graph import Graph, from_document
from archstudio.study.visibility import EVERYTHING, Visibility


@dataclass(frozen=True, slots=True)
class ZooEntry:
    """One known network as people choose it; `macs` are None where nobody published them."""

    name: str
    title: str
    family: str
    note: str
    parameters: int
    macs: int | None
    source: str
    """The paper, and where its counts come from."""

    @property
    def file_name(self) -> str:
        """Name of its file in `fixtures/zoo`."""
        return f"{self.name}.arch.json"


def zoo_entries() -> tuple[ZooEntry, ...]:
    """All known networks, family by family."""
    return tuple(
        ZooEntry(m.name, m.title, m.family, m.note, m.parameters, m.macs, inspect.getdoc(m.draw) or "") for m in MODELS
    )


def zoo_entry(name: str) -> ZooEntry:
    """The network of this name; raises UnknownName."""
    entries = {entry.name: entry for entry in zoo_entries()}
    if name not in entries:
        raise UnknownName("network", name, tuple(entries))
    return entries[name]


def zoo_bytes(name: str) -> bytes:
    """The file of a network; raises UnknownName."""
    return data_path("fixtures", "zoo", zoo_entry(name).file_name).read_bytes()


def zoo_graph(name: str) -> Graph:
    """A fresh graph of a network; raises UnknownName."""
    entry = zoo_entry(name)
    return from_document(
        read_json(data_path("fixtures", "zoo", entry.file_name), name=entry.file_name), file=entry.file_name
    )


def zoo_document(name: str, visibility: Visibility = EVERYTHING) -> Document:
    """A network to edit: it belongs to no file, so that saving asks where; raises UnknownName."""
    return Document(zoo_graph(name), visibility=visibility)
