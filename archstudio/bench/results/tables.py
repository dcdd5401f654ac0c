"""Summaries of results as plain records, comma-separated values and Markdown."""

import csv
import io
from collections.abc import Sequence
from typing import Any

from archstudio.bench.results.difficulty import Difficulty
from archstudio.bench.results.outcomes import Repeats, Summary


def record(summary: Summary) -> dict[str, Any]:
    """A summary for JSON; rates are shares from 0 to 1."""
    return {
        "model": summary.setting.model,
        "way": summary.setting.way,
        "split": summary.setting.split,
        "passed": summary.passed,
        "total": summary.total,
        "errors": summary.errors,
        "hollow": summary.hollow,
        "rate": summary.passed / summary.total if summary.total else None,
        "interval": list(summary.interval),
        "averageScore": summary.average_score,
        "tokensPerSolve": summary.tokens_per_solve,
        "failureCategories": summary.categories,
        "families": {family: {"passed": good, "total": total} for family, (good, total) in summary.families.items()},
    }


def repeats_record(row: Repeats) -> dict[str, Any]:
    """Chances over several tries for JSON."""
    setting = {"model": row.setting.model, "way": row.setting.way, "split": row.setting.split}
    return {**setting, "k": row.k, "tasks": row.tasks, "passAtK": row.any_passes, "passEveryK": row.all_pass}


def difficulty_record(rated: Difficulty) -> dict[str, Any]:
    """A difficulty for JSON."""
    return {"band": rated.band, "passed": rated.passes, "total": rated.trials, "interval": list(rated.interval)}


def as_csv(rows: Sequence[Summary]) -> str:
    """One line a summary, one column a family and a failure category."""
    families = list(dict.fromkeys(family for row in rows for family in row.families))
    categories = list(dict.fromkeys(name for row in rows for name in row.categories))
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    head = ["model", "way", "split", "passed", "total", "errors", "rate", "low", "high", "average score"]
    out.writerow([*head, "tokens per solve", "hollow passes", *families, *(f"failed: {name}" for name in categories)])
    for row in rows:
        shown = record(row)
        cells = [shown[name] for name in ("model", "way", "split", "passed", "total", "errors")]
        cells += [_rounded(shown["rate"]), *map(_rounded, row.interval), row.average_score, row.tokens_per_solve]
        cells.append(row.hollow)
        cells += [_share(row.families.get(family)) for family in families]
        out.writerow([*map(_unformula, cells), *(row.categories.get(name, 0) for name in categories)])
    return text.getvalue()


def as_markdown(rows: Sequence[Summary]) -> str:
    """A table for people."""
    names = ("model", "way", "tasks", "passed", "95 % interval", "hollow", "score", "tokens per solve")
    lines = [f"| {' | '.join((*names, 'commonest failures'))} |"]
    lines.append("|---|---|---|---:|---|---:|---:|---:|---|")
    for row in rows:
        failed = sorted(row.categories.items(), key=lambda item: -item[1])[:3]
        cells = [
            _cell(row.setting.model),
            _cell(row.setting.way),
            _cell(row.setting.split),
            f"{row.passed} of {row.total}" + f" ({row.errors} errors)" * bool(row.errors),
            interval_text(row),
            "" if row.hollow is None else str(row.hollow),
            "" if row.average_score is None else f"{row.average_score:g}",
            "" if row.tokens_per_solve is None else f"{row.tokens_per_solve:,}",
            ", ".join(f"{name} {count}" for name, count in failed),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def interval_text(row: Summary) -> str:
    """The interval of a pass rate in per cent."""
    return f"{100 * row.interval.low:.0f}–{100 * row.interval.high:.0f} %"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _share(counts: tuple[int, int] | None) -> str:
    return "" if counts is None else f"{counts[0]}/{counts[1]}"


def _unformula(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula, made plain text."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
