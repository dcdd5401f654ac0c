"""The layer table as data: one row a layer, sortable, and copyable as CSV or Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from archstudio.app.document import Document
from archstudio.layers import value_text

COLUMNS = ("Name", "Type", "Output", "Parameters", "MACs", "Share")


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One layer: its sizes are None while unknown; `share` is its part of all parameters, 0 to 1."""

    node: str
    name: str
    type: str
    output: str
    parameters: int | None
    macs: int | None
    share: float

    @property
    def cells(self) -> tuple[str, ...]:
        """Texts of the columns."""
        numbers = ("–" if n is None else f"{int(n):,}" for n in (self.parameters, self.macs))
        return (self.name, self.type, self.output, *numbers, f"{self.share:.1%}" if self.share else "")


def layer_rows(document: Document) -> list[LayerRow]:
    """All layers in file order."""
    nodes = document.verdict.nodes
    total = sum(int(v.parameters or 0) for v in nodes.values())
    rows = []
    for node in document.graph.nodes:
        verdict = nodes[node.id]
        output = "unknown" if verdict.value is None else value_text(verdict.value)
        share = int(verdict.parameters or 0) / total if total else 0.0
        rows.append(LayerRow(node.id, node.name, node.type, output, verdict.parameters, verdict.macs, share))
    return rows


def as_markdown(rows: list[LayerRow]) -> str:
    """The table as Markdown; pipes in names are escaped."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    lines += ["| " + " | ".join(c.replace("|", "\\|") for c in row.cells) + " |" for row in rows]
    return "\n".join(lines) + "\n"
