"""What several tests of the window begin with."""

from __future__ import annotations

import pytest

from archstudio.design.fixes import fixes_for
from archstudio.ui.window import MainWindow


@pytest.fixture
def dock(window: MainWindow, qtbot):
    """The Training dock of a window on a graph that can be trained."""
    window.open_task("deepen-resnet")
    document = window.application.current
    fix = fixes_for(document.graph, document.verdict.errors[0], document.verdict)[0]
    document.push(fix.edit, fix.label)
    window.view.show_dock("training")
    panel = window.docks.training
    qtbot.waitUntil(panel.start_button.isEnabled)
    return panel
