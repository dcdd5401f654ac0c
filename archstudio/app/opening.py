"""What can be opened as a graph: its own file, a picture with one, an ONNX model; and a plain word on the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from archstudio.app.repairing import Notes, usable_graph
from archstudio.files.embedded import PICTURE_SUFFIXES, embedded_text
from archstudio.files.strict_json import read_json
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Graph, GraphError, write_graph

_EXPORT = "Arch Studio writes such files (File, Export) and opens .arch.json, .json, .onnx and its own pictures."
_NO_GRAPHS = {
    ".py": ("is Python code, which is not run to look at it", _EXPORT),
    ".pt": ("holds weights, not a graph", "Open the graph they belong to."),
    ".pth": ("holds weights, not a graph", "Open the graph they belong to."),
    ".safetensors": ("holds weights, not a graph", "Open the graph they belong to."),
    ".jpg": ("is a picture without a graph inside", "Export pictures as SVG, PDF or PNG: they open again."),
    ".jpeg": ("is a picture without a graph inside", "Export pictures as SVG, PDF or PNG: they open again."),
}


@dataclass(frozen=True)
class Opened:
    """A graph as it was read. `own_file` says whether saving may write back to where it came from."""

    graph: Graph
    own_file: bool
    notes: Notes
    """What had to be changed to make a graph of it; empty if nothing had to."""


def open_graph(path: Path) -> Opened:
    """Read whatever can be opened; UnusableFile or GraphError says what it is instead, or what is wrong with it."""
    suffix = path.suffix.lower()
    if suffix in _NO_GRAPHS:
        problem, remedy = _NO_GRAPHS[suffix]
        raise UnusableFile(path.name, problem=problem, remedy=remedy)
    if suffix == ".onnx":
        return Opened(*_from_onnx(path))
    if suffix in PICTURE_SUFFIXES:
        graph, notes = usable_graph(read_json(embedded_text(path), name=path.name), path.name)
        return Opened(graph, False, notes)
    graph, notes = usable_graph(read_json(path, name=path.name), path.name)
    return Opened(graph, True, notes)


def _from_onnx(path: Path) -> tuple[Graph, bool, Notes]:
    from archstudio.app.onnx.reading import read_onnx  # seldom needed, and not at the start

    graph, notes = read_onnx(path)
    return graph, False, notes


def mended_text(text: str) -> tuple[str, Notes]:
    """Copied text with its graph repaired where it breaks the rules, and what was changed; other text as it is."""
    name = "the clipboard"
    try:
        graph, notes = usable_graph(read_json(text.encode("utf-8", "surrogatepass"), name=name), name)
    except (UnusableFile, GraphError):
        return text, ()  # whoever pastes it says what is wrong
    return (write_graph(graph).decode("utf-8"), notes) if notes else (text, ())
