"""The forest plot: people and models on the same items, and their difference item by item."""

from __future__ import annotations

from typing import Any, Final

from archstudio.stats.resampling import Estimate
from archstudio.study.report.pictures.style import HAIR, MODEL, MUTED, PEOPLE, TITLES, model_label, new_figure, per_cent
from archstudio.study.report.shape import ConditionFigures, ModelFigure, PairedFigure

_ROW_INCHES: Final = 0.32


def forest(figures: ConditionFigures) -> Any:
    """Shares passed at the left, people minus model at the right; one row a run of a model."""
    models = sorted(figures.models, key=lambda model: -(model.estimate.value or 0.0))
    rows = len(models) + 2
    made = new_figure(7.4, 0.9 + _ROW_INCHES * rows)
    left, right = made.subplots(1, 2, sharey=True, width_ratios=(3, 2)) if models else (made.subplots(), None)
    _people(left, figures)
    for place, model in enumerate(models, start=2):
        _model(left, model, place)
    _frame(left, rows, figures)
    left.set_yticks([0, *range(2, rows)], ["", *("" for _ in models)])
    left.tick_params(axis="y", length=0)
    _label(left, 0, "People", f"{figures.counts.people} people, {figures.counts.responses} answers")
    for place, model in enumerate(models, start=2):
        name, way = model_label(model.id)
        _label(left, place, name, f"{way} · {model.n} items")
    if right is not None:
        paired = {each.model: each for each in figures.paired}
        _differences(right, [paired.get(model.id) for model in models])
    made.suptitle(TITLES[figures.condition], x=0.01, ha="left", fontsize=10, fontweight="bold")
    return made


def _frame(axes: Any, rows: int, figures: ConditionFigures) -> None:
    axes.set_ylim(rows - 0.5, -0.8)
    axes.set_xlim(0, 100)
    axes.set_xlabel("items passed, %")
    axes.grid(axis="x", color=HAIR, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.axhline(1.25, color=HAIR, linewidth=0.8)
    if figures.chance:
        axes.axvline(100 * figures.chance, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.annotate(
            "chance",
            (100 * figures.chance, -0.75),
            textcoords="offset points",
            xytext=(3, -7),
            fontsize=6.5,
            color=MUTED,
        )


def _label(axes: Any, place: float, name: str, detail: str) -> None:
    at = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "ha": "right", "va": "center"}
    axes.annotate(name, (0, place), xytext=(-8, 4), fontsize=8, **at)
    axes.annotate(detail, (0, place), xytext=(-8, -5), fontsize=5.8, color=MUTED, **at)


def _people(axes: Any, figures: ConditionFigures) -> None:
    """The headline as a diamond, each person as a dot below it."""
    headline = figures.headline
    if headline.value is None:
        return
    _interval(axes, headline, 0, PEOPLE, "D", 6)
    shares = sorted(100 * each.share.value for each in figures.people if each.share.value is not None)
    heights = [0.55 + 0.36 * (number * 0.618 % 1) for number in range(len(shares))]
    axes.scatter(shares, heights, s=5, color=PEOPLE, alpha=0.28, linewidths=0, zorder=2)


def _model(axes: Any, model: ModelFigure, place: int) -> None:
    if model.estimate.value is not None:
        _interval(axes, model.estimate, place, MODEL, "o", 4.5)


def _interval(axes: Any, estimate: Estimate, place: float, colour: str, marker: str, size: float) -> None:
    value = 100 * (estimate.value or 0.0)
    if estimate.low is not None and estimate.high is not None:
        axes.plot([100 * estimate.low, 100 * estimate.high], [place, place], color=colour, linewidth=1.6, zorder=3)
    axes.plot([value], [place], marker, color=colour, markersize=size, zorder=4, clip_on=False)
    axes.annotate(
        per_cent(estimate.value), (value, place), textcoords="offset points", xytext=(0, 6), ha="center", fontsize=6.8
    )


def _differences(axes: Any, paired: list[PairedFigure | None]) -> None:
    limit = max([20.0, *(_reach(each) for each in paired if each is not None)])
    for place, each in enumerate(paired, start=2):
        if each is None or each.difference.value is None:
            continue
        d = each.difference
        if d.low is not None and d.high is not None:
            axes.plot([100 * d.low, 100 * d.high], [place, place], color=PEOPLE, linewidth=1.6)
        axes.plot([100 * (d.value or 0.0)], [place], "s", color=PEOPLE, markersize=4)
        axes.annotate(
            _p_text(each), (1.0, place), xycoords=axes.get_yaxis_transform(), textcoords="offset points", xytext=(4, 0),
            va="center", fontsize=6.5, color=MUTED,
        )  # fmt: skip
    axes.axvline(0, color=MUTED, linewidth=0.8)
    axes.set_xlim(-limit, limit)
    axes.set_xlabel("people − model, points")
    axes.grid(axis="x", color=HAIR, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.axhline(1.25, color=HAIR, linewidth=0.8)
    axes.annotate(
        "p (Holm)", (1.0, 1.0), xycoords=axes.get_yaxis_transform(), textcoords="offset points", xytext=(4, 0),
        va="center", fontsize=6.5, color=MUTED,
    )  # fmt: skip
    for text, side, x in (("model better", "left", 0.02), ("people better", "right", 0.98)):
        axes.annotate(text, (x, 0.99), xycoords="axes fraction", ha=side, va="top", fontsize=6.5, color=MUTED)


def _reach(paired: PairedFigure) -> float:
    ends = (paired.difference.low, paired.difference.high, paired.difference.value)
    return 110 * max(abs(end) for end in ends if end is not None)


def _p_text(paired: PairedFigure) -> str:
    if paired.p_holm is None:
        return ""
    return "p < 0.001" if paired.p_holm < 0.001 else f"p = {paired.p_holm:.3f}"
