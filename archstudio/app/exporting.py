"""A graph as code for other programs, as the window and the command line write it."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.document import Document
from archstudio.files.atomic import save_atomic
from archstudio.torchcode.source import source_of


def export_torch(document: Document, path: Path) -> int:
    """Write the graph as one PyTorch file; returns its number of lines.

    GraphHasErrors where PyTorch would refuse the graph, SaveFailed where the disk refuses the file.
    """
    text = source_of(document.graph, document.verdict)
    save_atomic(path, text.encode("utf-8"), backups=0)
    return len(text.splitlines())


def module_name(title: str) -> str:
    """A file name that Python can import: `deepen_resnet` for `deepen-resnet`."""
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in title).strip("_").lower() or "model"
    return f"model_{name}" if name[0].isdigit() else name
