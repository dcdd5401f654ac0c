"""Tasks are answered in rounds; commands that hang, flood or babble cost a bounded time and never the run."""

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from archstudio.bench.generate import generated_task
from archstudio.bench.policies import POLICIES
from archstudio.bench.results.outcomes import outcomes, summaries
from archstudio.bench.results.runs import is_run, read_run
from archstudio.bench.run import Answer, BuiltIn, Command, OtherRun, RunFile, RunSettings, play
from archstudio.bench.run.record import LONGEST_REPLY, result_line
from archstudio.bench.tasks import curated_task, curated_tasks
from archstudio.files.unusable import UnusableFile

MEND = {"type": "update_params", "name": "attn", "params": {"numHeads": 5}}
SPOIL = {"type": "update_params", "name": "attn", "params": {"numHeads": 3}}


class Scripted:
    """Answers with prepared replies and remembers what it was shown."""

    def __init__(self, *replies: Any) -> None:
        self.replies = [text if isinstance(text, str) else json.dumps(text) for text in replies]
        self.seen: list[Mapping[str, Any]] = []

    def answer(self, task: Any, observation: Mapping[str, Any]) -> Answer:
        self.seen.append(observation)
        return Answer(self.replies[len(self.seen) - 1])


def fix() -> Any:
    return curated_task("fix-broken-attention")


# Rounds --------------------------------------------------------------------------------------------------------------


def test_a_round_starts_from_the_graph_of_the_one_before_and_hears_what_failed() -> None:
    model = Scripted({"actions": [SPOIL]}, {"actions": [MEND]})
    episode = play(fix(), model, rounds=3)
    assert (episode.passed, episode.passed_first, len(episode.submitted)) == (True, False, 2)
    assert '"numHeads":3' in model.seen[1]["observation"]
    assert "structural blocker: attn: embedDim 100 not divisible by numHeads 3" in model.seen[1]["feedback"]
    assert model.seen[0]["task"] == fix().spec
    assert (model.seen[0]["round"], model.seen[1]["round"], model.seen[0]["feedback"]) == (1, 2, [])


def test_a_reply_that_cannot_be_read_changes_nothing_and_says_so() -> None:
    model = Scripted("I would rather not.", {"actions": [MEND]})
    episode = play(fix(), model, rounds=2)
    assert episode.passed
    assert model.seen[1]["feedback"] == ["no JSON object in reply"]
    assert model.seen[1]["observation"] == model.seen[0]["observation"]


def test_counts_are_by_round_and_forbidden_types_stay_used() -> None:
    task = generated_task("core", 7, 5)
    assert task.constraints["maxActions"] == 2
    padded = {"actions": [*task.reference(), {"type": "note"}, {"type": "note"}]}
    assert play(task, Scripted(padded, {"actions": []}), rounds=2).passed
    rebuilt = {"actions": [{"type": "clear_canvas"}, *task.reference()]}
    failed = play(task, Scripted(rebuilt, {"actions": []}), rounds=2)
    assert 'used forbidden action "clear_canvas"' in failed.rounds[1].feedback


def test_dry_runs_are_graded_and_change_nothing() -> None:
    model = Scripted({"audit": True, "actions": [MEND]}, {"audit": True, "actions": []}, {"actions": [MEND]})
    episode = play(fix(), model, rounds=1, audits=2)
    assert (episode.passed, len(episode.rounds), len(episode.submitted)) == (True, 3, 1)
    first, second = model.seen[1]["audit"], model.seen[2]["audit"]
    assert (first["pass"], first["failures"], second["pass"]) == (True, [], False)
    assert model.seen[2]["observation"] == model.seen[0]["observation"]
    assert [seen["auditsLeft"] for seen in model.seen] == [2, 1, 0]


def test_without_dry_runs_left_a_reply_counts() -> None:
    episode = play(fix(), Scripted({"audit": True, "actions": [MEND]}), rounds=1, audits=0)
    assert (episode.passed, len(episode.submitted)) == (True, 1)


def test_what_came_of_a_task_is_one_line() -> None:
    passed = result_line(play(fix(), Scripted({"actions": [MEND]})))
    assert (passed["status"], passed["passesAllThree"], passed["score"]) == ("PASS", True, 60)
    garbled = result_line(play(fix(), Scripted("?")))
    assert (garbled["status"], garbled["failureCategories"]) == ("FAIL", ["parse-error"])
    silent = result_line(play(curated_task("cnn-cifar"), BuiltIn(lambda task: None)))
    assert (silent["status"], silent["faults"]) == ("ERROR", ["the policy has no answer to this task"])


def test_the_built_in_policies_do_what_they_are_called() -> None:
    def passes(name: str) -> list[tuple[bool, bool]]:
        episodes = [play(task, BuiltIn(POLICIES[name])) for task in curated_tasks()]
        return [(episode.passed, bool(episode.last and episode.last.passes_all)) for episode in episodes]

    assert all(passed for passed, _ in passes("reference"))
    assert passes("corrected") == [(True, True)] * 12
    assert passes("noop") == [(False, False)] * 12
    assert passes("number-blind") == [(True, False)] * 12


# Commands ------------------------------------------------------------------------------------------------------------


def python(code: str, timeout_s: float = 20.0, most_bytes: int = 100_000) -> Command:
    return Command([sys.executable, "-c", code], timeout_s, most_bytes)


def test_a_command_reads_the_observation_and_prints_its_reply() -> None:
    code = (
        "import json, sys; seen = json.load(sys.stdin); heads = 5 if 'numHeads' in seen['observation'] else 1\n"
        "print('Thinking…'); print(json.dumps({'actions': [{'type': 'update_params', 'name': 'attn',"
        " 'params': {'numHeads': heads}}]}))"
    )
    assert play(fix(), python(code)).passed


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("import time; time.sleep(60)", "no reply within 1 s"),
        ("import os, time; os.close(1); time.sleep(60)", "no reply within 1 s"),
        ("import sys\nwhile True: sys.stdout.write('x' * 9999)", "the reply is longer than 100,000 bytes"),
        ("import sys; sys.exit(3)", "exit code 3"),
        ("raise SystemExit('no key')", "exit code 1: no key"),
    ],
)
def test_a_command_that_hangs_floods_or_fails_is_ended(code: str, fault: str) -> None:
    assert python(code, timeout_s=1.0).answer(fix(), {}) == Answer(fault=fault)


def test_a_command_need_not_read_and_may_print_what_is_no_text() -> None:
    large = {"observation": "x" * 3_000_000}
    answer = python("import sys; sys.stdout.buffer.write(b'\\xff{}')").answer(fix(), large)
    assert answer == Answer("�{}")


def test_a_flood_of_complaints_does_not_block_the_reply() -> None:
    assert python("import sys; sys.stderr.write('x' * 3_000_000); print('{}')").answer(fix(), {}).text.strip() == "{}"


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_what_a_command_started_is_ended_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"import time, pathlib; time.sleep(3); pathlib.Path({str(mark)!r}).touch()"
    code = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(60)"
    assert python(code, timeout_s=0.7).answer(fix(), {}).fault == "no reply within 0.7 s"
    time.sleep(3)
    assert not mark.exists()


def test_a_command_that_is_not_there_is_a_fault_and_no_crash() -> None:
    answer = Command(["no-such-program"]).answer(fix(), {})
    assert (answer.fault or "").startswith("cannot start 'no-such-program'")


# Files of runs -------------------------------------------------------------------------------------------------------

SETTINGS = RunSettings("mine", "curated", 2, 0, 5.0)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_run_is_kept_and_read_as_results(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    file = RunFile(path, SETTINGS)
    file.keep(play(fix(), Scripted({"actions": [SPOIL]}, {"actions": [MEND]}), rounds=2))
    file.keep(play(curated_task("cnn-cifar"), Scripted("?", "x" * 50_000), rounds=2))
    assert [line["schema"].split(".")[1] for line in lines(path)] == [
        *("bench-run/1", "bench-round/1", "bench-round/1", "bench-result/1"),
        *("bench-round/1", "bench-round/1", "bench-result/1"),
    ]
    assert (len(lines(path)[5]["reply"]), lines(path)[5]["replyLength"]) == (LONGEST_REPLY, 50_000)
    assert is_run(path)
    (summary,) = summaries(outcomes(read_run(path)))
    assert (summary.setting.model, summary.setting.way) == ("mine", "up to 2 rounds")
    assert (summary.passed, summary.total, summary.categories) == (1, 2, {"parse-error": 1})


@pytest.mark.parametrize("rest", ['{"schema": "archst', '{"schema": "archstudio.bench-round/1", "taskId": "x"}\n', ""])
def test_an_interrupted_run_goes_on_behind_its_last_result(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "run.jsonl"
    RunFile(path, SETTINGS).keep(play(fix(), Scripted({"actions": [MEND]}), rounds=2))
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + rest, encoding="utf-8")
    again = RunFile(path, SETTINGS)
    assert again.done == {("fix-broken-attention", 1)}
    assert path.read_text(encoding="utf-8") == whole
    again.keep(play(curated_task("cnn-cifar"), BuiltIn(POLICIES["corrected"])))
    assert len(read_run(path).rows) == 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"rounds": 3}, "rounds 2 instead of 3"), ({"policy": "yours"}, "policy 'mine' instead of 'yours'")],
)
def test_another_run_does_not_go_on_in_a_file(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    path = tmp_path / "run.jsonl"
    RunFile(path, SETTINGS)
    before = path.read_bytes()
    with pytest.raises(OtherRun, match=reason):
        RunFile(path, RunSettings(**{**vars(SETTINGS), **change}))
    assert path.read_bytes() == before


def test_a_file_of_something_else_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n", encoding="utf-8")
    with pytest.raises(OtherRun, match="is no file of a run"):
        RunFile(path, SETTINGS)
    assert path.read_text(encoding="utf-8") == "my notes\n"
    assert not is_run(path)
    with pytest.raises(UnusableFile, match="line 1"):
        read_run(path)


def test_spoilt_result_lines_are_placed(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    RunFile(path, SETTINGS).keep(play(fix(), Scripted({"actions": [MEND]}), rounds=2))
    path.write_text(path.read_text(encoding="utf-8").replace('"PASS"', '"GREAT"'), encoding="utf-8")
    with pytest.raises(UnusableFile, match=r"\$\.status"):
        read_run(path)
