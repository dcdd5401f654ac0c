"""A session's process is killed at random moments: what was acknowledged is there, and the session goes on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from made_studies import frozen, graph_protocol

from archstudio.study.log import EventKind, read_events, verify_chain
from archstudio.study.pack import StudyPack
from archstudio.study.replay import verify
from archstudio.study.session import fold

CHILD = Path(__file__).with_name("killed_session.py")
SETTLED_NS = 50_000_000
"""Editing steps handed over this long before the kill must be on the disk…"""
BUSY_NS = 1_000_000_000
"""…on a machine that has time for the thread that writes; a test machine may let it wait."""


@dataclass
class Said:
    """What a killed process said before it died."""

    acknowledged: list[str] = field(default_factory=list)
    edits: list[tuple[str, int]] = field(default_factory=list)
    certain: set[str] = field(default_factory=set)
    """Editing steps made before something that was acknowledged."""
    killed_ns: int = 0
    in_transaction: bool = False


def run_until_killed(study: Path, folder: Path, draws: random.Random, *, transaction: bool) -> Said:
    command = [sys.executable, str(CHILD), str(study), str(folder), str(draws.randrange(10**6)), str(int(transaction))]
    said = Said()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "READY\n"
        lines, until = draws.randrange(2, 40), time.monotonic() + draws.uniform(0.02, 0.4)
        for line in child.stdout:
            note(said, line)
            lines -= 1
            if line == "TX\n" and lines <= 0:
                said.in_transaction = True
                break
            if not transaction and (lines <= 0 or time.monotonic() > until):
                break
        child.kill()
        said.killed_ns = time.monotonic_ns()
        for line in child.stdout:
            note(said, line)
    return said


def note(said: Said, line: str) -> None:
    kind, *words = line.split()
    if not line.endswith("\n"):
        return
    if kind == "ACK":
        said.acknowledged.append(words[0])
        said.certain = {token for token, _ in said.edits}
    if kind == "EDIT":
        said.edits.append((words[0], int(words[1])))


def check(pack: StudyPack, folder: Path, said: Said) -> int:
    """Everything acknowledged is recorded, and lost edits are the last ones; returns the age in ns of the oldest."""
    tokens: list[str] = []
    for path in folder.glob("*.session"):
        assert verify_chain(path).holds
        for event in read_events(path):
            if event.kind is EventKind.EDIT:
                tokens.append(event.data["e"]["value"])
            elif event.kind is EventKind.FLAGGED:
                tokens.append(event.data["reason"])
            elif "why" in event.data:
                tokens.append(event.data["why"]["text"])
        fold(pack.items, read_events(path))
    known = set(tokens)
    assert set(said.acknowledged) <= known
    assert said.certain <= known
    lost = [at for token, at in said.edits if token not in known]
    kept = [at for token, at in said.edits if token in known]
    assert not (lost and kept) or min(lost) > max(kept)
    return max((said.killed_ns - at for at in lost), default=0)


def survive(tmp_path: Path, kills: int, in_transaction: int) -> tuple[int, int]:
    """Kill a session many times; returns how often within a transaction, and the age of the oldest lost edit."""
    study = frozen(graph_protocol("verifier_turns_3", limits={"attempts": 3}), tmp_path)
    file, folder = tmp_path / "small.study", tmp_path / "sessions"
    file.write_bytes(study.content)
    folder.mkdir()
    draws = random.Random(20_260_701)
    oldest = inside = 0
    for number in range(kills):
        said = run_until_killed(file, folder, draws, transaction=number < in_transaction)
        inside += said.in_transaction
        oldest = max(oldest, check(study.pack, folder, said))
    for path in folder.glob("*.session"):
        assert verify(path, study.pack).holds
    return inside, oldest


def test_guarantee_01_a_kill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    inside, oldest = survive(tmp_path, kills=4, in_transaction=2)
    assert inside == 2
    assert oldest < BUSY_NS


@pytest.mark.long
def test_guarantee_01_two_hundred_kills_of_which_sixty_are_within_a_transaction(tmp_path: Path) -> None:
    inside, oldest = survive(tmp_path, kills=200, in_transaction=60)
    print(f"200 kills, {inside} within a transaction; the oldest lost edit was {oldest / 1e6:.1f} ms old")
    assert inside >= 50
    assert oldest < BUSY_NS
