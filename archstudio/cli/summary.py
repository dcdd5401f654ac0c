"""`archstudio summary`: every layer with its sizes and costs, subtotals of frames, and totals."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from archstudio.app.document import Document
from archstudio.app.figures import UNKNOWN, bytes_text, macs_text, milliseconds_text
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
from archstudio.cli.output import FINE, PROBLEMS, Unusable, console, console_of, plain, say_json
from archstudio.graph import Graph, read_graph
from archstudio.layers import Wire
from archstudio.layers.dim import dim_text
from archstudio.layers.wire import shapes_of
from archstudio.verify import Verdict
from archstudio.verify.costs.latency import Latency
from archstudio.verify.costs.machines import UnknownMachine
from archstudio.verify.costs.report import DEFAULT_MACHINE, Costs, Timed, costs
from archstudio.verify.costs.weights import WEIGHT_BYTES, weight_bytes

WIDEST = 200
"""Columns of text a table may take before it cuts names, also where the terminal is narrower."""


class Format(StrEnum):
    """Formats of weights, as in `WEIGHT_BYTES`."""

    FP32 = "fp32"
    BF16 = "bf16"
    INT8 = "int8"
    INT4 = "int4"


@dataclass(frozen=True, slots=True)
class _Asked:
    """For what the caches and latencies are asked."""

    batch: int
    context: int
    dtype: str
    machine: str

    def costs(self, verdict: Verdict) -> Costs | None:
        try:
            return costs(verdict, self.batch, self.context, self.dtype, self.machine)
        except UnknownMachine as unknown:
            raise Unusable(str(unknown)) from None


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command("summary")(summary)


def summary(
    file: Annotated[Path, typer.Argument(help="A graph file.")],
    batch: Annotated[int | None, typer.Option(min=1, help="Size of the batch axis.")] = None,
    sequence: Annotated[int | None, typer.Option(min=1, help="Length of the sequence axis.")] = None,
    context: Annotated[
        int, typer.Option(min=1, max=10**12, help="Tokens in the cache, for its size and latency.")
    ] = 4096,
    dtype: Annotated[Format, typer.Option(help="Format of the weights, for cache and latency.")] = Format.BF16,
    machine: Annotated[str, typer.Option(help="Machine of profiles/hardware.json, for latency.")] = DEFAULT_MACHINE,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the rows as CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """List layers with outputs, parameters, MACs and memory. Exit 0: it runs, 1: totals are unknown, 2: unusable."""
    if markdown + csv + as_json > 1:
        raise Unusable("--markdown, --csv and --json exclude each other")
    document = Document(_sized(read_graph(file), batch, sequence), path=file)
    asked = _Asked(batch or 1, context, dtype.value, machine)
    found = asked.costs(document.verdict)
    rows = layer_rows(document)
    frames = frame_subtotals(document, rows)
    table = [*grouped(rows, frames), _total(document, rows)]
    if as_json:
        say_json("archstudio.summary/1", _record(document, rows, frames, found))
    elif csv:
        sys.stdout.write(as_csv(table))
    elif markdown:
        totals = "".join(f"- {line}\n" for line in _total_lines(document, asked, found))
        sys.stdout.write(f"{as_markdown(table)}\n{totals}")
    else:
        _show(document, table, _total_lines(document, asked, found))
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


def _show(document: Document, rows: list[LayerRow | Subtotal], totals: list[str]) -> None:
    table = Table(box=None, title=plain(document.graph.name), title_justify="left")
    for k, column in enumerate(COLUMNS):
        table.add_column(column, justify="right" if k in NUMBER_COLUMNS else "left")
    left = 0
    for row in rows:
        name, *cells = (plain(c) for c in row.cells)
        if isinstance(row, Subtotal):
            table.add_row(name, *cells, style="bold")
            left = len(row.nodes)
        else:
            table.add_row(f"  {name}" if left > 0 else name, *cells)
            left -= 1
    console_of(WIDEST).print(table)
    for line in totals:
        console.print(line, markup=False)


def _total_lines(document: Document, asked: _Asked, found: Costs | None) -> list[str]:
    verdict = document.verdict
    if found is None:
        return [f"Totals {UNKNOWN} while problems stand: archstudio check says which"]
    weights = int(verdict.parameters or 0)
    training = " · ".join(f"{name} {bytes_text(size)}" for name, size in found.training_bytes.items())
    at = "the inputs" if found.peak.node is None else document.graph.node(found.peak.node).name
    return [
        f"Parameters {weights:,}, all trainable; buffers {int(verdict.buffers or 0):,} elements",
        f"{macs_text(verdict.macs)} ({int(verdict.macs or 0):,}){_at(document)}",
        "Weights " + " · ".join(f"{name} {bytes_text(weight_bytes(weights, name))}" for name in WEIGHT_BYTES),
        f"Inference peak between layers {bytes_text(found.peak.bytes)}, at {at}",
        f"Training, fp32: kept for backward {bytes_text(found.saved_bytes)}; in all about {training}",
        *_decoding_lines(asked, found),
    ]


def _decoding_lines(asked: _Asked, found: Costs) -> list[str]:
    """The caches and the latencies, as far as the network has them."""
    lines = []
    if found.kv is not None:
        per_token = f"{bytes_text(found.kv.bytes_per_token)} a token"
        beyond = (
            "" if found.kv_overtakes is None else f"; read as long as the weights at {found.kv_overtakes:,.0f} tokens"
        )
        mask = "" if found.kv.causal else ", if it were run as a decoder"
        where = f"{asked.batch} × {asked.context:,} tokens"
        lines.append(f"KV cache {bytes_text(found.kv.bytes)} for {where} ({per_token}){mask}{beyond}")
    for name, timed in (("Next token", found.decode), ("Prompt", found.prefill)):
        if timed is not None:
            ideal, typical = timed.ideal, timed.typical
            speed = f"{_rate(ideal)} and {_rate(typical)} tokens/s"
            times = f"ideal {milliseconds_text(ideal.ms)}, typical {milliseconds_text(typical.ms)}"
            lines.append(f"{name} on {asked.machine}, {asked.dtype}: {times} ({speed}), bound by {ideal.bound}")
    return lines


def _rate(latency: Latency) -> str:
    return f"{latency.tokens_per_second:,.{1 if latency.tokens_per_second < 1000 else 0}f}"


def _at(document: Document) -> str:
    """` at B = 8, T = 128`: what the letters in the shapes stand for."""
    letters: dict[str, int] = {}
    for known in document.verdict.nodes.values():
        if known.layer is not None and known.layer.type == "input" and isinstance(known.value, Wire):
            letters.update({dim_text(d): int(d) for d in known.value.shape if dim_text(d) in ("B", "T")})
    return f" at {', '.join(f'{letter} = {size:,}' for letter, size in letters.items())}" if letters else ""


def _record(document: Document, rows: list[LayerRow], frames: list[Subtotal], found: Costs | None) -> dict[str, Any]:
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
        "costs": None if found is None else _costs_record(document, found),
    }


def _costs_record(document: Document, found: Costs) -> dict[str, Any]:
    peak, kv = found.peak, found.kv
    return {
        "peak": {"bytes": peak.bytes, "layer": None if peak.node is None else document.graph.node(peak.node).name},
        "savedBytes": found.saved_bytes,
        "bufferBytes": found.buffer_bytes,
        "trainingBytes": dict(found.training_bytes),
        "kv": None if kv is None else {"bytes": kv.bytes, "bytesPerToken": kv.bytes_per_token, "causal": kv.causal},
        "kvOvertakesAtTokens": found.kv_overtakes,
        "decode": _timed_record(found.decode),
        "prefill": _timed_record(found.prefill),
    }


def _timed_record(timed: Timed | None) -> dict[str, Any] | None:
    if timed is None:
        return None
    return {
        name: {"ms": latency.ms, "tokensPerSecond": latency.tokens_per_second, "bound": latency.bound}
        for name, latency in (("ideal", timed.ideal), ("typical", timed.typical))
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
