"""A layout that takes long, computed by another process while the window stays alive; it can be cancelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QProcess, Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from archstudio.app.figures import plural
from archstudio.app.layout_process import layout_command, layout_request, read_layout
from archstudio.graph import Graph, Point
from archstudio.ui.panels.panel import label

_BAR_PX = 90


class LongLayout(QObject):
    """One at a time. `done` gets the places; a fault or Cancel ends it and changes nothing."""

    def __init__(
        self, parent: QWidget, done: Callable[[Mapping[str, Point]], None], failed: Callable[[str], None]
    ) -> None:
        super().__init__(parent)
        self._done, self._failed = done, failed
        self._process: QProcess | None = None
        self.banner = _Banner(parent, self.cancel)

    @property
    def is_running(self) -> bool:
        """Whether a layout is being computed."""
        return self._process is not None

    def begin(self, graph: Graph, only: frozenset[str] | None, width: float) -> None:
        """Start computing; what is going on already is given up."""
        self.cancel()
        process = self._process = QProcess(self)
        program, *arguments = layout_command()
        process.setProgram(program)
        process.setArguments(arguments)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._broken)
        request = layout_request(graph, only, width)
        process.started.connect(lambda: self._send(process, request))
        process.start()
        count = len(graph) if only is None else len(only)
        self.banner.tell(self.tr("Laying out {layers}…").format(layers=plural(count, "layer")))

    def _send(self, process: QProcess, request: bytes) -> None:
        process.write(request)
        process.closeWriteChannel()

    def cancel(self) -> None:
        """Give up; nothing has changed and nothing will."""
        process, self._process = self._process, None
        self.banner.hide()
        if process is not None:
            process.finished.disconnect()
            process.errorOccurred.disconnect()
            process.kill()
            process.waitForFinished(2_000)
            process.deleteLater()

    def _ended(self, code: int) -> None:
        process, self._process = self._process, None
        self.banner.hide()
        if process is None:
            return
        answer, complaint = bytes(process.readAllStandardOutput().data()), bytes(process.readAllStandardError().data())
        process.deleteLater()
        try:
            places = read_layout(answer)
        except ValueError:
            told = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
            self._failed(
                self.tr("The layout ended with code {code}: {told}").format(code=code, told=told or "no answer")
            )
            return
        self._done(places)

    def _broken(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process, self._process = self._process, None
            self.banner.hide()
            if process is not None:
                self._failed(self.tr("The layout could not be started: {why}").format(why=process.errorString()))
                process.deleteLater()


class _Banner(QWidget):
    """Says what is going on, at the top of the canvas, and lets it be cancelled."""

    def __init__(self, parent: QWidget, cancel: Callable[[], None]) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        self._text = label("", "strong")
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setFixedWidth(_BAR_PX)
        bar.setAccessibleName(self.tr("Layout in progress"))
        self.button = QPushButton(self.tr("Cancel"))
        self.button.clicked.connect(cancel)
        for part in (self._text, bar, self.button):
            row.addWidget(part)
        self.hide()

    def tell(self, text: str) -> None:
        """Show a text."""
        parent = self.parentWidget()
        assert parent is not None
        self._text.setText(text)
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, 12)
        self.show()
        self.raise_()
