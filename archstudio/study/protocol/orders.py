"""Everything random in a study: drawn from the benchmark's own 32-bit stream, so that no platform differs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Final, TypeVar

from archstudio.bench.mulberry import Mulberry32
from archstudio.study.protocol.model import Order, Sampling
from archstudio.study.records import Condition

STREAM_VERSION: Final = 1
"""Version of these rules; another order for the same seed is another version."""

T = TypeVar("T")


def stream(*parts: int | str) -> Mulberry32:
    """A stream of its own for each purpose: seeded by the first 32 bits of sha256 over the parts."""
    return Mulberry32(seed_of(*parts))


def seed_of(*parts: int | str) -> int:
    """32 bits that follow from the parts."""
    text = "\x1f".join(str(part) for part in (STREAM_VERSION, *parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def shuffled(items: Sequence[T], draws: Mulberry32) -> list[T]:
    """A permutation, each equally likely.    [R. Fisher and F. Yates; R. Durstenfeld, CACM 7(7), 1964]"""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = draws.integer(0, last)
        result[last], result[other] = result[other], result[last]
    return result


def sample(ids: Sequence[str], families: Mapping[str, str], rule: Sampling) -> list[str]:
    """The study's main items, in the order of their sources."""
    if rule.count is None or rule.count >= len(ids):
        return list(ids)
    if rule.rule == "first":
        return list(ids[: rule.count])
    draws = stream("sampling", rule.seed)
    if rule.rule == "random":
        chosen = set(shuffled(ids, draws)[: rule.count])
    else:
        groups: dict[str, list[str]] = {}
        for name in ids:
            groups.setdefault(families[name], []).append(name)
        dealt = zip_longest(*(shuffled(group, draws) for group in groups.values()))
        chosen = set([name for row in dealt for name in row if name is not None][: rule.count])
    return [name for name in ids if name in chosen]


def assigned_condition(conditions: Sequence[Condition], seed: int, number: int) -> tuple[Condition, int]:
    """The condition of person `number` (from 0), and the block it lies in; each block holds each condition once."""
    block, place = divmod(number, len(conditions))
    return shuffled(conditions, stream("assignment", seed, block))[place], block


def item_order(ids: Sequence[str], order: Order, per_person: int | None, order_seed: int, number: int) -> list[str]:
    """The main items of person `number` in their order.

    `counterbalanced`: one shuffle for the study; person n begins n places further on (by whole shares where people
    get only some items, so that items are used equally often), and every second round runs backwards.
    """
    share = min(per_person or len(ids), len(ids))
    if order.rule == "counterbalanced":
        base = shuffled(ids, stream("order", order.seed))
        step = share if share < len(ids) else 1
        start = number * step % len(ids)
        turned = (base[start:] + base[:start])[:share]
        backwards = (number * step // len(ids)) % 2 == 1
        return turned[::-1] if backwards else turned
    base = shuffled(ids, stream("share", order.seed)) if share < len(ids) else list(ids)
    start = number * share % len(ids)
    mine = set((base[start:] + base[:start])[:share])
    kept = [name for name in ids if name in mine]
    return kept if order.rule == "fixed" else shuffled(kept, stream("items", order_seed))


def option_order(candidates: Sequence[str], order: Order, order_seed: int, item_id: str) -> list[str]:
    """Candidate ids in the order in which a person sees them; the same item and seed give the same order."""
    if not order.permute_options:
        return list(candidates)
    return shuffled(candidates, stream("options", order_seed, item_id))
