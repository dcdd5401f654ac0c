"""Shares of people and models right: overall, by person, item, family and relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from archstudio.stats import wilson
from archstudio.stats.resampling import Estimate, cluster_mean
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import Counts, Group, ItemFigure, Matrix, ModelFigure, Named, Share

T = TypeVar("T")


def grouped(rows: Iterable[T], key: Callable[[T], str]) -> dict[str, list[T]]:
    """Rows by key, keys in ascending order: the order in which clusters are drawn."""
    made: dict[str, list[T]] = {}
    for row in rows:
        made.setdefault(key(row), []).append(row)
    return dict(sorted(made.items()))


def respondent(row: Row) -> str:
    """Who answered."""
    return row.respondent_id


def share(rows: Sequence[Row]) -> Share:
    """The share passed of the scored rows."""
    results = [row.passed for row in rows if row.passed is not None]
    passed = sum(results)
    low, high = wilson(passed, len(results))
    return Share(len(results), passed, passed / len(results) if results else None, low, high)


def clustered(
    rows: Iterable[Row], value: Callable[[Row], float | None], by: Callable[[Row], str] = respondent
) -> Estimate:
    """The mean of a value over rows that have it, clusters (people, if not said otherwise) drawn again."""
    made: dict[str, list[float]] = {}
    for row in rows:
        found = value(row)
        if found is not None:
            made.setdefault(by(row), []).append(float(found))
    ordered = [made[name] for name in sorted(made)]
    return cluster_mean([sum(values) for values in ordered], [len(values) for values in ordered])


def counts(marked: Sequence[Row], used: Sequence[Row]) -> Counts:
    """What stands behind figures made from `used`; `marked` are all main rows of the condition."""
    scored = [row for row in used if row.scored]
    everyone = {row.respondent_id for row in marked}
    kept = {row.respondent_id for row in marked if not row.excluded_by}
    return Counts(
        people=len({row.respondent_id for row in scored}),
        items=len({row.item_id for row in scored}),
        responses=len(scored),
        timeouts=sum(row.state == "timeout" for row in scored),
        unanswered=sum(row.state == "unanswered" for row in used),
        unscored=sum(row.state == "unscored" for row in used),
        seen_before=sum(row.seen_before is True for row in scored),
        flagged=sum(row.flagged for row in scored),
        people_excluded=len(everyone - kept),
        rows_excluded=sum(bool(row.excluded_by) and not row.repeat for row in marked),
        repeats=sum(row.repeat for row in marked),
    )


def named(rows: Iterable[Row], key: Callable[[Row], str]) -> tuple[Named, ...]:
    """One share a name."""
    return tuple(Named(name, share(mine)) for name, mine in grouped(rows, key).items())


def relations(rows: Iterable[Row]) -> tuple[Group, ...]:
    """People by their relation to the study: those who made it are no sample of anything."""
    return tuple(
        Group(name or "not said", clustered(mine, lambda row: row.passed), sum(row.scored for row in mine))
        for name, mine in grouped(rows, lambda row: row.relation).items()
    )


def item_figures(rows: Iterable[Row]) -> tuple[ItemFigure, ...]:
    """One figure an item that people answered."""
    return tuple(
        ItemFigure(name, mine[0].family, mine[0].instance, mine[0].wording, share(mine))
        for name, mine in grouped(rows, lambda row: row.item_id).items()
    )


def model_figures(rows: Iterable[Row]) -> tuple[ModelFigure, ...]:
    """One figure a model's run."""
    return tuple(_model(name, mine) for name, mine in grouped(rows, respondent).items())


def _model(name: str, rows: Sequence[Row]) -> ModelFigure:
    scored = [row for row in rows if row.scored]
    scores = [row.score for row in scored if row.score is not None]
    return ModelFigure(
        id=name,
        n=len(scored),
        passed=sum(row.passed is True for row in scored),
        errors=len(rows) - len(scored),
        estimate=clustered(scored, lambda row: row.passed, lambda row: row.instance),
        wilson=share(scored),
        score=sum(scores) / len(scores) if scores else None,
        families=named(scored, lambda row: row.family),
        categories=categories(scored),
    )


def categories(rows: Iterable[Row]) -> dict[str, int]:
    """How many failed rows show each category of failure; a row may show several."""
    found = Counter(name for row in rows if row.passed is False for name in row.failure_categories)
    return dict(sorted(found.items()))


def matrix(rows: Iterable[Row], items: Sequence[str]) -> Matrix:
    """Respondents by items."""
    by_person = grouped(rows, respondent)
    values = [_cells(mine, items) for mine in by_person.values()]
    return Matrix(tuple(items), tuple(by_person), tuple(values))


def _cells(rows: Iterable[Row], items: Sequence[str]) -> tuple[int | None, ...]:
    """1 where more than half of the tries passed; people have one try, models may have more."""
    tries = grouped([row for row in rows if row.scored], lambda row: row.item_id)
    shares = {item: sum(row.passed is True for row in mine) / len(mine) for item, mine in tries.items()}
    return tuple(int(shares[item] > 0.5) if item in shares else None for item in items)
