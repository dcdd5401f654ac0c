"""Models are asked fairly: only a tag is an answer, what is missing is wrong, and what was cut off may go on."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from archstudio.files.data import data_path
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.folder import open_dataset
from archstudio.intuition.evaluate.answer_tag import MORE, read_letter, reply_format
from archstudio.intuition.evaluate.compare import NothingInCommon, compared, paired_interval, sign_test
from archstudio.intuition.evaluate.items import Item, read_items
from archstudio.intuition.evaluate.protocols import ask_all
from archstudio.intuition.evaluate.run_folder import (
    EvalFolder,
    EvalSettings,
    RunExists,
    digest_of,
    read_scored,
    scored,
)
from archstudio.intuition.evaluate.scores import Scored, order_check, summary
from archstudio.intuition.evaluate.talk import Examinee, put
from archstudio.intuition.questions.record import make_questions
from archstudio.llm import Asker, Backoff, Client, Endpoint, Sampling
from archstudio.llm.stand_in import Behaviour, StandIn, says, sends


def item(number: int, correct: str = "B", letters: str = "ABC", family: str = "bigram_lm") -> Item:
    names = tuple(f"c_{number}{letter}" for letter in letters)

    def in_order(order: Sequence[int]) -> str:
        return f"Question {number}: " + ", ".join(f"{a} {names[p]}" for a, p in zip(letters, order, strict=True))

    text = in_order(range(len(letters)))
    return Item(f"q_{number:06x}", family, "mixed", tuple(letters), correct, names, text, in_order)


Examined = Callable[..., tuple[StandIn, Examinee]]


@pytest.fixture
def examined() -> Iterator[Examined]:
    """`examined(a, b)` is a model whose service behaves so, or as a function of the request says."""
    opened: list[Any] = []

    def start(*behaviours: Any) -> tuple[StandIn, Examinee]:
        left = list(behaviours)

        def chosen(body: Mapping[str, Any]) -> Behaviour:
            first = left.pop(0) if len(left) > 1 else left[0]
            return first(body) if getattr(first, "by_request", False) else first

        service = StandIn(chosen)
        service.__enter__()
        client = Client(Endpoint(service.base_url), backoff=Backoff(attempts=2), sleep=lambda _: None)
        opened.extend([client, service])
        return service, Examinee(Asker(client), "m", Sampling(max_tokens=100))

    yield start
    for each in opened:
        each.__exit__(None, None, None)


def by_request(behave: Callable[[str], Behaviour]) -> Callable[[Mapping[str, Any]], Behaviour]:
    def chosen(body: Mapping[str, Any]) -> Behaviour:
        return behave(body["messages"][0]["content"])

    chosen.by_request = True  # type: ignore[attr-defined]
    return chosen


# Letters -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("<answer>B</answer>", "B"),
        ("<answer> b </answer>", "B"),
        ("I think <ANSWER>B</ANSWER>.", "B"),
        ("<answer>**B**</answer>", "B"),
        ("**<answer>B</answer>**", "B"),
        ("<answer>_B_</answer>", "B"),
        ("<answer>`B`</answer>", "B"),
        ("<answer>(B)</answer>", "B"),
        ("<answer>\n**B.**\n</answer>", "B"),
        ("<answer>A</answer> no, <answer>B</answer>", "B"),
        ("<answer>B</answer> or <answer>Z</answer>", None),
        ("Choice B", None),
        ("B", None),
        ("**B**", None),
        ("<answer>Choice B</answer>", None),
        ("<answer>A or B</answer>", None),
        ("<answer></answer>", None),
        ("<answer>B", None),
        ("<answer>" + "*" * 100_000 + "B</answer>", None),
        ("<answer>" * 50_000, None),
    ],
)
def test_only_a_letter_in_a_tag_is_an_answer(text: str, letter: str | None) -> None:
    assert read_letter("ABC", text) == letter


def test_a_tag_in_the_reply_counts_before_one_in_the_reasoning() -> None:
    assert read_letter("ABC", "<answer>C</answer>", "<answer>A</answer>") == "C"
    assert read_letter("ABC", "That is all.", "<answer>A</answer>") == "A"


def test_the_format_names_no_letter_before_others() -> None:
    assert "<answer>LETTER</answer> with LETTER one of A, B, C" in reply_format("ABC")
    assert "<answer>A</answer>" not in reply_format("ABC")


# One question --------------------------------------------------------------------------------------------------------


def test_a_reply_that_was_cut_off_goes_on(examined: Examined) -> None:
    service, examinee = examined(
        says("First I think", "length", tokens=(10, 100)), says(" so <answer>B</answer>", tokens=(120, 9))
    )
    made = put(item(1), examinee)
    assert (made.letter, made.right, made.continuations, made.truncated) == ("B", True, 1, False)
    assert made.text == "First I think so <answer>B</answer>"
    assert (made.input_tokens, made.output_tokens) == (130, 109)
    assert [m["role"] for m in service.asked[1]["messages"]] == ["user", "assistant", "user"]
    assert service.asked[1]["messages"][2]["content"] == MORE


def test_a_reply_that_never_ends_is_left_after_three_more(examined: Examined) -> None:
    service, examinee = examined(says("and so on ", "length"))
    made = put(item(1), examinee)
    assert (made.letter, made.truncated, made.continuations, len(service.asked)) == (None, True, 3, 4)


def test_a_reply_without_a_tag_is_not_asked_again(examined: Examined) -> None:
    service, examinee = examined(says("Choice B, clearly."))
    made = put(item(1), examinee)
    assert (made.letter, made.right, made.truncated, len(service.asked)) == (None, False, False, 1)


def test_a_service_that_fails_is_a_fault_and_no_crash(examined: Examined) -> None:
    _, examinee = examined(sends(b"down", 500))
    made = put(item(1), examinee)
    assert made.letter is None
    assert "HTTP 500" in (made.fault or "")


# Protocols -----------------------------------------------------------------------------------------------------------


def test_blind_questions_know_nothing_of_each_other(examined: Examined) -> None:
    service, examinee = examined(says("<answer>B</answer>"))
    items = [item(n) for n in range(12)]
    made = list(ask_all(items, examinee, "blind", workers=4))
    assert sorted(one.item.id for one in made) == [one.id for one in items]
    prompts = sorted(body["messages"][0]["content"] for body in service.asked)
    assert prompts == sorted(one.prompt + reply_format(one.letters) for one in items)


def test_a_sequence_tells_what_came_of_the_questions_before(examined: Examined) -> None:
    service, examinee = examined(says("<answer>A</answer>"), says("dunno"), says("<answer>B</answer>"))
    made = list(ask_all([item(n) for n in range(3)], examinee, "sequential", workers=8))
    assert [one.letter for one in made] == ["A", None, "B"]
    first, second, third = (body["messages"][0]["content"] for body in service.asked)
    assert "before" not in first
    assert "Question 1 (bigram_lm, mixed): you chose A: wrong, B was right." in second
    assert "Question 2 (bigram_lm, mixed): you gave no letter: wrong, B was right." in third
    assert third.index("Question 1 (") < third.index("Question 2: ")


# Scores --------------------------------------------------------------------------------------------------------------


def row(number: int, letter: str | None, correct: str = "B", family: str = "bigram_lm", **more: Any) -> Scored:
    candidate = None if letter is None else f"c_{number}{letter}"
    return Scored(f"q_{number}", "h", family, "mixed", 3, letter, correct, more.pop("candidate", candidate), **more)


def test_what_is_missing_is_wrong_and_both_rates_are_told() -> None:
    told = summary([row(1, "B"), row(2, "A"), row(3, None), row(4, "B", family="other"), row(5, None, fault="down")])
    assert (told["total_questions"], told["parsed"], told["unparsed"], told["without_reply"]) == (5, 3, 2, 1)
    assert (told["accuracy"]["right"], told["accuracy"]["n"], told["accuracy"]["share"]) == (2, 5, 0.4)
    assert told["accuracy_of_parsed"]["share"] == pytest.approx(2 / 3)
    assert told["accuracy"]["low"] < 0.4 < told["accuracy"]["high"]
    assert told["chance"] == pytest.approx(1 / 3)
    assert told["by_family"]["bigram_lm"]["n"] == 4
    assert told["by_family"]["other"]["share"] == 1
    assert told["letters"]["B"] == {"chosen": 2, "right": 5}


def test_the_order_of_choices_is_checked_by_the_candidate() -> None:
    asked = [row(1, "B"), row(2, "A"), row(3, None)]
    moved = [
        row(1, "C", "C", candidate="c_1B"),
        row(2, "A", "C", candidate="c_2C"),
        row(3, "C", "C"),
    ]
    told = order_check(asked, moved)
    assert (told["same_candidate"]["right"], told["same_candidate"]["n"]) == (1, 2)
    assert (told["same_letter"]["right"], told["right_in_both"]["right"], told["n"]) == (1, 1, 3)


def test_moving_the_choices_keeps_the_candidate_right_under_another_letter() -> None:
    asked = item(1, "B")
    moved = asked.moved()
    assert moved.letters == asked.letters
    assert moved.candidate(moved.correct) == asked.candidate(asked.correct)
    assert all(moved.candidate(letter) != asked.candidate(letter) for letter in "ABC")
    assert moved.prompt == "Question 1: A c_1C, B c_1A, C c_1B"


# Two runs ------------------------------------------------------------------------------------------------------------


def test_two_runs_are_compared_question_by_question() -> None:
    first = [row(1, "B"), row(2, "B"), row(3, "A"), row(4, None), row(5, "B"), row(9, "B")]
    second = [row(1, "B"), row(2, "A"), row(3, "B"), row(4, None), row(5, "C"), row(8, "B")]
    told = compared(first, second)
    assert (told["questions"], told["only_first"], told["only_second"]) == (5, 1, 1)
    assert told["agreement"]["right"] == 1
    assert (told["right_to_wrong"], told["wrong_to_right"], told["both_right"], told["both_wrong"]) == (2, 1, 1, 1)
    assert told["difference"] == pytest.approx(-0.2)
    assert told["low"] < -0.2 < told["high"]
    assert [flip["question_id"] for flip in told["flips"]] == ["q_2", "q_3", "q_5"]


def test_runs_over_other_texts_have_nothing_in_common() -> None:
    other = Scored("q_1", "another text", "f", "mixed", 3, "B", "B", None)
    with pytest.raises(NothingInCommon):
        compared([row(1, "B")], [other])


def test_the_tests_of_flips_are_those_of_the_books() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(0, 5) == pytest.approx(2 / 32)
    assert sign_test(1, 8) == pytest.approx(2 * (1 + 9) / 2**9)
    low, high = paired_interval(won=16, lost=5, n=100)  # (11 ± 1.96 · sqrt(22 − 121 / 102)) / 102
    assert (low, high) == pytest.approx((0.02018, 0.19551), abs=1e-5)
    assert paired_interval(0, 0, 1)[0] >= -1


# Folders -------------------------------------------------------------------------------------------------------------


def settings(items: Sequence[Item], **change: Any) -> EvalSettings:
    given = {"model": "m", "protocol": "blind", "sampling": Sampling(), "questions": digest_of(items), "moved": False}
    return EvalSettings(**{**given, **change})


def test_a_run_is_kept_read_and_goes_on(examined: Examined, tmp_path: Path) -> None:
    _, examinee = examined(says("<answer>B</answer>"))
    items = [item(1), item(2, "C")]
    folder = EvalFolder(tmp_path / "run", settings(items), resume=False)
    made = list(ask_all(items, examinee, "blind", workers=1))
    for one in made:
        folder.keep(one)
    folder.finish(summary([scored(one) for one in made]), None)
    rows = read_scored(tmp_path / "run")
    assert [(r.question_id, r.letter, r.right) for r in rows] == [("q_000001", "B", True), ("q_000002", "B", False)]
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert (record["finished"], record["summary"]["correct"], record["model"]["name"]) == (True, 1, "m")
    with pytest.raises(RunExists, match="--resume"):
        EvalFolder(tmp_path / "run", settings(items), resume=False)
    with pytest.raises(RunExists, match="another protocol"):
        EvalFolder(tmp_path / "run", settings(items, protocol="sequential"), resume=True)
    with pytest.raises(RunExists, match="another questions_digest"):
        EvalFolder(tmp_path / "run", settings(items[:1]), resume=True)
    EvalFolder(tmp_path / "run", settings(items), resume=True)


def test_a_run_of_the_reference_is_read_too(tmp_path: Path) -> None:
    results = tmp_path / "results"
    results.mkdir()
    record = {"question_id": "q_1", "prompt_hash": "h", "ground_truth_letter": "A", "parsed_letter": None}
    (results / "q_1.json").write_text(json.dumps({**record, "family": "f", "question_type": "mixed"}))
    (only,) = read_scored(tmp_path)
    assert (only.letter, only.right) == (None, False)
    (results / "q_2.json").write_text("{}")
    with pytest.raises(UnusableFile, match=r"q_2\.json"):
        read_scored(tmp_path)


def test_a_folder_without_answers_or_questions_is_told(tmp_path: Path) -> None:
    for read in (read_scored, read_items):
        with pytest.raises(UnusableFile):
            read(tmp_path)


def test_questions_of_a_run_are_read_and_can_be_moved(quick_set: Any, quick: Any) -> None:
    dataset = open_dataset(quick_set.folder.parents[1])
    questions = make_questions(quick, dataset, [quick_set], count=1, choices=3, seed=0)
    run = questions[0].folder.parent
    (asked,) = read_items(run)
    assert read_items(dataset.root)[0].id == asked.id
    assert asked.prompt == (questions[0].folder / "prompt.txt").read_text("utf-8")
    moved = asked.moved()
    assert moved.prompt != asked.prompt
    assert len(moved.prompt) == len(asked.prompt)
    assert moved.candidate(moved.correct) == asked.candidate(asked.correct)


def test_questions_of_a_pack_of_ours_can_be_moved() -> None:
    items = read_items(Path(str(data_path("fixtures", "packs", "studio-60"))))
    for asked in items:
        moved = asked.moved()
        assert moved.candidate(moved.correct) == asked.candidate(asked.correct)
        assert moved.correct != asked.correct
        assert sorted(moved.prompt) == sorted(asked.prompt)  # the same signs: only choices changed places
        assert moved.prompt != asked.prompt
        assert asked.in_order is not None
        assert asked.in_order(range(3)) == asked.prompt
