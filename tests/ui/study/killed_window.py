"""A study's window that edits an item and is then killed: `python killed_window.py STUDY FOLDER`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path.insert(0, str(Path(__file__).parents[2] / "study"))

from made_studies import ANSWERS
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from archstudio.study.log import EventKind, read_events
from archstudio.study.pack import open_study
from archstudio.ui.study.window import StudyWindow

qt = QApplication([])
window = StudyWindow(open_study(Path(sys.argv[1])), Path(sys.argv[2]))
window.show()
window.page.on_button.click()
session = window.session
session.agree(window.pack.consent_points)
session.answer_questionnaire(ANSWERS)
session.begin_items()
window.show_stage()
while not session.state.current.time.running:
    QTest.qWait(20)
window.items.add_layer("relu")
window.items.add_layer("dropout")
while sum(event.kind is EventKind.EDIT for event in read_events(session.path)) < 2:
    QTest.qWait(20)  # usually 50 ms; a busy disk takes longer
print(session.desk.item.id, len(session.desk.graph), ",".join(session.state.order), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
