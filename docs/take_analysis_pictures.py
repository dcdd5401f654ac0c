"""Draws the pictures of an analysis that the documentation shows: `python docs/take_analysis_pictures.py`."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Final

from archstudio.files.atomic import save_atomic
from archstudio.intuition.analysis import pictures
from archstudio.intuition.analysis.figures import analyse
from archstudio.intuition.analysis.material import gather
from archstudio.intuition.analysis.style import CSS
from archstudio.intuition.candidates.sampling import SetRequest
from archstudio.intuition.datasets.drawing import draw_spec
from archstudio.intuition.datasets.folder import create_dataset
from archstudio.intuition.profile import Family
from archstudio.intuition.profile_file import load_profile
from archstudio.intuition.questions.record import make_questions
from archstudio.intuition.truth.description import KINDS
from archstudio.intuition.truth.sets import make_set
from archstudio.training.engine import LocalEngine

IMAGES: Final = Path(__file__).parent / "images"
DATA: Final[tuple[tuple[Family, int], ...]] = (("multivariate_regression", 1), ("univariate_regression", 3))
REQUEST: Final = SetRequest(budget=2048, count=36, vary=frozenset({"model", "optimizer"}), seed=5)


def main(folder: Path) -> None:
    """Train two sets of 36 candidates (some minutes), ask nine questions on each, and draw."""
    profile, runs = load_profile("studio"), []
    with LocalEngine(folder / "runs", kinds=KINDS, workers=2) as engine:
        for family, seed in DATA:
            dataset = create_dataset(draw_spec(profile.content, family, seed), folder / "data")
            made = make_set(engine, profile, dataset, REQUEST)
            runs.append(make_questions(profile, dataset, [made], count=9, choices=3, seed=0)[0].folder.parent)
    found = analyse(gather(runs), trees=True, seed=0)
    _save("analysis-rules", pictures.forest(found.overall(), "forest"))
    _save("analysis-curves", pictures.curves(found.sets[0], "curves"))
    _save("analysis-order", pictures.early_order(found.sets, "early"))


def _save(name: str, svg: str) -> None:
    """Write a picture of the page as a file that stands alone."""
    width, height = re.findall(r"[\d.]+", svg)[2:4]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
    back = f'<style>{CSS}</style><rect width="100%" height="100%" style="fill: var(--paper)"/>'
    opened, rest = svg.split(">", 1)
    save_atomic(IMAGES / f"{name}.svg", f"{opened.replace('<svg ', head)}>{back}{rest}\n".encode(), backups=0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        main(Path(place))
