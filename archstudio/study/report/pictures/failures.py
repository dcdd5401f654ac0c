"""Failure categories side by side: what people get wrong, and what models do."""

from __future__ import annotations

from typing import Any

from archstudio.study.report.pictures.style import HAIR, MODEL, PEOPLE, TITLES, new_figure
from archstudio.study.report.shape import ConditionFigures


def failure_categories(figures: ConditionFigures) -> Any | None:
    """Per 100 answers, how many show each category: people as bars, each model's run as a dot. None without any."""
    names = set(figures.categories).union(*(model.categories for model in figures.models))
    if not names:
        return None
    total = figures.counts.responses
    rates = {name: 100 * figures.categories.get(name, 0) / total for name in names}
    ordered = sorted(names, key=lambda name: (rates[name], name))
    made = new_figure(7.4, 1.0 + 0.24 * len(ordered))
    axes = made.subplots()
    axes.barh(
        range(len(ordered)), [rates[name] for name in ordered], height=0.62, color=PEOPLE, alpha=0.85, label="people"
    )
    for number, model in enumerate(figures.models):
        if model.n:
            values = [100 * model.categories.get(name, 0) / model.n for name in ordered]
            places = [place + 0.22 * ((number * 0.618) % 1 - 0.5) for place in range(len(ordered))]
            axes.plot(values, places, "o", color=MODEL, markersize=3.6, markeredgecolor="white", markeredgewidth=0.4,
                      label="a model's run" if number == 0 else None)  # fmt: skip
    axes.set_yticks(range(len(ordered)), ordered)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("answers that show it, % of all answers")
    axes.grid(axis="x", color=HAIR, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_xlim(left=0)
    made.legend(loc="outside upper right", ncols=2)
    made.suptitle(f"{TITLES[figures.condition]}: why answers fail", x=0.01, ha="left", fontsize=10, fontweight="bold")
    return made
