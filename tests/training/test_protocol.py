"""Messages: what is sent is what arrives, and nothing else is understood."""

import pytest

from archstudio.torchcode.child_process import NotAMessage, to_line
from archstudio.training.child import clean_environment, exit_in_words
from archstudio.training.protocol import (
    Aggregate,
    Ended,
    Failure,
    Pause,
    Progress,
    Run,
    parse_command,
    parse_event,
)


@pytest.mark.parametrize("command", [Run(job=3, folder="a b", seed=2**62), Pause(job=1)])
def test_commands_arrive_as_they_were_sent(command) -> None:
    line = to_line(command)
    assert line.count(b"\n") == 1
    assert parse_command(line) == command


def test_events_arrive_as_they_were_sent() -> None:
    one = Aggregate(count=1, mean=0.1, low=0.1, high=0.1, last=1 / 3, samples=32)
    progress = Progress(job=1, step=1, samples=32, seconds=0.5, metrics={"train_loss": one})
    failure = Failure(kind="diverged", message="line\nbreak", log=("a", "b"))
    for event in (progress, Ended(job=1, state="failed", failure=failure)):
        assert parse_event(to_line(event)) == event


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"[1]", b'{"v":2,"type":"quit"}', b'{"v":1,"type":"fly"}', b'{"v":1,"type":"quit","x":1}']
)
def test_anything_else_is_refused(line) -> None:
    with pytest.raises(NotAMessage, match="no message of version 1"):
        parse_command(line)


def test_a_worker_sees_no_secrets_and_one_thread() -> None:
    seen = clean_environment({"PATH": "/bin", "AWS_SECRET_ACCESS_KEY": "x", "GITHUB_TOKEN": "y", "PYTHONPATH": "/mine"})
    assert seen["PATH"] == "/bin"
    assert seen["PYTHONPATH"].endswith("/mine")
    assert seen["OMP_NUM_THREADS"] == "1"
    assert not {"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"} & set(seen)


def test_the_end_of_a_process_is_told_in_words() -> None:
    assert exit_in_words(3) == ("ended with exit code 3", None)
    assert exit_in_words(-11) == ("was killed by SIGSEGV", "SIGSEGV")
    assert "memory" in exit_in_words(-9)[0]
