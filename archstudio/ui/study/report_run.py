"""A report being made by another process while the window stays alive; it can be cancelled."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QObject, QProcess, Signal

from archstudio.app.study.report_process import ReportOrder, report_command

_KILL_MS = 2_000


class ReportRun(QObject):
    """One report at a time. `stepped` names the step that begins; `made` has the page's path, `failed` the reason."""

    stepped = Signal(str)
    made = Signal(str)
    failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._rest = b""
        self._told = False

    @property
    def is_running(self) -> bool:
        """Whether a report is being made."""
        return self._process is not None

    def begin(self, order: ReportOrder) -> None:
        """Start; what is going on already is given up."""
        self.cancel()
        process = self._process = QProcess(self)
        self._rest, self._told = b"", False
        program, *arguments = report_command()
        process.setProgram(program)
        process.setArguments(arguments)
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._broken)
        process.start()
        process.write(order.request())
        process.closeWriteChannel()

    def cancel(self) -> None:
        """Give up; the next report writes the folder anew."""
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect()
            process.errorOccurred.disconnect()
            process.kill()
            process.waitForFinished(_KILL_MS)
            process.deleteLater()

    def _read(self) -> None:
        process = self._process
        if process is None:
            return
        *lines, self._rest = (self._rest + bytes(process.readAllStandardOutput().data())).split(b"\n")
        for line in lines:
            self._hear(json.loads(line))

    def _hear(self, told: dict[str, Any]) -> None:
        if "step" in told:
            self.stepped.emit(told["step"])
            return
        self._told = True
        if "page" in told:
            self.made.emit(told["page"])
        else:
            self.failed.emit(told["refused"])

    def _ended(self, code: int) -> None:
        self._read()
        process, self._process = self._process, None
        if process is None:
            return
        if not self._told:
            complaint = bytes(process.readAllStandardError().data()).decode("utf-8", "replace").strip()
            last = complaint.rpartition("\n")[2] or self.tr("no answer")
            self.failed.emit(self.tr("The report ended with code {code}: {told}").format(code=code, told=last))
        process.deleteLater()

    def _broken(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            process, self._process = self._process, None
            if process is not None:
                self.failed.emit(process.errorString())
                process.deleteLater()
