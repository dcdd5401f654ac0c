"""The heat map: who passed which item, people and models by items, hardest items at the right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from archstudio.stats.extra import of_study
from archstudio.study.report.pictures.style import (
    BLANK,
    FAIL,
    HAIR,
    MODEL,
    MUTED,
    PEOPLE,
    TITLES,
    bars,
    model_label,
    new_figure,
)
from archstudio.study.report.shape import ConditionFigures, Matrix

_MOST_LABELLED: Final = 60
_MOST_SLANTED: Final = 30
_MOST_OUTLINED: Final = 80
"""Rows or columns up to which cells have white edges; more are drawn as an image, which edges would outshine."""
_SPARSE: Final = 0.4
"""Below this share of answered cells, single answers would drown in empty rows."""
Cells = Sequence[Sequence[int | None]]


def heat_map(figures: ConditionFigures) -> Any:
    """Shares of people by item on top, then models, then people; best at the top, easiest at the left."""
    order = sorted(range(len(figures.items)), key=lambda i: -(figures.items[i].share.value or 0.0))
    models, people = (_sorted(matrix, order) for matrix in (figures.model_matrix, figures.people_matrix))
    rows, sparse = people[1], _density(people[1]) < _SPARSE
    if sparse:
        rows = _stacked(rows)
    tall = min(3.6, max(1.0, 0.055 * len(rows)))
    model_tall = 0.17 * len(models[0])
    made = new_figure(7.4, 2.6 + tall + model_tall)
    ratios = [0.8, *([model_tall] if models[0] else []), tall]
    axes = made.subplots(len(ratios), 1, sharex=True, height_ratios=ratios)
    _shares(axes[0], figures, order)
    if models[0]:
        _cells(axes[1], models[1], MODEL)
        axes[1].set_yticks(range(len(models[0])), [_short(name) for name in models[0]], fontsize=6.3)
    _cells(axes[-1], rows, PEOPLE)
    axes[-1].set_yticks([])
    axes[-1].set_ylabel(f"answers of\n{len(people[0])} people" if sparse else f"{len(people[0])} people")
    for each in axes[1:]:
        each.tick_params(axis="both", length=0)
        for spine in each.spines.values():
            spine.set_visible(False)
    _item_labels(axes[-1], figures, order)
    _legend(made, with_models=bool(models[0]))
    made.suptitle(f"{TITLES[figures.condition]}: items passed", x=0.01, ha="left", fontsize=10, fontweight="bold")
    return made


def _short(model_id: str) -> str:
    name, way = model_label(model_id)
    return f"{name} ({way.rpartition(' · ')[0]})" if "single shot" not in way else name


def _sorted(matrix: Matrix, order: Sequence[int]) -> tuple[list[str], list[list[int | None]]]:
    """Names and cells, the highest share first; who has no cell is left out."""
    rows = [(name, [row[i] for i in order]) for name, row in zip(matrix.respondents, matrix.values, strict=True)]
    known = [(name, row) for name, row in rows if any(cell is not None for cell in row)]
    ordered = sorted(known, key=lambda each: -_mean(each[1]))
    return [name for name, _ in ordered], [row for _, row in ordered]


def _density(rows: Cells) -> float:
    """The share of cells with an answer."""
    cells = [cell for row in rows for cell in row]
    return sum(cell is not None for cell in cells) / len(cells) if cells else 1.0


def _stacked(rows: Cells) -> list[list[int | None]]:
    """Each item's answers one above the other, those that passed on top: for people who had few of the items each."""
    columns = [
        sorted((cell for cell in column if cell is not None), reverse=True) for column in zip(*rows, strict=True)
    ]
    height = max(map(len, columns))
    filled = [[*column, *[None] * (height - len(column))] for column in columns]
    return [list(row) for row in zip(*filled, strict=True)]


def _mean(row: Sequence[int | None]) -> float:
    found = [cell for cell in row if cell is not None]
    return sum(found) / len(found)


def _shares(axes: Any, figures: ConditionFigures, order: Sequence[int]) -> None:
    shares = [figures.items[i].share for i in order]
    values = [100 * (share.value or 0.0) for share in shares]
    below, above = zip(*map(bars, shares), strict=True)
    axes.errorbar(
        range(len(shares)), values, yerr=[below, above], fmt="o", color=PEOPLE, markersize=2.5, elinewidth=0.8,
        clip_on=False,
    )  # fmt: skip
    axes.set_ylim(0, 100)
    axes.set_yticks([0, 50, 100])
    axes.set_ylabel("people, %")
    axes.grid(axis="y", color=HAIR, linewidth=0.5)
    axes.tick_params(axis="x", length=0)
    if figures.chance:
        axes.axhline(100 * figures.chance, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))


def _cells(axes: Any, rows: Cells, passed: str) -> None:
    numpy = of_study("numpy")
    colours = of_study("matplotlib.colors").ListedColormap([BLANK, FAIL, passed])
    values = numpy.array([[0 if cell is None else cell + 1 for cell in row] for row in rows])
    crowded = max(values.shape) > _MOST_OUTLINED
    axes.pcolormesh(
        numpy.arange(values.shape[1] + 1) - 0.5, numpy.arange(values.shape[0] + 1) - 0.5, values, cmap=colours, vmin=0,
        vmax=2, edgecolors="none" if crowded else "white", linewidth=0.0 if crowded else 0.6, rasterized=crowded,
    )  # fmt: skip
    if crowded and values.shape[1] <= _MOST_LABELLED:
        axes.vlines(numpy.arange(1, values.shape[1]) - 0.5, -0.5, values.shape[0] - 0.5, color="white", linewidth=0.8)
    axes.set_ylim(values.shape[0] - 0.5, -0.5)


def _item_labels(axes: Any, figures: ConditionFigures, order: Sequence[int]) -> None:
    names = [figures.items[i].id for i in order]
    if len(order) <= _MOST_SLANTED:
        axes.set_xticks(range(len(order)), names, rotation=40, ha="right", rotation_mode="anchor", fontsize=6.5)
    elif len(order) <= _MOST_LABELLED:
        axes.set_xticks(range(len(order)), names, rotation=90, fontsize=4.8)
    else:
        axes.set_xticks([])
        axes.set_xlabel(f"{len(order)} items, easiest for people first")


def _legend(figure: Any, with_models: bool) -> None:
    patch = of_study("matplotlib.patches").Patch
    shown = [(PEOPLE, "person passed"), (FAIL, "did not"), (BLANK, "no answer")]
    shown[1:1] = [(MODEL, "model passed")] * with_models
    patches = [patch(facecolor=colour, edgecolor=HAIR, linewidth=0.5, label=text) for colour, text in shown]
    figure.legend(handles=patches, loc="outside upper right", ncols=4, handlelength=1, handleheight=1, fontsize=6.8)
