"""Planning and sampling: figures worked out by hand, and draws that keep their promises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.files.unusable import UnusableFile
from archstudio.study.protocol.model import Order, Sampling
from archstudio.study.protocol.orders import assigned_condition, item_order, sample
from archstudio.study.protocol.power import half_width, people_for, planned, table
from archstudio.study.protocol.questionnaire import BadAnswer, parse_consent, parse_questionnaire

IDS = [f"i{n}" for n in range(20)]


@pytest.mark.parametrize(("responses", "points"), [(12, 24.4), (100, 9.4), (400, 4.8)])
def test_the_width_of_the_interval_is_the_published_one(responses: int, points: float) -> None:
    assert round(half_width(responses), 1) == points
    assert dict(table((responses,)))[responses] == half_width(responses)


def test_more_people_beat_more_items_a_person() -> None:
    assert planned(48, 6).half_width_points < planned(24, 12).half_width_points < planned(12, 24).half_width_points
    assert planned(10, 12, icc=0).effective == 120
    assert planned(10, 12, icc=1).effective == 10


@given(st.floats(3, 40), st.integers(1, 60), st.floats(0, 1))
def test_the_people_found_are_enough_and_one_fewer_is_not_far_off(target: float, items: int, icc: float) -> None:
    found = people_for(target, items, icc=icc)
    assert found.half_width_points <= target
    if found.people > 2:
        fewer = planned(found.people - 2, items, icc=icc)
        assert fewer.half_width_points > target - 1  # whole successes make the width jump a little


@pytest.mark.parametrize(("target", "items"), [(0, 12), (-1, 12), (0.001, 1)])
def test_a_width_that_cannot_be_reached_is_said(target: float, items: int) -> None:
    with pytest.raises(ValueError, match=r"cannot be reached|more than"):
        people_for(target, items)


def test_sampling_keeps_the_order_of_the_sources() -> None:
    families = {name: "even" if int(name[1:]) % 2 == 0 else "odd" for name in IDS}
    for rule in ("first", "random", "stratified"):
        chosen = sample(IDS, families, Sampling(rule=rule, count=7, seed=4))  # type: ignore[arg-type]
        assert len(chosen) == 7
        assert chosen == [name for name in IDS if name in chosen]
    stratified = sample(IDS, families, Sampling(rule="stratified", count=8, seed=4))
    assert sum(families[name] == "even" for name in stratified) == 4
    assert sample(IDS, families, Sampling(rule="first", count=3)) == IDS[:3]
    assert sample(IDS, families, Sampling()) == IDS


@given(st.integers(0, 1000), st.integers(0, 2**32 - 1))
def test_each_block_of_people_holds_each_condition_once(block: int, seed: int) -> None:
    conditions = ["single_shot", "verifier_turns_3", "verifier_tool"]
    dealt = [assigned_condition(conditions, seed, 3 * block + place) for place in range(3)]  # type: ignore[arg-type]
    assert sorted(condition for condition, _ in dealt) == sorted(conditions)
    assert {number for _, number in dealt} == {block}


@given(st.sampled_from(["fixed", "random", "counterbalanced"]), st.integers(1, 20), st.integers(0, 200))
def test_a_person_gets_as_many_items_as_planned_and_none_twice(rule: str, share: int, number: int) -> None:
    mine = item_order(IDS, Order(rule=rule), share, 7, number)  # type: ignore[arg-type]
    assert len(mine) == len(set(mine)) == share
    if rule == "fixed":
        assert mine == [name for name in IDS if name in mine]


def test_a_consent_says_its_points() -> None:
    assert parse_consent("# C\n\n- [ ] one\ntext\n* [ ] two \n- three\n") == ("one", "two")


def test_a_questionnaire_says_its_fields() -> None:
    text = "# Q\n## How old?\n`age?: number 18..99`\n## Which?\n`role: choice a | b`\nA line with `code: here`.\n"
    age, role = parse_questionnaire(text, "q.md")
    assert (age.question, age.optional, age.low, age.high) == ("How old?", True, 18, 99)
    assert (role.options, role.optional) == (("a", "b"), False)
    assert age.checked("prefer not to say") == "prefer not to say"
    for wrong in (17, "old", True, float("nan")):
        with pytest.raises(BadAnswer):
            age.checked(wrong)
    with pytest.raises(BadAnswer):
        role.checked("prefer not to say")


@pytest.mark.parametrize(
    "line", ["`age: number`", "`age: number 5`", "`role: choice a`", "`x: guess 1..2`", "`a: text`\n`a: text`"]
)
def test_a_line_that_looks_like_a_field_and_is_none_is_refused(line: str) -> None:
    with pytest.raises(UnusableFile, match="line"):
        parse_questionnaire(f"## Q\n{line}\n", "q.md")
