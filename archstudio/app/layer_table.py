"""The layer table as data: a row for each layer, subtotals of frames and totals, copyable as CSV or Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from archstudio.app.document import Document
from archstudio.app.figures import bytes_text
from archstudio.files.tables import Cell, csv_text
from archstudio.layers import value_text
from archstudio.verify.costs.storage import Storages

COLUMNS = ("Name", "Type", "Output", "Parameters", "MACs", "Memory", "Share")
NUMBER_COLUMNS = frozenset({3, 4, 5, 6})
"""Places of the columns that hold numbers."""
UNKNOWN_CELL = "–"


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer: its sizes are None while unknown; `share` is its part of all parameters, 0 to 1.

    `memory` is the bytes its output takes; 0 where the output lies in its input's memory. `share` is 0 while an error
    stands, because then the whole is unknown.
    """

    node: str
    name: str
    type: str
    output: str
    parameters: int | None
    macs: int | None
    memory: int | None
    share: float

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts of the columns."""
        return (self.name, self.type, self.output, *_number_cells(self))

    def sort_key(self, column: int) -> int | float | str:
        """What the row is sorted by in a column; unknown numbers come before all others."""
        numbers = {3: self.parameters, 4: self.macs, 5: self.memory}
        if column in numbers:
            number = numbers[column]
            return -1 if number is None else int(number)
        return self.share if column == 6 else self.cells[column].casefold()


@dataclass(frozen=True, slots=True)
class Subtotal:
    """The layers of one frame together, or (without a frame) the whole network; None where a part is unknown."""

    title: str
    nodes: tuple[str, ...]
    parameters: int | None
    macs: int | None
    memory: int | None
    share: float

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts of the columns; the type says how many layers there are."""
        return (self.title, f"{len(self.nodes)} layers", "", *_number_cells(self))


def _number_cells(row: LayerRow | Subtotal) -> Iterator[str]:
    for number in (row.parameters, row.macs):
        yield UNKNOWN_CELL if number is None else f"{int(number):,}"
    yield UNKNOWN_CELL if row.memory is None else bytes_text(row.memory)
    yield f"{row.share:.1%}" if row.share else ""


def layer_rows(document: Document) -> list[LayerRow]:
    """All layers in file order; what the person may not see is left out."""
    visible = document.visibility
    rows = _known_rows(document) if visible.shapes or visible.counts or visible.exact_verdict else _bare_rows(document)
    if not visible.shapes:
        rows = [replace(row, output="") for row in rows]
    if not visible.counts:
        rows = [replace(row, parameters=None, macs=None, memory=None, share=0.0) for row in rows]
    return rows


def _bare_rows(document: Document) -> list[LayerRow]:
    return [LayerRow(n.id, n.name, n.type, "", None, None, None, 0.0) for n in document.graph.nodes]


def _known_rows(document: Document) -> list[LayerRow]:
    verdict = document.verdict
    storages, total = Storages(verdict), int(verdict.parameters or 0)
    rows = []
    for node in document.graph.nodes:
        known = verdict.nodes[node.id]
        output, memory = "unknown", None
        if known.value is not None:
            output, memory = value_text(known.value), sum(s.bytes for s in storages.made_by(node.id))
        share = int(known.parameters or 0) / total if total else 0.0
        rows.append(LayerRow(node.id, node.name, node.type, output, known.parameters, known.macs, memory, share))
    return rows


def frame_subtotals(document: Document, rows: Sequence[LayerRow]) -> list[Subtotal]:
    """One subtotal for each frame that holds layers, in the order of the frames."""
    by_node = {row.node: row for row in rows}
    frames = ((f.title, [by_node[n] for n in f.nodes if n in by_node]) for f in document.graph.frames.values())
    return [subtotal(title, members) for title, members in frames if members]


def subtotal(title: str, rows: Sequence[LayerRow]) -> Subtotal:
    """Some layers together."""
    return Subtotal(
        title,
        tuple(row.node for row in rows),
        _sum(row.parameters for row in rows),
        _sum(row.macs for row in rows),
        _sum(row.memory for row in rows),
        sum(row.share for row in rows),
    )


def _sum(numbers: Iterable[int | None]) -> int | None:
    total = 0
    for number in numbers:
        if number is None:
            return None
        total += int(number)
    return total


def grouped(rows: Sequence[LayerRow], subtotals: Sequence[Subtotal]) -> list[LayerRow | Subtotal]:
    """The rows in their order, each frame's subtotal before the first of its layers, and those gathered behind it.

    A layer in several frames stands in the first of them.
    """
    frame_of: dict[str, Subtotal] = {}
    for frame in reversed(subtotals):
        frame_of.update(dict.fromkeys(frame.nodes, frame))
    by_node = {row.node: row for row in rows}
    listed: list[LayerRow | Subtotal] = []
    begun: set[int] = set()
    for row in rows:
        owner = frame_of.get(row.node)
        if owner is None:
            listed.append(row)
        elif id(owner) not in begun:
            begun.add(id(owner))
            listed += [owner, *(by_node[n] for n in owner.nodes if frame_of[n] is owner)]
    return listed


def as_markdown(rows: Iterable[LayerRow | Subtotal]) -> str:
    """The table as Markdown; pipes in names are escaped, subtotals are bold."""
    lines = ["| " + " | ".join(COLUMNS) + " |"]
    lines.append("|" + "".join("---:|" if k in NUMBER_COLUMNS else "---|" for k in range(len(COLUMNS))))
    for row in rows:
        cells = [c.replace("|", "\\|") for c in row.cells]
        if isinstance(row, Subtotal):
            cells = [f"**{c}**" if c else "" for c in cells]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def as_csv(rows: Iterable[LayerRow | Subtotal]) -> str:
    """The table as CSV with plain numbers (memory in bytes, share as a fraction); unknown ones are empty."""
    listed: list[list[Cell]] = []
    for row in rows:
        numbers = [None if n is None else int(n) for n in (row.parameters, row.macs, row.memory)]
        kind = "subtotal" if isinstance(row, Subtotal) else "layer"
        listed.append([kind, *row.cells[:3], *numbers, round(row.share, 6)])
    return csv_text(("row", "name", "type", "output", "parameters", "macs", "memory_bytes", "share"), listed)
