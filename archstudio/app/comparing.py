"""Two graphs side by side: what was added, removed and changed, each alone or against the start both came from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from archstudio.edits import Batch
from archstudio.edits.changes import Difference, changes
from archstudio.edits.diff import diff
from archstudio.graph import Connection, Graph, Node

Kind: TypeAlias = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class Side:
    """One graph as it is shown, with how its layers and wires stand. Ids of like parts are the same on both sides."""

    title: str
    graph: Graph
    marks: Mapping[str, Kind]
    """By id of the layer or wire."""


@dataclass(frozen=True)
class DifferenceRow:
    """One difference as it is listed. `whose` names the sides that made it; `disagree`: they made it unlike."""

    kind: Kind
    part: str
    text: str
    at: str
    whose: str = ""
    disagree: bool = False


@dataclass(frozen=True)
class Comparison:
    """What differs. Against a start, `rows` tell what either side did to it, else what the right did to the left."""

    left: Side
    right: Side
    rows: tuple[DifferenceRow, ...]
    start: Graph | None = None
    edits: int = field(default=0)
    """How many of the smallest edits lead from left to right."""

    @property
    def counts(self) -> Mapping[Kind, int]:
        """How many rows there are of each kind."""
        kinds: tuple[Kind, ...] = ("added", "removed", "changed")
        return {kind: sum(row.kind == kind for row in self.rows) for kind in kinds}


def compare(left: tuple[str, Graph], right: tuple[str, Graph]) -> Comparison:
    """What the right graph has unlike the left one; each is given with its title. Ids are those of the right."""
    (title, graph), (other, after) = left, right
    before, after = aligned(after, graph), after.copy()
    found = _telling(before, after)
    rows = tuple(DifferenceRow(d.kind, d.part, told(d), d.at) for d in found)
    on_left = {d.at: d.kind for d in found if d.at and d.kind != "added"}
    on_right = {d.at: d.kind for d in found if d.at and d.kind != "removed"}
    return Comparison(Side(title, before, on_left), Side(other, after, on_right), rows, edits=_count(before, after))


def compare_with_start(start: Graph, left: tuple[str, Graph], right: tuple[str, Graph]) -> Comparison:
    """What two graphs each made of the start they came from, and where they disagree."""
    sides = []
    found: list[list[Difference]] = []
    for title, graph in (left, right):
        now = aligned(start, graph)
        differences = _telling(start, now)
        found.append(differences)
        sides.append(Side(title, now, {d.at: d.kind for d in differences if d.at and d.kind != "removed"}))
    rows = tuple(_three_way(found, (left[0], right[0])))
    return Comparison(sides[0], sides[1], rows, start, _count(sides[0].graph, sides[1].graph))


def _telling(a: Graph, b: Graph) -> list[Difference]:
    """What differs but the graphs' own names, which differ wherever two files do."""
    return [d for d in changes(a, b) if (d.part, d.key) != ("graph", "name")]


def _three_way(found: list[list[Difference]], titles: tuple[str, str]) -> Iterator[DifferenceRow]:
    """The differences of both sides, those both made alike once."""
    mine, theirs = ({(d.part, d.at, d.key, d.kind == "added"): d for d in side} for side in found)
    for key in dict.fromkeys([*mine, *theirs]):
        here, there = mine.get(key), theirs.get(key)
        if here is not None and there is not None and here == there:
            yield _row(here, " and ".join(titles), False)
            continue
        for difference, whose in ((here, titles[0]), (there, titles[1])):
            if difference is not None:
                yield _row(difference, whose, here is not None and there is not None)


def _row(difference: Difference, whose: str, disagree: bool) -> DifferenceRow:
    return DifferenceRow(difference.kind, difference.part, told(difference), difference.at, whose, disagree)


def told(difference: Difference) -> str:
    """A difference in words without the kind, which stands beside it: `conv1: outChannels 16 → 32`."""
    if difference.part == "wire" and difference.kind == "changed":
        return f"{difference.before} became {difference.after}"
    text = str(difference)
    return text.removeprefix(f"{difference.kind} {difference.part} ")


def _count(before: Graph, after: Graph) -> int:
    edit = diff(_bare(before), _bare(after))
    return len(edit.edits) if isinstance(edit, Batch) else 0


def _bare(graph: Graph) -> Graph:
    """A copy without what is only drawn."""
    made = graph.copy()
    made.layout, made.frames, made.notes = {}, {}, {}
    return made


# ----------------------------------------------------------------- matching ids


def aligned(base: Graph, other: Graph) -> Graph:
    """A copy of `other` in which parts that are those of `base` have its ids; other parts get ids it does not use.

    A layer is the same one if its id and its name or type are, else if its name and type are. A wire is the same one
    if it joins the same ports.
    """
    ids = _matched_nodes(base, other)
    made = Graph(other.name)
    made.meta, made.extra = dict(other.meta), dict(other.extra)
    for node in other.nodes:
        made.insert_node(replace(node, id=ids[node.id]))
    for wire in _matched_wires(base, other.connections, ids):
        made.insert_connection(wire)
    made.layout = {ids[n]: at for n, at in other.layout.items()}
    made.frames = {f.id: replace(f, nodes=tuple(ids[n] for n in f.nodes)) for f in other.frames.values()}
    made.notes = dict(other.notes)
    return made


def _matched_nodes(base: Graph, other: Graph) -> dict[str, str]:
    """The id in `base`, or a fresh one, of each node of `other`."""
    found: dict[str, str] = {}
    for node in other.nodes:
        if node.id in base and _alike(base.node(node.id), node):
            found[node.id] = node.id
    taken = set(found.values())
    for node in other.nodes:
        named = base.named(node.name)
        if node.id not in found and named is not None and named.type == node.type and named.id not in taken:
            found[node.id] = named.id
            taken.add(named.id)
    given = taken | set(base.node_ids)
    for node in other.nodes:
        if node.id not in found:
            found[node.id] = fresh = _unlike(node.id, given)
            given.add(fresh)
    return found


def _alike(a: Node, b: Node) -> bool:
    return a.name == b.name or a.type == b.type


def _unlike(wanted: str, given: set[str]) -> str:
    while wanted in given:
        wanted += "'"
    return wanted


def _matched_wires(base: Graph, wires: Iterable[Connection], ids: Mapping[str, str]) -> Iterator[Connection]:
    moved = [replace(w, source=ids[w.source], target=ids[w.target]) for w in wires]
    by_ends: dict[tuple[str, str, str | None, str | None], list[str]] = {}
    for wire in base.connections:
        by_ends.setdefault(_ends(wire), []).append(wire.id)
    chosen: dict[str, str] = {}
    for wire in moved:
        same = by_ends.get(_ends(wire))
        if same:
            chosen[wire.id] = same.pop(0)
    given = set(chosen.values())
    for wire in moved:
        wire_id = chosen.get(wire.id)
        if wire_id is None:
            # a wire that was moved keeps its id, unless that stands for another one
            wire_id = wire.id if wire.id not in given else _unlike(wire.id, given | set(base.connection_ids))
            given.add(wire_id)
        yield replace(wire, id=wire_id)


def _ends(wire: Connection) -> tuple[str, str, str | None, str | None]:
    return wire.source, wire.target, wire.source_port, wire.target_port
