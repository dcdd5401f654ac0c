"""The journal: every acknowledged edit comes back, torn and damaged ends are noticed, the living are left alone."""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import archstudio.files.atomic as atomic
import archstudio.files.journal as journal_module
from archstudio.files.atomic import SaveFailed
from archstudio.files.journal import Journal, read_journal
from archstudio.files.recovery import find_unsaved_work
from archstudio.files.unusable import UnusableFile

lines = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=40), max_size=8)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def journal(tmp_path):
    journal = Journal.create(tmp_path, Path("/docs/a.arch.json"), b'{"schema": 1}')
    yield journal
    journal.close_clean()


@given(document=st.none() | st.just(Path("/a b/é.arch.json")), base=st.binary(), edits=lines)
def test_what_is_appended_is_read_back_in_order(tmp_path_factory, document, base, edits):
    journal = Journal.create(tmp_path_factory.mktemp("recovery"), document, base)
    for number, edit in enumerate(edits):
        journal.append(edit, durable=number % 2 == 0)

    content = read_journal(journal.path)

    assert content.lines == tuple(edits)
    assert not content.torn
    assert (content.header.document, content.header.base) == (document, base)
    assert content.header == journal.header
    journal.close_clean()


@given(edits=lines, data=st.data())
def test_a_journal_cut_anywhere_gives_back_every_whole_line(tmp_path_factory, edits, data):
    journal = Journal.create(tmp_path_factory.mktemp("recovery"), None, b"base")
    ends = [journal.path.stat().st_size]
    for edit in edits:
        journal.append(edit)
        ends.append(journal.path.stat().st_size)
    cut = ends[0] + data.draw(st.integers(0, ends[-1] - ends[0]))
    os.truncate(journal.path, cut)

    content = read_journal(journal.path)

    whole = sum(end <= cut for end in ends) - 1
    assert content.lines == tuple(edits[:whole])
    assert content.torn == (cut not in ends)
    journal.close_clean()


@given(edits=lines.filter(bool), data=st.data())
def test_a_flipped_bit_is_noticed_and_nothing_after_it_is_believed(tmp_path_factory, edits, data):
    journal = Journal.create(tmp_path_factory.mktemp("recovery"), None, b"base")
    ends = [journal.path.stat().st_size]
    for edit in edits:
        journal.append(edit)
        ends.append(journal.path.stat().st_size)
    content = bytearray(journal.path.read_bytes())
    at = ends[0] + data.draw(st.integers(0, ends[-1] - ends[0] - 1))
    content[at] ^= 1 << data.draw(st.integers(0, 7))
    journal.path.write_bytes(content)

    found = read_journal(journal.path)

    assert found.torn
    assert found.lines == tuple(edits[: sum(end <= at for end in ends) - 1])
    journal.close_clean()


def test_a_line_lost_from_the_middle_is_noticed(journal):
    for edit in ("1", "2", "3"):
        journal.append(edit)
    frames = journal.path.read_bytes().splitlines(keepends=True)
    journal.path.write_bytes(b"".join(frames[:3] + frames[4:]))
    content = read_journal(journal.path)
    assert (content.lines, content.torn) == (("1",), True)


def test_line_breaks_are_refused_because_a_line_is_one_line(journal):
    with pytest.raises(ValueError, match="line breaks"):
        journal.append("a\nb")
    journal.append("c")
    assert read_journal(journal.path).lines == ("c",)


def test_a_clean_close_leaves_nothing_behind(tmp_path):
    journal = Journal.create(tmp_path, None, b"")
    journal.append("1", durable=True)
    journal.close_clean()
    assert names(tmp_path) == []


def test_after_a_save_only_later_edits_are_unsaved(journal):
    journal.append("1")
    journal.rebase(Path("/docs/b.arch.json"), b"saved")
    journal.append("2")
    content = read_journal(journal.path)
    assert content.lines == ("2",)
    assert content.header.document == Path("/docs/b.arch.json")
    assert content.header.base == b"saved"


def test_a_full_disk_is_told_and_the_line_is_written_once_there_is_room(journal, monkeypatch):
    journal.append("1")
    real = os.write

    def a_little_then_full(descriptor, data):
        real(descriptor, data[:5])
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(atomic.os, "write", a_little_then_full)
        for edit in ("2", "3"):
            with pytest.raises(SaveFailed, match="the disk is full"):
                journal.append(edit)
        content = read_journal(journal.path)
        assert (content.lines, content.torn) == (("1",), True)

    journal.append("4")
    content = read_journal(journal.path)
    assert (content.lines, content.torn) == (("1", "2", "3", "4"), False)


def test_a_failed_rebase_keeps_the_old_journal_usable(journal, monkeypatch):
    journal.append("1")
    with monkeypatch.context() as patch:
        patch.setattr(
            journal_module, "save_atomic", lambda path, *_, **__: (_ for _ in ()).throw(SaveFailed(path, "full"))
        )
        with pytest.raises(SaveFailed):
            journal.rebase(None, b"new")
    journal.append("2")
    content = read_journal(journal.path)
    assert (content.lines, content.torn) == (("1", "2"), False)
    assert journal.header.base == b'{"schema": 1}'


def test_a_journal_deleted_under_us_is_told_at_the_next_flush(tmp_path):
    journal = Journal.create(tmp_path, None, b"")
    journal.path.unlink()
    journal.append("1")
    with pytest.raises(SaveFailed, match="gone"):
        journal.flush()
    journal.close_clean()


def test_durable_means_synced_before_it_returns(journal, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(journal_module.os, "fsync", lambda fd: (synced.append(fd), real(fd)))
    journal.append("1")
    assert synced == []
    journal.append("2", durable=True)
    assert len(synced) == 1
    journal.flush()
    assert len(synced) == 1
    journal.append("3")
    journal.flush()
    assert len(synced) == 2


@pytest.mark.parametrize("content", [b"", b"archstudio-jou", b"other\n", b"archstudio-journal 1\n00000000 1 x\n"])
def test_a_journal_without_a_sound_header_is_refused(tmp_path, content):
    path = tmp_path / "a.journal"
    path.write_bytes(content)
    with pytest.raises(UnusableFile, match="cannot be read"):
        read_journal(path)


OWNER = """
    import sys
    from pathlib import Path
    from archstudio.files.journal import Journal
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    journal = Journal.create(folder, Path("/docs/child.arch.json"), b"child base")
    for number in range(count):
        journal.append('{"edit": %d}' % number, durable=number % 10 == 0)
    print("ready", flush=True)
    if sys.argv[3] == "endless":
        while True:
            journal.append('{"edit": %d}' % count)
            print(count, flush=True)
            count += 1
    sys.stdin.read()
    journal.close_clean()
"""


def start_owner(folder, count, kind="waits"):
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(OWNER), str(folder), str(count), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "ready\n"
    return child


def finish(child):
    child.communicate("")
    assert child.returncode == 0


def kill(child):
    child.kill()  # SIGKILL: nothing in the child runs any more
    rest = child.stdout.read()
    child.communicate()
    assert os.name == "nt" or child.returncode == -signal.SIGKILL
    return rest


def test_a_killed_instance_leaves_every_appended_edit(tmp_path):
    kill(start_owner(tmp_path, 25))

    (found,) = find_unsaved_work(tmp_path).recovered

    assert [json.loads(line)["edit"] for line in found.lines] == list(range(25))
    assert (found.torn, found.header.base) == (False, b"child base")
    assert found.header.document == Path("/docs/child.arch.json")
    found.discard()
    assert names(tmp_path) == []


@pytest.mark.parametrize("acknowledged", [1, 200])
def test_a_kill_in_the_middle_of_writing_loses_nothing_acknowledged(tmp_path, acknowledged):
    child = start_owner(tmp_path, 0, "endless")
    seen = [int(child.stdout.readline()) for _ in range(acknowledged)]
    seen += [int(line) for line in kill(child).split("\n")[:-1]]

    (found,) = find_unsaved_work(tmp_path).recovered

    edits = [json.loads(line)["edit"] for line in found.lines]
    assert edits == list(range(len(edits)))
    assert len(edits) >= len(seen)
    found.discard()


def test_the_journal_of_a_living_instance_is_never_taken(tmp_path):
    child = start_owner(tmp_path, 3)
    own = Journal.create(tmp_path, None, b"")
    own.append("mine")
    assert find_unsaved_work(tmp_path).recovered == []
    finish(child)
    own.close_clean()
    assert names(tmp_path) == []


def test_what_one_instance_is_recovering_another_does_not_see_until_it_lets_go(tmp_path):
    kill(start_owner(tmp_path, 3))
    (found,) = find_unsaved_work(tmp_path).recovered
    assert find_unsaved_work(tmp_path).recovered == []
    found.leave()
    (again,) = find_unsaved_work(tmp_path).recovered
    assert again.lines == found.lines
    again.discard()


@pytest.mark.skipif(os.name == "nt", reason="hands a pipe down by its descriptor")
def test_a_program_started_by_us_does_not_hold_our_journal_after_we_die(tmp_path):
    code = """
        import os, signal, subprocess, sys
        from pathlib import Path
        from archstudio.files.journal import Journal
        Journal.create(Path(sys.argv[1]), None, b"").append("1")
        subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=int(sys.argv[2]))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    read_end, write_end = os.pipe()
    try:
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code), str(tmp_path), str(read_end)],
            pass_fds=[read_end],
            check=False,
        )
        (found,) = find_unsaved_work(tmp_path).recovered  # while the grandchild still lives
        found.discard()
    finally:
        os.close(read_end)
        os.close(write_end)


def test_an_instance_that_died_without_an_edit_leaves_nothing_to_ask_about(tmp_path):
    kill(start_owner(tmp_path, 0))
    findings = find_unsaved_work(tmp_path)
    assert (findings.recovered, findings.unreadable) == ([], [])
    assert names(tmp_path) == []


def test_closing_without_saving_can_keep_the_work_for_the_next_start(tmp_path):
    journal = Journal.create(tmp_path, None, b"")
    journal.append("1")
    journal.close_keeping()
    (found,) = find_unsaved_work(tmp_path).recovered
    assert found.lines == ("1",)
    found.discard()


def test_the_oldest_unsaved_work_comes_first(tmp_path, monkeypatch):
    for moment in (30.0, 10.0, 20.0):
        monkeypatch.setattr(journal_module.time, "time", lambda moment=moment: moment)
        journal = Journal.create(tmp_path, None, b"")
        journal.append("x")
        journal.close_keeping()
    found = find_unsaved_work(tmp_path).recovered
    assert [work.header.started_at for work in found] == [10.0, 20.0, 30.0]
    for work in found:
        work.discard()


def test_a_damaged_journal_is_set_aside_and_told_and_the_others_are_found(tmp_path):
    (tmp_path / "bad.journal").write_bytes(b"\0\0\0")
    kill(start_owner(tmp_path, 2))

    findings = find_unsaved_work(tmp_path)

    assert [len(work.lines) for work in findings.recovered] == [2]
    (damage,) = findings.unreadable
    assert "bad.journal.damaged1" in str(damage)
    assert (tmp_path / "bad.journal.damaged1").read_bytes() == b"\0\0\0"
    findings.recovered[0].discard()
    assert find_unsaved_work(tmp_path).unreadable == []
