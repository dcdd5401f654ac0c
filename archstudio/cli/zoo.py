"""`archstudio zoo`: the known networks that ship with the program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from archstudio.app.figures import macs_text
from archstudio.app.zoo import ZooEntry, zoo_bytes, zoo_entries, zoo_entry, zoo_graph
from archstudio.cli.output import Unusable, console, say_json
from archstudio.files.atomic import save_atomic
from archstudio.graph import Graph, to_document
from archstudio.verify import check

app = typer.Typer(help="Known networks, as graphs.", no_args_is_help=True)
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def register(parent: typer.Typer) -> None:
    """Add the commands of this module and its neighbours, under one name."""
    parent.add_typer(app, name="zoo")


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the networks."""
    entries = zoo_entries()
    if as_json:
        say_json("archstudio.zoo/1", {"networks": [_record(entry) for entry in entries]})
        return
    table = Table("name", "title", "family", "about", box=None)
    table.add_column("parameters", justify="right")
    for entry in entries:
        table.add_row(entry.name, entry.title, entry.family, entry.note, f"{entry.parameters:,}")
    console.print(table)


@app.command()
def show(name: str, as_json: JsonOption = False) -> None:
    """Show one network: where it is from, what it counts, and its parts."""
    entry, graph = zoo_entry(name), zoo_graph(name)
    if as_json:
        say_json("archstudio.zoo-network/1", {**_record(entry), "graph": to_document(graph)})
        return
    console.print(f"{entry.title} ({entry.family.lower()})\n\n{entry.source}\n", markup=False)
    for line in _lines(graph):
        console.print(line, markup=False)


@app.command()
def copy(name: str, file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")]) -> None:
    """Write one network to a file of your own."""
    content = zoo_bytes(name)
    if file.exists():
        raise Unusable(f"{file} exists already. Choose another name.")
    save_atomic(file, content)
    console.print(f"{file}: {zoo_entry(name).title}", markup=False)


def _lines(graph: Graph) -> list[str]:
    verdict = check(graph)
    frames = " · ".join(f"{f.title} ({len(f.nodes)})" for f in graph.frames.values())
    return [
        f"{len(graph)} layers: {frames or 'no frames'}",
        f"{int(verdict.parameters or 0):,} parameters, {macs_text(verdict.macs)}",
    ]


def _record(entry: ZooEntry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "family": entry.family,
        "note": entry.note,
        "parameters": entry.parameters,
        "macs": entry.macs,
        "source": entry.source,
    }
