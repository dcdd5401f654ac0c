"""Splits share no candidate or no data set and lose only what they say; collections hold each question once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.packs.make import make_pack
from archstudio.intuition.packs.pack import QuestionPack
from archstudio.intuition.packs.split import CannotSplit, join_packs, parted_by, split_pack
from archstudio.intuition.packs.unfold import choice_ids

Bake = Callable[..., BakeFile]

SHARES = st.sampled_from([(0.8, 0.2), (0.5, 0.5), (0.5, 0.25, 0.25), (0.1, 0.9)])
OWNED = st.lists(st.frozensets(st.integers(0, 30), min_size=2, max_size=3), min_size=1, max_size=40)


def _ranks(count: int) -> list[str]:
    return [f"{(7 * place) % 101:03}-{place}" for place in range(count)]


@given(OWNED, SHARES)
def test_whatever_questions_share_no_part_shares_it_and_none_is_lost_unsaid(
    owned: list[frozenset[int]], shares: tuple[float, ...]
) -> None:
    parted = parted_by(owned, _ranks(len(owned)), shares)
    held = [frozenset().union(*(owned[place] for place in part)) for part in parted.parts]
    for place, one in enumerate(held):
        assert not any(one & other for other in held[place + 1 :])
    assert sorted([*parted.dropped, *(place for part in parted.parts for place in part)]) == list(range(len(owned)))
    assert parted == parted_by(owned, _ranks(len(owned)), shares)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), SHARES)
def test_whole_data_sets_go_to_parts_and_nothing_is_dropped(sets: list[int], shares: tuple[float, ...]) -> None:
    owned = [frozenset({each}) for each in sets]
    parted = parted_by(owned, _ranks(len(owned)), shares)
    assert parted.dropped == ()
    assert sum(map(len, parted.parts)) == len(sets)


@given(st.integers(5, 60), SHARES)
def test_questions_that_share_nothing_are_split_by_the_shares(count: int, shares: tuple[float, ...]) -> None:
    parted = parted_by([frozenset({place}) for place in range(count)], _ranks(count), shares)
    assert all(abs(len(part) - share * count) < 1 for part, share in zip(parted.parts, shares, strict=True))


def test_a_chain_of_questions_is_cut_where_little_is_lost() -> None:
    owned = [frozenset({place, place + 1}) for place in range(20)]
    parted = parted_by(owned, _ranks(20), (0.5, 0.5))
    assert len(parted.dropped) <= 2
    assert min(map(len, parted.parts)) >= 8


def test_a_pack_is_split_by_candidate_with_its_answers(bake: Bake) -> None:
    pack = make_pack([bake(10)], title="Ten")
    split = split_pack(pack, "candidate", (0.8, 0.2), seed=1)
    assert [part.manifest.n for part in split.packs] == [8, 2]
    assert split.dropped == ()
    assert not _candidates(split.packs[0]) & _candidates(split.packs[1])
    assert all(part.answers[q.id] == pack.answers[q.id] for part in split.packs for q in part.questions)
    again = split_pack(pack, "candidate", (0.8, 0.2), seed=1)
    assert [part.file_bytes() for part in again.packs] == [part.file_bytes() for part in split.packs]
    assert {q.id for q in split_pack(pack, "candidate", (0.8, 0.2), seed=2).packs[1].questions} != {
        q.id for q in split.packs[1].questions
    }


def _candidates(pack: QuestionPack) -> set[str]:
    return {name for q in pack.questions for name in choice_ids(q, pack.items.data[q.data]).values()}


def test_a_pack_is_split_by_data_set(bake: Bake) -> None:
    pack = make_pack([bake(6, seed=1), bake(2, seed=2)], title="Eight")
    split = split_pack(pack, "dataset", (0.75, 0.25), seed=0)
    assert [part.manifest.n for part in split.packs] == [6, 2]
    assert not split.packs[0].items.data.keys() & split.packs[1].items.data.keys()


@pytest.mark.parametrize(
    ("shares", "told"),
    [((0.5, 0.5), "would be empty"), ((0.5, 0.6), "together they are 1"), ((1.0,), "at least two")],
)
def test_what_cannot_be_split_is_told(bake: Bake, shares: tuple[float, ...], told: str) -> None:
    with pytest.raises(CannotSplit, match=told):
        split_pack(make_pack([bake(4)], title="One data set"), "dataset", shares, seed=0)


def test_a_collection_holds_every_question_once(bake: Bake) -> None:
    one, both = (
        make_pack([bake(3)], title="One"),
        make_pack([bake(3), bake(2, seed=2)], title="Both", licence="CC0-1.0"),
    )
    joined = join_packs([one, both], title="All")
    assert joined.pack.manifest.n == 5
    assert set(joined.repeated) == {question.id for question in one.questions}
    assert joined.pack.manifest.licence == "not stated; CC0-1.0"


def test_parts_joined_again_are_the_pack(bake: Bake) -> None:
    pack = make_pack([bake(6)], title="Six", seed=3)
    parts = split_pack(pack, "candidate", (0.5, 0.5), seed=9).packs
    assert join_packs(parts, title="Six", seed=3).pack == pack


def test_a_blind_pack_is_split_and_joined_only_with_its_key_and_stays_blind(bake: Bake) -> None:
    pack = make_pack([bake(4)], title="Blind", blind=True)
    shut = QuestionPack(pack.manifest, pack.items, None)
    for attempt in (lambda: split_pack(shut, "candidate", (0.5, 0.5), 0), lambda: join_packs([shut], title="x")):
        with pytest.raises(UnusableFile, match="holds no answers"):
            attempt()
    assert all(part.blind for part in split_pack(pack, "candidate", (0.5, 0.5), 0).packs)
    assert join_packs([pack, make_pack([bake(2, seed=2)], title="Open")], title="x").pack.blind
