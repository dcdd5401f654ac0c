"""PyTorch itself is asked after each edit, beside the rules, and never holds the window up."""

from __future__ import annotations

import psutil

from archstudio.app.torch_judge import TorchJudge
from archstudio.edits import set_params
from archstudio.ui.start import make_window


def test_the_status_line_says_what_pytorch_says_and_its_process_ends_with_the_window(qtbot, own_home):
    before = {child.pid for child in psutil.Process().children()}
    window = make_window(judge=TorchJudge())
    window.show()
    try:
        window.open_task("deepen-resnet")
        opinion = window.status.opinion
        qtbot.waitUntil(lambda: "refused" in opinion.text(), timeout=60_000)
        assert "head refused" in opinion.text()

        document = window.application.current
        document.push(set_params(document.graph.named("head"), inFeatures=30), "Set inFeatures of head")
        qtbot.waitUntil(lambda: "agrees" in opinion.text() and "refused" not in opinion.text(), timeout=60_000)
        assert "shapes, parameters" in opinion.text()
    finally:
        for document in list(window.application.documents):
            window.application.close(document)
        window.close()
    assert {child.pid for child in psutil.Process().children()} <= before


def test_where_the_verdict_is_hidden_pytorch_is_not_asked(qtbot, own_home):
    from archstudio.app.application import Application
    from archstudio.study.visibility import SINGLE_SHOT

    judge = TorchJudge()
    window = make_window(Application(SINGLE_SHOT), judge)
    window.show()
    try:
        window.open_task("deepen-resnet")
        qtbot.wait(700)
        assert window.status.opinion.text() == ""
        assert judge.pid is None
    finally:
        for document in list(window.application.documents):
            window.application.close(document)
        window.close()
