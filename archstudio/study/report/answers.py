"""What answers themselves tell: probabilities, agreement, difficulty, effort."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from archstudio.stats.agreement import krippendorff_alpha
from archstudio.stats.forecasts import calibration_error, reliability
from archstudio.stats.rasch import TooFew, rasch
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import Effort, Forecasts, Scale
from archstudio.study.report.shares import clustered, grouped, respondent


def forecasts(rows: Iterable[Row]) -> Forecasts:
    """Scores of stated probabilities; empty for graphs."""
    stated = [row for row in rows if row.passed is not None and row.confidence is not None]
    bins = reliability([row.confidence or 0.0 for row in stated], [row.passed is True for row in stated])
    return Forecasts(
        n=len(stated),
        brier=clustered(stated, lambda row: row.brier),
        log_score=clustered(stated, lambda row: row.log_score),
        overconfidence=clustered(stated, lambda row: (row.confidence or 0.0) - (row.passed is True)),
        calibration_error=calibration_error(bins),
        bins=tuple(bins),
    )


def alpha(rows: Iterable[Row]) -> float | None:
    """Agreement of people: on the choice in questions, on passing in graphs."""
    by_item = grouped([row for row in rows if row.scored], lambda row: row.item_id)
    return krippendorff_alpha([[row.choice or str(row.passed) for row in mine] for mine in by_item.values()])


def scale(rows: Iterable[Row]) -> Scale:
    """Rasch difficulties, where there are enough people and items to inform them."""
    by_person = grouped([row for row in rows if row.scored], respondent)
    answers = [{row.item_id: row.passed is True for row in mine} for mine in by_person.values()]
    try:
        found = rasch(answers)
    except TooFew as few:
        return Scale(few.people, few.items, str(few), ())
    except ArithmeticError as fault:
        return Scale(len(answers), 0, str(fault), ())
    return Scale(len(answers), len(found), "", tuple((each.item, each.value, each.se) for each in found))


def effort(rows: Sequence[Row]) -> Effort:
    """Mean counts over rows with an answer."""
    answered = [row for row in rows if row.state == "answered"]
    return Effort(
        gestures=_mean(answered, lambda row: row.n_gestures),
        undos=_mean(answered, lambda row: row.n_undo),
        actions=_mean(answered, lambda row: row.n_actions),
        submissions=_mean(answered, lambda row: row.n_submits),
        audits=_mean(answered, lambda row: row.n_audits),
    )


def _mean(rows: Iterable[Row], value: Callable[[Row], float | None]) -> float | None:
    found = [each for each in map(value, rows) if each is not None]
    return sum(found) / len(found) if found else None
