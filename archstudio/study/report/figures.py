"""Makes every number of the report from the join table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from archstudio.stats.resampling import FLIPS, REPLICATES, SEED
from archstudio.study.records import Condition, Records
from archstudio.study.report.answers import alpha, effort, forecasts, scale
from archstudio.study.report.comparing import many_people, paired_figures
from archstudio.study.report.models import ModelRows, condition_order
from archstudio.study.report.rows import Row, counted, human_rows
from archstudio.study.report.shape import EVERYONE, PRIMARY, SCHEMA, ConditionFigures, Figures, Variant
from archstudio.study.report.shares import (
    categories,
    clustered,
    counts,
    item_figures,
    matrix,
    model_figures,
    named,
    relations,
    respondent,
    share,
)
from archstudio.study.report.timing import times

_VARIANTS: Final = ((PRIMARY, False), (EVERYONE, True))


class SimulatedRefused(ValueError):
    """Simulated participants are no people; `rows` of them were found where only people belong."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        super().__init__(
            f"{rows} rows are from simulated participants, which exist for testing only. Leave their sessions out, or "
            "allow them with --allow-simulated; every page then says so."
        )


def joined(records: Records, models: ModelRows, *, allow_simulated: bool = False) -> list[Row]:
    """The join table: people, then models. SimulatedRefused unless simulated rows are allowed."""
    people = human_rows(records)
    simulated = sum(row.simulated for row in people)
    if (simulated or records.simulated) and not allow_simulated:
        raise SimulatedRefused(simulated)
    return [*people, *models.rows]


def make_figures(records: Records, models: ModelRows, rows: Sequence[Row]) -> Figures:
    """All figures, without excluded rows and with them."""
    return Figures(
        schema=SCHEMA,
        simulated=records.simulated,
        grader_version=records.study.grader_version,
        seed=SEED,
        replicates=REPLICATES,
        flips=FLIPS,
        variants=tuple(Variant(name, _conditions(rows, everyone)) for name, everyone in _VARIANTS),
        left_out=models.left_out,
        withdrawals=len(records.withdrawals),
    )


def _conditions(rows: Sequence[Row], everyone: bool) -> tuple[ConditionFigures, ...]:
    return tuple(_figures(rows, condition, everyone) for condition in condition_order(rows))


def _figures(rows: Sequence[Row], condition: Condition, everyone: bool) -> ConditionFigures:
    here = [row for row in rows if row.condition == condition and row.block == "main"]
    marked = [row for row in here if row.respondent_type == "human"]
    people = list(counted(marked, with_excluded=everyone))
    scored = [row for row in people if row.scored]
    models = [row for row in here if row.respondent_type == "model"]
    items = item_figures(scored)
    shown = [item.id for item in items]
    return ConditionFigures(
        condition=condition,
        chance=sum(row.chance for row in scored) / len(scored) if scored else None,
        counts=counts(marked, people),
        headline=clustered(scored, lambda row: row.passed),
        wilson=share(scored),
        if_unanswered_failed=clustered(people, _unanswered_failed),
        first_try=clustered(scored, lambda row: row.first_passed),
        score=clustered(scored, lambda row: row.score),
        runs=clustered(scored, lambda row: row.runs),
        does_the_brief=clustered(scored, lambda row: row.does_the_brief),
        relations=relations(scored),
        people=named(scored, respondent),
        families=named(scored, lambda row: row.family),
        items=items,
        models=model_figures(models),
        paired=paired_figures(scored, models),
        many_people=many_people(scored),
        times=times(scored),
        categories=categories(scored),
        failed=sum(row.passed is False for row in scored),
        forecasts=forecasts(scored),
        alpha=alpha(scored),
        scale=scale(scored),
        effort=effort(scored),
        wordings=dict(sorted(Counter(item.wording for item in items).items())),
        by_wording=named(scored, lambda row: row.wording),
        people_matrix=matrix(scored, shown),
        model_matrix=matrix(models, shown),
    )


def _unanswered_failed(row: Row) -> float | None:
    return 0.0 if row.state == "unanswered" else row.passed
