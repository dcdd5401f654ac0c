"""Draws the pictures of a study's report in docs/images: simulated people beside model rows from published files.

    python docs/draw_study_pictures.py RESULTS.json ...

The files are Arch-Bench's own results (https://github.com/Neurarch), which are not shipped; without any, people stand
alone. The people are programs, and each picture says so.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from archstudio.study.collect import collect
from archstudio.study.pack import freeze, open_key, open_study
from archstudio.study.protocol import Protocol
from archstudio.study.report.material import Material, prepare
from archstudio.study.report.models import read_models
from archstudio.study.report.pictures.curves import time_curves
from archstudio.study.report.pictures.forest import forest
from archstudio.study.report.pictures.heat import heat_map
from archstudio.study.report.pictures.style import MUTED, styled
from archstudio.study.report.words import basis
from archstudio.study.simulated import simulate

IMAGES = Path(__file__).parent / "images"
PROTOCOL = {
    "id": "pictures",
    "title": "The twelve curated tasks",
    "benchmark": "arch-bench",
    "split": "curated",
    "conditions": ["single_shot", "verifier_turns_3"],
    "items": [{"kind": "curated", "rubric": 2}],
}


def main(results: list[str]) -> None:
    """Draw three pictures."""
    with tempfile.TemporaryDirectory() as folder:
        material = _material(Path(folder), [Path(name) for name in results])
    conditions = material.figures.variant("primary").conditions
    told = basis(conditions[0], material.figures)
    with styled():
        _save(forest(conditions[0]), told, "study-forest.png")
        _save(heat_map(conditions[0]), told, "study-heat.png")
        _save(time_curves(conditions), "SIMULATED people, 2 conditions of the twelve curated tasks", "study-times.png")


def _material(folder: Path, results: list[Path]) -> Material:
    frozen = freeze(Protocol.model_validate(PROTOCOL), folder)
    key = folder / "pictures.key"
    key.write_bytes(frozen.key)
    pack = open_key(key, open_study(frozen.study, name="pictures.study"))
    simulate(pack, folder, 96, seed=11)
    records = collect(pack, [folder]).records
    return prepare(records, read_models(results, records), allow_simulated=True)


def _save(figure: Any, told: str, name: str) -> None:
    figure.supxlabel(told, fontsize=6.5, color=MUTED, x=0.01, ha="left")
    figure.savefig(IMAGES / name, dpi=150)


if __name__ == "__main__":
    main(sys.argv[1:])
