"""The page of an analysis: one file, no script, nothing fetched; the same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from archstudio.intuition.analysis import pictures
from archstudio.intuition.analysis.figures import Analysis, SetAnalysis, provenance
from archstudio.intuition.analysis.order import CurveFigures, EarlyLook
from archstudio.intuition.analysis.pairs import question_gaps, share_apart
from archstudio.intuition.analysis.rules import BASELINES, Score
from archstudio.intuition.analysis.style import CSS
from archstudio.stats import wilson

NONE: Final = "–"
_LOOKS: Final = (0.05, 0.1, 0.25, 0.5)
"""Parts of the budget that the table of early orders shows."""
_FOLDED_FROM: Final = 16
"""Candidates from which on the table of curves is folded away."""


def page(analysis: Analysis, title: str) -> str:
    """The whole page."""
    parts = [
        f"<h1>{escape(title)}</h1>{_paragraph(_about(analysis), 'meta')}{_nav(analysis)}",
        _rules(analysis),
        _order(analysis),
        *(_set(each, place) for place, each in enumerate(analysis.sets, start=1)),
        _provenance(analysis),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{CSS}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _about(analysis: Analysis) -> str:
    material = analysis.material
    counts = (
        (len(analysis.sets), "set"), (len(material.candidates), "trained candidate"),
        (len(material.questions), "question"), (len(material.datasets), "data set"),
    )  # fmt: skip
    return " · ".join(f"{n} {what}{'s' * (n != 1)}" for n, what in counts)


def _nav(analysis: Analysis) -> str:
    links = [("rules", "Rules")] if analysis.scores or analysis.trees else []
    links += [("order", "Early and final order")] if analysis.sets else []
    links += [(f"set-{place}", f"Set {place}") for place in range(1, len(analysis.sets) + 1)]
    links.append(("from", "What this rests on"))
    listed = "".join(f'<a href="#{name}">{escape(text)}</a>' for name, text in links)
    return f"<nav>{listed}</nav>"


def _rules(analysis: Analysis) -> str:
    if not analysis.scores and not analysis.trees:
        return ""
    parts = ['<h2 id="rules">How far rules get</h2>']
    overall = analysis.overall()
    if overall:
        picture = pictures.forest(overall, "forest")
        parts.append(
            _figure(picture, f"{overall[0].n} questions. Blue: rules on the set-ups; gold: a look at the first part of "
                    "the curves, which no taker has; red: trees fitted to other candidates. The dashed line is chance. "
                    "Intervals take questions as independent.")
        )  # fmt: skip
        parts.append(_score_table(overall))
        parts += [_group_table(analysis.scores, kind) for kind in ("family", "type")]
        parts.append(_gap_table(analysis))
    else:
        parts.append(_paragraph("No questions are given, so no rule is scored.", "note"))
    if analysis.trees:
        parts.append(_trees(analysis))
    return "".join(parts)


def _score_table(overall: Sequence[Score]) -> str:
    rows = [
        (e.rule.replace("_", " "), BASELINES[e.rule].told if e.rule in BASELINES else "gradient-boosted trees",
         f"{e.right}/{e.n}", _per_cent(e.share), _interval(e), _per_cent(e.chance), str(e.tied))
        for e in overall
    ]  # fmt: skip
    head = ["rule", "picks", "right", "share", "95 % interval", "chance", "tied"]
    told = "Rules over all questions. Tied: the rule could not decide, and the earliest letter was taken."
    return _table(head, rows, told, (1,))


def _group_table(scores: Sequence[Score], kind: str) -> str:
    groups = sorted({each.group for each in scores if each.group.startswith(f"{kind}: ")})
    if len(groups) < 2:
        return _paragraph(f"All questions are of one {kind}: {', '.join(map(_words, groups))}.", "note")
    by = {(each.rule, each.group): each for each in scores}
    rules = list(dict.fromkeys(each.rule for each in scores))
    first = [next(by[rule, group] for rule in rules if (rule, group) in by) for group in groups]
    head = ["rule", *(_words(group) for group in groups)]
    rows = [("chance", *(_per_cent(each.chance) for each in first))]
    for rule in rules:
        mine = [by.get((rule, group)) for group in groups]
        rows.append((rule.replace("_", " "), *(_cell(each) for each in mine)))
    told = f"By {kind}: right of n, and the 95 % Wilson interval in per cent."
    return _table(head, rows, told)


def _gap_table(analysis: Analysis) -> str:
    rows = []
    for each in question_gaps(analysis.material.questions):
        low, high = wilson(each.apart, each.n)
        quantiles = (_per_cent(value) for value in (each.tenth, each.median, each.ninetieth))
        apart = f"{each.apart}/{each.n} [{100 * low:.0f}–{100 * high:.0f}]"
        rows.append((each.family.replace("_", " "), str(each.n), *quantiles, apart))
    told = (
        "How clear the winners are: distance to the next mean, relative to the winner's (tenth, median, ninetieth), "
        "and questions in which the winner's worst seed beats the best of every rival."
    )
    return _table(["family", "n", "10 %", "50 %", "90 %", "all seeds agree"], rows, told)


def _cell(score: Score | None) -> str:
    return NONE if score is None else f"{score.right}/{score.n} [{100 * score.low:.0f}–{100 * score.high:.0f}]"


def _words(group: str) -> str:
    return group.partition(": ")[2].replace("_", " ")


def _trees(analysis: Analysis) -> str:
    rows = [
        (t.told, str(t.n), _number(t.r2), _number(t.rho), t.note or f"{len(t.answers)} questions answered")
        for t in analysis.trees
    ]
    head = ["kept apart", "candidates", "R²", "ρ", ""]
    told = (
        "Trees, out of fold. R² is of ln(final) against the mean of each data set, so that knowing the data set earns "
        "nothing (chance 0, below 0 is worse); ρ is the mean rank correlation within data sets (chance 0). No model "
        "was fitted to a candidate of a question it answers."
    )
    return _table(head, rows, told, (4,))


def _order(analysis: Analysis) -> str:
    if not analysis.sets:
        return ""
    names = "; ".join(
        f"set {place}: {each.of.id} on {each.of.of.record.dataset_id}"
        for place, each in enumerate(analysis.sets, start=1)
    )
    shown = [each for each in analysis.sets if any(look.rho is not None for look in each.figures.looks)]
    where = "bands are" if len(shown) <= pictures.MOST_BANDS else "the table has the"
    told = f"How far the order of the mean curves is already that of the finals; {where} 95 % intervals. {names}."
    picture = _figure(pictures.early_order(shown, "early"), told) if shown else ""
    rows = []
    for place, each in enumerate(analysis.sets, start=1):
        f = each.figures
        looks = [_look([look for look in f.looks if look.share <= part]) for part in _LOOKS]
        rows.append((f"set {place}", str(f.n), *looks, _samples(f.leader_at), _samples(f.settled_at)))
    head = ["", "n", *(f"after {100 * part:g} %" for part in _LOOKS), "leader settled", "order settled"]
    note = (
        "Spearman's ρ [95 % interval] with the final order at the last measurement not after that part of the budget; "
        "unrelated orders have 0. Settled: samples from which on it stays as at the last measurement; – not before."
    )
    return f'<h2 id="order">Early and final order</h2>{picture}{_table(head, rows, note)}'


def _look(looks: Sequence[EarlyLook]) -> str:
    if not looks or looks[-1].rho is None:
        return NONE
    last = looks[-1]
    interval = "" if last.low is None or last.high is None else f" [{last.low:.2f} to {last.high:.2f}]"
    return _signed(f"{last.rho:.2f}{interval}")


def _set(found: SetAnalysis, place: int) -> str:
    figures, record = found.figures, found.of.of.record
    apart, total, interval = share_apart(found.pairs)
    about = f"{record.set_id} on {record.dataset_id} ({record.family.replace('_', ' ')}), {found.of.budget:,} samples"
    parts = [
        f'<h2 id="set-{place}">Set {place}</h2>',
        _paragraph(about, "meta"),
        _paragraph(
            f"{figures.n} candidates; {figures.failed} of {figures.runs} runs failed. The mean curves of "
            f"{figures.crossing_pairs} of {figures.pairs} pairs cross ({figures.crossings} crossings)."
        ),
        _figure(
            pictures.curves(found, f"curves-{place}"),
            f"Mean curves of n = {figures.n} candidates (grey); best, middle and worst by final with a band of one "
            "deviation over seeds. What rises above the picture is drawn at its edge.",
        ),
        _figure(pictures.finals(found, f"finals-{place}"), "Dot: mean final. Bar: from the best to the worst seed."),
    ]
    if total:
        told = (
            f"{apart} of {total} pairs ({100 * apart / total:.0f} %, "
            f"95 % interval {100 * interval.low:.0f} to {100 * interval.high:.0f} "
            "as if pairs were independent) come apart fully (blue): the better one's worst seed beats the other's best."
        )
        parts.append(_figure(pictures.gaps(found.pairs, f"gaps-{place}"), told))
    table = _curve_table(found.curves)
    folded = f"<details><summary>Order parameters of {figures.n} candidates</summary>{table}</details>"
    parts.append(folded if figures.n >= _FOLDED_FROM else table)
    return "".join(parts)


def _curve_table(curves: Iterable[CurveFigures]) -> str:
    ordered = sorted(curves, key=lambda each: (each.final, each.candidate_id))
    gap = any(each.validation_gap is not None for each in ordered)
    rows = [
        (c.candidate_id, _short(c.final), _short(c.best), _short(c.area), _samples(c.to_half), _samples(c.to_90),
         _short(c.early_slope), _short(c.late_slope), _short(c.spread_mean), f"{c.failed}/{c.seeds}",
         *([_short(c.validation_gap)] if gap else []))
        for c in ordered
    ]  # fmt: skip
    head = ["candidate", "final", "best", "mean height", "to half", "to 90 %", "early slope", "late slope"]
    head += ["seed spread", "failed", *(["test − validation"] if gap else [])]
    told = (
        "Best first. Mean height is the area under the mean curve in log samples. To half, to 90 %: samples to that "
        "part of the gain. Slopes: change a decade of samples, in the first and second half of log samples. Seed "
        "spread: deviation over seeds, averaged along the curve."
    )
    return _table(head, rows, told)


def _provenance(analysis: Analysis) -> str:
    rows = list(provenance(analysis).items())
    note = (
        "Intervals are 95 %; of shares by Wilson, of rank correlations by Fisher's z with the variance of Bonett and "
        "Wright. Failed seeds are left out of means and count as worse than any value where candidates are compared."
    )
    told = "What the figures were made from."
    return f'<h2 id="from">What this rests on</h2>{_table(["", ""], rows, told, (1,))}{_paragraph(note, "note")}'


def _paragraph(text: str, kind: str = "") -> str:
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, texts: Sequence[int] = ()) -> str:
    titles = "".join(f'<th scope="col"{_kind(i, texts)}>{escape(title)}</th>' for i, title in enumerate(head))
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td{_kind(i, texts)}>{escape(cell)}</td>" for i, cell in enumerate(row[1:], start=1))
        + "</tr>"
        for row in rows
    )
    shown = f"<thead><tr>{titles}</tr></thead>" if any(head) else ""
    return f'<div class="wide"><table><caption>{escape(caption)}</caption>{shown}<tbody>{body}</tbody></table></div>'


def _kind(place: int, texts: Sequence[int]) -> str:
    return ' class="text"' if place in texts else ""


def _per_cent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _interval(score: Score) -> str:
    return f"{100 * score.low:.1f} to {100 * score.high:.1f}"


def _number(value: float | None) -> str:
    return NONE if value is None else _signed(f"{value:.2f}")


def _short(value: float | None) -> str:
    return NONE if value is None else _signed(f"{value:.3g}")


def _signed(text: str) -> str:
    return text.replace("-", "−")


def _samples(value: float | None) -> str:
    return NONE if value is None else f"{value:,.0f}"
