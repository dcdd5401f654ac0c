"""Collects a study: which session files count, how far it has come, what is excluded, and the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QCloseEvent, QDesktopServices
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from archstudio.app.study.report_process import ReportOrder
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError
from archstudio.study.collect import Collected, collect, coverage
from archstudio.study.collect.exclusions import read_exclusions
from archstudio.study.pack import open_key, open_study
from archstudio.ui.panels.panel import label, set_role
from archstudio.ui.study.report_run import ReportRun


class CollectWindow(QMainWindow):
    """Choose a study and session files; the tables follow. The report is made by another process."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Collect a study"))
        self.resize(1100, 720)
        self.study: Path | None = None
        self.key: Path | None = None
        self.listed: Path | None = None
        """A list of exclusions by hand."""
        self.sessions: list[Path] = []
        self.models: list[Path] = []
        self.made: Collected | None = None
        self.page: str = ""
        self.run = ReportRun(self)
        self.run.stepped.connect(self._stepped)
        self.run.made.connect(self._made)
        self.run.failed.connect(self._failed)
        self.study_button = self._button(self.tr("Study…"), self.ask_study)
        self.key_button = self._button(self.tr("Key…"), self.ask_key)
        self.sessions_button = self._button(self.tr("Session files…"), self.ask_sessions)
        self.folder_button = self._button(self.tr("Folder of sessions…"), self.ask_folder)
        self.listed_button = self._button(self.tr("Exclusions by hand…"), self.ask_exclusions)
        self.models_button = self._button(self.tr("Model results…"), self.ask_models)
        self.simulated = QCheckBox(self.tr("Report simulated people too"))
        self.report_button = self._button(self.tr("Make the report…"), self.ask_report)
        self.report_button.setProperty("role", "primary")
        self.cancel_button = self._button(self.tr("Cancel"), self.cancel)
        self.open_button = self._button(self.tr("Open the report"), self.open_page)
        self.progress = QProgressBar()
        self.progress.setAccessibleName(self.tr("Report in progress"))
        self.progress.setRange(0, 3)
        self.told, self.status = label("", wrap=True), label("", "muted", wrap=True)
        self.conditions = _table([self.tr("condition"), self.tr("people"), self.tr("completed"), self.tr("partial"),
                                  self.tr("answers")])  # fmt: skip
        self.items = _table([self.tr("item")])
        self.exclusions = _table([self.tr("rule"), self.tr("scope"), self.tr("participant"), self.tr("item"),
                                  self.tr("reason")])  # fmt: skip
        self.left = _table([self.tr("file"), self.tr("why"), self.tr("detail")])
        self._arrange()
        self.refresh()

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text)
        button.clicked.connect(run)
        return button

    def _arrange(self) -> None:
        top, below = QHBoxLayout(), QHBoxLayout()
        for button in (
            self.study_button, self.key_button, self.sessions_button, self.folder_button, self.listed_button,
            self.models_button,
        ):  # fmt: skip
            top.addWidget(button)
        top.addStretch(1)
        tabs = QTabWidget()
        for title, table in (
            (self.tr("Conditions"), self.conditions),
            (self.tr("Items"), self.items),
            (self.tr("Exclusions"), self.exclusions),
            (self.tr("Files that do not count"), self.left),
        ):
            table.setAccessibleName(title)
            tabs.addTab(table, title)
        for part in (self.simulated, self.report_button, self.progress, self.cancel_button, self.open_button):
            below.addWidget(part)
        below.addWidget(self.status, 1)
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(10)
        column.addLayout(top)
        column.addWidget(self.told)
        column.addWidget(tabs, 1)
        column.addLayout(below)
        self.setCentralWidget(middle)

    # ------------------------------------------------------------------ choosing

    def ask_study(self) -> None:
        """Ask for the study's file."""
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open a study"), "", self.tr("Studies (*.study)"))
        if name:
            self.study = Path(name)
            beside = self.study.with_suffix(".key")
            self.key = beside if beside.is_file() else None
            self.refresh()

    def ask_key(self) -> None:
        """Ask for the researcher's key."""
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open the key"), "", self.tr("Keys (*.key)"))
        if name:
            self.key = Path(name)
            self.refresh()

    def ask_sessions(self) -> None:
        """Ask for session files."""
        kinds = self.tr("Sessions (*.session *.archsession);;All files (*)")
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose session files"), "", kinds)
        self.add_sessions([Path(name) for name in names])

    def ask_folder(self) -> None:
        """Ask for a folder of them."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder of sessions"))
        self.add_sessions([Path(name)] if name else [])

    def ask_models(self) -> None:
        """Ask for result files of models."""
        kinds = self.tr("Results (*.json *.jsonl);;All files (*)")
        names, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose results of models"), "", kinds)
        self.models += [Path(name) for name in names]
        self.refresh()

    def ask_exclusions(self) -> None:
        """Ask for a list of exclusions by hand; none chosen: it is left out again."""
        kinds = self.tr("Lists of exclusions (*.json);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Open a list of exclusions"), "", kinds)
        self.listed = Path(name) if name else None
        self.refresh()

    def add_sessions(self, paths: Sequence[Path]) -> None:
        """Take these files and folders too."""
        self.sessions += [path for path in paths if path not in self.sessions]
        self.refresh()

    # ------------------------------------------------------------------- showing

    def refresh(self) -> None:
        """Merge what was chosen, and show what came of it."""
        self.made = None
        role, told = "muted", self.tr("Choose a study and its session files.")
        if self.study is not None and self.sessions:
            try:
                pack = open_study(self.study)
                pack = pack if self.key is None else open_key(self.key, pack)
                by_hand = [] if self.listed is None else read_exclusions(self.listed, pack.protocol)
                self.made = collect(pack, self.sessions, exclusions=by_hand)
                role, told = "", self._summary(self.made)
            except (UnusableFile, GraphError, OSError) as fault:
                role, told = "error", str(fault)
        elif self.study is not None:
            told = self.tr("{study}: choose its session files.").format(study=self.study.name)
        self.told.setText(told)
        set_role(self.told, role)
        self._fill()
        self._enable()

    def _summary(self, made: Collected) -> str:
        state = coverage(made.records)
        planned = "–" if state.planned is None else str(state.planned)
        told = self.tr(
            "{people} people of {planned} planned, {withdrawn} withdrew, {marks} exclusions, {files} files left"
        )
        left = sum(not each.counts for each in made.left)
        return told.format(
            people=state.people, planned=planned, withdrawn=state.withdrawn, marks=state.excluded, files=left
        )

    def _fill(self) -> None:
        made = self.made
        for table in (self.conditions, self.items, self.exclusions, self.left):
            table.setRowCount(0)
        if made is None:
            return
        state = coverage(made.records)
        _fill(self.conditions, [(c.condition, c.people, c.completed, c.partial, c.answers) for c in state.conditions])
        names = [c.condition for c in state.conditions]
        self.items.setColumnCount(1 + len(names))
        self.items.setHorizontalHeaderLabels([self.tr("item"), *names])
        _fill(self.items, [(item.item_id, *(item.by_condition[name] for name in names)) for item in state.items])
        _fill(
            self.exclusions,
            [(m.rule, m.scope, m.participant_id, m.item_id or "", m.reason) for m in made.records.exclusions],
        )
        _fill(self.left, [(each.file, each.why, each.detail) for each in made.left])

    def _enable(self) -> None:
        running = self.run.is_running
        self.report_button.setEnabled(self.made is not None and not running)
        self.progress.setVisible(running)
        self.cancel_button.setVisible(running)
        self.open_button.setVisible(bool(self.page) and not running)

    # -------------------------------------------------------------------- report

    def ask_report(self) -> None:
        """Ask for a folder, and make the report there."""
        name = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder for the report"))
        if name:
            self.make_report(Path(name))

    def make_report(self, folder: Path) -> None:
        """Make the report in a folder, in another process."""
        if self.study is None:
            return
        self.page = ""
        order = ReportOrder(
            study=str(self.study),
            sessions=tuple(map(str, self.sessions)),
            out=str(folder),
            key=None if self.key is None else str(self.key),
            models=tuple(map(str, self.models)),
            exclusions=None if self.listed is None else str(self.listed),
            allow_simulated=self.simulated.isChecked(),
        )
        self.progress.setValue(0)
        self._tell(self.tr("Starting…"), "muted")
        self.run.begin(order)
        self._enable()

    def cancel(self) -> None:
        """Give the report up."""
        self.run.cancel()
        self._tell(self.tr("The report was given up."), "muted")
        self._enable()

    def _tell(self, text: str, role: str) -> None:
        self.status.setText(text)
        set_role(self.status, role)

    def _stepped(self, step: str) -> None:
        steps = {
            "reading": self.tr("Reading the sessions…"),
            "figures": self.tr("Working out the figures…"),
            "writing": self.tr("Writing page and tables…"),
        }
        self.progress.setValue(list(steps).index(step))
        self._tell(steps[step], "muted")

    def _made(self, page: str) -> None:
        self.page = page
        self._tell(self.tr("The report is made: {page}").format(page=page), "ok")
        self.run.cancel()
        self._enable()

    def _failed(self, why: str) -> None:
        self._tell(why, "error")
        self.run.cancel()
        self._enable()

    def open_page(self) -> None:
        """Open the report where pages are read."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(self.page))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nothing goes on behind a closed window."""
        self.run.cancel()
        event.accept()


def _table(titles: Sequence[str]) -> QTableWidget:
    made = QTableWidget(0, len(titles))
    made.setHorizontalHeaderLabels(titles)
    made.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    made.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    made.verticalHeader().hide()
    made.horizontalHeader().setStretchLastSection(True)
    made.setTabKeyNavigation(False)
    return made


def _fill(table: QTableWidget, rows: Sequence[Sequence[object]]) -> None:
    table.setRowCount(len(rows))
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            table.setItem(row, column, QTableWidgetItem(str(value)))
    table.resizeColumnsToContents()
