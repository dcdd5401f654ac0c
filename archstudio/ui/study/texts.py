"""A study's Markdown as people read it: no links are followed, and nothing outside the study's file is loaded."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QTextBrowser, QWidget


class StudyText(QTextBrowser):
    """Markdown to read, also with the keyboard."""

    def __init__(self, text: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setAccessibleName(name)
        self.setObjectName("studyText")
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setMarkdown(text)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Pictures are neither fetched nor read from this machine."""
        return None


def without_points(text: str) -> str:
    """A consent without the lines that become boxes to tick."""
    kept = [line for line in text.splitlines() if not line.lstrip().startswith(("- [ ]", "* [ ]"))]
    return "\n".join(kept)
