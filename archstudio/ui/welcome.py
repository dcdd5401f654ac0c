"""The page a person sees first: ways in, what was opened lately, and known networks to start from."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from archstudio.app.application import Application
from archstudio.app.figures import count_text
from archstudio.app.zoo import ZooEntry, zoo_entries
from archstudio.ui.panels.flow import FlowLayout
from archstudio.ui.panels.panel import label

FIRST_REPAIR = "fix-broken-attention"
FIRST_DESIGN = "cnn-cifar"
_RECENT_SHOWN = 6
_CARD_WIDTH_PX = 205


class WelcomePage(QWidget):
    """Cards over the recent files and the known networks. Emits what was chosen; the window does it."""

    task_chosen = Signal(str)
    file_chosen = Signal(object)
    network_chosen = Signal(str)
    open_asked = Signal()
    practice_asked = Signal()

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application
        self.setObjectName("welcome")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._recent = QVBoxLayout()
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(48, 40, 48, 40)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(label("Arch Studio", "display"))
        column.addWidget(label(self.tr("Design networks by hand. See at once what PyTorch would say."), "muted"))
        column.addSpacing(16)
        column.addLayout(self._cards())
        column.addSpacing(20)
        column.addLayout(self._recent)
        column.addLayout(self._networks())
        column.addStretch(3)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.refresh()

    def _cards(self) -> FlowLayout:
        line = FlowLayout(spacing=14)
        repair = _card(
            self.tr("Fix a broken model"), self.tr("An attention layer that cannot be built. Mend it in one edit.")
        )
        repair.setObjectName("card-repair")
        repair.clicked.connect(lambda: self.task_chosen.emit(FIRST_REPAIR))
        design = _card(
            self.tr("Design from a brief"), self.tr("A small image classifier for CIFAR-10, from an empty canvas.")
        )
        design.setObjectName("card-design")
        design.clicked.connect(lambda: self.task_chosen.emit(FIRST_DESIGN))
        file = _card(self.tr("Open a file"), self.tr("A graph of Arch Studio or Arch-Bench."))
        file.setObjectName("card-open")
        file.clicked.connect(self.open_asked)
        practice = _card(self.tr("Practise"), self.tr("Graphs with one fault each, hints when you want them."))
        practice.setObjectName("card-practice")
        practice.clicked.connect(self.practice_asked)
        for card in (repair, design, practice, file):
            line.addWidget(card)
        return line

    def _networks(self) -> QVBoxLayout:
        """The known networks as buttons, family by family."""
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(label(self.tr("Start from a known network"), "heading"))
        entries = zoo_entries()
        for family in dict.fromkeys(entry.family for entry in entries):
            column.addWidget(label(self.tr(family), "muted"))
            line = FlowLayout(spacing=6)
            for entry in entries:
                if entry.family == family:
                    line.addWidget(self._network_button(entry))
            column.addLayout(line)
        return column

    def _network_button(self, entry: ZooEntry) -> QPushButton:
        button = QPushButton(entry.title)
        button.setObjectName(f"network-{entry.name}")
        told = self.tr("{note} · {count} parameters").format(
            note=self.tr(entry.note), count=count_text(entry.parameters)
        )
        button.setToolTip(told)
        button.setAccessibleDescription(told)
        button.clicked.connect(lambda: self.network_chosen.emit(entry.name))
        return button

    def refresh(self) -> None:
        """Show the recent files as they are."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        paths = [p for p in self._application.recent.paths() if p.exists()][:_RECENT_SHOWN]
        if paths:
            self._recent.addWidget(label(self.tr("Recent"), "heading"))
        for path in paths:
            self._recent.addWidget(self._recent_button(path), 0, Qt.AlignmentFlag.AlignLeft)

    def _recent_button(self, path: Path) -> QPushButton:
        button = QPushButton(path.name)
        button.setProperty("role", "link")
        button.setToolTip(str(path))
        button.clicked.connect(lambda: self.file_chosen.emit(path))
        return button


def _card(title: str, text: str) -> QPushButton:
    """A large button of two lines."""
    card = QPushButton()
    card.setProperty("role", "card")
    card.setAccessibleName(title)
    card.setAccessibleDescription(text)
    card.setFixedWidth(_CARD_WIDTH_PX)
    column = QVBoxLayout(card)
    column.setContentsMargins(16, 14, 16, 14)
    for line in (label(title, "title", wrap=True), label(text, "muted", wrap=True)):
        line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column.addWidget(line)
    column.addStretch(1)
    return card
