"""The reliability diagram: how often answers are right, by how sure people said they were."""

from __future__ import annotations

from typing import Any

from archstudio.stats import wilson
from archstudio.study.report.pictures.style import HAIR, MUTED, PEOPLE, TITLES, new_figure
from archstudio.study.report.shape import ConditionFigures


def calibration(figures: ConditionFigures) -> Any | None:
    """Accuracy by stated confidence, with Wilson intervals, over the number of answers. None without probabilities."""
    bins = figures.forecasts.bins
    if not bins:
        return None
    made = new_figure(3.9, 4.1)
    upper, lower = made.subplots(2, 1, sharex=True, height_ratios=(4, 1))
    upper.plot([0, 100], [0, 100], color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
    for each in bins:
        low, high = wilson(round(each.accuracy * each.n), each.n)
        upper.plot([100 * each.confidence] * 2, [100 * low, 100 * high], color=PEOPLE, linewidth=1.2)
    xs, ys = [100 * each.confidence for each in bins], [100 * each.accuracy for each in bins]
    upper.plot(xs, ys, "o-", color=PEOPLE, markersize=4.5, linewidth=0.8)
    upper.annotate("perfectly calibrated", (97, 93), rotation=42, ha="right", va="top", fontsize=6.5, color=MUTED)
    if figures.chance:
        upper.axhline(100 * figures.chance, color=MUTED, linewidth=0.8, linestyle=":")
        upper.annotate("chance", (1, 100 * figures.chance + 1.5), fontsize=6.5, color=MUTED)
    lower.bar(
        [100 * (each.low + each.high) / 2 for each in bins], [each.n for each in bins], width=9, color=PEOPLE, alpha=0.6
    )
    upper.set_ylabel("right, %")
    upper.set_ylim(0, 100)
    upper.set_xlim(0, 100)
    lower.set_ylabel("answers")
    lower.set_xlabel("stated confidence, %")
    for axes in (upper, lower):
        axes.grid(color=HAIR, linewidth=0.5)
        axes.set_axisbelow(True)
    upper.set_title(f"{TITLES[figures.condition]}: confidence")
    return made
