"""Sentences about figures that page, PDF and checklist share: what a figure rests on, and what it cannot say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from archstudio.study.records import Records
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import ConditionFigures, Figures

_FEW_CLUSTERS = 10
_FEW_PEOPLE = 10


def basis(figures: ConditionFigures, of: Figures) -> str:
    """What stands behind a condition's figures; printed with each of them."""
    n = figures.counts
    parts = [
        *["SIMULATED people"] * of.simulated,
        f"{n.people} {'person' if n.people == 1 else 'people'}",
        f"{n.items} items",
        f"{n.responses:,} answers",
        f"chance {100 * (figures.chance or 0):.1f} %",
        f"{n.people_excluded} people and {n.rows_excluded} rows excluded",
        f"{n.unanswered} left unanswered",
        f"grader: {of.grader_version}",
    ]
    parts += [f"{n.unscored} not scored yet"] * bool(n.unscored)
    return " · ".join(parts)


def wordings(figures: ConditionFigures) -> str:
    """How the text people read stands to that of models."""
    told = {
        "byte-equal": "read word for word as models got them",
        "fact-equal": "told the same facts in other words",
        "richer": "told people more than models had",
    }
    found = [f"{count} {told[name]}" for name, count in figures.wordings.items()]
    return f"Of {figures.counts.items} items, {', '.join(found)}." if found else ""


def warnings(condition: ConditionFigures) -> Iterator[str]:
    """What a reader must know before believing a condition's figures."""
    n = condition.counts
    if n.people < _FEW_PEOPLE:
        yield f"{n.people} people are few: intervals drawn from so few people are too narrow, and speak for no group."
    if condition.paired and min(each.difference.clusters for each in condition.paired) < _FEW_CLUSTERS:
        yield "Some comparisons rest on fewer than 10 instances; their intervals are too narrow."
    insiders = [group for group in condition.relations if group.relation in ("author", "team")]
    if insiders:
        people = sum(group.estimate.clusters for group in insiders)
        yield f"{people} of the people made the study or belong to its team."
    if n.seen_before:
        yield f"In {n.seen_before} answers people said they knew the item."
    if "richer" in condition.wordings:
        yield f"{condition.wordings['richer']} items told people more than models had: no comparison on equal terms."
    if condition.condition == "assisted":
        yield "People had the whole studio; no model ran this way, and these figures belong beside none."


def study_warnings(records: Records, rows: Iterable[Row]) -> Iterator[str]:
    """What a reader must know before believing any figure."""
    ours = records.study.grader_version
    theirs = {row.grader for row in rows if row.respondent_type == "model" and row.grader}
    other = sorted(grader for grader in theirs if re.findall(r"\d+", grader) != re.findall(r"\d+", ours))
    if other:
        yield f"People are graded by {ours}, models by {', '.join(other)}: items whose rules changed do not compare."
    unregistered = sum(each.rule == "unregistered" for each in records.exclusions)
    if unregistered:
        yield f"{unregistered} exclusions follow no rule that was registered before data."
    if records.study.phase == "pilot":
        yield "This is a pilot; it was to try the study out, not to answer its question."
    if records.study.preregistration is None:
        yield "The study was not preregistered."
