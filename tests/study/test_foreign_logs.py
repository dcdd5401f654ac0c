"""Logs whose chain holds but whose content makes no sense: refused with the event, never a crash."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_studies import Study, frozen, graph_protocol, question_protocol

from archstudio.study.collect import collect, coverage
from archstudio.study.log.chain import genesis, link, proof
from archstudio.study.log.codec import decode, encode
from archstudio.study.log.events import EventKind
from archstudio.study.log.store import write_head
from archstudio.study.replay import verify
from archstudio.study.simulated import simulate

Data = dict[str, Any]
Recorded = tuple[Study, Path]
JSON = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
)
VALUES = JSON | st.lists(JSON, max_size=3) | st.dictionaries(st.text(max_size=3), JSON, max_size=3)


def rewritten(path: Path, change: Callable[[int, EventKind, Data], tuple[EventKind, Data]]) -> None:
    """Write a log's events anew, changed, with a chain that holds."""
    with closing(sqlite3.connect(path)) as connection:
        (session,) = connection.execute("SELECT value FROM meta WHERE key = 'session'").fetchone()
        last, seq = genesis(session), 0
        for seq, wall, mono, kind, payload in connection.execute(
            "SELECT seq, wall, mono, kind, payload FROM event ORDER BY seq"
        ).fetchall():
            other, data = change(seq, EventKind(kind), decode(payload))
            content, salt = encode(data), b"s" * 16
            last = link(last, seq, wall, mono, other, proof(salt, content))
            connection.execute(
                "UPDATE event SET kind = ?, salt = ?, payload = ?, hash = ? WHERE seq = ?",
                (int(other), salt, content, last, seq),
            )
        write_head(connection, seq, last)
        connection.commit()


@pytest.fixture(scope="module", params=["graphs", "questions"])
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("recorded")
    made = (
        graph_protocol("verifier_turns_3")
        if request.param == "graphs"
        else question_protocol("full_sequential_feedback")
    )
    study = frozen(made, folder)
    (path,) = simulate(study.pack, folder, 1)
    return study, path


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(1, 60), other=st.none() | st.sampled_from(EventKind), which=st.integers(0, 99), value=VALUES)
def test_fields_that_make_no_sense_are_refused(
    recorded: Recorded, tmp_path: Path, place: int, other: EventKind | None, which: int, value: Any
) -> None:
    study, original = recorded
    # A folder an example: what SQLite may leave beside one log is not read as a part of the next.
    path = Path(mkdtemp(dir=tmp_path)) / "foreign.session"
    shutil.copy(original, path)

    def change(seq: int, kind: EventKind, fields: Data) -> tuple[EventKind, Data]:
        if seq != place:
            return kind, fields
        if not fields or other is not None:
            return other or kind, fields
        names = sorted(fields)
        return kind, {**fields, names[which % len(names)]: value}

    rewritten(path, change)
    made = collect(study.pack, [path])
    coverage(made.records)
    assert len(made.records.sessions) + len(made.records.withdrawals) + len(made.left) > 0
    verify(path, study.pack)


def test_a_log_written_anew_unchanged_is_as_good(recorded: Recorded, tmp_path: Path) -> None:
    study, original = recorded
    path = tmp_path / "foreign.session"
    shutil.copy(original, path)
    rewritten(path, lambda _, kind, fields: (kind, fields))
    assert verify(path, study.pack).holds
    assert len(collect(study.pack, [path]).records.sessions) == 1


def test_an_answer_about_the_person_that_was_not_asked_is_refused(recorded: Recorded, tmp_path: Path) -> None:
    study, original = recorded
    path = tmp_path / "foreign.session"
    shutil.copy(original, path)

    def change(_: int, kind: EventKind, fields: Data) -> tuple[EventKind, Data]:
        if kind is EventKind.QUESTIONNAIRE:
            fields["answers"]["shoe_size"] = 43
        return kind, fields

    rewritten(path, change)
    (left,) = collect(study.pack, [path]).left
    assert "shoe_size: was not asked" in left.detail


@pytest.mark.parametrize("wall", [-1, 2**62])
def test_a_date_beyond_all_dates_is_refused(recorded: Recorded, tmp_path: Path, wall: int) -> None:
    study, original = recorded
    path = tmp_path / "foreign.session"
    shutil.copy(original, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE event SET wall = ? WHERE seq = 1", (wall,))
        connection.commit()
    rewritten(path, lambda _, kind, fields: (kind, fields))
    (left,) = collect(study.pack, [path]).left
    assert "says it happened" in left.detail


def test_an_answer_revealed_otherwise_than_the_key_says_is_noticed(recorded: Recorded, tmp_path: Path) -> None:
    study, original = recorded
    path = tmp_path / "foreign.session"
    shutil.copy(original, path)

    def change(_: int, kind: EventKind, fields: Data) -> tuple[EventKind, Data]:
        if kind is EventKind.REVEAL:
            fields["means"] = dict.fromkeys(fields["means"], 0.0)
        return kind, fields

    rewritten(path, change)
    found = verify(path, study.pack)
    assert found.chain.holds
    assert found.holds == (study.pack.protocol.benchmark == "arch-bench")  # which reveals nothing
