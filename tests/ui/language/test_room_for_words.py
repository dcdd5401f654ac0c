"""German is longer than English: what a line is about stays readable where there is little room."""

from __future__ import annotations

from typing import Any

import pytest

from archstudio.ui.language import install_language
from archstudio.ui.panels.elided import ElidedLabel
from archstudio.ui.panels.rows import Row, Rows


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_line_of_the_verdict_shortens_its_reason_and_not_its_title(qtbot: Any, language: str) -> None:
    install_language(language)
    rows = Rows("Verdict")
    qtbot.addWidget(rows)
    rows.show_rows([Row("Passes the task", "a reason " * 20, "error", strong=True), Row("Parameters", "1 " * 200)])
    rows.resize(rows.minimumSizeHint())
    rows.show()
    title, reason = (label for label in rows.findChildren(ElidedLabel) if label.objectName() == "row-0")
    install_language("en")
    assert title.shown == title.text()
    assert reason.shown != reason.text()
    assert reason.text() in reason.toolTip()


def test_long_titles_do_not_push_values_out_of_a_narrow_dock(qtbot: Any) -> None:
    rows = Rows("Verdict")
    qtbot.addWidget(rows)
    rows.show_rows([Row("Does everything that the brief of this task asks", "2 of 5", "error", strong=True)])
    assert rows.minimumSizeHint().width() <= 200
