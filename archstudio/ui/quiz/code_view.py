"""Files of a question to read: nothing here is run, and nothing can be changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from archstudio.app.quiz.item import CodeFile
from archstudio.ui.panels.panel import label
from archstudio.ui.theme import Theme
from archstudio.ui.theme.fonts import base_pixels, mono_font

_WORDS = (
    "and as assert break class continue def elif else except False finally for from if import in is lambda None not "
    "or pass raise return self True try while with yield"
)
_PATTERNS = (
    (re.compile(rf"\b(?:{'|'.join(_WORDS.split())})\b"), "accent"),
    (re.compile(r"\b\d[\d_.e+-]*\b"), "warn"),
    (re.compile(r"\"[^\"\n]*\"|'[^'\n]*'"), "ok"),
    (re.compile(r"#[^\n]*"), "muted"),
)


class _Colours(QSyntaxHighlighter):
    """Keywords, numbers, texts and comments, found line by line; the code is never compiled."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._formats = [(pattern, _format(theme.colour(token))) for pattern, token in _PATTERNS]

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        for pattern, shape in self._formats:
            for found in pattern.finditer(text):
                self.setFormat(found.start(), found.end() - found.start(), shape)


def _format(colour: QColor) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(colour)
    return made


class CodeDialog(QDialog):
    """One tab a file."""

    def __init__(self, parent: QWidget, title: str, files: Sequence[CodeFile], theme: Theme) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        column = QVBoxLayout(self)
        told = self.tr("To read only: nothing of it is run from here.")
        column.addWidget(label(told, "muted"))
        self.tabs = QTabWidget()
        for file in files:
            self.tabs.addTab(self._page(file, theme), file.name)
        column.addWidget(self.tabs, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(820, 680)

    def _page(self, file: CodeFile, theme: Theme) -> QPlainTextEdit:
        page = QPlainTextEdit()
        page.setReadOnly(True)
        page.setAccessibleName(file.name)
        page.setFont(mono_font(base_pixels() - 1))
        page.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        page.setStyleSheet(f"font-family: '{page.font().family()}'; font-size: {base_pixels() - 1}px;")
        page.setPlainText(file.text)
        if file.name.endswith(".py"):
            page.setProperty("colours", True)
            self._keep(_Colours(page.document(), theme))
        return page

    def _keep(self, colours: _Colours) -> None:
        """Qt does not keep highlighters alive by themselves."""
        self._colours = [*getattr(self, "_colours", []), colours]
