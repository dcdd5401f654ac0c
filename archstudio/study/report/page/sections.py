"""The tables of one condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from archstudio.study.report.page import texts
from archstudio.study.report.page.elements import (
    NONE,
    details,
    estimate,
    number,
    p_value,
    paragraph,
    per_cent,
    points,
    range_text,
    seconds,
    share,
    table,
)
from archstudio.study.report.pictures.style import model_label
from archstudio.study.report.replays import Replay
from archstudio.study.report.shape import ConditionFigures, PairedFigure


def headline_table(primary: ConditionFigures, everyone: ConditionFigures) -> str:
    """The main figures without and with excluded rows."""
    pairs = [(name, value(primary), value(everyone)) for name, value in _HEADLINES]
    rows = [row for row in pairs if row[1] != NONE or row[2] != NONE]
    return table(["figure, with its 95 % interval", "without excluded rows", "with everyone"], rows)


_HEADLINES: Any = (
    ("items passed, % (people drawn again)", lambda f: estimate(f.headline)),
    ("the same as if answers were independent (Wilson)", lambda f: share(f.wilson)),
    ("the same, unanswered items counted as failed", lambda f: estimate(f.if_unanswered_failed)),
    ("passed by the first submission, %", lambda f: estimate(f.first_try)),
    ("runs in PyTorch, %", lambda f: estimate(f.runs)),
    ("does what the brief asks, %", lambda f: estimate(f.does_the_brief)),
    ("grader's score, 0 to 100", lambda f: estimate(f.score, 1)),
    ("people", lambda f: str(f.counts.people)),
    ("answers (of them by timeout)", lambda f: f"{f.counts.responses:,} ({f.counts.timeouts})"),
    ("agreement of people (Krippendorff's α)", lambda f: number(f.alpha)),
)


def relation_table(figures: ConditionFigures) -> str:
    """People by their relation to the study."""
    rows = [(g.relation, str(g.estimate.clusters), f"{g.responses:,}", estimate(g.estimate)) for g in figures.relations]
    return table(["relation to the study", "people", "answers", "passed, %"], rows)


def paired_table(figures: ConditionFigures) -> str:
    """People minus models."""
    if not figures.paired:
        return paragraph("No imported model row is about these items under this condition.", "note")
    models = {model.id: model for model in figures.models}
    rows = [_paired_row(each, per_cent(models[each.model].estimate.value)) for each in figures.paired]
    head = ["model", "run", "passed", "items", "people − model, points", "p", "p (Holm)", "majority w/t/l"]
    return table([*head, "by answer w/t/l"], rows, (1,)) + paragraph(texts.PAIRED, "note")


def _paired_row(each: PairedFigure, passed: str) -> tuple[str, ...]:
    name, way = model_label(each.model)
    d = each.difference
    tallies = (f"{t.wins}/{t.ties}/{t.losses}" for t in (each.by_majority, each.by_response))
    interval = f"{points(d.value)} [{range_text(d.low, d.high)}]"
    return (name, way, passed, str(each.items), interval, p_value(each.p), p_value(each.p_holm), *tallies)


def many_people_table(figures: ConditionFigures) -> str:
    """Any of k, all of k."""
    rows = [
        (str(each.k), str(each.items), per_cent(each.any_of_k), per_cent(each.all_of_k)) for each in figures.many_people
    ]
    head = ["k people", "items", "any of k passes (pass@k)", "all of k pass (pass^k)"]
    return table(head, rows) + paragraph(texts.MANY_PEOPLE, "note")


def times_table(figures: ConditionFigures) -> str:
    """Times to success and failure, and score over time."""
    t = figures.times
    rows = [
        (name, str(d.n), seconds(d.median), seconds(d.geometric_mean))
        for name, d in (("success", t.success), ("failure", t.failure))
    ]
    by = [(seconds(limit), per_cent(value)) for limit, value in zip(t.limits, t.share_by, strict=True)]
    median = f"Median time to success by Kaplan–Meier, failures and limits censored: {seconds(t.km_median)}."
    return (
        table(["active time to", "n", "median", "geometric mean"], rows)
        + paragraph(median)
        + details("Score as a function of time", table(["within", "passed"], by))
    )


def families_table(figures: ConditionFigures) -> str:
    """Shares by family, people and models."""
    models = [(model_label(model.id)[0], {f.id: f.share for f in model.families}) for model in figures.models]
    rows = []
    for family in figures.families:
        theirs = [found.get(family.id) for _, found in models]
        cells = [NONE if each is None else f"{each.passed}/{each.n}" for each in theirs]
        rows.append((family.id, str(family.share.n), share(family.share), *cells))
    return table(["family", "answers", "people passed, %", *(name for name, _ in models)], rows)


def items_table(figures: ConditionFigures) -> str:
    """Each item's share, how many models passed it, and its Rasch difficulty where there is one."""
    scale = {item: (value, se) for item, value, se in figures.scale.difficulties}
    passed = _models_passing(figures)
    head = ["item", "family", "wording", "n", "people passed, %", *(["models passed"] if figures.models else [])]
    rows = []
    for item in figures.items:
        cells = [item.id, item.family, item.wording, str(item.share.n), share(item.share)]
        cells += [passed[item.id]] if figures.models else []
        value = scale.get(item.id)
        cells += [NONE if value is None else f"{value[0]:+.2f} ± {value[1]:.2f}"] if scale else []
        rows.append(cells)
    note = "" if scale else paragraph(f"No Rasch scale: {figures.scale.reason}.", "note")
    return table([*head, *(["Rasch difficulty"] if scale else [])], rows, (1, 2)) + note


def _models_passing(figures: ConditionFigures) -> dict[str, str]:
    """Runs of models that passed, of those that answered, by item."""
    matrix = figures.model_matrix
    columns = zip(*matrix.values, strict=True) if matrix.values else ()
    results = [[cell for cell in column if cell is not None] for column in columns]
    return {item: f"{sum(found)}/{len(found)}" for item, found in zip(matrix.items, results, strict=False)}


def wordings_table(figures: ConditionFigures) -> str:
    """Shares by how the text people read stands to that of models."""
    if len(figures.by_wording) < 2:
        return ""
    rows = [
        (each.id, str(figures.wordings[each.id]), str(each.share.n), share(each.share)) for each in figures.by_wording
    ]
    return table(["text people read", "items", "answers", "passed, %"], rows)


def people_table(figures: ConditionFigures) -> str:
    """Each person's share with the Wilson interval."""
    rows = [(each.id[:8], str(each.share.n), share(each.share)) for each in figures.people]
    return table(["person (start of the random id)", "answers", "passed, %"], rows)


def forecasts_table(figures: ConditionFigures) -> str:
    """Scores of probabilities."""
    f = figures.forecasts
    if not f.n:
        return ""
    rows = [
        ("Brier score (0 best, 2 worst)", estimate(f.brier, 1, 3)),
        ("log score (0 best)", estimate(f.log_score, 1, 3)),
        ("over-confidence, points", estimate(f.overconfidence)),
        ("calibration error, points", number(None if f.calibration_error is None else 100 * f.calibration_error, 1)),
        ("answers with probabilities", str(f.n)),
    ]
    return table(["stated probabilities", "figure"], rows)


def effort_table(figures: ConditionFigures) -> str:
    """What an answer took."""
    e = figures.effort
    named = (
        ("edits", e.gestures), ("undo steps", e.undos), ("actions of the plan", e.actions),
        ("submissions", e.submissions), ("audits", e.audits),
    )  # fmt: skip
    rows = [(name, number(value)) for name, value in named if value is not None]
    return table(["mean per answer", "n"], rows) if rows else ""


def replay_table(hints: Sequence[Replay]) -> str:
    """Sessions worth watching."""
    if not hints:
        return ""
    rows = [(hint.why, hint.session_id, hint.item_id, str(hint.position or "")) for hint in hints]
    how = "Watch one with: archstudio study replay SESSION --study STUDY --item ITEM"
    return table(["why", "session", "item", "place"], rows, (1, 2)) + paragraph(how, "note")


def left_out_rows(figures: Any) -> Iterator[tuple[str, ...]]:
    """Model rows that no figure uses."""
    for each in figures.left_out:
        yield each.source, each.model, each.way, str(each.rows), each.reason
