"""Every check for leaks holds for a fair pack and fails for one that leaks just so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.intuition.packs.bake import BakeFile
from archstudio.intuition.packs.leaks import CHECKS, check_pack, inversions_p, uniform_p
from archstudio.intuition.packs.make import make_pack
from archstudio.intuition.packs.pack import PackItems, QuestionPack
from archstudio.intuition.records import Record

Bake = Callable[..., BakeFile]


def verdicts(pack: QuestionPack) -> dict[str, bool | None]:
    return {check.name: check.holds for check in check_pack(pack)}


@pytest.fixture
def fair(bake: Bake) -> QuestionPack:
    return make_pack([bake(12)], title="Fair")


def leaky(pack: QuestionPack, change: Callable[[dict[str, Any], QuestionPack], object]) -> QuestionPack:
    """The pack with its items changed; its answers stay those of the same places."""
    content = pack.items.as_json()
    change(content, pack)
    items = PackItems.model_validate(content)
    answers = {new.id: pack.answers[old.id] for new, old in zip(items.questions, pack.questions, strict=True)}
    return QuestionPack(pack.manifest, items, answers)


def test_a_fair_pack_passes_every_check(fair: QuestionPack) -> None:
    assert verdicts(fair) == dict.fromkeys(CHECKS, True)


def test_what_needs_the_key_is_said_to_be_unchecked_without_it(fair: QuestionPack) -> None:
    shut = QuestionPack(fair.manifest, fair.items, None)
    assert [name for name, holds in verdicts(shut).items() if holds is None] == [
        "answers-not-in-items", "right-letters-uniform", "order-tells-nothing",
    ]  # fmt: skip


def _first(content: dict[str, Any]) -> dict[str, Any]:
    first: dict[str, Any] = content["questions"][0]
    return first


def _twin(content: dict[str, Any], number: int, of: int) -> None:
    """Let the first choice of one question be that of another."""
    content["questions"][number]["choices"][0] = dict(content["questions"][of]["choices"][0])


def _answer(pack: QuestionPack) -> Any:
    assert pack.answers is not None
    return pack.answers[pack.questions[0].id]


def _same_setup_under_another_profile(content: dict[str, Any], _: QuestionPack) -> None:
    _twin(content, 1, 0)
    spec = content["questions"][1]["choices"][0]["spec"]
    content["questions"][1]["choices"][0]["spec"] = {**spec, "profile": "another"}


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("no-answer-fields", lambda c, p: _first(c).update(budget={"total_samples_seen": 2048, "winner": "A"})),
        ("no-answer-fields", lambda c, p: next(iter(c["data"].values()))["plot"].update(mean_curve=[1.0])),
        ("no-telling-names", lambda c, p: _first(c).update(prompt="candidates/set_2048_var_fix_fix_0123/…")),
        ("no-telling-names", lambda c, p: _first(c).update(prompt="see curves/K1_c_012345.png")),
        ("no-telling-names", lambda c, p: _first(c).update(prompt="made in /home/someone/data")),
        ("no-candidate-twice", lambda c, p: _twin(c, 1, 0)),
        ("no-duplicate-setups", lambda c, p: _twin(c, 0, 1)),
        ("code-as-generated", lambda c, p: _first(c)["choices"][0]["files"].update({"model.py": "# another\n"})),
        ("answers-not-in-items", lambda c, p: _first(c).update(prompt=f"It ends at {_answer(p).ranked[0].mean}")),
        ("answers-not-in-items", lambda c, p: _first(c).update(prompt=f"{_answer(p).ranked[0].mean:.6f}, about")),
        ("answers-not-in-items", lambda c, p: _first(c).update(prompt=f"[{_answer(p).candidates['A']}]")),
    ],
)
def test_a_leak_is_found(fair: QuestionPack, check: str, change: Callable[..., object]) -> None:
    assert verdicts(leaky(fair, change))[check] is False


def test_the_same_set_up_is_found_under_the_name_of_another_profile(fair: QuestionPack) -> None:
    found = verdicts(leaky(fair, _same_setup_under_another_profile))
    assert found["no-duplicate-setups"] is False
    assert found["no-candidate-twice"] is True


def test_right_letters_that_are_mostly_one_are_found(bake: Bake) -> None:
    assert verdicts(make_pack([bake(12, right="B" * 12)], title="Always B"))["right-letters-uniform"] is False


def test_choices_that_stand_in_the_order_of_their_results_are_found(fair: QuestionPack) -> None:
    def sorted_by_result(pack: QuestionPack) -> dict[str, Record]:
        assert pack.answers is not None
        answers = {}
        for name, answer in pack.answers.items():
            ordered = [row.model_copy(update={"letter": "ABC"[k]}) for k, row in enumerate(answer.ranked)]
            answers[name] = answer.model_copy(update={"ranked": ordered})
        return answers

    assert verdicts(QuestionPack(fair.manifest, fair.items, sorted_by_result(fair)))["order-tells-nothing"] is False


@pytest.mark.parametrize(
    ("counts", "p"),
    [
        ((5, 5), 1.0),
        ((0, 10), 2 / 1024),  # both ends of a fair coin's ten throws
        ((10, 0, 0), 3 * (1 / 3) ** 10),  # three letters to be uneven in, each end at its likeliest
    ],
)
def test_the_binomial_figures_are_those_of_hand(counts: tuple[int, ...], p: float) -> None:
    assert uniform_p(counts) == pytest.approx(p)


def test_the_permutation_figures_are_those_of_hand() -> None:
    assert inversions_p([3], 0) == pytest.approx(2 / 6)
    assert inversions_p([2, 2, 2], 0) == pytest.approx(2 / 8)
    assert inversions_p([3], 1) == 1.0


@given(st.lists(st.integers(0, 40), min_size=2, max_size=5).filter(any))
def test_uneven_counts_are_a_probability_and_the_order_of_letters_does_not_matter(counts: list[int]) -> None:
    p = uniform_p(counts)
    assert 0 < p <= 1
    assert uniform_p(counts[::-1]) == p


@given(st.lists(st.integers(2, 4), min_size=1, max_size=8), st.data())
def test_as_many_inversions_as_are_missing_are_equally_likely(sizes: list[int], data: st.DataObject) -> None:
    most = sum(size * (size - 1) // 2 for size in sizes)
    inversions = data.draw(st.integers(0, most))
    assert inversions_p(sizes, inversions) == pytest.approx(inversions_p(sizes, most - inversions))
