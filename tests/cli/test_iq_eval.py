"""`archstudio iq eval` and `iq compare` from the outside, against a service on this machine."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from archstudio.llm.stand_in import Behaviour, StandIn, says, sends


def pack(path: Path, count: int = 6) -> Path:
    """A BakeFile of `count` questions; the right letters go A, B, A, B, …"""

    def question(number: int) -> dict[str, Any]:
        name = f"q_{number:06x}"
        choices = [
            {"letter": letter, "candidateId": f"c_{number}{letter}", "color": "#fff", "variant": [], "modelLines": [],
             "optimizerLines": [], "lossLines": [], "files": {}}
            for letter in "AB"
        ]  # fmt: skip
        right = "AB"[number % 2]
        ranked = {"letter": right, "candidateId": f"c_{number}{right}", "metric": "m", "mean": 0.1, "std": 0.0}
        dataset = {"family": "bigram_lm", "datasetId": "bg_1"}
        return {
            "id": name, "title": "Which?", "family": "bigram_lm", "datasetId": "bg_1", "type": "mixed", "budget": 1,
            "detail": {"prompt": f"Question {number}\n", "shared": [], "dataset": dataset, "choices": choices},
            "reveal": {"correctLetter": right, "ranked": [{**ranked, "label": ""}], "curves": []},
        }  # fmt: skip

    made = [question(number) for number in range(count)]
    by_id = {one["id"]: one for one in made}
    path.write_text(json.dumps({"schema_version": 1, "questions": [{"id": n} for n in by_id], "byId": by_id}))
    return path


@pytest.fixture
def iq(archstudio: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    return lambda *arguments: archstudio("iq", *arguments)


def test_models_are_asked_scored_and_compared(iq: Callable[..., Any], tmp_path: Path) -> None:
    questions = pack(tmp_path / "pack.json")
    down = [True]

    def always_a(body: Mapping[str, Any]) -> Behaviour:
        if down[0] and "Question 5" in body["messages"][0]["content"]:
            return sends(b"down", 500)
        return says("<answer>**A**</answer>", tokens=(1000, 10))

    with StandIn(always_a) as service:
        common = ("eval", questions, "--base-url", service.base_url, "--attempts", 1, "--json")
        ran = iq(*common, "--model", "a", "--run-dir", "one", "--workers", 3, "--price-in", 1, "--price-out", 1)
        assert ran.code == 1
        assert (ran.json["summary"]["unparsed"], ran.json["summary"]["without_reply"]) == (1, 1)
        down[0] = False
        again = iq(*common, "--model", "a", "--run-dir", "one", "--resume", "--price-in", 1, "--price-out", 1)
        assert again.code == 0, again.err
        told = again.json
        assert (told["summary"]["correct"], told["summary"]["accuracy"]["n"]) == (3, 6)
        assert (told["ledger"]["knownBefore"], told["ledger"]["attempts"]) == (5, 1)
        assert told["ledger"]["cost"] == pytest.approx(6 * 1010 / 1e6)
        other = iq(*common[:-1], "--model", "b", "--run-dir", "two", "--protocol", "sequential", "--limit", 4)
        assert other.code == 0
        assert "Right: 2 of 4, 50.0 %" in other.out
    compared = iq("compare", "one", "two", "--json").json
    assert (compared["questions"], compared["agreement"]["right"], compared["flips"]) == (4, 4, [])
    assert "+0.0 points" in iq("compare", "one", "two").out
    kept = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.json*"))
    assert "sk-hidden" not in kept + ran.out + ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "needs a --model"),
        (("--model", "m", "--protocol", "open-book"), "choose one of blind, sequential"),
        (("--model", "m", "--order-swap"), "only its text is known"),
        (("--model", "m", "--resume"), "name it with --run-dir"),
        (("--model", "m"), "Name the service"),
    ],
)
def test_what_cannot_be_asked_is_told(iq: Callable[..., Any], tmp_path: Path, arguments: Any, words: str) -> None:
    ran = iq("eval", pack(tmp_path / "pack.json", 1), *arguments)
    assert (ran.code, words in ran.err) == (2, True), ran.err
