"""Shows a known network in a real window for a while; started by `test_bus.py`."""

from __future__ import annotations

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from archstudio.app.application import Application
from archstudio.app.zoo import zoo_document
from archstudio.ui.start import make_window

application = QApplication(["archstudio"])
application.setApplicationName("Arch Studio")
window = make_window(Application())
window.resize(1200, 800)
window.show()
window.application.adopt(zoo_document("resnet-18"))
QTimer.singleShot(int(sys.argv[1]) * 1_000, application.quit)
application.exec()
