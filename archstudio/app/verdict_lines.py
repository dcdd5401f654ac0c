"""The verdict as rows of text: three lines, the task's checklist, the brief's facts, the totals. No widgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from archstudio.app.document import Document
from archstudio.app.figures import count_text, macs_text, plural
from archstudio.app.task_report import TaskReport
from archstudio.app.words import said, said_made
from archstudio.bench.facts import FactResult
from archstudio.bench.grade import Check
from archstudio.bench.rubric import Assessment, assess
from archstudio.edits.plain import to_plain
from archstudio.layers import Severity

_OPENINGS = ("Contains one of ", "Contains ", "Uses of ")
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"))


@dataclass(frozen=True, slots=True)
class Line:
    """One of the three lines: how it stands (None: cannot be said), and the reason in a few words."""

    title: str
    holds: bool | None
    reason: str


def exact_line(document: Document) -> Line:
    """Line one: what PyTorch would say; what is only advice is called a remark, as nothing is wrong there."""
    counts = problem_counts(document)
    words = {Severity.ERROR: "problem", Severity.MISTAKE: "mistake", Severity.ADVICE: "remark"}
    told = [plural(counts[severity], word) for severity, word in words.items() if counts[severity]]
    return Line("Runs in PyTorch", not counts[Severity.ERROR], " · ".join(told) or "no problems")


def problem_counts(document: Document) -> Counter[Severity]:
    """How many problems of each severity there are, advice only where it may be seen."""
    counts = Counter(p.severity for p in document.verdict.problems)
    if not document.visibility.fixes:
        del counts[Severity.ADVICE]
    return counts


def wrong_count(document: Document) -> int:
    """How many problems say that something is wrong: errors and mistakes."""
    counts = problem_counts(document)
    return counts[Severity.ERROR] + counts[Severity.MISTAKE]


def task_line(report: TaskReport) -> Line:
    """Line two: the rubric that models are graded with."""
    failed = [check for check in report.grade.checks if not check.ok]
    failing = said("{failed} of {checks} fail").format(failed=len(failed), checks=len(report.grade.checks))
    reason = failing if failed else said("rubric v3 · {score}").format(score=f"{report.grade.score:g}")
    return Line("Passes the task", report.grade.passed, reason)


def check_text(check: Check) -> str:
    """The present value, and the limit where it is a bound: `60 ≥ 50`, `592 / 80 M`, `yes`, `1 (must be none)`."""
    sign, bound = check.limit[:1], check.limit[1:].strip()
    if sign in ("≥", "≤"):
        value, bound = _short(check.value), _short(bound)
        if sign == "≤":
            return f"{value} / {bound}"
        return f"{value} ≥ {bound}" if check.ok else said("{value} of {bound}").format(value=value, bound=bound)
    if check.ok or check.value == check.limit:
        return check.value
    return said("{value} (must be {limit})").format(value=check.value, limit=said(check.limit))


def check_label(check: Check) -> str:
    """What a check is about; of those that name layers the words before the names are translated."""
    for opening in _OPENINGS:
        if check.label.startswith(opening):
            return said(opening).rstrip() + " " + check.label.removeprefix(opening)
    return said(check.label)


def _short(number: str) -> str:
    """`80 M` for `80,000,000`; a number that would not be exact so stays as it is."""
    digits = number.replace(",", "")
    if not digits.isdecimal():
        return number
    value = int(digits)
    exact = next(
        (f"{value / size:g} {unit}" for size, unit in _UNITS if value >= size and not value % (size // 1000)), ""
    )
    return exact or number


def brief_line(report: TaskReport) -> Line:
    """Line three: the facts of the brief."""
    reason = said("{value} of {bound}").format(value=report.facts_met, bound=len(report.facts))
    return Line("Does what the brief asks", report.does_the_brief, reason)


def fact_value(fact: FactResult, names: Collection[str]) -> str:
    """What the graph has, in the language of the window; `names` are those of its layers, which stay as they are."""
    return fact.value if all(part in names for part in fact.value.split(", ")) else said_made(fact.value)


def rubric_view(document: Document) -> Assessment:
    """The graph as the rubric sees it; for a thousand layers it takes longer than a frame."""
    return assess(to_plain(document.graph))


def totals(document: Document, rubric: Assessment | None) -> list[tuple[str, str]]:
    """Parameters and MACs, each with its value or `unknown`.

    `rubric` is the rubric's view of the graph; None while it is not known yet, and then what comes from it is left out.
    """
    verdict = document.verdict
    parameters = said(count_text(verdict.parameters))
    if (
        rubric is not None and rubric.params == rubric.params and verdict.parameters != rubric.params
    ):  # NaN where a size is
        parameters += " " + said("(rubric {count})").format(count=count_text(rubric.params))
    return [("Parameters", parameters), ("MACs", macs_text(verdict.macs))]
