"""Short questions within an item: what is sent, what is wrong with it, the text that models read."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.action_text import action_text
from archstudio.app.figures import plural
from archstudio.edits.plan import Plan
from archstudio.study.items import Item
from archstudio.study.records import Wording
from archstudio.ui.panels.panel import label

LONGEST_COMMENT = 20_000
"""Characters that a field takes; the log keeps fewer and says how many there were."""


class CommentField(QPlainTextEdit):
    """A few lines of text; whatever is pasted, only its beginning is taken."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setMaximumHeight(96)

    def insertFromMimeData(self, source: object) -> None:
        """Take the beginning of what is pasted, so that a whole book does not stop the window."""
        text = source.text() if hasattr(source, "text") else ""
        room = max(0, LONGEST_COMMENT - self.document().characterCount())
        self.insertPlainText(text[:room])

    @property
    def comment(self) -> str:
        """What was written."""
        return self.toPlainText()[:LONGEST_COMMENT].strip()


class SubmitDialog(QDialog):
    """Exactly what will be sent, and an optional reason."""

    def __init__(self, parent: QWidget, plan: Plan, left: int | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Submit"))
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        count = plural(len(plan.actions), "action")
        column.addWidget(
            label(count if plan.actions else self.tr("No edits are sent: the graph stays as it is."), "title")
        )
        listed = QListWidget()
        listed.setAccessibleName(self.tr("Actions to submit"))
        listed.addItems([f"{k}.  {action_text(a)}" for k, a in enumerate(plan.actions, 1)])
        column.addWidget(listed, 1)
        for text in plan.inexpressible:
            column.addWidget(label(self.tr("Not sent: {what}").format(what=text), "warn", wrap=True))
        self.reason = CommentField(self.tr("Why? (optional)"))
        column.addWidget(self.reason)
        last = self.tr("What is submitted cannot be taken back; the next item follows.")
        more = self.tr("What is submitted cannot be taken back. Submissions left: {n}.").format(n=left)
        column.addWidget(label(last if left in (None, 1) else more, "muted", wrap=True))
        self.send = _finish(self, column, self.tr("Submit"))
        self.send.setDefault(True)
        self.send.setFocus()
        self.resize(560, 440)


class FlagDialog(QDialog):
    """Something is wrong with the item: what kind, and in words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Flag this item"))
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        column.addWidget(label(self.tr("What is wrong with this item?"), "title"))
        self.kind = QComboBox()
        self.kind.setAccessibleName(self.tr("Kind"))
        for key, text in (
            ("unclear", self.tr("it is unclear")),
            ("wrong", self.tr("it contradicts itself or is wrong")),
            ("technical", self.tr("something does not work")),
            ("other", self.tr("something else")),
        ):
            self.kind.addItem(text, key)
        column.addWidget(self.kind)
        self.comment = CommentField(self.tr("In your words (optional, no personal data)"))
        column.addWidget(self.comment)
        _finish(self, column, self.tr("Flag"))
        self.resize(460, 240)


class ModelTextDialog(QDialog):
    """The text that models read, byte for byte, and how the text people read stands to it."""

    def __init__(self, parent: QWidget, item: Item) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Text for models"))
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        self.text = QPlainTextEdit(item.text)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Text for models"))
        column.addWidget(self.text, 1)
        told: dict[Wording, str] = {
            "byte-equal": self.tr("Models read this very text."),
            "fact-equal": self.tr("Models read the same facts, in words of their own."),
            "richer": self.tr("This text says more than the one that models read."),
        }
        column.addWidget(label(told[item.wording], "muted", wrap=True))
        column.addWidget(label(f"sha256 {item.text_sha256}", "mono", wrap=True))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(720, 560)


def _finish(dialog: QDialog, column: QVBoxLayout, action: str) -> QPushButton:
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    send = QPushButton(action)
    send.setObjectName("send")
    buttons.addButton(send, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    column.addWidget(buttons)
    return send
