"""Puts the report's page together: one file, no script, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from archstudio.files.data import data_path
from archstudio.study.records import Records
from archstudio.study.report.material import Material
from archstudio.study.report.page import sections, texts
from archstudio.study.report.page.elements import details, paragraph, picture, table
from archstudio.study.report.pictures.calibration import calibration
from archstudio.study.report.pictures.curves import time_curves
from archstudio.study.report.pictures.failures import failure_categories
from archstudio.study.report.pictures.forest import forest
from archstudio.study.report.pictures.heat import heat_map
from archstudio.study.report.pictures.style import TITLES, as_svg, styled
from archstudio.study.report.replays import replays
from archstudio.study.report.shape import EVERYONE, PRIMARY, ConditionFigures
from archstudio.study.report.words import basis, study_warnings, warnings, wordings


def page(material: Material) -> str:
    """The whole page."""
    study, figures = material.records.study, material.figures
    primary, everyone = figures.variant(PRIMARY).conditions, figures.variant(EVERYONE).conditions
    with styled():
        parts = [
            _head(material),
            _summary(material),
            *(_condition(material, *pair) for pair in zip(primary, everyone, strict=True)),
            _times(primary),
            _method(material),
        ]
    css = data_path("resources", "study", "report.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(study.title)}</title><style>{css}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _head(material: Material) -> str:
    study = material.records.study
    banner = f'<div class="banner">{texts.SIMULATED}</div>'
    about = (
        f"{study.benchmark} · {study.split} · {study.phase} · grader: {study.grader_version} · plan version "
        f"{study.plan_version} · archstudio {study.app_version}"
    )
    conditions = material.figures.variant(PRIMARY).conditions
    links = "".join(f'<a href="#{each.condition}">{escape(TITLES[each.condition])}</a>' for each in conditions)
    return (
        f"<h1>{escape(study.title)}</h1>{paragraph(about, 'meta')}{banner * material.figures.simulated}"
        f'<nav>{links}<a href="#method">Method</a></nav>'
    )


def _summary(material: Material) -> str:
    sentences = [sentence(each) for each in material.figures.variant(PRIMARY).conditions]
    withdrawn = material.figures.withdrawals
    if withdrawn:
        sentences.append(f"{withdrawn} people took their data back; nothing of theirs is in any figure.")
    return "".join(map(paragraph, sentences)) + _listed(study_warnings(material.records, material.rows))


def _listed(lines: Iterable[str]) -> str:
    listed = "".join(f"<li>{escape(each)}</li>" for each in lines)
    return f'<ul class="warnings">{listed}</ul>' if listed else ""


def sentence(figures: ConditionFigures) -> str:
    """A condition's main figure in words."""
    n, found = figures.counts, figures.headline
    if found.value is None:
        return f"{TITLES[figures.condition]}: no answer is scored yet."
    interval = "no interval from one person"
    if found.low is not None and found.high is not None:
        interval = f"95 % interval {100 * found.low:.1f} to {100 * found.high:.1f}"
    return (
        f"{TITLES[figures.condition]}: {n.people} people passed {100 * found.value:.1f} % of {n.responses:,} answers "
        f"on {n.items} items ({interval}; chance {100 * (figures.chance or 0):.1f} %)."
    )


def _condition(material: Material, primary: ConditionFigures, everyone: ConditionFigures) -> str:
    rows = [row for row in material.rows if row.condition == primary.condition and row.block == "main"]
    parts = [
        f'<h2 id="{primary.condition}">{escape(TITLES[primary.condition])}</h2>',
        paragraph(_basis(material, primary), "meta"),
        paragraph(wordings(primary)),
        sections.wordings_table(primary),
        _listed(warnings(primary)),
        sections.headline_table(primary, everyone),
        *_pictures(material, primary, "a"),
        "<h3>People beside models</h3>",
        sections.paired_table(primary),
        "<h3>Several people together</h3>",
        sections.many_people_table(primary),
        "<h3>Time</h3>",
        sections.times_table(primary),
        sections.forecasts_table(primary),
        sections.effort_table(primary),
        details("Families", sections.families_table(primary)),
        details("Items", sections.items_table(primary)),
        details("People", sections.relation_table(primary) + sections.people_table(primary)),
        details("Sessions worth watching", sections.replay_table(replays(rows))),
        _with_everyone(material, everyone) if primary.counts.rows_excluded else "",
    ]
    return "".join(parts)


def _with_everyone(material: Material, everyone: ConditionFigures) -> str:
    content = [
        *_pictures(material, everyone, "b"),
        sections.paired_table(everyone),
        sections.many_people_table(everyone),
        sections.times_table(everyone),
        sections.forecasts_table(everyone),
        sections.effort_table(everyone),
        sections.families_table(everyone),
        sections.items_table(everyone),
    ]
    return details("The same figures with excluded rows", "".join(content))


def _basis(material: Material, figures: ConditionFigures) -> str:
    return basis(figures, material.figures)


def _pictures(material: Material, figures: ConditionFigures, prefix: str) -> Iterator[str]:
    if not figures.items:
        return
    told = _basis(material, figures)
    drawn: tuple[tuple[Any, str], ...] = (
        (forest, texts.FOREST),
        (heat_map, texts.HEAT),
        (failure_categories, texts.FAILURES),
        (calibration, texts.CALIBRATION),
    )
    for draw, caption in drawn:
        made = draw(figures)
        if made is not None:
            name = f"{prefix}-{figures.condition}-{draw.__name__}".replace("_", "-")
            yield picture(as_svg(made, name), f"{caption} {told}", narrow=draw is calibration)


def _times(conditions: Sequence[ConditionFigures]) -> str:
    if not any(each.times.km for each in conditions):
        return ""
    svg = as_svg(time_curves(conditions), "times")
    return f"<h2>Time to success</h2>{picture(svg, texts.TIMES)}"


def _method(material: Material) -> str:
    figures = material.figures
    rows = list(sections.left_out_rows(figures))
    left = table(["file", "model", "run", "rows", "why no figure uses them"], rows, (1, 2, 4)) if rows else ""
    excluded = _exclusions(material.records)
    method = paragraph(texts.method(figures)) + paragraph(texts.RECOMPUTE)
    folded = details("Imported model rows that no figure uses", left) if left else ""
    return f'<h2 id="method">Method</h2>{method}{excluded}{folded}'


def _exclusions(records: Records) -> str:
    rules = {rule.id: rule.text for rule in records.study.exclusion_rules}
    counts: dict[tuple[str, str], int] = {}
    for each in records.exclusions:
        counts[each.rule, each.scope] = counts.get((each.rule, each.scope), 0) + 1
    rows = [(rule, rules.get(rule, "not registered"), scope, str(n)) for (rule, scope), n in sorted(counts.items())]
    if not rows:
        return paragraph("No exclusions.")
    return table(["exclusion rule", "its words", "leaves out", "times"], rows, (1, 2))
