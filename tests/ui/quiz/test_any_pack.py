"""Plays a pack that somebody names, by hand: `ARCHSTUDIO_PACK=FILE pytest tests/ui/quiz/test_any_pack.py`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from archstudio.app.quiz.packs import open_pack
from archstudio.app.quiz.record import Protocol
from archstudio.intuition.packs.bake import bake_bytes, read_bake
from archstudio.intuition.packs.read import is_pack_path
from archstudio.ui.quiz.choice_board import ChoiceBoard
from archstudio.ui.quiz.start_dialog import StartDialog
from archstudio.ui.window import MainWindow

NAMED = os.environ.get("ARCHSTUDIO_PACK", "")

pytestmark = pytest.mark.skipif(not NAMED, reason="no pack is named in ARCHSTUDIO_PACK")


@pytest.mark.parametrize("protocol", ["full_sequential_feedback", "blind", "practice"])
def test_the_pack_plays_through(window: MainWindow, qtbot, monkeypatch, tmp_path: Path, protocol: Protocol) -> None:
    def begin(dialog: StartDialog) -> int:
        dialog.radios[protocol].setChecked(True)
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(StartDialog, "exec", begin)
    host = window.view.questions
    host.open_pack(Path(NAMED))
    page, session = host.desk.page, host.session
    assert page is not None, window.central.notice.full_text
    assert session is not None
    while not session.finished:
        assert (page.reveal is None) or protocol == "practice"
        if isinstance(page.board, ChoiceBoard):
            qtbot.keyClick(page, Qt.Key.Key_1)
        qtbot.keyClick(page, Qt.Key.Key_Return)
        assert session.answer is not None
        assert (session.feedback is None) == (protocol == "blind")
        qtbot.wait(1)
        qtbot.keyClick(page, Qt.Key.Key_Return)
    assert host.desk.results is not None
    assert host.desk.results.results.answered == session.count
    out = tmp_path / "answers.json"
    monkeypatch.setattr(host, "ask_answers_file", lambda suggestion: out)
    host.desk.results.export.click()
    assert len(json.loads(out.read_text("utf-8"))["answers"]) == session.count


@pytest.mark.skipif(is_pack_path(Path(NAMED)), reason="a pack of ours is checked by its digests when it is opened")
def test_what_is_written_again_is_the_same_pack(tmp_path: Path) -> None:
    pack = read_bake(Path(NAMED))
    again = tmp_path / "again.json"
    again.write_bytes(bake_bytes(pack))
    assert read_bake(again) == pack
    assert json.loads(again.read_bytes()) == json.loads(Path(NAMED).read_bytes())
    assert len(open_pack(again).items) == len(pack.questions)
