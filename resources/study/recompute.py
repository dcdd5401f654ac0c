"""Works out every number of a study's report again, from its CSV tables and with Python's standard library alone.

    python recompute.py REPORT_FOLDER

The folder holds figures.json, which the report's page and pictures show, and tables/, the exported CSV files. Nothing
of the program that wrote them is used; where it uses a library (scipy, statsmodels, numpy), the formula stands here in
full. Ends with 0 if every number agrees to nine digits, else with 1 and the places that differ.
"""

import csv
import json
import math
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

SEED, REPLICATES, FLIPS = 1927, 2000, 10_000
CONDITIONS = ["single_shot", "verifier_turns_3", "verifier_tool", "assisted", "blind", "full_sequential_feedback"]
LIMITS = (30.0, 60.0, 120.0, 180.0, 300.0, 600.0, 900.0, 1800.0, 3600.0)
Row = dict[str, Any]
Figures = dict[str, Any]
NOT_IN_TABLES = {"schema", "grader_version", "left_out", "reason"}


# The tables -----------------------------------------------------------------------------------------------------------


def read(folder: Path, name: str) -> list[dict[str, str]]:
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as stream:
        return [{name: text(cell) for name, cell in row.items()} for row in csv.DictReader(stream)]


def text(cell: str) -> str:
    """A cell without the apostrophe that keeps spreadsheets from taking it for a formula."""
    return cell[1:] if cell[:1] == "'" and cell[1:].lstrip()[:1] in tuple("=+-@＝＋－＠") else cell


def flag(cell: str) -> bool | None:
    return None if cell == "" else cell == "true"


def number(cell: str) -> float | None:
    return None if cell == "" else float(cell)


def people_rows(folder: Path) -> list[Row]:
    """What each person made of each item, put together from the tables of records."""
    items = {row["item_id"]: row for row in read(folder, "items")}
    condition = {row["session_id"]: row["condition"] for row in read(folder, "sessions")}
    relation = {row["participant_id"]: row["relation"] for row in read(folder, "participants")}
    attempts: dict[tuple[str, str], list[dict[str, str]]] = {}
    responses: dict[tuple[str, str], list[dict[str, str]]] = {}
    for table, name in ((attempts, "attempts"), (responses, "responses")):
        for row in read(folder, name):
            table.setdefault((row["session_id"], row["item_id"]), []).append(row)
    excluded = {(e["scope"], e["participant_id"], e["session_id"], e["item_id"]) for e in read(folder, "exclusions")}
    seen, made = set(), []
    shown = read(folder, "presentations")
    for row in sorted(shown, key=lambda each: (each["shown_at"], each["session_id"], int(each["position"]))):
        person, session, item = row["participant_id"], row["session_id"], row["item_id"]
        out = any(
            (scope == "participant" and who == person)
            or (scope == "session" and sitting == session)
            or (scope == "presentation" and (sitting, what) == (session, item))
            for scope, who, sitting, what in excluded
        )  # fmt: skip
        key = (person, condition[session], item)
        about = {
            "who": person, "item": item, "condition": condition[session], "block": row["block"], "excluded": out,
            "relation": relation.get(person, ""), "repeat": key in seen, "seen": row["seen_before"] == "true",
            "flagged": row["flag"] != "", "seconds": int(row["active_ms"]) / 1000,
            **{name: items[item][name] for name in ("family", "instance", "wording")},
            "chance": float(items[item]["chance"]),
        }  # fmt: skip
        seen.add(key)
        place, late = (session, item), row["timed_out"] == "true"
        result = of_graph(attempts.get(place, []), late) if items[item]["kind"] == "graph" else of_question(
            responses.get(place, []), late, items[item]["key"]
        )  # fmt: skip
        made.append({**BLANK, **about, **result})
    return made


BLANK = dict.fromkeys(
    ("first", "score", "runs", "brief", "choice", "confidence", "brier", "log", "success", "gestures", "undos",
     "actions", "submissions", "audits")
)  # fmt: skip


def of_graph(tries: list[dict[str, str]], late: bool) -> Row:
    submits = sorted((each for each in tries if each["kind"] == "submit"), key=lambda each: int(each["number"]))
    audits = len(tries) - len(submits)
    if not submits:
        return {"state": "timeout" if late else "unanswered", "passed": False if late else None,
                "first": False if late else None, "categories": []}  # fmt: skip
    last = submits[-1]
    passed = last["passed"] == "true"
    return {
        "state": "answered", "passed": passed, "first": submits[0]["passed"] == "true", "score": number(last["score"]),
        "runs": flag(last["runs"]), "brief": flag(last["does_the_brief"]), "submissions": len(submits),
        "success": int(last["active_ms"]) / 1000 if passed else None, "audits": audits,
        "gestures": sum(int(each["n_gestures"]) for each in tries),
        "undos": sum(int(each["n_undo"]) for each in tries),
        "actions": sum(int(each["n_actions_net"]) for each in submits),
        "categories": sorted(set(filter(None, last["failure_categories"].split("|")))),
    }  # fmt: skip


def of_question(answers: list[dict[str, str]], late: bool, key: str) -> Row:
    if not answers:
        return {"state": "timeout" if late else "unanswered", "passed": False if late else None, "categories": []}
    last = answers[-1]
    odds, right = json.loads(last["probabilities"]), flag(last["correct"])
    scores = {"brier": number(last["brier"]), "log": number(last["log_score"])}
    if key and right is not None:
        scores["brier"] = math.fsum((value - (name == key)) ** 2 for name, value in odds.items())
        scores["log"] = math.log(max(odds[key], 0.001))
    return {
        "state": "unscored" if right is None else "answered", "passed": right, "choice": last["candidate_id"],
        "confidence": odds.get(last["candidate_id"]), **scores, "submissions": 1, "categories": [],
        "success": int(last["active_ms"]) / 1000 if right else None,
    }  # fmt: skip


def model_rows(folder: Path) -> list[Row]:
    return [
        {"who": row["respondent_id"], "item": row["item_id"], "condition": row["condition"], "family": row["family"],
         "instance": row["instance"], "passed": flag(row["passed"]), "score": number(row["score"]),
         "categories": list(filter(None, row["failure_categories"].split("|")))}
        for row in read(folder, "responses_long") if row["respondent_type"] == "model"
    ]  # fmt: skip


# Statistics -----------------------------------------------------------------------------------------------------------


def wilson(passed: int, n: int, z: float = 1.96) -> tuple[float, float]:
    """Solve (p - x)^2 = z^2 p (1 - p) / n for the two p."""
    if n == 0:
        return 0.0, 1.0
    a, b, c = 1 + z * z / n, 2 * passed / n + z * z / n, (passed / n) ** 2
    root = math.sqrt(max(b * b - 4 * a * c, 0))
    return 0.0 if passed == 0 else (b - root) / (2 * a), 1.0 if passed == n else (b + root) / (2 * a)


def share(rows: list[Row]) -> Figures:
    results = [row["passed"] for row in rows if row["passed"] is not None]
    low, high = wilson(sum(results), len(results))
    value = sum(results) / len(results) if results else None
    return {"n": len(results), "passed": sum(results), "value": value, "low": low, "high": high}


@cache
def draws(n: int, seed: int) -> list[list[int]]:
    draw = random.Random(seed).random
    return [[int(draw() * n) for _ in range(n)] for _ in range(REPLICATES)]


def percentile(ordered: list[float], share_below: float) -> float:
    place = share_below * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def interval(values: list[float]) -> tuple[float, float]:
    ordered = sorted(values)
    return percentile(ordered, 0.025), percentile(ordered, 0.975)


def clustered(rows: list[Row], value: Callable[[Row], float | None], by: str = "who") -> Figures:
    groups: dict[str, list[float]] = {}
    for row in rows:
        found = value(row)
        if found is not None:
            groups.setdefault(row[by], []).append(float(found))
    lists = [groups[name] for name in sorted(groups)]
    sums, counts = [sum(each) for each in lists], [len(each) for each in lists]
    made = {"value": sum(sums) / sum(counts) if lists else None, "low": None, "high": None, "clusters": len(lists)}
    if len(lists) > 1:
        means = [sum(sums[i] for i in drawn) / sum(counts[i] for i in drawn) for drawn in draws(len(lists), SEED)]
        made["low"], made["high"] = interval(means)
    return made


@cache
def masks(n: int) -> list[int]:
    draw = random.Random(SEED).getrandbits
    return [draw(n) for _ in range(FLIPS)]


def sign_flip(sums: list[float]) -> float:
    exact = len(sums) <= 13
    patterns = range(2 ** len(sums)) if exact else masks(len(sums))
    bound = abs(sum(sums)) - 1e-9
    hits = sum(abs(sum(v if mask >> c & 1 else -v for c, v in enumerate(sums))) >= bound for mask in patterns)
    return hits / len(patterns) if exact else (hits + 1) / (len(patterns) + 1)


def holm(values: list[float | None]) -> list[float | None]:
    known = sorted((p, place) for place, p in enumerate(values) if p is not None)
    adjusted, highest = list(values), 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, p * (len(known) - rank)))
        adjusted[place] = highest
    return adjusted


def kaplan_meier(times: Sequence[float], done: Sequence[bool]) -> list[Figures]:
    steps, left, spread = [], 1.0, 0.0
    for time in sorted({t for t, success in zip(times, done, strict=True) if success}):
        at_risk = sum(t >= time for t in times)
        events = sum(success and t == time for t, success in zip(times, done, strict=True))
        left *= 1 - events / at_risk
        spread += events / (at_risk * (at_risk - events)) if at_risk > events else 0.0
        se = left * math.sqrt(spread) if at_risk > events else 0.0
        steps.append({"time": time, "at_risk": at_risk, "events": events, "survival": left, "se": se})
    return steps


def durations(times: list[float]) -> Figures:
    positive = [math.log(time) for time in times if time > 0]
    return {
        "n": len(times), "median": statistics.median(times) if times else None,
        "geometric_mean": math.exp(statistics.fmean(positive)) if positive else None,
    }  # fmt: skip


def alpha(units: list[list[Any]]) -> float | None:
    counted = [Counter(unit) for unit in units if len(unit) > 1]
    totals = sum(counted, Counter[Any]())
    n = sum(totals.values())
    observed = sum((sum(u.values()) ** 2 - sum(c * c for c in u.values())) / (sum(u.values()) - 1) for u in counted)
    expected = (n * n - sum(c * c for c in totals.values())) / (n - 1) if n > 1 else 0
    return 1 - observed / expected if expected else None


def symmetric(odds: Sequence[float]) -> list[float]:
    made = [1.0]
    for value in odds:
        made = [a + value * b for a, b in zip([*made, 0.0], [0.0, *made], strict=True)]
    return made


def rasch_check(rows: list[Row], told: list[Any]) -> Figures:
    """Check given difficulties: the numbers solved are those expected given each person's total; errors follow."""
    answers = informative(rows)
    items = sorted({item for mine in answers for item in mine})
    if len(answers) < 30 or len(items) < 20:
        return {"people": len(answers), "items": len(items), "difficulties": []}
    value = {item: difficulty for item, difficulty, _ in told}
    if value.keys() != set(items):
        return {"people": len(answers), "items": len(items), "difficulties": sorted(items)}
    n = len(items)
    place = {item: i for i, item in enumerate(items)}
    gap: list[float] = [sum(mine.get(item, False) for mine in answers) for item in items]
    matrix = [[1.0 / n] * n for _ in items]
    patterns = Counter((tuple(sorted(mine)), sum(mine.values())) for mine in answers)
    for (names, right), people in patterns.items():
        odds = [math.exp(-value[name]) for name in names]
        single, pairs = inclusion(tuple(odds))
        for a, first in enumerate(names):
            gap[place[first]] -= people * single[a][right]
            for b, second in enumerate(names):
                both = single[a][right] if a == b else pairs[a, b][right]
                matrix[place[first]][place[second]] += people * (both - single[a][right] * single[b][right])
    errors = [math.sqrt(row[i] - 1.0 / n) for i, row in enumerate(inverse(matrix))]
    settled = max(map(abs, gap)) < 1e-6 and abs(sum(value.values())) < 1e-6
    found = [[item, value[item] if settled else math.nan, error] for item, error in zip(items, errors, strict=True)]
    return {"people": len({row["who"] for row in rows}), "items": n, "difficulties": found}


def informative(rows: list[Row]) -> list[dict[str, bool]]:
    people: dict[str, dict[str, bool]] = {}
    for row in rows:
        people.setdefault(row["who"], {})[row["item"]] = row["passed"]
    kept = list(people.values())
    while True:
        items = compared(kept)
        smaller = [{item: right for item, right in mine.items() if item in items} for mine in kept]
        smaller = [mine for mine in smaller if 0 < sum(mine.values()) < len(mine)]
        if smaller == kept:
            return kept
        kept = smaller


def compared(people: list[dict[str, bool]]) -> set[str]:
    """The largest set of items in which "solved this, not that" leads from each to each."""
    onward: dict[str, set[str]] = {}
    back: dict[str, set[str]] = {}
    for mine in people:
        for easy in (item for item, right in mine.items() if right):
            for hard in (item for item, right in mine.items() if not right):
                onward.setdefault(easy, set()).add(hard)
                back.setdefault(hard, set()).add(easy)
    best: set[str] = set()
    left = sorted(onward.keys() | back.keys())
    while left:
        found = reached(left[0], onward) & reached(left[0], back)
        best = max(best, found, key=len)
        left = [item for item in left if item not in found]
    return best


def reached(start: str, steps: dict[str, set[str]]) -> set[str]:
    seen, ahead = {start}, [start]
    while ahead:
        new = steps.get(ahead.pop(), set()) - seen
        seen |= new
        ahead += new
    return seen


@cache
def inclusion(odds: tuple[float, ...]) -> tuple[list[list[float]], dict[tuple[int, int], list[float]]]:
    whole = symmetric(odds)
    orders = range(len(odds) + 1)
    single, pairs = [], {}
    without = [symmetric(odds[:a] + odds[a + 1 :]) for a in range(len(odds))]
    for a in range(len(odds)):
        single.append([odds[a] * without[a][r - 1] / whole[r] if r else 0.0 for r in orders])
        for b in range(a + 1, len(odds)):
            rest = without_both(odds, without, a, b)
            both = [odds[a] * odds[b] * rest[r - 2] / whole[r] if r > 1 else 0.0 for r in orders]
            pairs[a, b] = pairs[b, a] = both
    return single, pairs


def without_both(odds: tuple[float, ...], without: list[list[float]], a: int, b: int) -> list[float]:
    """Without a: rest[r] + odds[b] rest[r - 1]; without b: rest[r] + odds[a] rest[r - 1]; so their difference tells."""
    gap = odds[b] - odds[a]
    if abs(gap) > 0.01 * odds[a]:
        return [(without[a][r + 1] - without[b][r + 1]) / gap for r in range(len(odds) - 1)]
    return symmetric(odds[:a] + odds[a + 1 : b] + odds[b + 1 :])


def inverse(matrix: list[list[float]]) -> list[list[float]]:
    n = len(matrix)
    work = [[*row, *(float(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for column in range(n):
        best = max(range(column, n), key=lambda i: abs(work[i][column]))
        work[column], work[best] = work[best], work[column]
        work[column] = [cell / work[column][column] for cell in work[column]]
        for i in range(n):
            if i != column and work[i][column]:
                factor = work[i][column]
                work[i] = [cell - factor * pivot for cell, pivot in zip(work[i], work[column], strict=True)]
    return [row[n:] for row in work]


# The figures ----------------------------------------------------------------------------------------------------------


def named(rows: list[Row], by: str) -> list[Figures]:
    return [{"id": name, "share": share(mine)} for name, mine in grouped(rows, by)]


def grouped(rows: Iterable[Row], by: str) -> list[tuple[str, list[Row]]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row)
    return sorted(groups.items())


def mean(values: Iterable[float | None]) -> Any:
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None


def categories(rows: list[Row]) -> dict[str, int]:
    return dict(Counter(name for row in rows if row["passed"] is False for name in set(row["categories"])))


def condition_figures(people: list[Row], models: list[Row], condition: str, everyone: bool, told: Figures) -> Figures:
    marked = [row for row in people if row["condition"] == condition and row["block"] == "main"]
    used = [row for row in marked if not row["repeat"] and (everyone or not row["excluded"])]
    scored = [row for row in used if row["passed"] is not None]
    theirs = [row for row in models if row["condition"] == condition]
    items = sorted({row["item"] for row in scored})
    paired = [found for who, mine in grouped(theirs, "who") if (found := against(scored, who, mine))["items"]]
    for each, p in zip(paired, holm([each["p"] for each in paired]), strict=True):
        each["p_holm"] = p
    answered = [row for row in used if row["state"] == "answered" and row["passed"] is not None]
    by_item = grouped(scored, "item")
    return {
        "condition": condition,
        "chance": mean(row["chance"] for row in scored),
        "counts": counts(marked, used, scored),
        "headline": clustered(scored, lambda row: row["passed"]),
        "wilson": share(scored),
        "if_unanswered_failed": clustered(used, lambda row: 0 if row["state"] == "unanswered" else row["passed"]),
        "first_try": clustered(scored, lambda row: row["first"]),
        "score": clustered(scored, lambda row: row["score"]),
        "runs": clustered(scored, lambda row: row["runs"]),
        "does_the_brief": clustered(scored, lambda row: row["brief"]),
        "relations": [
            {"relation": name or "not said", "responses": len(mine), "estimate": clustered(mine, lambda r: r["passed"])}
            for name, mine in grouped(scored, "relation")
        ],
        "people": named(scored, "who"),
        "families": named(scored, "family"),
        "items": [
            {"id": name, "share": share(mine), **{key: mine[0][key] for key in ("family", "instance", "wording")}}
            for name, mine in by_item
        ],
        "models": [model_figures(who, mine) for who, mine in grouped(theirs, "who")],
        "paired": paired,
        "many_people": many_people([(sum(row["passed"] for row in mine), len(mine)) for _, mine in by_item]),
        "times": times(scored),
        "categories": categories(scored),
        "failed": sum(row["passed"] is False for row in scored),
        "forecasts": forecasts(scored),
        "alpha": alpha([[row["choice"] or row["passed"] for row in mine] for _, mine in by_item]),
        "scale": rasch_check(scored, told["scale"]["difficulties"]),
        "effort": {name: mean(row[name] for row in answered) for name in told["effort"]},
        "wordings": dict(Counter(mine[0]["wording"] for _, mine in by_item)),
        "by_wording": named(scored, "wording"),
        "people_matrix": matrix(scored, items),
        "model_matrix": matrix(theirs, items),
    }


def counts(marked: list[Row], used: list[Row], scored: list[Row]) -> Figures:
    kept = {row["who"] for row in marked if not row["excluded"]}
    return {
        "people": len({row["who"] for row in scored}), "items": len({row["item"] for row in scored}),
        "responses": len(scored), "timeouts": sum(row["state"] == "timeout" for row in scored),
        "unanswered": sum(row["state"] == "unanswered" for row in used),
        "unscored": sum(row["state"] == "unscored" for row in used),
        "seen_before": sum(row["seen"] for row in scored), "flagged": sum(row["flagged"] for row in scored),
        "people_excluded": len({row["who"] for row in marked} - kept),
        "rows_excluded": sum(row["excluded"] and not row["repeat"] for row in marked),
        "repeats": sum(row["repeat"] for row in marked),
    }  # fmt: skip


def model_figures(who: str, rows: list[Row]) -> Figures:
    scored = [row for row in rows if row["passed"] is not None]
    return {
        "id": who, "n": len(scored), "passed": sum(row["passed"] for row in scored), "errors": len(rows) - len(scored),
        "estimate": clustered(scored, lambda row: row["passed"], "instance"), "wilson": share(scored),
        "score": mean(row["score"] for row in scored), "families": named(scored, "family"),
        "categories": categories(scored),
    }  # fmt: skip


def against(people: list[Row], who: str, model: list[Row]) -> Figures:
    tried = [row for row in model if row["passed"] is not None]
    result = {item: mean(row["passed"] for row in mine) for item, mine in grouped(tried, "item")}
    shared = [row for row in people if row["item"] in result]
    if not shared:
        return {"items": 0}
    rates = {item: mean(row["passed"] for row in mine) for item, mine in grouped(shared, "item")}
    cluster = {row["item"]: row["instance"] for row in shared}
    sums: dict[str, float] = {}
    for item in rates:
        sums[cluster[item]] = sums.get(cluster[item], 0.0) + rates[item] - result[item]
    names, clusters = sorted({row["who"] for row in shared}), sorted(sums)
    made = {"value": mean(rates[item] - result[item] for item in rates), "low": None, "high": None}
    if len(names) > 1 and len(clusters) > 1:
        made["low"], made["high"] = crossed(shared, result, names, cluster, clusters)
    majority = [(rates[i] > 0.5) - (rates[i] < 0.5) - (result[i] > 0.5) + (result[i] < 0.5) for i in rates]
    return {
        "model": who, "items": len(rates), "difference": {**made, "clusters": len(clusters)},
        "p": sign_flip([sums[name] for name in clusters]) if len(clusters) > 1 else None,
        "by_majority": tally(majority), "by_response": tally([row["passed"] - result[row["item"]] for row in shared]),
    }  # fmt: skip


def crossed(
    rows: list[Row], result: dict[str, float], names: list[str], cluster: dict[str, str], clusters: list[str]
) -> tuple[float, float]:
    """People and instances both drawn again, in each replicate."""
    answers: dict[str, list[tuple[str, bool]]] = {name: [] for name in names}
    for row in rows:
        answers[row["who"]].append((row["item"], row["passed"]))
    values = []
    for people, instances in zip(draws(len(names), SEED), draws(len(clusters), SEED + 1), strict=True):
        good: Counter[str] = Counter()
        n: Counter[str] = Counter()
        for i in people:
            for item, passed in answers[names[i]]:
                good[item] += passed
                n[item] += 1
        times = Counter(clusters[i] for i in instances)
        total = sum(times[cluster[item]] for item in n)
        if total:
            values.append(sum(times[cluster[i]] * (good[i] / n[i] - result[i]) for i in n) / total)
    return interval(values)


def tally(differences: Sequence[float]) -> Figures:
    wins, losses = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
    return {"wins": wins, "ties": len(differences) - wins - losses, "losses": losses}


def many_people(tallies: list[tuple[int, int]]) -> list[Figures]:
    made = []
    for k in (1, 2, 3, 5, 10, 20):
        enough = [(good, n) for good, n in tallies if n >= k]
        if enough:
            none = [math.prod((n - good - j) / (n - j) for j in range(k)) for good, n in enough]
            every = [math.prod((good - j) / (n - j) for j in range(k)) for good, n in enough]
            made.append({"k": k, "items": len(enough), "any_of_k": mean(1 - x for x in none), "all_of_k": mean(every)})
    return made


def times(rows: list[Row]) -> Figures:
    done = [row["success"] is not None for row in rows]
    spent = [row["seconds"] if row["success"] is None else row["success"] for row in rows]
    success = [time for time, good in zip(spent, done, strict=True) if good]
    failure = [time for time, good in zip(spent, done, strict=True) if not good]
    steps = kaplan_meier(spent, done)
    return {
        "success": durations(success), "failure": durations(failure), "km": steps, "limits": list(LIMITS),
        "km_median": next((step["time"] for step in steps if step["survival"] <= 0.5 + 1e-12), None),
        "share_by": [sum(t <= limit for t in success) / len(rows) if rows else None for limit in LIMITS],
    }  # fmt: skip


def forecasts(rows: list[Row]) -> Figures:
    stated = [row for row in rows if row["confidence"] is not None]
    bins = []
    for k in range(10):
        here = [row for row in stated if min(int(row["confidence"] * 10 + 1e-9), 9) == k]
        if here:
            sure, right = mean(row["confidence"] for row in here), mean(row["passed"] for row in here)
            bins.append({"low": k / 10, "high": (k + 1) / 10, "n": len(here), "confidence": sure, "accuracy": right})
    gaps = [each["n"] * abs(each["confidence"] - each["accuracy"]) for each in bins]
    return {
        "n": len(stated), "brier": clustered(stated, lambda row: row["brier"]),
        "log_score": clustered(stated, lambda row: row["log"]), "bins": bins,
        "overconfidence": clustered(stated, lambda row: row["confidence"] - row["passed"]),
        "calibration_error": sum(gaps) / len(stated) if stated else None,
    }  # fmt: skip


def matrix(rows: list[Row], items: list[str]) -> Figures:
    found = []
    for _, mine in grouped(rows, "who"):
        tried = dict(grouped([row for row in mine if row["passed"] is not None], "item"))
        passed = {item: sum(row["passed"] for row in each) > len(each) / 2 for item, each in tried.items()}
        found.append([int(passed[item]) if item in passed else None for item in items])
    return {"items": items, "respondents": sorted({row["who"] for row in rows}), "values": found}


# Comparing ------------------------------------------------------------------------------------------------------------


def compare(ours: Any, theirs: Any, place: str, found: list[str]) -> int:
    """Collect places that differ in `found`; returns how many numbers were compared."""
    if isinstance(theirs, dict):
        keys = theirs.keys() - NOT_IN_TABLES
        if not isinstance(ours, dict) or keys != ours.keys() - NOT_IN_TABLES:
            found.append(f"{place}: other fields: {sorted(keys ^ set(ours or ()))[:5]}")
            return 0
        return sum(compare(ours[key], theirs[key], f"{place}.{key}", found) for key in sorted(keys))
    if isinstance(theirs, list):
        if not isinstance(ours, list) or len(ours) != len(theirs):
            found.append(f"{place}: another length")
            return 0
        return sum(compare(a, b, f"{place}[{i}]", found) for i, (a, b) in enumerate(zip(ours, theirs, strict=True)))
    numbers = isinstance(theirs, int | float) and isinstance(ours, int | float)
    if not (math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9) if numbers else ours == theirs):
        found.append(f"{place}: the report says {theirs!r}, the tables give {ours!r}")
    return int(isinstance(theirs, int | float))


def recompute(folder: Path, told: Figures) -> Figures:
    """The figures, as figures.json has them."""
    people, models = people_rows(folder), model_rows(folder)
    conditions = [name for name in CONDITIONS if any(row["condition"] == name for row in people)]
    marked = (read(folder, name) for name in ("participants", "presentations", "withdrawals"))
    simulated = any(row["simulated"] == "true" for table in marked for row in table)
    variants = [
        {
            "name": name,
            "conditions": [
                condition_figures(people, models, condition, name == "everyone", theirs)
                for condition, theirs in zip(conditions, variant["conditions"], strict=True)
            ],
        }
        for name, variant in zip(("primary", "everyone"), told["variants"], strict=True)
    ]
    return {
        "simulated": simulated, "seed": SEED, "replicates": REPLICATES, "flips": FLIPS,
        "variants": variants, "withdrawals": len(read(folder, "withdrawals")),
    }  # fmt: skip


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if len(arguments) == 1 else None
    if folder is None or not (folder / "figures.json").is_file():
        print("usage: python recompute.py REPORT_FOLDER (with figures.json and tables/)", file=sys.stderr)
        return 2
    told = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
    found: list[str] = []
    compared = compare(recompute(folder / "tables", told), told, "figures", found)
    for line in found[:20]:
        print(line)
    print(f"{compared - len(found)} of {compared} numbers agree." if not found else f"{len(found)} places differ.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
