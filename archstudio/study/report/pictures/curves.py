"""Score as a function of time: what share of items is passed within how many minutes."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Any, Final

from archstudio.stats.durations import Step
from archstudio.stats.proportions import Z_95
from archstudio.study.report.pictures.style import HAIR, HUES, MUTED, TITLES, new_figure
from archstudio.study.report.shape import ConditionFigures, Times

_TICKS: Final = (0.25, 0.5, 1, 2, 5, 10, 20, 30, 60)


def time_curves(conditions: Sequence[ConditionFigures]) -> Any:
    """Left: the share passed by a time, failures never passing. Right: Kaplan–Meier, failures censored."""
    timed = [(place, each) for place, each in enumerate(conditions) if each.times.km]
    made = new_figure(7.4, 2.9 + 0.16 * len(timed))
    left, right = made.subplots(1, 2, sharey=True)
    for place, figures in timed:
        colour, label = HUES[place % len(HUES)], TITLES[figures.condition]
        _passed(left, figures.times, colour, label)
        _survival(right, figures.times, colour, label)
    left.set_title("Passed so far (failures stay failures)")
    right.set_title("Kaplan–Meier (failures are censored)")
    left.set_ylabel("share of items, %")
    longest = max((figures.times.km[-1].time for _, figures in timed), default=60.0)
    for axes in (left, right):
        _axis(axes, longest / 60)
    _at_work(left, [(HUES[place % len(HUES)], figures.times) for place, figures in timed], longest / 60)
    if timed:
        left.legend(loc="upper left")
    return made


def _passed(axes: Any, times: Times, colour: str, label: str) -> None:
    total = times.success.n + times.failure.n
    xs, ys, passed = [0.001], [0.0], 0
    for step in times.km:
        passed += step.events
        xs.append(step.time / 60)
        ys.append(100 * passed / total)
    axes.step(xs, ys, where="post", color=colour, linewidth=1.4, label=label)
    if times.success.median is not None:
        half = 100 * sum(step.events for step in times.km if step.time <= times.success.median) / total
        axes.plot([times.success.median / 60], [half], "o", color=colour, markersize=4)


def _survival(axes: Any, times: Times, colour: str, label: str) -> None:
    xs = [0.001, *(step.time / 60 for step in times.km)]
    ys = [0.0, *(100 * (1 - step.survival) for step in times.km)]
    band = [(0.0, 0.0), *map(band_of, times.km)]
    axes.fill_between(
        xs, [100 * low for low, _ in band], [100 * high for _, high in band], step="post", color=colour, alpha=0.15,
        linewidth=0,
    )  # fmt: skip
    axes.step(xs, ys, where="post", color=colour, linewidth=1.4, label=label)


def band_of(step: Step) -> tuple[float, float]:
    """A 95 % band of the share that succeeded, on the log-log scale, which stays within 0 and 1."""
    if not 0 < step.survival < 1 or step.se == 0:
        return 1 - step.survival, 1 - step.survival
    spread = Z_95 * step.se / (step.survival * abs(log(step.survival)))
    ends = (step.survival ** exp(spread), step.survival ** exp(-spread))
    return 1 - max(ends), 1 - min(ends)


def _axis(axes: Any, longest: float) -> None:
    ticks = [tick for tick in _TICKS if tick <= longest * 1.1] or [1]
    axes.set_xscale("log")
    axes.set_xlim(0.2, max(longest * 1.05, 0.5))
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_ylim(0, 100)
    axes.set_xlabel("active minutes")
    axes.grid(color=HAIR, linewidth=0.5)


def _at_work(axes: Any, rows: Sequence[tuple[str, Times]], longest: float) -> None:
    """How many were still at it, below the axis, as life tables show it."""
    ticks = [tick for tick in _TICKS if tick <= longest * 1.1]
    for line, (colour, times) in enumerate(rows):
        for tick in ticks:
            left = next((step.at_risk for step in times.km if step.time / 60 >= tick), 0)
            axes.annotate(
                str(left), (tick, 0), xycoords=axes.get_xaxis_transform(), textcoords="offset points",
                xytext=(0, -36 - 10 * line), ha="center", fontsize=6.3, color=colour, annotation_clip=False,
            )  # fmt: skip
    axes.annotate(
        "still\nat it", (0, 0), xycoords="axes fraction", textcoords="offset points", xytext=(-14, -40), ha="right",
        va="center", fontsize=6.3, color=MUTED, annotation_clip=False,
    )  # fmt: skip
