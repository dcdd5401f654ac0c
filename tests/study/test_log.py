"""The log: sizes, order, erasing, files that are none."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_studies import Study

from archstudio.edits.base import edit_from_json
from archstudio.files.unusable import UnusableFile
from archstudio.files.zips import read_zip, zip_bytes
from archstudio.graph import Graph, Node
from archstudio.study.log import DURABLE, EventKind, LogFailed, LogWriter, UnusableLog, read_events, verify_chain
from archstudio.study.log.chain import genesis, link, proof
from archstudio.study.log.codec import BadPayload, decode, encode
from archstudio.study.log.erase import erase
from archstudio.study.log.store import Head, Row, connect, create, insert
from archstudio.study.log.transfer import export_session, import_session
from archstudio.study.simulated import simulate

Freeze = Callable[..., Study]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_fields_come_back_as_they_went(data: dict[str, object]) -> None:
    assert decode(encode(data)) == data


@pytest.mark.parametrize("payload", [b"\x00{", b"\x01xx", b"\x02{}", b"\x00[1]", b"\x01", b"\x00" + b"[" * 100_000])
def test_bytes_that_are_no_fields_are_refused(payload: bytes) -> None:
    with pytest.raises(BadPayload):
        decode(payload)


def test_a_payload_that_unpacks_to_gigabytes_is_refused() -> None:
    bomb = encode({"text": "a" * 20_000_000})
    assert len(bomb) < 100_000
    with pytest.raises(BadPayload, match="too long"):
        decode(bomb)


def test_events_keep_the_order_in_which_they_were_appended(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "a.session", "s")
    for number in range(500):
        kind = EventKind.FLAGGED if number % 100 == 99 else EventKind.EDIT
        writer.append(kind, number, number, {"n": number})
    writer.close()
    events = list(read_events(tmp_path / "a.session"))
    assert [event.data["n"] for event in events] == list(range(500))
    assert [event.seq for event in events] == list(range(1, 501))


def test_a_durable_event_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    writer = LogWriter(path, "s")
    for number, kind in enumerate(sorted(DURABLE), start=1):
        writer.append(kind, 0, 0, {"n": number})
        assert len(list(read_events(path))) == number  # read through another connection
    writer.close()


def test_an_event_nobody_waits_for_is_written_without_being_asked(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    writer = LogWriter(path, "s")
    writer.append(EventKind.EDIT, 0, 0, {})
    deadline = time.monotonic() + 30
    while not list(read_events(path)) and time.monotonic() < deadline:
        time.sleep(0.005)
    assert len(list(read_events(path))) == 1
    writer.close()


def test_no_thread_and_no_lock_is_left_behind(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "a.session", "s")
    writer.close()
    assert not writer._thread.is_alive()
    LogWriter(tmp_path / "a.session").close()
    assert not (tmp_path / "a.session-wal").exists()


def test_a_closed_log_takes_no_more(tmp_path: Path) -> None:
    writer = LogWriter(tmp_path / "a.session", "s")
    writer.close()
    with pytest.raises(LogFailed, match="closed"):
        writer.append(EventKind.EDIT, 0, 0, {})


def test_a_log_is_not_begun_over_another(tmp_path: Path) -> None:
    LogWriter(tmp_path / "a.session", "s").close()
    with pytest.raises(LogFailed, match="exists"):
        LogWriter(tmp_path / "a.session", "t")
    with pytest.raises(LogFailed, match="no such session"):
        LogWriter(tmp_path / "b.session")
    assert not (tmp_path / "b.session").exists()


def test_erasing_takes_the_bytes_out_of_the_file_and_leaves_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    writer = LogWriter(path, "s")
    writer.append(EventKind.STARTED, 1, 0, {"study": "kept"})
    for _ in range(200):
        writer.append(EventKind.FLAGGED, 1, 0, {"text": "Theseus"})
    writer.close()
    before = verify_chain(path)
    assert erase(path, 5) == 200
    assert erase(path, 6) == 0
    after = verify_chain(path)
    assert after.holds
    assert (after.events, after.erased) == (before.events + 1, 200)
    for file in tmp_path.iterdir():
        assert b"Theseus" not in file.read_bytes()
    assert next(read_events(path)).data == {"study": "kept"}


def test_a_salt_keeps_short_contents_from_being_guessed() -> None:
    assert proof(b"a" * 16, encode({"seen": True})) != proof(b"b" * 16, encode({"seen": True}))


def test_files_that_are_no_logs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.session").write_text("no database, but long enough to look at" * 50)
    (tmp_path / "empty.session").write_bytes(b"")
    with closing(sqlite3.connect(tmp_path / "other.session")) as connection:
        connection.executescript("CREATE TABLE event (seq)")
    for name in ("text", "empty", "other", "missing"):
        with pytest.raises(UnusableLog) as fault:
            verify_chain(tmp_path / f"{name}.session")
        assert f"{name}.session" in str(fault.value)
    (tmp_path / "folder.session").mkdir()
    with pytest.raises(UnusableLog):
        list(read_events(tmp_path / "folder.session"))


def test_a_log_of_a_newer_version_is_named_so(tmp_path: Path) -> None:
    path = tmp_path / "a.session"
    LogWriter(path, "s").close()
    handed = read_zip(export_session(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 2")
    with pytest.raises(UnusableLog, match="newer version"):
        verify_chain(path)
    handed["session.json"] = handed["session.json"].replace(b'"format":1', b'"format":2')
    with pytest.raises(UnusableLog, match="newer version"):
        import_session(zip_bytes(handed), tmp_path / "b.session")


def test_a_log_cut_off_in_the_middle_is_refused_not_half_read(graphs: Freeze, tmp_path: Path) -> None:
    (path,) = simulate(graphs("single_shot").pack, tmp_path, 1)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(UnusableLog, match="cannot be read"):
        verify_chain(path)


def test_a_handed_over_session_that_was_altered_is_refused(graphs: Freeze, tmp_path: Path) -> None:
    (path,) = simulate(graphs("single_shot").pack, tmp_path, 1)
    members = read_zip(export_session(path))
    lines = members["events.jsonl"].splitlines(keepends=True)
    far = [b'[1,%d,0,1,"","",""]\n' % 2**70]
    for altered in (
        far,
        lines[:-1],
        [*lines[:3], lines[4], lines[3], *lines[5:]],
        [b"[1]\n", *lines],
        [b"\xff\n", *lines],
    ):
        content = zip_bytes({**members, "events.jsonl": b"".join(altered)})
        with pytest.raises(UnusableFile):
            import_session(content, tmp_path / "b.session")
        assert not (tmp_path / "b.session").exists()


def test_a_log_in_a_folder_that_cannot_be_written_can_be_read(graphs: Freeze, tmp_path: Path) -> None:
    (path,) = simulate(graphs("single_shot").pack, tmp_path, 1)
    before = {file.name for file in tmp_path.iterdir()}
    assert verify_chain(path).holds
    assert {file.name for file in tmp_path.iterdir()} == before  # reading leaves no index file beside it


def test_an_event_takes_few_bytes(graphs: Freeze, tmp_path: Path) -> None:
    pack = graphs("verifier_turns_3").pack
    paths = simulate(pack, tmp_path, 10)
    size = sum(path.stat().st_size for path in paths)
    events = sum(verify_chain(path).events for path in paths)
    items = sum(sum(event.kind is EventKind.SHOWN for event in read_events(path)) for path in paths)
    assert size <= 160 * events + 4096 * items


COLUMNS = {"seq": "-7", "wall": "'x'", "mono": "1.5", "kind": "700", "salt": "'text'", "payload": "5", "hash": "'text'"}


@pytest.mark.parametrize(("column", "value"), COLUMNS.items())
def test_a_column_of_another_type_is_a_fault_not_a_crash(
    graphs: Freeze, tmp_path: Path, column: str, value: str
) -> None:
    (path,) = simulate(graphs("single_shot").pack, tmp_path, 1)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE event SET {column} = {value} WHERE seq = 9")
        connection.commit()
    assert not verify_chain(path).holds


# A million events ---------------------------------------------------------------------------------------------------


def long_log(path: Path, count: int) -> None:
    """A log of so many editing steps: a layer's width set again and again, with a layer put in and out at times."""
    head = Head("long", 0, genesis("long"))
    connection = connect(path, synchronous="OFF")
    create(connection, "long", head.last)
    rows: list[Row] = []
    seq, last = 0, head.last
    node = {"id": "n", "type": "linear", "name": "fc", "params": {}, "meta": {}, "extra": {}}
    for number in range(count):
        seq += 1
        edit = {"kind": "change-node", "node": {**node, "params": {"outFeatures": number % 512}}}
        payload, salt = encode({"e": edit}), number.to_bytes(16, "big")
        last = link(last, seq, number, number * 1000, EventKind.EDIT, proof(salt, payload))
        rows.append(Row(seq, number, number * 1000, int(EventKind.EDIT), salt, payload, last))
        if len(rows) == 10_000:
            insert(connection, rows, Head("long", seq, last))
            rows.clear()
    if rows:
        insert(connection, rows, Head("long", seq, last))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def replayed(path: Path) -> Graph:
    graph = Graph("g")
    graph.insert_node(Node("n", "linear", "fc"))
    for event in read_events(path):
        edit_from_json(event.data["e"]).apply(graph)
    return graph


def test_a_long_log_verifies_and_replays(tmp_path: Path) -> None:
    path = tmp_path / "long.session"
    long_log(path, 20_000)
    assert verify_chain(path).events == 20_000
    assert replayed(path).node("n").params == {"outFeatures": 19_999 % 512}
    assert path.stat().st_size / 20_000 <= 160


@pytest.mark.long
def test_a_million_events_verify_and_replay_within_a_minute(tmp_path: Path) -> None:
    path = tmp_path / "long.session"
    long_log(path, 1_000_000)
    began = time.process_time()
    assert verify_chain(path).holds
    verified = time.process_time()
    assert replayed(path).node("n").params == {"outFeatures": 999_999 % 512}
    ended = time.process_time()
    size = path.stat().st_size / 1_000_000
    print(f"verified in {verified - began:.1f} s, replayed in {ended - verified:.1f} s, {size:.0f} bytes an event")
    assert ended - began < 60
