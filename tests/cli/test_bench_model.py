"""A language model plays from the command line, against a service on this machine; runs go on where they stopped."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from archstudio.llm.stand_in import Behaviour, StandIn, says, sends

KEY = "sk-never-to-be-seen"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def answers(body: Mapping[str, Any]) -> Behaviour:
    mends = "broken attention" in json.dumps(body)
    action = {"type": "update_params", "name": "attn", "params": {"numHeads": 5}}
    return says(json.dumps({"actions": [action] if mends else []}), tokens=(100, 20))


def test_a_model_plays_is_kept_and_goes_on(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    out, traces = tmp_path / "run.jsonl", tmp_path / "traces.jsonl"
    with StandIn(answers) as service:
        model = ("bench", "run", "--policy", "llm", "--model", "m", "--base-url", service.base_url, "--json")
        more = ("--workers", 4, "--tries", 2, "--out", out, "--traces", traces, "--price-in", 1, "--price-out", 2)
        ran = archstudio(*model, *more)
        assert ran.code == 0, ran.err
        assert (ran.json["tasks"], ran.json["passed"], len(service.asked)) == (24, 2, 24)
        assert ran.json["severalTries"][1]["passAtK"] == pytest.approx(1 / 12)
        assert ran.json["ledger"]["cost"] == pytest.approx(24 * (100 + 40) / 1e6)
        assert archstudio(*model, *more).code == 2
        again = archstudio(*model, *more, "--resume")
        assert (again.json["tasks"], again.json["before"], len(service.asked)) == (0, 24, 24)
        out.unlink()  # the replies are still known
        known = archstudio(*model, *more)
        assert (known.json["passed"], known.json["ledger"]["knownBefore"], len(service.asked)) == (2, 24, 24)
    told = archstudio("bench", "results", out, "--json").json
    assert [(row["model"], row["passed"], row["total"]) for row in told["summaries"]] == [("m", 2, 24)]
    assert told["summaries"][0]["tokensPerSolve"] == 24 * 120 / 2
    assert told["severalTries"][0]["k"] == 1
    assert len(traces.read_text(encoding="utf-8").splitlines()) == 48
    kept = "".join(file.read_text(encoding="utf-8") for file in tmp_path.iterdir())
    assert KEY not in kept + ran.out + ran.err


def test_what_was_without_reply_is_asked_again(archstudio: Callable[..., Any], tmp_path: Path) -> None:
    down = [True]
    out = tmp_path / "run.jsonl"
    with StandIn(lambda body: sends(b"down", 500) if down[0] else answers(body)) as service:
        model = ("bench", "run", "--policy", "llm", "--model", "m", "--base-url", service.base_url, "--out", out)
        ran = archstudio(*model, "--attempts", 1, "--json")
        assert (ran.code, ran.json["errors"]) == (1, 12)
        down[0] = False
        again = archstudio(*model, "--resume", "--json")
        assert (again.code, again.json["tasks"], again.json["passed"]) == (0, 12, 1)
    told = archstudio("bench", "results", out, "--json").json
    assert [(row["passed"], row["total"], row["errors"]) for row in told["summaries"]] == [(1, 12, 0)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--policy", "llm"), "needs a --model"),
        (("--policy", "llm", "--model", "m"), "Name the service with --base-url"),
        (("--policy", "llm", "--model", "m", "--base-url", "ftp://x"), "must start with http"),
        (("--policy", "llm", "--model", "m", "--base-url", "http://far.example/v1"), "without encryption"),
        (("--policy", "llm", "--model", "m", "--base-url", "https://x", "--key-variable", "NONE"), "is not set"),
        (("--policy", "llm", "--model", "m", "--base-url", "https://x", "--price-in", 1), "go together"),
        (("--policy", "llm", "--model", "m", "--base-url", "https://x", "--resume"), "name it with --out"),
        (("--policy", "noop", "--model", "m"), "belong to --policy llm"),
    ],
)
def test_options_that_do_not_fit_are_told(
    archstudio: Callable[..., Any], arguments: tuple[object, ...], words: str
) -> None:
    ran = archstudio("bench", "run", *arguments)
    assert ran.code == 2
    assert words in ran.err
    assert os.environ["OPENAI_API_KEY"] not in ran.err
