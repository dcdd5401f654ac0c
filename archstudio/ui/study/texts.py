"""A study's Markdown as people read it: no links are followed, and nothing outside the study's file is loaded."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QWidget

_PARAGRAPH_PX, _LINE_PERCENT, _MARGIN_PX = 9, 128, 12


class StudyText(QTextBrowser):
    """Markdown to read, also with the keyboard."""

    def __init__(self, text: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName(name)
        self.setObjectName("studyText")
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setMarkdown(text)
        self._give_room()

    def _give_room(self) -> None:
        """Paragraphs stand apart, and lines are as far from each other as they are easy to read."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        block = QTextBlockFormat()
        block.setBottomMargin(_PARAGRAPH_PX)
        block.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(block)
        self.document().setDocumentMargin(_MARGIN_PX)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Pictures are neither fetched nor read from this machine."""
        return None


def without_points(text: str) -> str:
    """A consent without the lines that become boxes to tick."""
    kept = [line for line in text.splitlines() if not line.lstrip().startswith(("- [ ]", "* [ ]"))]
    return "\n".join(kept)
