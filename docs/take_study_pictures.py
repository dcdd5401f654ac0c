"""Takes the picture of an item of a study that the documentation shows: `python docs/take_study_pictures.py`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
SIZE_PX = (1600, 1000)
STUDY = {
    "id": "shown",
    "title": "A study",
    "benchmark": "arch-bench",
    "split": "curated",
    "conditions": ["verifier_turns_3"],
    "items": [{"kind": "curated", "tasks": ["fix-broken-attention", "add-normalization"]}],
    "order": {"rule": "fixed"},
    "limits": {"active_minutes": 10},
}
ANSWERS = {"relation": "external", "prior_exposure.arch-bench": "none", "prior_exposure.architectureiq": "none"}


def main(folder: Path) -> None:
    """Lead through the first pages, and submit the first item as it is."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from archstudio.study.pack import freeze, open_study
    from archstudio.study.protocol import Protocol
    from archstudio.ui.study.window import StudyWindow

    qt = QApplication([])
    pack = open_study(freeze(Protocol.model_validate(STUDY), folder).study)
    window = StudyWindow(pack, folder, "light")
    window.set_theme("light")
    window.resize(*SIZE_PX)
    window.show()
    window.page.on_button.click()  # type: ignore[union-attr]
    session = window.session
    assert session is not None
    session.agree(pack.consent_points)
    session.answer_questionnaire(ANSWERS)
    session.begin_items()
    window.show_stage()
    while session.state.current is None or not session.state.current.time.running:
        QTest.qWait(50)
    document = window.items.graph.document  # type: ignore[union-attr]
    node = document.graph.named("attn")
    assert node is not None
    document.selection.set([node.id])
    window.items.send()  # type: ignore[union-attr]
    QTest.qWait(2500)
    window.grab().save(str(IMAGES / "study-item-light.png"), "PNG", 0)
    window.close()
    qt.processEvents()


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        os.environ["ARCHSTUDIO_HOME"] = home
        main(Path(home))
