"""Saving: the old or the new content, whole, whatever goes wrong."""

import errno
import os
import signal
import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import archstudio.files.atomic as atomic
from archstudio.files.atomic import SaveFailed, backup_paths, save_atomic

posix_only = pytest.mark.skipif(os.name == "nt", reason="POSIX file modes and signals")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def fail_with(number):
    def fail(*_args, **_kwargs):
        raise OSError(number, os.strerror(number))

    return fail


def test_a_new_file_is_written_alone(tmp_path):
    save_atomic(tmp_path / "a.arch.json", b"one")
    assert names(tmp_path) == ["a.arch.json"]
    assert (tmp_path / "a.arch.json").read_bytes() == b"one"


def test_the_last_three_contents_are_kept_newest_first(tmp_path):
    path = tmp_path / "a"
    for content in (b"1", b"2", b"3", b"4", b"5"):
        save_atomic(path, content)
    assert path.read_bytes() == b"5"
    assert [backup.read_bytes() for backup in backup_paths(path)] == [b"4", b"3", b"2"]


def test_saving_the_same_again_uses_up_no_backup(tmp_path):
    path = tmp_path / "a"
    for content in (b"1", b"2", b"2", b"2"):
        save_atomic(path, content)
    assert [backup.read_bytes() for backup in backup_paths(path)] == [b"1"]


def test_backups_can_be_turned_off(tmp_path):
    save_atomic(tmp_path / "a", b"1", backups=0)
    save_atomic(tmp_path / "a", b"2", backups=0)
    assert names(tmp_path) == ["a"]


@posix_only
def test_the_mode_is_kept_and_a_new_file_obeys_the_umask(tmp_path):
    path = tmp_path / "a"
    before = os.umask(0o027)
    try:
        save_atomic(path, b"1")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    save_atomic(path, b"2")
    assert path.stat().st_mode & 0o777 == 0o604


@posix_only
def test_a_link_stays_a_link_and_its_target_is_saved(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "shown").mkdir()
    target, link = tmp_path / "real" / "a", tmp_path / "shown" / "a"
    target.write_bytes(b"1")
    link.symlink_to(target)

    save_atomic(link, b"2")

    assert link.is_symlink()
    assert target.read_bytes() == b"2"
    assert names(tmp_path / "shown") == ["a"]
    assert [backup.read_bytes() for backup in backup_paths(link)] == [b"1"]


@pytest.mark.parametrize("step", ["write_all", "_rotate_backups", "_replace"])
@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "read-only"), (errno.EIO, "fault")],
)
def test_a_fault_at_any_step_leaves_the_old_content_and_no_debris(tmp_path, monkeypatch, step, number, words):
    path = tmp_path / "a"
    save_atomic(path, b"1")
    monkeypatch.setattr(atomic, step, fail_with(number))

    with pytest.raises(SaveFailed, match=words) as caught:
        save_atomic(path, b"2")

    assert caught.value.path == path
    assert "unchanged" in str(caught.value)
    assert path.read_bytes() == b"1"
    assert names(tmp_path) in (["a"], ["a", "a.bak1"])


def test_failing_again_and_again_uses_up_no_backup(tmp_path, monkeypatch):
    path = tmp_path / "a"
    for content in (b"1", b"2", b"3", b"4"):
        save_atomic(path, content)
    with monkeypatch.context() as patch:
        patch.setattr(atomic, "_replace", fail_with(errno.EIO))
        for _ in range(5):
            with pytest.raises(SaveFailed):
                save_atomic(path, b"5")
    save_atomic(path, b"5")
    assert path.read_bytes() == b"5"
    assert [backup.read_bytes() for backup in backup_paths(path)] == [b"4", b"3", b"2"]


def test_a_folder_that_is_gone_is_named(tmp_path):
    with pytest.raises(SaveFailed, match="the folder is gone"):
        save_atomic(tmp_path / "gone" / "a", b"1")


def test_a_name_that_belongs_to_a_folder_is_refused(tmp_path):
    with pytest.raises(SaveFailed, match="a folder has that name"):
        save_atomic(tmp_path, b"1")


def test_a_file_marked_read_only_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(b"1")
    monkeypatch.setattr(atomic.os, "access", lambda _path, mode: mode != os.W_OK)
    with pytest.raises(SaveFailed, match="read-only"):
        save_atomic(path, b"2")
    assert path.read_bytes() == b"1"


@posix_only
def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(SaveFailed):
        save_atomic(tmp_path / "a", b"1")
    assert names(tmp_path) == ["a", "b"]


def test_a_disk_without_hard_links_gets_copies_as_backups(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic.os, "link", fail_with(errno.EPERM))
    path = tmp_path / "a"
    for content in (b"1", b"2", b"3"):
        save_atomic(path, content)
    assert [backup.read_bytes() for backup in backup_paths(path)] == [b"2", b"1"]


def test_a_network_disk_whose_folders_cannot_sync_is_no_failure(tmp_path, monkeypatch):
    real = os.fsync
    monkeypatch.setattr(
        atomic.os, "fsync", lambda fd: fail_with(errno.EINVAL)() if os.path.isdir(f"/proc/self/fd/{fd}") else real(fd)
    )
    save_atomic(tmp_path / "a", b"1")
    assert (tmp_path / "a").read_bytes() == b"1"


def test_bytes_are_on_the_disk_before_the_name_points_at_them(tmp_path, monkeypatch):
    steps = []
    real_fsync, real_replace = os.fsync, os.replace
    monkeypatch.setattr(atomic.os, "fsync", lambda fd: (steps.append("sync"), real_fsync(fd)))
    monkeypatch.setattr(atomic.os, "replace", lambda a, b: (steps.append("replace"), real_replace(a, b)))
    save_atomic(tmp_path / "a", b"1")
    assert steps[:2] == ["sync", "replace"]
    assert steps[2:] == ([] if os.name == "nt" else ["sync"])


@given(first=st.binary(max_size=200), second=st.binary(max_size=200), bite=st.integers(1, 7))
def test_a_system_that_takes_few_bytes_at_a_time_still_gets_all(tmp_path_factory, first, second, bite):
    path = tmp_path_factory.mktemp("bites") / "a"
    real = os.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(atomic.os, "write", lambda fd, data: real(fd, data[:bite]))
        save_atomic(path, first)
        save_atomic(path, second)
    assert path.read_bytes() == second


SAVER = """
    import sys
    from pathlib import Path
    from archstudio.files.atomic import save_atomic
    path, number = Path(sys.argv[1]), 0
    while True:
        number += 1
        save_atomic(path, (b"%06d" % number) * 20000)
        if number == 1:
            print("started", flush=True)
"""


@pytest.mark.long
@posix_only
@pytest.mark.parametrize("delay_ms", [0, 1, 2, 3, 5, 8, 13, 21, 34, 55])
def test_a_killed_save_leaves_a_whole_file(tmp_path, delay_ms):
    path = tmp_path / "a"
    with subprocess.Popen([sys.executable, "-c", textwrap.dedent(SAVER), str(path)], stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        try:
            child.wait(delay_ms / 1000)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
    content = path.read_bytes()
    assert content == content[:6] * 20000
    for backup in backup_paths(path):
        content = backup.read_bytes()
        assert content == content[:6] * 20000
