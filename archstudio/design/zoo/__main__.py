"""`python -m archstudio.design.zoo` rewrites `fixtures/zoo` of a source checkout from the builders."""

from __future__ import annotations

from pathlib import Path

from archstudio.design.zoo import MODELS
from archstudio.files.data import data_path
from archstudio.graph import write_graph


def rewrite(folder: Path) -> None:
    """Write one file a network, and remove files of networks that are gone."""
    wanted = {f"{model.name}.arch.json": write_graph(model.draw()) for model in MODELS}
    for old in folder.glob("*.arch.json"):
        if old.name not in wanted:
            old.unlink()
    for name, content in wanted.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    rewrite(Path(str(data_path("fixtures", "zoo"))))
