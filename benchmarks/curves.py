"""How long a frame of the curves dock takes while runs grow: 10 runs of 100,000 points each by default.

Usage: QT_QPA_PLATFORM=offscreen python benchmarks/curves.py [--runs 10] [--points 100000] [--frames 30] [--json]
Each frame adds 100 points to every run and draws everything that is new: smoothing over the full data, thinning, log
axes, the plot's own painting at 900 × 500. "From nothing" is the first frame, with all points at once.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np
from PySide6.QtWidgets import QApplication

from archstudio.training.live_curves import LiveCurve
from archstudio.training.metrics import RECORD
from archstudio.ui.panels.curve_items import Curve
from archstudio.ui.panels.curve_plot import CurvePlot
from archstudio.ui.theme import Theme

TARGET_MS = 50.0
ADDED = 100


def records(start: int, count: int, seed: int) -> np.ndarray:
    """A noisy falling curve."""
    made = np.zeros(count, RECORD)
    steps = np.arange(start + 1, start + count + 1)
    made["samples"] = steps * 32
    noise = np.random.default_rng(seed + start).standard_normal(count)
    made["value"] = 2 / np.sqrt(steps) + 0.05 + 0.02 * np.abs(noise)
    return made


def measure(runs: int, points: int, frames: int) -> list[dict[str, object]]:
    """Milliseconds of frames under several settings."""
    application = QApplication.instance() or QApplication([])
    plot = CurvePlot(Theme.named("light"))
    plot.resize(900, 500)
    plot.show()
    curves = [Curve(f"run{k}", f"AdamW 0.001 · run {k}", [LiveCurve()], k) for k in range(runs)]
    sizes = [0] * runs

    def grow(count: int) -> None:
        for k, curve in enumerate(curves):
            curve.seeds[0].extend(records(sizes[k], count, k))
            sizes[k] += count

    def frame() -> None:
        plot.show_curves(curves, "training loss")
        plot.repaint()
        application.processEvents()

    grow(points)
    rows = [_row("from nothing", [_timed(frame)], None)]
    settings = {
        "raw": {"log_x": False, "log_y": False, "smoothing": 0.0},
        "smoothed": {"log_x": False, "log_y": False, "smoothing": 20_000.0},
        "smoothed, log axes": {"log_x": True, "log_y": True, "smoothing": 20_000.0},
    }
    for name, setting in settings.items():
        rows.append(_row(f"change to: {name}", [_timed(partial(plot.set_up, band="t95", **setting))], None))
        seen = []
        for _ in range(frames):
            grow(ADDED)
            seen.append(_timed(frame))
        rows.append(_row(f"a frame, {name}", seen, TARGET_MS))
    plot.close()
    return rows


def _timed(action: Callable[[], None]) -> float:
    began = perf_counter()
    action()
    return (perf_counter() - began) * 1e3


def _row(what: str, seen: list[float], target: float | None) -> dict[str, object]:
    return {"what": what, "median_ms": median(seen), "least_ms": min(seen), "most_ms": max(seen), "target_ms": target}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rows = measure(options.runs, options.points, options.frames)
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{options.runs} runs of {options.points:,} points")
    for row in rows:
        aim = "" if row["target_ms"] is None else f"   (aim {row['target_ms']:g})"
        print(f"{row['what']:36} {row['median_ms']:8.1f} ms, {row['least_ms']:.1f} to {row['most_ms']:.1f}{aim}")


if __name__ == "__main__":
    main()
