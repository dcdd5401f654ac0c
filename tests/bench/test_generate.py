"""Generated tasks are Arch-Bench's own, draw for draw; only their wording is ours."""

from itertools import islice
from typing import Any

import pytest

from archstudio.bench.conform import digest
from archstudio.bench.generate import FAMILIES, TIERS, Tier, generate, generated_task
from archstudio.bench.grade import Submission, grade
from archstudio.bench.mulberry import Mulberry32
from archstudio.edits.actions.engine import apply

PUBLISHED = [
    ("core", 20, 7, "7f75e5ffed215dc2"),
    ("core", 120, 7, "056b50ae6eba1e8b"),
    ("core", 500, 123, "cf406c6f438ade90"),
    ("core", 192, 999, "0050ff2525f13cfb"),
    ("core", 512, 999, "52467db59434ac7b"),
    ("core", 256, 123, "7fa8169c2f2c0fe1"),
    ("core", 1000, 0, "17fdefc200701812"),
    ("frontier", 120, 7, "31ce513a3193ae5f"),
    ("frontier", 500, 123, "fac617e8fa64491b"),
    ("edge", 120, 7, "62c5579caa8fe420"),
    ("edge", 500, 123, "92721f278881d783"),
]


def test_the_first_draws_are_the_published_ones() -> None:
    one, seven = Mulberry32(1), Mulberry32(7)
    assert [one.draw() for _ in range(3)] == [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]
    assert [seven.draw() for _ in range(3)] == [0.011704753153026104, 0.06195825757458806, 0.97690763277933]


def test_seeds_wrap_at_32_bits_and_drop_fractions() -> None:
    assert Mulberry32(2**32 + 5).draw() == Mulberry32(5.9).draw() == Mulberry32(5).draw()
    assert 0 <= Mulberry32(2**32 - 1).draw() < 1


@pytest.mark.parametrize(("tier", "count", "seed", "expected"), PUBLISHED)
def test_splits_have_the_published_digests(tier: Tier, count: int, seed: int, expected: str) -> None:
    listed = [
        {
            "id": task.id,
            "budget": task.budget or None,
            "constraints": task.constraints,
            "start": task.start,
            "reference": task.actions,
        }
        for task in generate(tier, count, seed)
    ]
    assert digest(listed) == expected


def test_a_smaller_split_is_a_prefix_of_a_larger_one() -> None:
    assert list(generate("core", 13, 5)) == list(islice(generate("core", 50, 5), 13))
    assert generated_task("core", 5, 12) == list(generate("core", 13, 5))[12]


def test_splits_are_streamed_and_cost_nothing_until_read() -> None:
    assert next(generate("core", 10**12, 7)).id == "gen-mlp-0"


@pytest.mark.parametrize("tier", TIERS)
def test_references_pass_and_starts_fail(tier: Tier) -> None:
    for task in generate(tier, 90, 31):
        solved = apply(task.model(), task.reference())
        assert solved.errors == []
        assert grade(task, solved.model, Submission.of(task.reference())).failures == ()
        assert not grade(task, task.model(), Submission()).passed


@pytest.mark.long
def test_twenty_thousand_tasks_have_as_many_different_briefs_as_published() -> None:
    """Our wording of the original's facts tells apart exactly what the original's briefs tell apart."""
    assert len({task.brief("original-facts") for task in generate("core", 20_000, 999)}) == 17_462


def _unsaid(constraints: dict[str, Any], brief: str) -> list[str]:
    said = {
        "minComponents": "at least {} components",
        "maxActions": "t most {} actions",
    }
    return [
        name for name, words in said.items() if name in constraints and words.format(constraints[name]) not in brief
    ]


@pytest.mark.parametrize("tier", TIERS)
def test_the_complete_brief_states_every_binding_limit(tier: Tier) -> None:
    for task in generate(tier, 3 * len(FAMILIES[tier]), 11):
        brief, limits = task.spec, dict(task.constraints)
        assert _unsaid(limits, brief) == []
        assert all(kind in brief for kind in limits.get("mustContainTypes", []))
        assert all(kind in brief for kind in limits.get("mustContainTypesAny", []))
        assert all(kind in brief for kind in limits.get("forbidActionTypes", []))
        assert "maxKvBytesPerToken" not in limits or f"{limits['maxKvBytesPerToken']:,} bytes per token" in brief
        assert "at least 50" in brief
        for limit in ("maxParams", "minParams"):
            value = limits.get(limit)
            assert value is None or f"{value:,}" in brief or f"{value // 1_000_000} million" in brief


def test_what_the_original_leaves_unsaid_is_marked_as_ours() -> None:
    trim = generated_task("core", 7, 6)
    assert "actions" not in trim.brief("original-facts").replace("clear_canvas", "")
    told, added = trim.spec.split("Also binding (added by Arch Studio")
    assert "At most 5 actions." in added
    assert "At most 5 actions." not in told
