"""Splits a pack into parts that share no candidate or no data set, and joins packs into collections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.pack import NO_LICENCE, Answer, Asked, PackedData, QuestionPack, assembled
from archstudio.intuition.packs.unfold import NEEDS_KEY, choice_ids

By = Literal["candidate", "dataset"]


class CannotSplit(ValueError):
    """The parts that were asked for cannot be made; the text says why and what to do."""


@dataclass(frozen=True)
class Parted:
    """Parts as places of questions, and the places of those that would have tied two parts together."""

    parts: tuple[tuple[int, ...], ...]
    dropped: tuple[int, ...]


@dataclass(frozen=True)
class Split:
    """The packs of a split in order, and the ids of questions that are in none of them."""

    packs: tuple[QuestionPack, ...]
    dropped: tuple[str, ...]


@dataclass(frozen=True)
class Joined:
    """A collection, and the ids of questions that several of its packs held."""

    pack: QuestionPack
    repeated: tuple[str, ...]


def split_pack(pack: QuestionPack, by: By, shares: Sequence[float], seed: int) -> Split:
    """Split a pack so that no candidate, or no data set, is in two parts. Raises `CannotSplit`, `UnusableFile`."""
    _answers(pack)
    owned: list[frozenset[Hashable]] = []
    for question in pack.questions:
        ids = choice_ids(question, pack.items.data[question.data])
        owned.append(frozenset(ids.values()) if by == "candidate" else frozenset({question.data}))
    ranks = [sha256(f"{seed}:{question.id}".encode()).hexdigest() for question in pack.questions]
    parted = parted_by(owned, ranks, shares)
    if empty := [place for place, part in enumerate(parted.parts, 1) if not part]:
        told = f"Part {empty[0]} of {len(shares)} would be empty"
        raise CannotSplit(f"{told}: the questions share too many {by}s. Ask for fewer parts, or split otherwise.")
    packs = tuple(
        _part(pack, part, f"{pack.manifest.title}, part {place} of {len(shares)}", seed)
        for place, part in enumerate(parted.parts, 1)
    )
    return Split(packs, tuple(pack.questions[place].id for place in parted.dropped))


def parted_by(owned: Sequence[frozenset[Hashable]], ranks: Sequence[str], shares: Sequence[float]) -> Parted:
    """Part questions, of which each owns something, so that nothing is owned in two parts.

    Questions that are tied together stay together where a part has room for them. What has no room anywhere is cut:
    its questions fill parts one after the other, and those in between, which own something of two parts, are dropped.
    Questions that all own the same cannot be cut; they go whole to the part that lacks most. Raises `CannotSplit`.
    """
    room = _quotas(len(owned), shares)
    parts: list[list[int]] = [[] for _ in shares]
    dropped: list[int] = []
    groups = sorted(_tied(owned, ranks), key=lambda group: (-len(group), ranks[group[0]]))
    for group in groups:
        most = max(range(len(shares)), key=lambda part: (room[part], -part))
        if len(group) <= room[most] or len({owned[place] for place in group}) == 1:
            parts[most] += group
            room[most] -= len(group)
        else:
            dropped += _cut(group, owned, parts, room)
    return Parted(tuple(tuple(sorted(part)) for part in parts), tuple(sorted(dropped)))


def _quotas(count: int, shares: Sequence[float]) -> list[int]:
    """Whole numbers in the proportion of the shares, by largest remainder."""
    if len(shares) < 2 or min(shares) <= 0 or abs(sum(shares) - 1) > 1e-6:
        listed = ", ".join(f"{share:g}" for share in shares)
        raise CannotSplit(f"The parts are {listed}: there are at least two, above 0, and together they are 1.")
    exact = [share * count for share in shares]
    quotas = [int(value) for value in exact]
    by_rest = sorted(range(len(shares)), key=lambda part: (quotas[part] - exact[part], part))
    for part in by_rest[: count - sum(quotas)]:
        quotas[part] += 1
    return quotas


def _tied(owned: Sequence[frozenset[Hashable]], ranks: Sequence[str]) -> list[list[int]]:
    """Groups of questions that own something in common, directly or by way of others; neighbours stand together."""
    holders: dict[Hashable, list[int]] = defaultdict(list)
    for place in sorted(range(len(owned)), key=lambda place: ranks[place]):
        for thing in owned[place]:
            holders[thing].append(place)
    seen: set[int] = set()
    groups = []
    for first in sorted(range(len(owned)), key=lambda place: ranks[place]):
        if first in seen:
            continue
        seen.add(first)
        group = [first]
        for place in group:  # grows while it is walked: breadth first
            near = {other for thing in owned[place] for other in holders[thing]} - seen
            seen |= near
            group += sorted(near, key=lambda other: ranks[other])
        groups.append(group)
    return groups


def _cut(
    group: Sequence[int], owned: Sequence[frozenset[Hashable]], parts: Sequence[list[int]], room: list[int]
) -> list[int]:
    """Fill parts with a group's questions in order; return those that are tied to two parts, or find no room."""
    owner: dict[Hashable, int] = {}
    dropped = []
    for place in group:
        owners = {owner[thing] for thing in owned[place] if thing in owner}
        fitting = [part for part in (owners or range(len(parts))) if room[part] > 0]
        if len(owners) > 1 or not fitting:
            dropped.append(place)
            continue
        part = max(fitting, key=lambda one: (room[one], -one))
        parts[part].append(place)
        room[part] -= 1
        owner |= dict.fromkeys(owned[place], part)
    return dropped


def join_packs(packs: Sequence[QuestionPack], *, title: str, seed: int = 0) -> Joined:
    """Return a collection of all questions of some packs, each once; blind if one of them is. Raises `UnusableFile`."""
    data: dict[str, PackedData] = {}
    found: dict[str, tuple[Asked, Answer]] = {}
    repeated: list[str] = []
    for pack in packs:
        answers = _answers(pack)
        data |= pack.items.data
        for question in pack.questions:
            if question.id in found:
                repeated.append(question.id)
            found.setdefault(question.id, (question, answers[question.id]))
    licences = dict.fromkeys(pack.manifest.licence for pack in packs)
    licence = "; ".join(licences) or NO_LICENCE
    blind = any(pack.blind for pack in packs)
    made = assembled(data, found, title=title, seed=seed, blind=blind, licence=licence)
    return Joined(made, tuple(dict.fromkeys(repeated)))


def _part(pack: QuestionPack, places: Sequence[int], title: str, seed: int) -> QuestionPack:
    answers = _answers(pack)
    chosen = {(question := pack.questions[place]).id: (question, answers[question.id]) for place in places}
    return assembled(pack.items.data, chosen, title=title, seed=seed, blind=pack.blind, licence=pack.manifest.licence)


def _answers(pack: QuestionPack) -> Mapping[str, Answer]:
    if pack.answers is None:
        raise UnusableFile(pack.manifest.title, problem="It holds no answers", remedy=NEEDS_KEY)
    return pack.answers
