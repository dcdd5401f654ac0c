"""Works out the boards of published files from their rows alone, as the original's tools work them out."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from archstudio.bench.results.difficulty import band_of
from archstudio.bench.results.records import Attempt, Calibration, Leaderboard, RepairRounds, Results
from archstudio.edits.actions.javascript import plain, round_half_up
from archstudio.stats import wilson

_PUBLISHED_BANDS = {
    "too hard": "TOO-HARD (<2%)",
    "target": "TARGET (2-15%)",
    "easy": "EASY (eval-useful)",
    "saturated": "SATURATED (>70%)",
}


def derived_part(results: Results) -> list[dict[str, Any]] | None:
    """The board, table of results or family rows that a file's other figures imply; None for tool-use runs."""
    if isinstance(results, Leaderboard):
        return leaderboard(results.rows)
    if isinstance(results, RepairRounds):
        return repair_table(results)
    return family_rows(results) if isinstance(results, Calibration) else None


def exported(results: Results) -> dict[str, Any]:
    """The file again, with its derived part worked out anew."""
    made = results.plain()
    part = derived_part(results)
    return made if part is None else {**made, results.derived: part}


def leaderboard(rows: Sequence[Attempt]) -> list[dict[str, Any]]:
    """One entry a provider, the one that passes most first; equals keep the order of the rows."""
    by_provider: dict[str, list[Attempt]] = {}
    for row in rows:
        by_provider.setdefault(row.provider, []).append(row)
    entries = [_entry(provider, mine) for provider, mine in by_provider.items()]
    return sorted(entries, key=lambda entry: (-entry["passed"], -entry["avgScore"]))


def _entry(provider: str, rows: Sequence[Attempt]) -> dict[str, Any]:
    passed = sum(row.status == "PASS" for row in rows)
    return {
        "provider": provider,
        "passed": passed,
        "total": len(rows),
        "avgScore": plain(round_half_up(sum(row.score or 0 for row in rows) / len(rows))),
        "tokensPerSolve": tokens_per_solve(sum(row.tokens for row in rows), passed),
        "failureCategories": dict(Counter(category for row in rows for category in row.failure_categories)),
    }


def tokens_per_solve(tokens: float, passed: int) -> float | None:
    """All tokens spent, failures included, for one pass; None without any pass."""
    return plain(round_half_up(tokens / passed)) if passed else None


def repair_table(results: RepairRounds) -> list[dict[str, Any]]:
    """What each provider passes at once and with feedback; errors are no answers and count in neither."""
    providers = dict.fromkeys(row.provider for row in results.rows)
    return [_repair_entry(results, provider) for provider in providers]


def _repair_entry(results: RepairRounds, provider: str) -> dict[str, Any]:
    mine = [row for row in results.rows if row.provider == provider]
    graded = [row for row in mine if row.error is None]
    first, final = sum(row.passed_first for row in graded), sum(row.passed for row in graded)
    among = len(graded) or 1
    rescued = Counter(row.rounds for row in graded if row.passed and not row.passed_first)
    return {
        "provider": provider,
        "model": results.models.get(provider, provider),
        "n": len(graded),
        "singleShot": plain(first / among),
        "withVerifier": plain(final / among),
        "liftPoints": plain((final - first) / among * 100),
        "errors": len(mine) - len(graded),
        "rescuedBy": {f"turn{turn}": rescued[turn] for turn in range(2, results.turns + 1)},
    }


def family_rows(results: Calibration) -> list[dict[str, Any]]:
    """Rate, interval and band of each family, from its two counts."""
    made = []
    for row in results.rows:
        interval = wilson(row.passes, row.n)
        rate = plain(row.passes / row.n) if row.n else 0
        band = _PUBLISHED_BANDS.get(band_of(row.passes, row.n), row.band)
        made.append(
            {
                "family": row.family,
                "n": row.n,
                "passes": row.passes,
                "rate": rate,
                "ci": [plain(bound) for bound in interval],
                "band": band,
            }
        )
    return made
