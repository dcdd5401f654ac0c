"""Places items on one scale of difficulty that does not depend on who answered which of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import networkx as nx
import numpy as np

from archstudio.stats.extra import of_study

LEAST_PEOPLE: Final = 30
LEAST_ITEMS: Final = 20
"""Below about 30 people by 20 items, difficulties are too uncertain to be shown."""


class TooFew(ValueError):
    """There are too few answers for a Rasch model; `people` and `items` say how many that can inform one."""

    def __init__(self, people: int, items: int) -> None:
        self.people, self.items = people, items
        super().__init__(
            f"{people} people and {items} items can inform a Rasch model; it takes {LEAST_PEOPLE} and {LEAST_ITEMS}"
        )


@dataclass(frozen=True)
class Difficulty:
    """An item's difficulty in logits, mean 0 over items, and its standard error."""

    item: str
    value: float
    se: float


def rasch(answers: Sequence[Mapping[str, bool]]) -> list[Difficulty]:
    """Difficulties by conditional maximum likelihood, from each person's answers to whichever items they had.

    Only what `informative` keeps is placed. Raises TooFew.    [E. B. Andersen, 1970]
    """
    people, items = informative(answers)
    if len(people) < LEAST_PEOPLE or len(items) < LEAST_ITEMS:
        raise TooFew(len(people), len(items))
    place = {item: number for number, item in enumerate(items)}
    rows = [(np.asarray([place[item] for item in mine]), sum(mine.values())) for mine in people]
    solved = np.zeros(len(items))
    for mine in people:
        for item, right in mine.items():
            solved[place[item]] += right
    return _solve(items, _patterns(rows), solved)


def informative(answers: Sequence[Mapping[str, bool]]) -> tuple[list[dict[str, bool]], list[str]]:
    """What can be placed on one scale: the largest set of items that are compared both ways, and who compares them.

    A person who solves one item and not another says that the other is harder. Between items of the set such words lead
    from each to each, else some difficulty would be infinite; people with all or none of them right are left out.
    [G. H. Fischer, Psychometrika 46, 1981]
    """
    people = [dict(each) for each in answers]
    while True:
        items = _compared(people)
        kept = [{item: right for item, right in mine.items() if item in items} for mine in people]
        kept = [mine for mine in kept if len(set(mine.values())) == 2]
        if kept == people:
            return kept, sorted(items)
        people = kept


def _compared(people: Sequence[Mapping[str, bool]]) -> set[str]:
    """The largest strongly connected set of items; of equally large ones that with the first name."""
    harder: nx.DiGraph[str] = nx.DiGraph()
    for mine in people:
        solved, failed = ([item for item, right in mine.items() if right is wanted] for wanted in (True, False))
        harder.add_edges_from((easy, hard) for easy in solved for hard in failed)
    sets = sorted(nx.strongly_connected_components(harder), key=lambda items: (-len(items), min(items)))
    return set(sets[0]) if sets else set()


def _patterns(rows: Sequence[tuple[Any, int]]) -> list[tuple[Any, dict[int, int]]]:
    """People with the same items share their elementary symmetric functions: items, and people by number right."""
    grouped: dict[tuple[int, ...], tuple[Any, dict[int, int]]] = {}
    for items, right in rows:
        order = np.sort(items)
        _, counts = grouped.setdefault(tuple(order), (order, {}))
        counts[right] = counts.get(right, 0) + 1
    return list(grouped.values())


def _solve(items: Sequence[str], patterns: Sequence[tuple[Any, dict[int, int]]], solved: Any) -> list[Difficulty]:
    """Newton's method on easiness, with the information matrix made regular by the constraint of mean 0."""
    easiness = np.zeros(len(items))
    for _ in range(200):
        expected, information = _moments(easiness, patterns)
        step = np.clip(np.linalg.solve(information + 1.0 / len(items), solved - expected), -1.0, 1.0)
        easiness += step - step.mean()
        if np.abs(step).max() < 1e-11:
            break
    else:
        raise ArithmeticError("the Rasch model does not settle")
    _, information = _moments(easiness, patterns)
    spread = np.sqrt(np.diag(of_study("scipy.linalg").pinvh(information)))
    return [Difficulty(item, float(-e), float(s)) for item, e, s in zip(items, easiness, spread, strict=True)]


def _moments(easiness: Any, patterns: Sequence[tuple[Any, dict[int, int]]]) -> tuple[Any, Any]:
    """Expected numbers solved given each person's total, and their covariance, summed over people."""
    expected, information = np.zeros(len(easiness)), np.zeros((len(easiness), len(easiness)))
    for items, counts in patterns:
        odds = np.exp(easiness[items])
        single, pairs = _inclusion(odds)
        for right, people in counts.items():
            expected[items] += people * single[:, right]
            covariance = pairs[:, :, right] - np.outer(single[:, right], single[:, right])
            information[np.ix_(items, items)] += people * covariance
    return expected, information


def _inclusion(odds: Any) -> tuple[Any, Any]:
    """Chances that each item, and each pair (itself on the diagonal), is among the solved, by number solved."""
    n = len(odds)
    first, second = np.triu_indices(n, 1)
    whole = _symmetric(odds[None, :])[0]
    without = np.repeat(odds[None, :], n, axis=0)
    np.fill_diagonal(without, 0.0)
    single = np.zeros((n, n + 1))
    single[:, 1:] = odds[:, None] * _symmetric(without)[:, :-1] / whole[1:]
    rest = np.repeat(odds[None, :], len(first), axis=0)
    rest[np.arange(len(first)), first] = rest[np.arange(len(first)), second] = 0.0
    pairs = np.zeros((n, n, n + 1))
    pairs[first, second, 2:] = (odds[first] * odds[second])[:, None] * _symmetric(rest)[:, :-2] / whole[2:]
    pairs += pairs.transpose(1, 0, 2)
    pairs[np.arange(n), np.arange(n)] = single
    return single, pairs


def _symmetric(odds: Any) -> Any:
    """Elementary symmetric functions of order 0 to n of each row, by the summation algorithm; odds of 0 add nothing."""
    made = np.zeros((odds.shape[0], odds.shape[1] + 1))
    made[:, 0] = 1.0
    for number in range(odds.shape[1]):
        made[:, 1 : number + 2] += odds[:, number, None] * made[:, : number + 1].copy()
    return made
