"""What the window needs to start, and what it remembers from one start to the next."""

from __future__ import annotations

import subprocess
import sys

from archstudio.app.commands import command, run_command
from archstudio.ui.start import make_window
from archstudio.ui.window import MainWindow

FIRST_FRAME = """
import sys
from PySide6.QtWidgets import QApplication
from archstudio.ui.start import make_window
qt = QApplication([])
window = make_window()
window.show()
qt.processEvents()
window.open_task("deepen-resnet")
qt.processEvents()
window.grab()
print([name for name in ("torch", "pyqtgraph") if name in sys.modules])
"""


def test_torch_and_pyqtgraph_wait_until_they_are_needed(own_home) -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_FRAME], capture_output=True, text=True, timeout=120, check=True)
    loaded = done.stdout.strip().splitlines()[-1]
    assert "torch" not in loaded
    assert "pyqtgraph" not in loaded


def closed(window: MainWindow) -> None:
    assert window.close()
    window.deleteLater()


def test_size_docks_and_theme_are_as_they_were_left(qtbot) -> None:
    first = make_window()
    first.show()
    first.resize(first.minimumSizeHint().width(), 700)  # what fits the screen of the test: a larger window is cut
    first.docks.docks["history"].raise_()
    first.docks.docks["tasks"].hide()
    first.set_theme("dark")
    first.view.switch("snap", False)
    closed(first)
    second = make_window()
    second.show()
    qtbot.waitExposed(second)
    assert second.height() == 700
    assert not second.docks.history.visibleRegion().isEmpty()
    assert not second.docks.docks["tasks"].isVisible()
    assert second.docks.docks["layers"].isVisible()
    assert second.theme.name == "dark"
    assert not second.view.is_on("snap")
    second.view.arrange("design")
    assert second.docks.docks["tasks"].isVisible()
    closed(second)


def test_settings_that_are_nonsense_do_not_stop_the_window(qtbot) -> None:
    from archstudio.app.application import Application

    application = Application()
    application.settings.update({"theme": 7, "windowState": "§", "windowGeometry": 3, "snap": "perhaps"})
    made = make_window(application)
    made.show()
    assert made.theme_choice == "system"
    assert made.view.is_on("snap")
    closed(made)


def test_every_arrangement_shows_its_docks(window: MainWindow, qtbot) -> None:
    for name, front in (("train", "training"), ("study", "plan"), ("design", "problems")):
        run_command(f"view.arrange.{name}", window.context)
        qtbot.wait(5)
        assert not window.docks.docks[front].visibleRegion().isEmpty()
    for dock in window.docks.docks:
        window.docks.docks[dock].hide()
        assert run_command(f"view.dock.{dock}", window.context)
        assert window.docks.docks[dock].isVisible()


def test_themes_are_ticked_and_follow_the_command(window: MainWindow) -> None:
    for name in ("dark", "high-contrast", "light"):
        run_command(f"view.theme.{name}", window.context)
        assert window.theme.name == name
        assert command(f"view.theme.{name}").checked(window.context)
        assert window.commands.action(f"view.theme.{name}").isChecked()
