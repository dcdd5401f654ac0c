"""The comparison with PyTorch runs in another process: the newest graph wins, and nothing is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import psutil
import pytest

from archstudio.app.document import Document
from archstudio.app.torch_judge import JudgeLimits, TorchJudge, TorchStatus, answer_text
from archstudio.edits import set_params
from archstudio.graph import from_document
from archstudio.torchcode.judging.messages import Answer

PATIENCE_OF_THE_TEST = 60.0
SLOW = {"x": ("input", {"shape": [1, 400_000, 8]}), "r": ("gru", {"hiddenSize": 8}), "y": ("output", {})}
"""A graph that keeps real PyTorch busy for many seconds."""


def document(nodes: dict[str, tuple[str, dict[str, Any]]]) -> Document:
    names = list(nodes)
    components = [{"id": n, "name": n, "type": kind, "params": params} for n, (kind, params) in nodes.items()]
    wires = [{"from": a, "to": b} for a, b in pairwise(names)]
    return Document(from_document({"name": "net", "components": components, "connections": wires}))


def small(width: int = 3, wrong: bool = False) -> Document:
    head = {"inFeatures": 9 if wrong else width, "outFeatures": 2}
    return document(
        {
            "x": ("input", {"shape": [1, 4]}),
            "fc": ("linear", {"inFeatures": 4, "outFeatures": width}),
            "act": ("relu", {}),
            "head": ("linear", head),
            "y": ("output", {}),
        }
    )


def settled(judge: TorchJudge) -> TorchStatus:
    """Poll until nothing is under way."""
    end = time.monotonic() + PATIENCE_OF_THE_TEST
    while time.monotonic() < end:
        status = judge.poll()
        if status.state not in ("asking", "starting"):
            return status
        time.sleep(0.01)
    raise AssertionError(f"still {judge.poll()}")


def until_working(judge: TorchJudge) -> None:
    """Poll until PyTorch is imported and has the question."""
    while not judge.text().endswith("is asked …") or judge.pid is None or "PyTorch 2" not in judge.text():
        judge.poll()
        time.sleep(0.01)


@pytest.fixture
def judge() -> Iterator[TorchJudge]:
    made = TorchJudge(JudgeLimits(debounce=0.05, patience=0.2))
    yield made
    made.close()
    assert psutil.Process().children() == []


def test_it_answers_tells_what_it_is_doing_and_answers_again_in_the_same_process(judge: TorchJudge) -> None:
    assert judge.poll() == TorchStatus("idle", "")
    judge.ask(small())
    assert judge.poll().state == "asking"
    assert judge.pid is None, "nothing is started before the edits pause"
    status = settled(judge)
    assert status.agrees
    version = ".".join(status.answer.torch.split(".")[:2]) if status.answer else ""
    assert judge.text() == status.text == f"PyTorch {version} agrees: shapes, parameters, FLOPs"
    first = judge.pid
    judge.ask(small(wrong=True))
    assert judge.poll().answer is None, "the answer to an older graph is not shown for a newer one"
    assert settled(judge).text == f"PyTorch {version} agrees: fc to act; head refused"
    assert judge.pid == first


def test_of_many_edits_only_the_last_is_asked_about(judge: TorchJudge) -> None:
    edited = small(wrong=True)
    judge.ask(edited)
    for width in range(4, 10):
        edited.push(set_params(edited.graph.node("fc"), outFeatures=width), "width")
        judge.ask(edited)
        judge.poll()
    assert settled(judge).agrees
    assert "refused" not in judge.text(), "the last width is the one that fits"


def test_a_newer_graph_does_not_wait_for_an_older_one(judge: TorchJudge) -> None:
    judge.ask(document(SLOW))
    until_working(judge)
    slow = judge.pid
    judge.ask(small())
    status = settled(judge)
    assert status.agrees
    assert status.answer is not None
    assert status.answer.ran == ("fc", "y")
    assert judge.pid != slow
    judge.close()
    assert not psutil.pid_exists(slow or 0)


def test_a_process_that_is_killed_is_replaced_and_the_question_put_again(judge: TorchJudge) -> None:
    judge.ask(document(SLOW))
    until_working(judge)
    os.kill(judge.pid or 0, signal.SIGKILL)
    judge.ask(small())
    assert settled(judge).agrees
    os.kill(judge.pid or 0, signal.SIGKILL)
    judge.ask(small(width=5))
    assert settled(judge).agrees


def test_a_graph_that_ends_the_process_twice_is_given_up(judge: TorchJudge) -> None:
    judge.ask(document(SLOW))
    for _ in range(2):
        until_working(judge)
        killed = judge.pid
        os.kill(killed or 0, signal.SIGKILL)
        while judge.pid == killed:
            judge.poll()
            time.sleep(0.01)
    status = settled(judge)
    assert (status.state, status.answer) == ("failed", None)
    assert "was killed by SIGKILL" in status.text


def test_a_model_that_hangs_is_ended(judge: TorchJudge) -> None:
    hasty = TorchJudge(JudgeLimits(debounce=0, answer=0.5))
    try:
        hasty.ask(document(SLOW))
        status = settled(hasty)
        assert status == TorchStatus("failed", "Not compared with PyTorch: it took longer than 0.5 s")
        hasty.ask(small())
        hasty._limits = JudgeLimits(debounce=0)
        assert settled(hasty).agrees
    finally:
        hasty.close()


def test_closing_ends_a_process_in_the_middle_of_its_work(judge: TorchJudge) -> None:
    judge.ask(document(SLOW))
    until_working(judge)
    pid = judge.pid
    judge.close()
    assert not psutil.pid_exists(pid or 0)
    judge.close()
    judge.poll()
    assert judge.pid is None


def test_without_pytorch_it_says_so_once_and_starts_nothing_more(
    judge: TorchJudge, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    judge.ask(small())
    assert settled(judge) == TorchStatus("unavailable", "PyTorch cannot be used here; the rules alone speak")
    judge.ask(small())
    assert judge.poll().state == "unavailable"


def test_the_window_itself_never_imports_torch() -> None:
    code = (
        "import sys, archstudio.app.torch_judge, archstudio.torchcode.judge_worker; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_worker_whose_window_is_gone_ends_whatever_it_does() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "archstudio.torchcode.judge_worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert worker.stdin
    assert worker.stdout
    worker.stdin.close()
    assert worker.wait(PATIENCE_OF_THE_TEST) == 0
    worker.stdout.close()


def test_differences_are_told_first_of_all() -> None:
    answer = Answer(
        torch="2.13.0", where="cpu", differences=("head: shape (1, 10) by the rules, (1, 12) in PyTorch", "x")
    )
    assert answer_text(answer).startswith("PyTorch 2.13 differs: head: shape (1, 10) by the rules")
    assert answer_text(answer).endswith("(and 1 more)")
