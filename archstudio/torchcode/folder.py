"""A model as a folder: its PyTorch file, and the graph it came from."""

from __future__ import annotations

from pathlib import Path

from archstudio.files.atomic import save_atomic
from archstudio.graph import Graph, write_graph
from archstudio.torchcode.source import source_of
from archstudio.verify.verdict import Verdict

MODEL_FILE = "model.py"
GRAPH_FILE = "graph.arch.json"


def write_model(folder: Path, graph: Graph, verdict: Verdict) -> None:
    """Write `model.py` and `graph.arch.json` into `folder`, which is made if needed.

    GraphHasErrors (and nothing is written) where PyTorch would refuse the graph; SaveFailed where the disk does.
    """
    source = source_of(graph, verdict)
    folder.mkdir(parents=True, exist_ok=True)
    save_atomic(folder / MODEL_FILE, source.encode("utf-8"), backups=0)
    save_atomic(folder / GRAPH_FILE, write_graph(graph), backups=0)
