"""Fields of a draft: each control shows one field of the protocol and writes it as it is changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from archstudio.app.study.draft import Draft
from archstudio.ui.panels.panel import label

Path = Sequence[str]


class DraftPage(QWidget):
    """A page of the draft: a heading, a form, and what else it has below; `refresh` shows the draft as it stands."""

    def __init__(self, draft: Draft) -> None:
        super().__init__()
        self.draft = draft
        self._heading = label("", "heading")
        self._shows: list[Callable[[], None]] = []
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(22, 18, 22, 14)
        self.column.setSpacing(10)
        self.column.addWidget(self._heading)
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.column.addLayout(self.form)

    @property
    def heading(self) -> str:
        """What the page is called."""
        return self._heading.text()

    def entitle(self, heading: str) -> None:
        """Give the page its heading."""
        self._heading.setText(heading)

    def refresh(self) -> None:
        """Show the draft as it stands."""
        for show in self._shows:
            show()

    def text(self, title: str, path: Path, hint: str = "") -> QLineEdit:
        """A line of text."""
        return self._line(title, path, hint, lambda text: text)

    def number(self, title: str, path: Path, hint: str = "", *, whole: bool = False) -> QLineEdit:
        """A number; empty means none. What is no number stays as text, and checking the draft names its place."""
        return self._line(title, path, hint, _whole if whole else _real)

    def _line(self, title: str, path: Path, hint: str, read: Callable[[str], object]) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(title)
        field.setPlaceholderText(hint)
        field.setObjectName(".".join(path))
        field.textEdited.connect(lambda text: self.draft.put(path, read(text.strip())))
        self._shows.append(lambda: field.setText(_shown(self.draft.get(path))))
        self.form.addRow(title, field)
        return field

    def choice(self, title: str, path: Path, options: Sequence[tuple[str, str]]) -> QComboBox:
        """One of some values, each with its words."""
        box = QComboBox()
        box.setAccessibleName(title)
        box.setObjectName(".".join(path))
        for value, words in options:
            box.addItem(words, value)
        box.activated.connect(lambda _: self.draft.put(path, box.currentData()))
        self._shows.append(lambda: box.setCurrentIndex(max(0, box.findData(self.draft.get(path)))))
        self.form.addRow(title, box)
        return box


def _shown(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _whole(text: str) -> object:
    return int(text) if text.isdecimal() else text


def _real(text: str) -> object:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return text
