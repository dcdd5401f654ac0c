"""People beside models on the same items, and several people together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from archstudio.stats import pass_at_k, pass_every_k
from archstudio.stats.families import holm
from archstudio.stats.resampling import Crossed, paired_difference
from archstudio.study.report.rows import Row
from archstudio.study.report.shape import ManyPeople, PairedFigure, Tally
from archstudio.study.report.shares import grouped, respondent

SIZES: Final = (1, 2, 3, 5, 10, 20)
"""Numbers of people for whom "any of k" and "all of k" are worked out."""


def paired_figures(people: Sequence[Row], models: Iterable[Row]) -> tuple[PairedFigure, ...]:
    """People minus each model's run on the items both answered; Holm over all of them."""
    scored = [row for row in people if row.scored]
    made = [_paired(scored, name, mine) for name, mine in grouped(models, respondent).items()]
    made = [each for each in made if each.items]
    adjusted = holm([each.p for each in made])
    return tuple(replace(each, p_holm=value) for each, value in zip(made, adjusted, strict=True))


def _paired(people: Sequence[Row], name: str, model: Sequence[Row]) -> PairedFigure:
    results = _results(model)
    common = sorted({row.item_id for row in people if row.item_id in results})
    shared = [row for row in people if row.item_id in results]
    answers = _crossed(shared, common)
    theirs = [results[item] for item in common]
    found = paired_difference(answers, theirs)
    shares = answers.shares()
    return PairedFigure(
        model=name,
        items=found.items,
        difference=found.difference,
        p=found.p,
        p_holm=None,
        by_majority=_tally([float(np.sign(s - 0.5) - np.sign(t - 0.5)) for s, t in zip(shares, theirs, strict=True)]),
        by_response=_tally([float(row.passed is True) - results[row.item_id] for row in shared]),
    )


def _results(model: Iterable[Row]) -> dict[str, float]:
    """The model's result on each item: the mean over its tries, where it had several."""
    tries = grouped([row for row in model if row.passed is not None], lambda row: row.item_id)
    return {item: sum(row.passed is True for row in mine) / len(mine) for item, mine in tries.items()}


def _tally(differences: Sequence[float]) -> Tally:
    wins, losses = sum(each > 0 for each in differences), sum(each < 0 for each in differences)
    return Tally(wins, len(differences) - wins - losses, losses)


def _crossed(rows: Sequence[Row], items: Sequence[str]) -> Crossed:
    """People in ascending order of their ids, instances likewise."""
    people = {name: number for number, name in enumerate(sorted({row.respondent_id for row in rows}))}
    place = {item: number for number, item in enumerate(items)}
    instances = {row.item_id: row.instance for row in rows}
    ordered = {name: number for number, name in enumerate(sorted(set(instances.values())))}
    sums, counts = np.zeros((len(people), len(items))), np.zeros((len(people), len(items)))
    for row in rows:
        cell = people[row.respondent_id], place[row.item_id]
        sums[cell] += bool(row.passed)
        counts[cell] += 1
    return Crossed(sums, counts, [ordered[instances[item]] for item in items])


def many_people(rows: Iterable[Row]) -> tuple[ManyPeople, ...]:
    """Any of k and all of k people, over items that at least k people answered."""
    by_item = grouped([row for row in rows if row.scored], lambda row: row.item_id)
    tallies = [(sum(row.passed is True for row in mine), len(mine)) for mine in by_item.values()]
    return tuple(_many(tallies, k) for k in SIZES if any(n >= k for _, n in tallies))


def _many(tallies: Sequence[tuple[int, int]], k: int) -> ManyPeople:
    enough = [(good, n) for good, n in tallies if n >= k]
    any_of = [pass_at_k(good, n, k) or 0.0 for good, n in enough]
    all_of = [pass_every_k(good, n, k) or 0.0 for good, n in enough]
    return ManyPeople(k, len(enough), sum(any_of) / len(enough), sum(all_of) / len(enough))
