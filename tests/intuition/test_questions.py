"""Questions: a clear winner, no candidate twice, no answer in the prompt, and orders and letters scored right."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from archstudio.intuition.candidates.spec import CandidateSpec, identified
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.profile import LoadedProfile, QuestionGeneration, Significance
from archstudio.intuition.questions.choose import CannotAsk, choose, parameter_ratio, question_type
from archstudio.intuition.questions.ranking import blind_bundle, ranking_tasks
from archstudio.intuition.questions.record import make_questions, open_questions, question_prompt
from archstudio.intuition.questions.scoring import inversions, proportion, score_letters, score_orders
from archstudio.intuition.questions.significance import judge
from archstudio.intuition.truth.sets import Candidate, CandidateSet
from archstudio.intuition.truth.summary import SeedEnd, Summary, summarise

V1 = Significance(gap_min=0.05, win_rate_min=0.7, use_non_overlap=True)
FULL = Significance(gap_min=0.0, win_rate_min=1.0, use_non_overlap=False, full_separation=True)
ANY = QuestionGeneration(max_attempts=20)


def _summary(name: str, values: list[float], failed: tuple[int, ...] = ()) -> Summary:
    ends = [SeedEnd(seed=i, failed=i in failed, final_test_mse=v) for i, v in enumerate(values)]
    return summarise(name, "test_mse", ends, 3, {})


def _made(number: int, values: list[float], width: int = 16, lr: float = 0.001, device: str = "cpu") -> Candidate:
    content: dict[str, Any] = {
        "dataset_id": "sym_000000",
        "family": "univariate_regression",
        "budget": {"training_steps": 4, "batch_size": 8, "total_samples_seen": 32},
        "model": {"type": "mlp", "depth": 1, "width": width, "residual": False, "layer_norm": [False],
                  "activations": ["relu"], "input_dim": 1, "output_dim": 1},
        "optimizer": {"type": "Adagrad", "lr": lr * (1 + number), "weight_decay": 0},
        "loss": {"loss_id": "mse"},
        "execution": {"device": device},
    }  # fmt: skip
    spec: CandidateSpec = identified(content, 16)
    return Candidate(Path("set") / spec.candidate_id, spec, _summary(spec.candidate_id, values))


def test_v1_needs_gap_wins_and_intervals_apart() -> None:
    good, far = _summary("a", [0.1, 0.12, 0.11, 0.1]), _summary("b", [0.3, 0.32, 0.31, 0.3])
    judged = judge([far, good], V1)
    assert judged is not None
    assert (judged.passed, judged.winner, judged.win_rate) == (True, 1, 1.0)
    assert judged.gap == pytest.approx(0.2)
    near = judge([good, _summary("c", [0.14, 0.15, 0.14, 0.14])], V1)
    assert near is not None
    assert not near.passed
    wide = judge([good, _summary("d", [0.05, 0.6, 0.05, 0.9])], V1)
    assert wide is not None
    assert not wide.passed


def test_equal_gap_passes_and_a_failed_seed_loses() -> None:
    rules = Significance(gap_min=0.25, win_rate_min=0.5, use_non_overlap=False)
    judged = judge([_summary("a", [0.25, 0.25]), _summary("b", [0.5, 0.5])], rules)
    assert judged is not None
    assert judged.passed
    with_failure = judge([_summary("a", [0.25, 9.0], failed=(1,)), _summary("b", [0.5, 0.5])], rules)
    assert with_failure is not None
    assert with_failure.win_rate == 0.5


def test_an_excluded_candidate_makes_no_question() -> None:
    lost = _summary("a", [9.0] * 4, failed=(0, 1, 2))
    assert judge([lost, _summary("b", [0.1] * 4)], V1) is None


@given(st.lists(st.lists(st.floats(0.01, 5), min_size=4, max_size=4), min_size=2, max_size=4))
def test_full_separation_is_the_worst_of_the_winner_before_the_best_of_the_rest(rows: list[list[float]]) -> None:
    judged = judge([_summary(str(i), row) for i, row in enumerate(rows)], FULL)
    assert judged is not None
    rest = min(min(row) for i, row in enumerate(rows) if i != judged.winner)
    assert judged.passed == (max(rows[judged.winner]) < rest)


def test_ten_four_choice_questions_are_found_among_63_candidates_without_trying_all_combinations() -> None:
    rng = np.random.default_rng(0)
    pool = [_made(i, (0.1 * i + 0.02 * rng.random(10)).tolist()) for i in range(63)]
    chosen = choose(pool, count=10, choices=4, rules=V1, generation=ANY, seed=0)
    used = [candidate.id for question in chosen for candidate in question.candidates]
    assert len(used) == len(set(used)) == 40
    for question in chosen:
        judged = judge([candidate.summary for candidate in question.candidates], V1)
        assert judged == question.judged
        assert judged is not None
        assert judged.passed
    assert len({question.judged.winner for question in chosen}) > 2  # letters are shuffled


def test_as_many_questions_as_the_profile_wants_have_close_sizes() -> None:
    pool = [_made(i, [0.1 * i, 0.1 * i + 0.01], width=(16, 20, 128)[i % 3]) for i in range(30)]
    rules = QuestionGeneration(max_attempts=20, ratio_most=2.0, ratio_share=0.5)
    chosen = choose(pool, count=6, choices=3, rules=FULL, generation=rules, seed=1)
    assert sum(parameter_ratio(question.candidates) <= 2 for question in chosen) >= 3


def test_too_few_candidates_say_how_many_questions_there_are() -> None:
    pool = [_made(i, [0.1 * i, 0.1 * i + 0.01]) for i in range(5)]
    with pytest.raises(CannotAsk, match="Only 2 of 3 questions"):
        choose(pool, count=3, choices=2, rules=FULL, generation=ANY, seed=0)


@pytest.mark.parametrize(
    ("varying", "expected"),
    [
        (["model"], "architecture_only"),
        (["optimizer"], "optimizer_only"),
        (["loss", "batch_size"], "loss_only"),
        (["batch_size"], "mixed"),
        (["model", "loss"], "mixed"),
    ],
)
def test_the_type_follows_from_what_varies(varying: list[str], expected: str) -> None:
    assert question_type(varying) == expected


def test_questions_are_written_and_prompts_give_nothing_away(quick_set: CandidateSet, quick: LoadedProfile) -> None:
    dataset = open_dataset(quick_set.folder.parents[1])
    made = make_questions(quick, dataset, [quick_set], count=2, choices=2, seed=0)
    run = made[0].folder.parent
    assert open_questions(run) == [question.record for question in made]
    for question in made:
        text = (question.folder / "prompt.txt").read_text("utf-8")
        assert text == question_prompt(question, dataset)
        for candidate in question.candidates:
            assert candidate.id not in text
            assert str(candidate.summary.mean) not in text
            assert f"lr={candidate.spec.optimizer.lr!r}" in text
        assert "max(|b|, 0.1)" in text or "÷" not in text
        assert dataset.spec.dataset_id not in text
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    make_questions(quick, dataset, [quick_set], count=2, choices=2, seed=0)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
    report = json.loads((run / "report.json").read_text())
    assert report["chance"] == 0.5
    assert set(report["shortcuts"]["most_parameters"]) == {"right", "n", "share", "low", "high"}


def test_questions_of_another_profile_are_refused(quick_set: CandidateSet, studio: LoadedProfile) -> None:
    dataset = open_dataset(quick_set.folder.parents[1])
    with pytest.raises(CannotAsk, match="was made under quick"):
        make_questions(studio, dataset, [quick_set], count=1, choices=2, seed=0)


def test_anchored_targets_are_disjoint_and_cyclic_windows_go_around(quick_set: CandidateSet) -> None:
    usable = [c for c in quick_set.candidates if not c.summary.excluded]
    anchored = ranking_tasks(usable, layout="anchored", count=2, calibration=3, targets=3)
    assert anchored[0].calibration == anchored[1].calibration
    assert not {c.id for c in anchored[0].targets} & {c.id for c in anchored[1].targets}
    cyclic = ranking_tasks(usable, layout="cyclic", count=9, calibration=3, targets=3, stride=3)
    assert all(a.targets == b.calibration for a, b in pairwise(cyclic))
    for task in anchored + cyclic:
        means = [task.targets[int(label[1:]) - 1].summary.mean for label in task.order]
        assert means == sorted(means)  # type: ignore[type-var]
    with pytest.raises(CannotAsk, match="anchored tasks, not 9"):
        ranking_tasks(usable, layout="anchored", count=9, calibration=3, targets=3)


def test_a_blind_bundle_leaks_nothing_and_its_key_fits(quick_set: CandidateSet) -> None:
    tasks = ranking_tasks(quick_set.candidates, layout="anchored", count=2, calibration=3, targets=3)
    bundle = blind_bundle(tasks, seed=3)
    text = json.dumps(bundle.items)
    for candidate in quick_set.candidates:
        assert candidate.id not in text
    assert quick_set.id not in text
    assert quick_set.record.dataset_id not in text
    for task in tasks:
        for target in task.targets:
            assert str(target.summary.mean) not in text
    answers: dict[str, list[str]] = bundle.key["answers"]
    assert score_orders(answers, {name: " > ".join(order) for name, order in answers.items()}).score == 1
    assert score_orders(answers, {name: order[::-1] for name, order in answers.items()}).score == 0


@given(st.permutations(list("abcde")))
def test_inversions_of_an_order_and_its_reverse_are_all_pairs(order: list[str]) -> None:
    assert inversions("abcde", order) + inversions("abcde", order[::-1]) == 10
    swapped = [order[1], order[0], *order[2:]]
    assert abs(inversions("abcde", order) - inversions("abcde", swapped)) == 1


def test_missing_and_invalid_orders_have_every_pair_wrong() -> None:
    key = {"bq_01": ["X1", "X2", "X3"], "bq_02": ["X2", "X1", "X3"], "bq_03": ["X1", "X2", "X3"]}
    score = score_orders(key, {"bq_01": "X1,X2,X3", "bq_02": ["X2", "X2", "X3"], "other": []})
    assert [row.inversions for row in score.rows.values()] == [0, 3, 3]
    assert score.unexpected == ("other",)
    assert score.score == pytest.approx(1 / 3)


def test_unparsed_letters_count_as_wrong() -> None:
    key, letters = {"q_1": "A", "q_2": "B", "q_3": "A"}, dict.fromkeys(("q_1", "q_2", "q_3"), "AB")
    score = score_letters(key, letters, {"q_1": " a ", "q_2": "C", "q_9": "A"})
    assert (score.overall.right, score.overall.total, score.answered) == (1, 3, 1)
    assert score.unparsed == ("q_2", "q_3")
    assert score.unexpected == ("q_9",)


def test_the_interval_is_wilsons() -> None:
    made = proportion(42, 60)  # the published human result: 70.0 %
    assert (round(made.low, 3), round(made.high, 3)) == (0.575, 0.801)
    assert proportion(0, 5).low == 0
    assert proportion(5, 5).high == pytest.approx(1)


def test_candidates_of_different_devices_never_meet_in_a_question() -> None:
    pool = [_made(k, [1.0 + k, 1.01 + k, 0.99 + k], device="cuda" if k % 2 else "cpu") for k in range(8)]
    chosen = choose(pool, count=2, choices=3, rules=V1, generation=ANY, seed=0)
    assert [len({candidate.spec.device for candidate in question.candidates}) for question in chosen] == [1, 1]
    with pytest.raises(CannotAsk):
        choose(pool[:4], count=1, choices=3, rules=V1, generation=ANY, seed=0)
