"""Packs of ours: the same questions are the same bytes, the answers are apart, and what was altered is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import zip_bytes
from archstudio.intuition.evaluate.items import read_items
from archstudio.intuition.packs.bake import BakeFile, bake_bytes
from archstudio.intuition.packs.leaks import CHECKS, check_pack
from archstudio.intuition.packs.make import make_pack, save_pack, write_pack
from archstudio.intuition.packs.pack import ITEMS, MANIFEST, SEALED_KEY, QuestionPack, content_bytes, manifest_id
from archstudio.intuition.packs.practice import make_practice
from archstudio.intuition.packs.read import is_pack_path, read_pack, read_questions
from archstudio.intuition.packs.unfold import asked_questions, baked

Bake = Callable[..., BakeFile]


@pytest.fixture
def pack(bake: Bake) -> QuestionPack:
    return make_pack([bake(4)], title="Four")


@pytest.mark.parametrize("name", ["four.iqpack", "four"])
def test_a_pack_is_read_back_as_it_was_from_a_file_and_from_a_folder(pack, tmp_path: Path, name: str) -> None:
    save_pack(pack, tmp_path / name)
    assert read_pack(tmp_path / name) == pack
    assert is_pack_path(tmp_path / name)


def test_the_same_questions_and_seed_are_the_same_bytes_in_whatever_order_they_come(bake: Bake) -> None:
    one, other = bake(3, seed=1), bake(3, seed=2)
    first = make_pack([one, other], title="Six", seed=5)
    assert make_pack([other, one], title="Six", seed=5).file_bytes() == first.file_bytes()
    another = make_pack([one, other], title="Six", seed=6)
    assert another.manifest.id != first.manifest.id
    assert {q.id for q in another.questions} == {q.id for q in first.questions}
    assert [q.id for q in another.questions] != [q.id for q in first.questions]


def test_what_comes_back_is_every_question_with_its_answer(bake: Bake) -> None:
    went = bake(4)
    back = baked(make_pack([went], title="Four"))
    assert _answers(back) == _answers(went)
    assert [len(q.detail.choices) for q in back.by_id.values()] == [3] * 4


def _answers(pack: BakeFile) -> dict[str, tuple[str, dict[str, float]]]:
    """The right set-up and all results, by prompt."""
    told = {}
    for question in pack.by_id.values():
        named = {choice.letter: choice.candidate_id for choice in question.detail.choices}
        results = {row.candidate_id: row.mean for row in question.reveal.ranked}
        told[question.detail.prompt] = named[question.reveal.correct_letter], results
    return told


def test_the_items_hold_nothing_of_the_answers_or_of_where_they_were_made(bake: Bake, pack) -> None:
    items = pack.members()[ITEMS].decode()
    for question in bake(4).by_id.values():
        hidden = [question.id, question.dataset_id, question.source_run, "dataset_spec.json", question.title]
        for row in question.reveal.ranked:
            hidden += [row.candidate_id, str(row.mean), row.label]
        assert not [text for text in hidden if text in items]


def test_a_sealed_key_is_not_found_by_searching(bake: Bake, pack) -> None:
    sealed = pack.members()[SEALED_KEY]
    question = next(iter(bake(4).by_id.values()))
    assert question.reveal.ranked[0].candidate_id.encode() not in sealed
    assert b"correct" not in sealed


def test_a_blind_pack_holds_no_key_and_opens_with_its_own(bake: Bake, tmp_path: Path) -> None:
    write_pack(tmp_path / "b.iqpack", [bake(4)], title="Blind", blind=True)
    shut = read_pack(tmp_path / "b.iqpack")
    assert shut.answers is None
    assert SEALED_KEY not in shut.members()
    assert len(asked_questions(shut)) == 4
    with pytest.raises(UnusableFile, match="The pack is blind"):
        read_questions(tmp_path / "b.iqpack")
    opened = read_questions(tmp_path / "b.iqpack", tmp_path / "b.key")
    assert _answers(opened) == _answers(bake(4))


def test_the_key_of_another_pack_opens_nothing(bake: Bake, tmp_path: Path) -> None:
    for seed in (1, 2):
        write_pack(tmp_path / f"{seed}.iqpack", [bake(2, seed=seed)], title="Blind", blind=True)
    with pytest.raises(UnusableFile, match="is not the key of the pack"):
        read_pack(tmp_path / "1.iqpack", key=tmp_path / "2.key")


@pytest.mark.parametrize(
    ("part", "alter", "told"),
    [
        (ITEMS, lambda content: content.replace(b"Question 1", b"Question 9"), "a part was altered"),
        (MANIFEST, lambda content: content.replace(b"Four", b"Five"), "The id is not the digest"),
        (MANIFEST, lambda content: content.replace(b'"version": 1', b'"version": 2'), "a newer version"),
        (MANIFEST, lambda content: b"{}", "is no pack of questions"),
        (SEALED_KEY, lambda content: content[:-9], "too long or cut off"),
        (SEALED_KEY, lambda content: b"", "not sealed in a form"),
        (ITEMS, None, "a part is missing"),
        (SEALED_KEY, None, "key.sealed: a part is missing"),
        (MANIFEST, None, "has no pack.json"),
    ],
)
def test_what_was_altered_is_refused_and_named(pack, part: str, alter, told: str) -> None:
    members = pack.members()
    if alter is None:
        del members[part]
    else:
        members[part] = alter(members[part])
    with pytest.raises(UnusableFile) as refused:
        read_pack(zip_bytes(members), name="four.iqpack")
    assert told in str(refused.value)
    assert "four.iqpack" in str(refused.value)


def test_a_question_that_comes_twice_is_refused(bake: Bake) -> None:
    with pytest.raises(UnusableFile, match="comes twice"):
        make_pack([bake(2), bake(2)], title="Twice")


@pytest.mark.parametrize(("field", "told"), [("candidateId", "id of choice A"), ("datasetId", "data set's id")])
def test_ids_that_are_not_the_digests_of_what_they_name_are_refused(bake: Bake, field: str, told: str) -> None:
    content = json.loads(bake_bytes(bake(1)))
    detail = next(iter(content["byId"].values()))["detail"]
    place = detail["dataset"] if field == "datasetId" else detail["choices"][0]
    place[field] = place[field][:-1] + ("0" if place[field][-1] != "0" else "1")
    with pytest.raises(UnusableFile, match=told):
        make_pack([BakeFile.model_validate(content)], title="False")


def test_models_are_asked_what_the_bake_file_asks(bake: Bake, tmp_path: Path) -> None:
    (tmp_path / "bake.json").write_bytes(bake_bytes(bake(3)))
    write_pack(tmp_path / "own", [bake(3)], title="Own")
    asked, own = read_items(tmp_path / "bake.json"), read_items(tmp_path / "own")
    told = {(item.prompt, item.correct, item.candidates, item.letters, item.family, item.type) for item in own}
    assert told == {(i.prompt, i.correct, i.candidates, i.letters, i.family, i.type) for i in asked}


def test_a_folder_that_is_a_pack_is_practised_on_as_it_is(bake: Bake, tmp_path: Path) -> None:
    write_pack(tmp_path / "own", [bake(3)], title="Own")
    made = make_practice(tmp_path / "own", tmp_path / "out")
    assert [(pack.path, pack.title, pack.questions) for pack in made.packs] == [(str(tmp_path / "own"), "Own", 3)]


def _paths(value: object, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The places of all values in JSON."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in pairs:
        yield (*at, name)
        yield from _paths(inner, (*at, name))


@pytest.fixture(scope="module")
def one_question(bake: Bake) -> dict[str, Any]:
    return make_pack([bake(1)], title="One").items.as_json()


@given(data=st.data(), value=st.sampled_from([None, "", "Z", -1, 10**9, 0.5, [], {}, True, "q_0"]))
def test_items_that_somebody_wrote_are_a_pack_or_refused(
    one_question: dict[str, Any], data: st.DataObject, value: object
) -> None:
    content = json.loads(json.dumps(one_question))
    *before, last = data.draw(st.sampled_from(list(_paths(content))))
    place = content
    for step in before:
        place = place[step]
    place[last] = value
    items = content_bytes(content)
    digest = sha256(items).hexdigest()
    said = {
        "format": "archstudio.questions", "version": 1, "title": "One", "profiles": [], "families": {}, "n": 1,
        "licence": "none", "seed": 0, "key": "apart", "sha256": {"items": digest, "key": digest},
    }  # fmt: skip
    members = {MANIFEST: content_bytes({**said, "id": manifest_id(said)}), ITEMS: items}
    try:
        pack = read_pack(zip_bytes(members), name="one.iqpack")
    except UnusableFile:
        return
    assert len(asked_questions(pack)) == 1
    assert {check.name for check in check_pack(pack)} == set(CHECKS)
