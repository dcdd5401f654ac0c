"""`archstudio study`, from a new protocol to a withdrawal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_a_study_from_protocol_to_withdrawal(archstudio: Run, tmp_path: Path) -> None:
    protocol, study, sessions = tmp_path / "mine.json", tmp_path / "mine.study", tmp_path / "sessions"
    assert archstudio("study", "new", protocol).code == 0
    made = archstudio("study", "freeze", protocol)
    assert made.code == 0
    assert "keep it to yourself" in made.out
    assert "exists" in archstudio("study", "freeze", protocol).err
    assert "byte-equal" in archstudio("study", "show", study).out
    assert archstudio("study", "simulate", study, "--out", sessions, "--people", 3).code == 0
    merged = archstudio("study", "merge", study, sessions, "--json").json
    assert len(merged["records"]["sessions"]) == 3
    assert all(row["simulated"] for row in merged["records"]["attempts"])
    covered = archstudio("study", "coverage", study, sessions, "--json").json
    assert covered["people"] == 3
    session = sorted(sessions.glob("*.session"))[0]
    assert archstudio("study", "verify", session, "--study", study, "--json").json["holds"]
    assert "submit 1" in archstudio("study", "replay", session, "--study", study).out
    assert archstudio("study", "hand-over", session, "-o", tmp_path / "s.archsession").code == 0
    unknown = archstudio("study", "withdraw", "ABCDE-FGHJK-LMNPQ-RSTUV", sessions)
    assert unknown.code == 1
    assert "no session here" in unknown.err


def test_an_altered_session_is_told_by_the_exit_code(archstudio: Run, tmp_path: Path) -> None:
    protocol, study, sessions = tmp_path / "mine.json", tmp_path / "mine.study", tmp_path / "sessions"
    archstudio("study", "new", protocol)
    archstudio("study", "freeze", protocol)
    archstudio("study", "simulate", study, "--out", sessions, "--people", 1)
    (session,) = sessions.glob("*.session")
    connection = sqlite3.connect(session)
    connection.execute("UPDATE event SET wall = wall + 1 WHERE seq = 4")
    connection.commit()
    connection.close()
    verified = archstudio("study", "verify", session)
    assert verified.code == 1
    assert "event 4" in verified.out
    merged = archstudio("study", "merge", study, sessions)
    assert merged.code == 1
    assert "unreadable" in merged.out


def test_the_planner_gives_the_published_widths(archstudio: Run) -> None:
    told = archstudio("study", "plan", "--people", 24, "--items", 12)
    for line in ("12  ±24.4", "100  ±9.4", "400  ±4.8"):
        assert line in told.out
    assert archstudio("study", "plan", "--target", 10, "--json").json["design"]["people"] == 24
    assert archstudio("study", "plan", "--target", 0).code == 2


def test_faults_are_one_line(archstudio: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({"schema": 1}))
    (tmp_path / "bad.study").write_bytes(b"PK")
    for arguments in (
        ("new",),
        ("new", tmp_path / "x.json", "--from", "none"),
        ("freeze", tmp_path / "bad.json"),
        ("show", tmp_path / "bad.study"),
        ("verify", tmp_path / "missing.session"),
        ("hand-over", tmp_path / "bad.json"),
    ):
        done = archstudio("study", *arguments)
        assert done.code == 2, arguments
        assert done.err.count("\n") == 1
        assert "Traceback" not in done.err
