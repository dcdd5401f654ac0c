"""The Preferences: pages that take effect at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.shortcuts import Shortcuts
from archstudio.app.view import View
from archstudio.ui.preferences.general import GeneralPage
from archstudio.ui.preferences.keys import KeysPage

Page = Literal["general", "keys"]
_SIZE_PX = (820, 600)


class PreferencesDialog(QDialog):
    """Opens on a page; there is nothing to confirm."""

    def __init__(
        self,
        parent: QWidget,
        application: Application,
        view: View,
        shortcuts: Shortcuts,
        keys_changed: Callable[[], None],
        page: Page = "general",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Preferences"))
        self.general = GeneralPage(application, view)
        self.keys = KeysPage(shortcuts, keys_changed)
        self.pages = QTabWidget()
        self.pages.addTab(self.general, self.tr("General"))
        self.pages.addTab(self.keys, self.tr("Keyboard shortcuts"))
        self.pages.setCurrentWidget(self.general if page == "general" else self.keys)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.pages, 1)
        column.addWidget(buttons)
        self.resize(*_SIZE_PX)
        if page == "keys":
            self.keys.search.setFocus()
