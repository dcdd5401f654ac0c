"""Makes a usable graph of a file that breaks the rules of graphs, and says what it changed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel, ValidationError

from archstudio.app.figures import plural
from archstudio.graph import Graph, GraphError, from_document
from archstudio.graph.document import FrameRecord, NoteRecord
from archstudio.graph.graph import name_stem

FARTHEST = 1e6
"""Layers farther from the middle than this, in canvas units, are placed anew: no canvas reaches there."""

Notes: TypeAlias = tuple[str, ...]
"""What was changed, a sentence each."""
Record: TypeAlias = dict[str, Any]
Made = TypeVar("Made", bound=BaseModel)


def usable_graph(content: object, file: str) -> tuple[Graph, Notes]:
    """The graph that parsed JSON describes, with what had to be changed for it; GraphError if it describes none.

    A file that keeps the rules is taken as it is. Otherwise ids and names are made unique, wires without ends left
    out, values of the wrong kind dropped, and what cannot be placed is placed anew.
    """
    try:
        graph = from_document(content, file=file)
        notes: Notes = ()
    except GraphError:
        if not isinstance(content, dict) or not isinstance(content.get("components"), list):
            raise
        mending = _Mending(content)
        graph, notes = from_document(mending.document(), file=file), mending.notes()
    return graph, (*notes, *_bring_near(graph))


def _bring_near(graph: Graph) -> Notes:
    """Forget places that no canvas reaches; layers without a place are given one when they are shown."""
    lost = [n for n, at in graph.layout.items() if max(map(abs, at)) > FARTHEST]
    for n in lost:
        del graph.layout[n]
    away = [n.id for n in graph.notes.values() if max(map(abs, (*n.position, *n.size))) > FARTHEST]
    for note in away:
        del graph.notes[note]
    told = []
    if lost:
        told.append(f"{plural(len(lost), 'layer')} stood outside every canvas and will be placed anew")
    if away:
        told.append(f"{plural(len(away), 'comment')} outside every canvas left out")
    return tuple(told)


class _Mending:
    """One file on its way to a graph; what is done is counted by kind, so that a thousand faults are one sentence."""

    def __init__(self, content: Record) -> None:
        self._content = content
        self._done: Counter[str] = Counter()
        self._ids: set[str] = set()
        self._names: set[str] = set()
        self._next: dict[str, int] = {}

    def notes(self) -> Notes:
        """What was changed."""
        return tuple(f"{what}: {count:,}" for what, count in self._done.items())

    def document(self) -> Record:
        """The content as one that keeps the rules."""
        made = dict(self._content)
        if not isinstance(made.get("name"), str) or not made["name"]:
            made["name"] = "untitled"
        made["meta"] = self._mapping(made.get("meta"))
        made["components"] = [self._component(c) for c in self._records(made["components"], "layers that are none")]
        listed = made.get("connections")
        if listed is not None and not isinstance(listed, list):
            self._done["lists of wires that are none, left out"] += 1
        self._ids_of_wires: set[str] = set()
        wires = self._records(listed if isinstance(listed, list) else [], "wires that are none")
        made["connections"] = [w for wire in wires if (w := self._connection(wire)) is not None]
        made["layout"] = self._layout(made.get("layout"))
        for key, kind in (("frames", FrameRecord), ("notes", NoteRecord)):
            made[key] = list(self._drawn(made.get(key), kind, f"{key} that are none"))
        return made

    def _records(self, listed: list[Any], what: str) -> Iterator[Record]:
        for item in listed:
            if isinstance(item, dict):
                yield item
            else:
                self._done[f"{what}, left out"] += 1

    def _mapping(self, value: Any) -> Record:
        if value is None or isinstance(value, dict):
            return value or {}
        self._done["values that should be objects, dropped"] += 1
        return {}

    def _component(self, record: Record) -> Record:
        made = dict(record)
        if not isinstance(made.get("type"), str) or not made["type"]:
            made["type"] = "unknown"
            self._done["layers without a type"] += 1
        made["params"], made["meta"] = self._mapping(made.get("params")), self._mapping(made.get("meta"))
        if not isinstance(made.get("id"), str) or not made["id"] or made["id"] in self._ids:
            made["id"] = self._fresh("n", lambda name: name in self._ids)
            self._done["layers given an id of their own"] += 1
        self._ids.add(made["id"])
        wanted = made.get("name")
        if not isinstance(wanted, str) or not wanted:
            wanted = made["type"]
            self._done["layers given a name"] += 1
        if wanted in self._names:
            wanted = self._fresh(name_stem(wanted), lambda name: name in self._names, first=2)
            self._done["layers renamed, because two had one name"] += 1
        self._names.add(wanted)
        made["name"] = wanted
        return made

    def _fresh(self, stem: str, taken: Callable[[str], bool], first: int = 0) -> str:
        k = self._next.get(stem, first)
        while taken(f"{stem}{k}"):
            k += 1
        self._next[stem] = k + 1
        return f"{stem}{k}"

    def _connection(self, record: Record) -> Record | None:
        made = dict(record)
        ends = (made.get("from"), made.get("to"))
        if not all(isinstance(end, str) and end in self._ids for end in ends):
            self._done["wires to layers that do not exist, left out"] += 1
            return None
        for port in ("fromPort", "toPort"):
            if made.get(port) is not None and not isinstance(made[port], str):
                del made[port]
                self._done["ports that are no names, dropped"] += 1
        if "id" in made and (not isinstance(made["id"], str) or made["id"] in self._ids_of_wires):
            del made["id"]
            self._done["wires given an id of their own"] += 1
        if made.get("id") is not None:
            self._ids_of_wires.add(made["id"])
        return made

    def _layout(self, value: Any) -> Record:
        kept: Record = {}
        for node, at in value.items() if isinstance(value, dict) else ():
            if isinstance(at, list) and len(at) == 2 and all(_is_place(x) for x in at):
                kept[node] = at
            else:
                self._done["places that are none, dropped"] += 1
        return kept

    def _drawn(self, listed: Any, kind: type[Made], what: str) -> Iterator[Record]:
        ids: set[str] = set()
        for item in listed if isinstance(listed, list) else ():
            try:
                read = kind.model_validate(item)
            except ValidationError:
                self._done[f"{what}, left out"] += 1
                continue
            own = str(getattr(read, "id", ""))
            if own in ids:
                self._done[f"{what}, left out"] += 1
                continue
            ids.add(own)
            yield item


def _is_place(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
