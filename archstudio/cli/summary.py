"""`archstudio summary`: every layer with its sizes and costs, subtotals of frames, and totals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from archstudio.app.document import Document
from archstudio.app.figures import UNKNOWN, bytes_text, macs_text
from archstudio.app.layer_table import (
    COLUMNS,
    NUMBER_COLUMNS,
    LayerRow,
    Subtotal,
    as_csv,
    as_markdown,
    frame_subtotals,
    grouped,
    layer_rows,
    subtotal,
)
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, say_json
from archstudio.graph import Graph, read_graph
from archstudio.layers import Wire
from archstudio.layers.dim import dim_text
from archstudio.layers.wire import shapes_of
from archstudio.verify.costs.weights import WEIGHT_BYTES, weight_bytes

WIDEST = 200
"""Columns of text a table may take before it cuts names, also where the terminal is narrower."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("summary")(summary)


def summary(
    file: Annotated[Path, typer.Argument(help="A graph file.")],
    batch: Annotated[int | None, typer.Option(min=1, help="Size of the batch axis.")] = None,
    sequence: Annotated[int | None, typer.Option(min=1, help="Length of the sequence axis.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List layers with outputs, parameters, MACs and memory. Exit 0: it runs, 1: totals are unknown, 2: unusable."""
    if markdown + csv + as_json > 1:
        raise Unusable("--markdown, --csv and --json exclude each other")
    document = Document(_sized(read_graph(file), batch, sequence), path=file)
    rows = layer_rows(document)
    frames = frame_subtotals(document, rows)
    table = [*grouped(rows, frames), _total(document, rows)]
    if as_json:
        say_json("archstudio.summary/1", _record(document, rows, frames))
    elif csv:
        sys.stdout.write(as_csv(table))
    elif markdown:
        totals = "".join(f"- {line}\n" for line in _total_lines(document))
        sys.stdout.write(f"{as_markdown(table)}\n{totals}")
    else:
        _show(document, table)
    raise typer.Exit(FINE if document.verdict.runs else PROBLEMS)


def _sized(graph: Graph, batch: int | None, sequence: int | None) -> Graph:
    for key, size in (("batch", batch), ("sequence", sequence)):
        if size is not None:
            graph.set_meta(key, size)
    return graph


def _total(document: Document, rows: list[LayerRow]) -> Subtotal:
    """The whole network; all unknown while an error stands."""
    if document.verdict.runs:
        return subtotal("Total", rows)
    return Subtotal("Total", tuple(row.node for row in rows), None, None, None, 0.0)


def _show(document: Document, rows: list[LayerRow | Subtotal]) -> None:
    table = Table(box=None, title=_plain(document.graph.name), title_justify="left")
    for k, column in enumerate(COLUMNS):
        table.add_column(column, justify="right" if k in NUMBER_COLUMNS else "left")
    left = 0
    for row in rows:
        name, *cells = (_plain(c) for c in row.cells)
        if isinstance(row, Subtotal):
            table.add_row(name, *cells, style="bold")
            left = len(row.nodes)
        else:
            table.add_row(f"  {name}" if left > 0 else name, *cells)
            left -= 1
    console.print(table, width=max(console.width, WIDEST))
    for line in _total_lines(document):
        console.print(line, markup=False)


def _total_lines(document: Document) -> list[str]:
    verdict = document.verdict
    if not verdict.runs:
        return [f"Totals {UNKNOWN} while problems stand: archstudio check says which"]
    weights = int(verdict.parameters or 0)
    return [
        f"Parameters {weights:,}, all trainable; buffers {int(verdict.buffers or 0):,} elements",
        f"{macs_text(verdict.macs)} ({int(verdict.macs or 0):,}){_at(document)}",
        "Weights " + " · ".join(f"{name} {bytes_text(weight_bytes(weights, name))}" for name in WEIGHT_BYTES),
    ]


def _at(document: Document) -> str:
    """` at B = 8, T = 128`: what the letters in the shapes stand for."""
    letters: dict[str, int] = {}
    for known in document.verdict.nodes.values():
        if known.layer is not None and known.layer.type == "input" and isinstance(known.value, Wire):
            letters.update({dim_text(d): int(d) for d in known.value.shape if dim_text(d) in ("B", "T")})
    return f" at {', '.join(f'{letter} = {size:,}' for letter, size in letters.items())}" if letters else ""


def _record(document: Document, rows: list[LayerRow], frames: list[Subtotal]) -> dict[str, Any]:
    verdict = document.verdict
    parameters = _whole(verdict.parameters)
    return {
        "name": document.graph.name,
        "runs": verdict.runs,
        "layers": [_row_record(document, row) for row in rows],
        "frames": [{"title": f.title, "layers": len(f.nodes), **_numbers(f)} for f in frames],
        "parameters": parameters,
        "trainable": parameters,
        "buffers": _whole(verdict.buffers),
        "macs": _whole(verdict.macs),
        "outputBytes": _total(document, rows).memory,
        "weightBytes": {name: None if parameters is None else weight_bytes(parameters, name) for name in WEIGHT_BYTES},
    }


def _row_record(document: Document, row: LayerRow) -> dict[str, Any]:
    value = document.verdict.nodes[row.node].value
    return {
        "name": row.name,
        "type": row.type,
        "shape": None if value is None else shapes_of(value),
        **_numbers(row),
    }


def _numbers(row: LayerRow | Subtotal) -> dict[str, Any]:
    return {
        "parameters": _whole(row.parameters),
        "macs": _whole(row.macs),
        "memoryBytes": _whole(row.memory),
        "share": row.share,
    }


def _whole(number: int | None) -> int | None:
    return None if number is None else int(number)


def _plain(text: str) -> str:
    """Text in which brackets are no markup."""
    return text.replace("[", "\\[")
