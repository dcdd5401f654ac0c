"""A window is killed with unsaved edits; the next one finds all of them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from archstudio.app.commands import run_command
from archstudio.files.home import recovery_path
from archstudio.ui.window import MainWindow

CHILD = Path(__file__).with_name("dying_window.py")


def kill_a_window(how: str, edits: int, folder: Path | None = None) -> None:
    """Run a window in a process of its own, let it make edits, and kill it without warning."""
    arguments = [sys.executable, str(CHILD), how, str(edits), str(folder)]
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    finally:
        child.kill()
        child.wait(timeout=30)
        child.stdout.close()
    assert child.returncode == -signal.SIGKILL


def journals() -> list[Path]:
    return sorted(recovery_path().glob("*.journal*"))


def answer(monkeypatch: pytest.MonkeyPatch, choice: str | None) -> list[list[str]]:
    """Answer the recovery dialog; returns what it listed, filled when it is asked."""
    from archstudio.ui.dialogs import RecoveryDialog

    asked: list[list[str]] = []

    def choose(dialog: RecoveryDialog) -> int:
        asked.append(dialog.rows)
        dialog.choice = choice  # type: ignore[assignment]
        return 1

    monkeypatch.setattr(RecoveryDialog, "exec", choose)
    return asked


def channels(window: MainWindow) -> int:
    document = window.application.current
    assert document is not None
    return int(document.graph.named("conv1").params["outChannels"])


def test_edits_of_a_killed_window_are_found_and_restored(window: MainWindow, monkeypatch) -> None:
    kill_a_window("open", 7)
    left = set(journals())
    asked = answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    assert asked == [["deepen-resnet: 7 edits"]]
    assert channels(window) == 16 + 7
    document = window.application.current
    assert document.task_id == "deepen-resnet"
    assert document.modified
    assert left.isdisjoint(journals()), "the journal of the dead window is still there"
    for _ in range(7):
        document.undo()
    assert channels(window) == 16


def test_a_second_death_after_restoring_loses_nothing(window: MainWindow, monkeypatch) -> None:
    kill_a_window("open", 3)
    kill_a_window("restore", 2)
    answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    assert len(window.application.documents) == 1
    assert channels(window) == 16 + 5


def test_discarded_work_is_gone(window: MainWindow, monkeypatch) -> None:
    kill_a_window("open", 1)
    asked = answer(monkeypatch, "discard")
    window.safekeeping.offer_unsaved()
    assert window.application.documents == []
    window.safekeeping.offer_unsaved()
    assert len(asked) == 1


def test_work_put_off_is_offered_again(window: MainWindow, monkeypatch) -> None:
    kill_a_window("open", 1)
    asked = answer(monkeypatch, None)
    window.safekeeping.offer_unsaved()
    assert window.application.documents == []
    window.safekeeping.offer_unsaved()
    assert len(asked) == 2


def test_a_window_closed_in_peace_leaves_nothing(window: MainWindow, monkeypatch) -> None:
    window.open_task("deepen-resnet")
    window.application.close(window.application.current)
    asked = answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    assert asked == []


def test_a_damaged_journal_is_told_and_kept_aside(window: MainWindow, monkeypatch) -> None:
    kill_a_window("open", 2)
    (journal,) = (p for p in journals() if p.suffix == ".journal")
    journal.write_bytes(b"rubbish")
    asked = answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    assert asked == []
    assert "cannot be read" in window.central.notice.full_text
    assert any(p.read_bytes() == b"rubbish" for p in recovery_path().iterdir() if p.is_file())


def test_work_that_is_only_half_there_says_what_is_missing(window: MainWindow, monkeypatch) -> None:
    kill_a_window("open", 3)
    (journal,) = (p for p in journals() if p.suffix == ".journal")
    journal.write_bytes(journal.read_bytes()[:-20])
    asked = answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    assert asked == [["deepen-resnet: 2 edits (the last edit was cut off)"]]
    assert channels(window) == 16 + 2
    assert "cut off" in window.central.notice.full_text


def test_every_tab_is_open_again_after_a_crash_edited_or_not(window: MainWindow, monkeypatch, tmp_path) -> None:
    kill_a_window("tabs", 0, tmp_path)
    asked = answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    assert asked == [], "there is nothing to ask: no edit is unsaved"
    assert [d.title for d in window.application.documents] == ["untitled", "deepen-resnet", "kept"]
    assert [d.modified for d in window.application.documents] == [False, False, False]
    assert window.application.documents[1].task_id == "deepen-resnet"
    assert window.application.documents[2].path == (tmp_path / "kept.arch.json").resolve()
    assert "Open again" in window.central.notice.full_text


def test_a_tab_whose_file_is_gone_comes_back_unsaved(window: MainWindow, monkeypatch, tmp_path) -> None:
    kill_a_window("tabs", 0, tmp_path)
    (tmp_path / "kept.arch.json").unlink()
    answer(monkeypatch, None)
    window.safekeeping.offer_unsaved()
    window.disk_watch.look()
    kept = window.application.documents[2]
    assert kept.title == "kept"
    assert kept.modified
    assert kept.graph.named("conv1") is not None


def test_restored_edits_do_not_overwrite_what_others_wrote_meanwhile(window, monkeypatch, tmp_path) -> None:
    kill_a_window("tabs", 2, tmp_path)
    path = tmp_path / "kept.arch.json"
    path.write_text(path.read_text().replace('"outChannels": 16', '"outChannels": 99'))
    answer(monkeypatch, "restore")
    window.safekeeping.offer_unsaved()
    questions = []
    monkeypatch.setattr(window.view, "ask_changed", lambda name: questions.append(name) or "cancel")
    run_command("file.save", window.context)
    assert questions == ["kept.arch.json"]
    assert '"outChannels": 99' in path.read_text()
