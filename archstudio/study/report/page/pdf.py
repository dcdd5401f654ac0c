"""The report as a PDF: the same figures, a summary on the first page, then one picture a page."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from typing import Any, Final

from archstudio.stats.extra import of_study
from archstudio.study.report.material import Material
from archstudio.study.report.page import texts
from archstudio.study.report.page.elements import estimate, p_value, points, range_text
from archstudio.study.report.page.page import sentence
from archstudio.study.report.pictures.calibration import calibration
from archstudio.study.report.pictures.curves import time_curves
from archstudio.study.report.pictures.failures import failure_categories
from archstudio.study.report.pictures.forest import forest
from archstudio.study.report.pictures.heat import heat_map
from archstudio.study.report.pictures.style import MUTED, TITLES, model_label, styled
from archstudio.study.report.shape import EVERYONE, PRIMARY, ConditionFigures
from archstudio.study.report.words import basis, study_warnings, warnings, wordings

_A4: Final = (8.27, 11.69)
_LEFT: Final = 0.08
_LINES: Final = 76
"""Lines of text on a page."""


def pdf(material: Material) -> bytes:
    """The whole document; the same figures give the same bytes."""
    stream = io.BytesIO()
    about = {"Title": material.records.study.title, "CreationDate": None, "ModDate": None, "Creator": "archstudio"}
    with styled(), of_study("matplotlib.backends.backend_pdf").PdfPages(stream, metadata=about) as pages:
        for figure in _text_pages(list(_lines(material))):
            pages.savefig(figure)
        for figure in _pictures(material):
            pages.savefig(figure, bbox_inches="tight", pad_inches=0.4, dpi=220)
    return stream.getvalue()


def _pictures(material: Material) -> Iterator[Any]:
    for name, label in ((PRIMARY, "without excluded rows"), (EVERYONE, "with everyone")):
        conditions = material.figures.variant(name).conditions
        if name == EVERYONE and not any(each.counts.rows_excluded for each in conditions):
            continue
        for figures in conditions:
            for draw in (forest, heat_map, failure_categories, calibration):
                figure = draw(figures) if figures.items else None
                if figure is not None:
                    yield _footed(figure, f"{label} · {basis(figures, material.figures)}")
        if any(each.times.km for each in conditions):
            yield _footed(time_curves(conditions), "SIMULATED people · " * material.figures.simulated + label)


def _footed(figure: Any, text: str) -> Any:
    """The picture with what it rests on below it."""
    figure.supxlabel(textwrap.fill(text, 110), fontsize=6.5, color=MUTED, x=0.01, ha="left")
    return figure


def _text_pages(lines: list[tuple[str, str]]) -> Iterator[Any]:
    """Pages of lines; a line's kind is "title", "head", "text" or "table"."""
    look: dict[str, dict[str, Any]] = {
        "title": {"fontsize": 15, "fontweight": "bold"},
        "head": {"fontsize": 10.5, "fontweight": "bold"},
        "text": {"fontsize": 8.5},
        "table": {"fontsize": 6.6, "family": "DejaVu Sans Mono"},
    }
    for start in range(0, len(lines), _LINES):
        figure = of_study("matplotlib.figure").Figure(figsize=_A4)
        for place, (kind, text) in enumerate(lines[start : start + _LINES]):
            figure.text(_LEFT, 0.945 - place * 0.0118, text, va="top", **look[kind])
        yield figure


def _lines(material: Material) -> Iterator[tuple[str, str]]:
    study = material.records.study
    yield from (("title", line) for line in textwrap.wrap(study.title, 56))
    yield "text", ""
    about = f"{study.benchmark} · {study.split} · {study.phase} · grader: {study.grader_version}"
    yield from _wrapped(f"{about} · plan version {study.plan_version}")
    if material.figures.simulated:
        yield "head", ""
        yield from (("head", line) for line in textwrap.wrap(texts.SIMULATED, 80))
    for warning in study_warnings(material.records, material.rows):
        yield from _wrapped(f"! {warning}")
    primary, everyone = (material.figures.variant(name).conditions for name in (PRIMARY, EVERYONE))
    for mine, all_rows in zip(primary, everyone, strict=True):
        yield from _of_condition(material, mine, all_rows)
    yield from (("text", ""), ("head", "Method"), ("text", ""))
    yield from _wrapped(texts.method(material.figures))
    yield from _wrapped(texts.RECOMPUTE)


def _of_condition(
    material: Material, figures: ConditionFigures, everyone: ConditionFigures
) -> Iterator[tuple[str, str]]:
    yield from (("text", ""), ("head", TITLES[figures.condition]), ("text", ""))
    yield from _wrapped(sentence(figures))
    yield from _wrapped(basis(figures, material.figures))
    yield from _wrapped(wordings(figures))
    yield from _wrapped(f"With excluded rows: {estimate(everyone.headline)} % passed.")
    for warning in warnings(figures):
        yield from _wrapped(f"! {warning}")
    if figures.paired:
        yield "text", ""
        yield "table", f"{'model and run':62}{'people - model, points':>30}{'p (Holm)':>11}"
    for each in figures.paired:
        difference = f"{points(each.difference.value)} [{range_text(each.difference.low, each.difference.high)}]"
        name = textwrap.shorten(" · ".join(model_label(each.model)), 60)
        yield "table", f"{name:62}{difference:>30}{p_value(each.p_holm):>11}"


def _wrapped(text: str) -> Iterator[tuple[str, str]]:
    return (("text", line) for line in textwrap.wrap(text, 104))
