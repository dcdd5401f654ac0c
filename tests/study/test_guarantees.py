"""What a study promises, each a test: 2 to 9 and 11 (1 stands in test_kills, 10 with the exports)."""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_studies import Study, baked, frozen, param, pass_by, question_protocol, until

from archstudio.edits.primitives import SetMeta
from archstudio.graph.digest import document_digest
from archstudio.study.collect import collect, coverage
from archstudio.study.log import EventKind, read_events, verify_chain
from archstudio.study.log.codec import decode
from archstudio.study.log.transfer import export_session, import_session, read_exported
from archstudio.study.pack import open_study
from archstudio.study.protocol.model import Order
from archstudio.study.protocol.orders import assigned_condition, item_order, option_order, shuffled, stream
from archstudio.study.replay import verify
from archstudio.study.session import GraphDesk, ManualClock, NotNow, QuestionDesk, Session, texts
from archstudio.study.session.state import BrokenSession, fold
from archstudio.study.simulated import simulate

Begin = Callable[..., Session]
Freeze = Callable[..., Study]

# 2 ----------------------------------------------------------------------------------------------------------------

RECORDED_ORDER = "print(','.join(item_order([str(n) for n in range(12)], Order(rule='random'), None, 7, 3)))"


def test_guarantee_02_the_same_seed_gives_the_same_orders_as_recorded() -> None:
    ids = [f"item-{n}" for n in range(8)]
    random = item_order(ids, Order(rule="random", seed=5), None, 12345, 0)
    assert random == [f"item-{n}" for n in (0, 4, 2, 6, 1, 3, 5, 7)]
    assert option_order(["a", "b", "c"], Order(), 12345, "q_1") == ["b", "a", "c"]
    dealt = [assigned_condition(["single_shot", "verifier_tool"], 2, n)[0] for n in range(6)]
    first, second = "single_shot", "verifier_tool"
    assert dealt == [first, second, second, first, first, second]


def test_guarantee_02_no_hash_seed_changes_an_order() -> None:
    lines = set()
    for hash_seed in ("0", "1", "4711"):
        code = (
            "from archstudio.study.protocol.orders import item_order\n"
            f"from archstudio.study.protocol.model import Order\n{RECORDED_ORDER}"
        )
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        lines.add(done.stdout)
    assert len(lines) == 1


@given(st.lists(st.integers(), unique=True, max_size=30), st.integers(0, 2**32 - 1))
def test_guarantee_02_a_shuffle_is_a_permutation(items: list[int], seed: int) -> None:
    assert sorted(shuffled(items, stream(seed))) == sorted(items)
    assert shuffled(items, stream(seed)) == shuffled(items, stream(seed))


def test_guarantee_02_a_session_made_again_has_the_same_order(graphs: Freeze, begin: Begin) -> None:
    pack = graphs("single_shot", "verifier_tool").pack
    heads = [begin(pack, number=5).state.head for _ in range(2)]
    assert heads[0] == heads[1]


# 3 ----------------------------------------------------------------------------------------------------------------


def members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_guarantee_03_a_blind_pack_is_the_same_whatever_the_answers_are(tmp_path: Path) -> None:
    packs = [
        members(frozen(question_protocol("blind"), tmp_path, baked(right=lambda place, n=n: n)).content)
        for n in range(3)
    ]
    for pack in packs:
        manifest = json.loads(pack.pop("manifest.json"))
        assert manifest["key"] == "none"
    assert packs[0] == packs[1] == packs[2]


def test_guarantee_03_a_blind_pack_holds_no_key(questions: Freeze) -> None:
    study = questions("blind")
    assert study.pack.keys == {}
    everything = b"".join(members(study.content).values())
    for word in (b"correct", b"reveal", b"0.625", b'"means"', b"key.sealed"):
        assert word not in everything


def test_guarantee_03_a_blind_session_reveals_nothing(questions: Freeze, begin: Begin, clock: ManualClock) -> None:
    session = begin(questions("blind").pack)
    desk = session.present()
    session.painted()
    assert isinstance(desk, QuestionDesk)
    assert not desk.reveals
    desk.answer(desk.order[0])
    with pytest.raises(NotNow):
        desk.reveal()


def test_guarantee_03_a_feedback_pack_holds_its_key_sealed(questions: Freeze) -> None:
    study = questions("full_sequential_feedback")
    assert len(study.pack.keys) == 6
    sealed = members(study.content)["key.sealed"]
    for word in (b"correct", b"means", b"c_000a"):
        assert word not in sealed


# 4 ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["single_shot", "verifier_turns_3", "verifier_tool", "assisted"])
def test_guarantee_04_replay_rebuilds_the_graph_and_the_grade(graphs: Freeze, tmp_path: Path, condition: str) -> None:
    pack = graphs(condition).pack
    for path in simulate(pack, tmp_path, 3, seed=1):
        found = verify(path, pack)
        assert found.holds, found.problems
        assert found.attempts
        assert all(not attempt.differs for attempt in found.attempts)


@pytest.mark.parametrize("condition", ["blind", "full_sequential_feedback"])
def test_guarantee_04_a_session_of_questions_replays_too(questions: Freeze, tmp_path: Path, condition: str) -> None:
    pack = questions(condition).pack
    for path in simulate(pack, tmp_path, 3, seed=1):
        found = verify(path, pack)
        assert found.holds, found.problems
        assert found.state is not None
        assert found.state.stage == "ended"


def test_guarantee_04_the_replayed_graph_is_the_one_that_was_worked_on(
    graphs: Freeze, begin: Begin, clock: ManualClock
) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = until(session, clock, "fix-broken-attention")
    assert isinstance(desk, GraphDesk)
    edit = param(desk, "attn", numHeads=4)
    graph = desk.graph
    inverse = edit.apply(graph)
    desk.edited(edit)
    desk.edited(inverse, "undo")
    desk.edited(edit, "redo")
    desk.edited(SetMeta("note", "x"))
    assert desk.matches(graph)
    desk.submit()
    session.close()
    found = verify(session.path, pack)
    assert found.holds
    assert found.final["fix-broken-attention"] == document_digest(graph)
    (attempt,) = [each for each in found.attempts if each.item_id == "fix-broken-attention"]
    assert attempt.passed


def test_guarantee_04_a_grade_that_was_not_earned_is_noticed(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    pack = graphs("single_shot").pack
    session = begin(pack)
    desk = until(session, clock, "mlp-tabular")
    assert isinstance(desk, GraphDesk)
    real = desk.preview().actions
    record = session._recorder.record

    def flattering(kind: EventKind, data: dict[str, Any] | None = None) -> None:
        if kind is EventKind.SUBMIT and data is not None:
            data["g"] = {**data["g"], "passed": True, "failures": [], "categories": []}
        record(kind, data)

    session._recorder.record = flattering  # type: ignore[method-assign, assignment]
    desk.submit()
    session.close()
    found = verify(session.path, pack)
    assert real == []
    assert found.chain.holds
    assert [fault.problem for fault in found.problems] == ["g is not as recorded"]


# 5 ----------------------------------------------------------------------------------------------------------------


def test_guarantee_05_a_session_handed_over_and_taken_in_is_the_same_to_the_byte(
    graphs: Freeze, tmp_path: Path
) -> None:
    pack = graphs("verifier_turns_3").pack
    (path,) = simulate(pack, tmp_path, 1)
    handed = export_session(path)
    import_session(handed, tmp_path / "again.session")
    assert export_session(tmp_path / "again.session") == handed
    assert verify(tmp_path / "again.session", pack).holds
    assert list(read_events(tmp_path / "again.session")) == list(read_events(path))


# 6 ----------------------------------------------------------------------------------------------------------------

CHANGES = {
    "a payload was edited": "UPDATE event SET payload = x'007b7d' WHERE seq = {n}",
    "a time was edited": "UPDATE event SET wall = wall + 1 WHERE seq = {n}",
    "a duration was edited": "UPDATE event SET mono = mono + 1 WHERE seq = {n}",
    "a kind was edited": "UPDATE event SET kind = kind + 1 WHERE seq = {n}",
    "a salt was edited": "UPDATE event SET salt = zeroblob(16) WHERE seq = {n}",
    "a hash was edited": "UPDATE event SET hash = zeroblob(32) WHERE seq = {n}",
    "a row was dropped": "DELETE FROM event WHERE seq = {n}",
    "the rest was dropped": "DELETE FROM event WHERE seq >= {n}",
    "a row was erased without its proof": "UPDATE event SET payload = NULL WHERE seq = {n}",
    "two rows changed places": (
        "UPDATE event SET seq = -1 WHERE seq = {n}; UPDATE event SET seq = {n} WHERE seq = {m};"
        "UPDATE event SET seq = {m} WHERE seq = -1"
    ),
    "a row was dropped and the rest moved up": (
        "DELETE FROM event WHERE seq = {n}; UPDATE event SET seq = -seq + 1 WHERE seq > {n};"
        "UPDATE event SET seq = -seq WHERE seq < 0"
    ),
    "a row was put in twice": (
        "INSERT INTO event SELECT (SELECT max(seq) FROM event) + 1, wall, mono, kind, salt, payload, hash FROM event"
        " WHERE seq = {n}"
    ),
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One simulated session."""
    folder = tmp_path_factory.mktemp("recorded")
    (path,) = simulate(frozen(question_protocol("blind"), folder).pack, folder, 1)
    return path


@pytest.mark.parametrize("change", CHANGES, ids=lambda name: name.replace(" ", "-"))
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), other=st.floats(0, 1, exclude_max=True))
def test_guarantee_06_the_chain_finds_any_edited_dropped_or_reordered_row(
    recorded: Path, tmp_path: Path, change: str, place: float, other: float
) -> None:
    path = tmp_path / "altered.session"
    shutil.copy(recorded, path)
    count = verify_chain(path).events
    first = 1 + int(place * count)
    second = 1 + (first + int(other * (count - 1))) % count
    with closing(sqlite3.connect(path)) as connection:
        before = list(connection.execute("SELECT * FROM event ORDER BY seq"))
        connection.executescript(CHANGES[change].format(n=first, m=second))
        if list(connection.execute("SELECT * FROM event ORDER BY seq")) == before:
            return
    report = verify_chain(path)
    assert not report.holds


# 7 ----------------------------------------------------------------------------------------------------------------


def test_guarantee_07_a_probability_is_recorded_before_any_feedback(
    questions: Freeze, begin: Begin, clock: ManualClock
) -> None:
    session = begin(questions("full_sequential_feedback").pack)
    desk = session.present()
    session.painted()
    assert isinstance(desk, QuestionDesk)
    with pytest.raises(NotNow, match="first a prediction"):
        desk.reveal()
    with pytest.raises(NotNow):
        desk.done("too early")
    desk.answer(desk.order[0], {desk.order[0]: 0.5, desk.order[1]: 0.25, desk.order[2]: 0.25})
    assert EventKind.ANSWER in {event.kind for event in read_events(session.path)}  # on the disk, before the answer
    shown = desk.reveal()
    assert set(shown.means) == set(desk.order)
    desk.done("a lesson")
    session.close()


def test_guarantee_07_every_simulated_session_has_the_answer_first(questions: Freeze, tmp_path: Path) -> None:
    for path in simulate(questions("full_sequential_feedback").pack, tmp_path, 5):
        kinds = [event.kind for event in read_events(path)]
        for place, kind in enumerate(kinds):
            if kind is EventKind.REVEAL:
                shown = max(n for n, earlier in enumerate(kinds[:place]) if earlier is EventKind.SHOWN)
                assert EventKind.ANSWER in kinds[shown:place]


def test_guarantee_07_a_log_with_feedback_first_is_refused(questions: Freeze, tmp_path: Path) -> None:
    pack = questions("full_sequential_feedback").pack
    (path,) = simulate(pack, tmp_path, 1)
    events = [event for event in read_events(path) if event.kind is not EventKind.ANSWER]
    with pytest.raises(BrokenSession, match="before one was given"):
        fold(pack.items, events)


# 8 ----------------------------------------------------------------------------------------------------------------


def test_guarantee_08_practice_and_attention_items_are_told_apart_in_every_row(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    made = collect(pack, simulate(pack, tmp_path, 4))
    blocks = {item.id: item.block for item in made.records.items}
    assert sorted(blocks.values()) == ["attention", "main", "main", "main", "practice"]
    for row in (*made.records.presentations, *made.records.attempts, *made.records.responses):
        assert row.block == blocks[row.item_id]
    assert set(made.records.study.item_ids) == {name for name, block in blocks.items() if block == "main"}


def test_guarantee_08_practice_and_attention_items_are_no_answers_of_the_study(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("single_shot").pack
    records = collect(pack, simulate(pack, tmp_path, 4)).records
    locked = [row for row in records.presentations if row.locked_at is not None]
    assert sum(row.block != "main" for row in locked) > 0
    (condition,) = coverage(records).conditions
    assert condition.answers == sum(row.block == "main" for row in locked)
    assert {item.item_id for item in coverage(records).items} == set(records.study.item_ids)


# 9 ----------------------------------------------------------------------------------------------------------------


def test_guarantee_09_excluded_rows_are_marked_and_stay(graphs: Freeze, begin: Begin, clock: ManualClock) -> None:
    rules = [
        {"id": "attention", "text": "failed an attention item", "measure": "attention_failed"},
        {"id": "seen", "text": "met before", "measure": "seen_before"},
    ]
    with_rules, without = graphs("single_shot", exclusions=rules), graphs("single_shot")
    counts = []
    for study in (with_rules, without):
        session = begin(study.pack, number=len(counts))
        while (desk := session.present()) is not None:
            session.painted()
            clock.advance(5)
            if isinstance(desk, QuestionDesk):
                desk.answer(desk.order[0])  # not the instructed one
            else:
                session.seen_before(desk.item.id == "mlp-tabular")
                pass_by(desk)
        session.finish()
        session.close()
        records = collect(study.pack, [session.path]).records
        counts.append((len(records.presentations), len(records.attempts), len(records.responses)))
        marks = {(mark.rule, mark.scope, mark.item_id) for mark in records.exclusions}
        expected = {("attention", "session", None), ("seen", "presentation", "mlp-tabular")}
        assert marks == (expected if study is with_rules else set())
    assert counts[0] == counts[1]


# 11 ---------------------------------------------------------------------------------------------------------------

PLANTED = (
    "labyrinth-host",
    "ariadne",
    "/home/ariadne/thesis.txt",
    "ariadne@knossos.gr",
    "C:\\Users\\ariadne\\x",
    "10.1.2.3",
)


def test_guarantee_11_what_is_handed_over_says_neither_who_nor_where(
    questions: Freeze, begin: Begin, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "labyrinth-host")
    monkeypatch.setattr(getpass, "getuser", lambda: "ariadne")
    texts._redactor.cache_clear()
    pack = questions("full_sequential_feedback").pack
    planted = " and ".join(PLANTED)
    session = begin(pack)
    while (desk := session.present()) is not None:
        session.painted()
        assert isinstance(desk, QuestionDesk)
        session.flag(planted, planted)
        desk.answer(desk.item.instructed or desk.order[0], None, planted)
        if desk.reveals:
            desk.reveal()
            desk.done(planted)
    session.finish()
    session.close()
    texts._redactor.cache_clear()
    _, rows = read_exported(export_session(session.path), "handed over")
    records = asdict(collect(pack, [session.path]).records)
    for text in (*(json.dumps(decode(row.payload or b"")) for row in rows), json.dumps(records)):
        for word in (*PLANTED, "knossos", "thesis", "labyrinth"):
            assert not re.search(re.escape(word), text, re.IGNORECASE), text


def test_guarantee_11_a_study_file_names_no_folder(graphs: Freeze, tmp_path: Path) -> None:
    everything = b"".join(members(graphs("single_shot").content).values())
    assert str(tmp_path).encode() not in everything
    assert b"/home/" not in everything
    assert open_study(graphs("single_shot").content).sha256
