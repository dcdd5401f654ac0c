"""The window of results: imported files by run, task and family, with intervals, hollow passes and several tries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
)

from archstudio.app.commands import Context, run_command
from archstudio.app.figures import plural
from archstudio.app.tasks.result_tables import (
    failures_table,
    families_table,
    own_outcomes,
    repeats_table,
    runs_table,
    tasks_table,
)
from archstudio.bench.results.card import as_card
from archstudio.bench.results.outcomes import Setting, Summary, summaries
from archstudio.bench.results.tables import as_csv, as_markdown
from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.ui.bench.result_view import ResultView
from archstudio.ui.panels.panel import label

if TYPE_CHECKING:
    from archstudio.ui.window import MainWindow

_SIZE_PX = (1080, 620)
_TEXT_FORMS: dict[str, tuple[str, Callable[[list[Summary]], str]]] = {
    "csv": ("CSV (*.csv)", as_csv),
    "md": ("Markdown (*.md)", as_markdown),
    "svg": ("Card (*.svg)", as_card),
}


class ResultsWindow(QDialog):
    """Everything is made from the rows of the files; what a person submitted stands beside them."""

    def __init__(self, parent: MainWindow, context: Context) -> None:
        super().__init__(parent)
        self._window, self._context = parent, context
        self._shelf = context.application.tasks.results
        self.setWindowTitle(self.tr("Results"))
        self.setModal(False)
        self.head = label("", "title")
        self.which = QComboBox()
        self.which.setAccessibleName(self.tr("Replies counted by task and family"))
        self.which.currentIndexChanged.connect(self._show_details)
        self.export_button, self.files_button = QPushButton(self.tr("Export")), QPushButton(self.tr("Files"))
        self.empty = label("", "muted", wrap=True)
        theme = parent.theme
        self.runs = ResultView(self.tr("Runs"), theme)
        self.tasks, self.families = ResultView(self.tr("Tasks"), theme), ResultView(self.tr("Families"), theme)
        self.failures = ResultView(self.tr("Failures"), theme)
        self.repeats = ResultView(self.tr("Several tries"), theme)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("Tables of results"))
        self.rows: list[Summary] = []
        self._settings: list[Setting] = []
        self._arrange()
        room = context.application.tasks
        self._ends = [self._shelf.watch(self.refresh), room.attempts.watch(self.refresh)]

    def _arrange(self) -> None:
        for view, title in (
            (self.runs, self.tr("Runs")),
            (self.tasks, self.tr("By task")),
            (self.families, self.tr("By family")),
            (self.failures, self.tr("Failures")),
            (self.repeats, self.tr("Several tries")),
        ):
            self.tabs.addTab(view, title)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 14, 18, 14)
        column.setSpacing(10)
        column.addLayout(self._bar())
        column.addWidget(self.empty)
        column.addWidget(self.tabs, 1)
        note = self.tr("Intervals are Wilson's at 95 %. Hollow: passes the rubric, but not all three verdicts.")
        column.addWidget(label(note, "muted", wrap=True))
        self.resize(*_SIZE_PX)

    def _bar(self) -> QHBoxLayout:
        """The line over the tables: what there is, and what can be done with it."""
        add = QPushButton(self.tr("Import…"))
        add.setObjectName("importResults")
        add.clicked.connect(lambda: run_command("task.importResults", self._context))
        files = QMenu(self)
        files.aboutToShow.connect(lambda: self._fill_files(files))
        self.files_button.setMenu(files)
        self.export_button.setMenu(self._export_menu())
        bar = QHBoxLayout()
        bar.addWidget(self.head, 1)
        bar.addWidget(self.which)
        for button in (add, self.files_button, self.export_button):
            button.setAutoDefault(False)
            bar.addWidget(button)
        return bar

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        for form, title in (("csv", self.tr("CSV…")), ("md", self.tr("Markdown…")), ("svg", self.tr("Card (SVG)…"))):
            menu.addAction(title).triggered.connect(lambda _=False, form=form: self._ask_export(form))
        menu.addSeparator()
        menu.addAction(self.tr("Copy as Markdown")).triggered.connect(self.copy)
        return menu

    def bring(self) -> None:
        """Show the window with what there is now."""
        for view in (self.runs, self.tasks, self.families, self.failures, self.repeats):
            view.set_theme(self._window.theme)
        self.refresh()
        self.show()
        self.raise_()
        self.tabs.setFocus()

    # ------------------------------------------------------------- showing

    def refresh(self) -> None:
        """Make every table anew from the files and the attempts."""
        files = self._shelf.files()
        tries = [*self._shelf.tries(), *own_outcomes(self._context.application.tasks.attempts.all())]
        self.rows = summaries(tries, self._shelf.shares())
        told = self.tr("{files} · {runs}").format(files=plural(len(files), "file"), runs=plural(len(self.rows), "run"))
        self.head.setText(told)
        self.empty.setVisible(not self.rows)
        self.tabs.setVisible(bool(self.rows))
        self.export_button.setEnabled(bool(self.rows))
        self.files_button.setEnabled(bool(files))
        self.which.setVisible(bool(self.rows))
        faults = "\n".join(self._shelf.unreadable)
        nothing = self.tr("No results yet. Import published files, or runs of “archstudio bench run --out FILE”.")
        self.empty.setText(f"{nothing}\n{faults}".strip())
        self.runs.show_table(runs_table(self.rows))
        self.repeats.show_table(repeats_table(tries))
        self._fill_settings()
        self._show_details()

    def _fill_settings(self) -> None:
        chosen = self.setting
        self._settings = [row.setting for row in self.rows]
        self.which.blockSignals(True)
        self.which.clear()
        self.which.addItem(self.tr("Every reply without help"))
        self.which.addItems([f"{each.model}, {each.way}, {each.split}" for each in self._settings])
        self.which.setCurrentIndex(self._settings.index(chosen) + 1 if chosen in self._settings else 0)
        self.which.setMaximumWidth(320)
        self.which.blockSignals(False)

    @property
    def setting(self) -> Setting | None:
        """The run that tasks and families are shown of; None for all replies without help."""
        at = self.which.currentIndex() - 1
        return self._settings[at] if 0 <= at < len(self._settings) else None

    def _show_details(self) -> None:
        tries = [*self._shelf.tries(), *own_outcomes(self._context.application.tasks.attempts.all())]
        self.tasks.show_table(tasks_table(tries, self.setting))
        self.families.show_table(families_table(tries, self._shelf.shares(), self.setting))
        self.failures.show_table(failures_table(tries, self.setting))

    # ------------------------------------------------------------- files

    def _fill_files(self, menu: QMenu) -> None:
        menu.clear()
        for file in self._shelf.files():
            doubtful = self.tr(" (its rows make other totals)") if file.totals_agree is False else ""
            action = menu.addAction(self.tr("Remove {file}").format(file=f"{file.name}: {file.form}{doubtful}"))
            action.triggered.connect(lambda _=False, name=file.name: self.remove(name))

    def remove(self, name: str) -> None:
        """Forget one file; the one it was imported from stays."""
        try:
            self._shelf.remove(name)
        except SaveFailed as failed:
            self._context.view.notify(self.tr("The file was not removed"), str(failed), fault=True)

    def _ask_export(self, form: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Export results"), f"results.{form}", _TEXT_FORMS[form][0])
        if name:
            self.export(Path(name), form)

    def export(self, path: Path, form: str) -> None:
        """Write all runs as `csv`, `md` or `svg`."""
        try:
            save_atomic(path, _TEXT_FORMS[form][1](self.rows).encode())
        except SaveFailed as failed:
            self._context.view.notify(self.tr("The results were not exported"), str(failed), fault=True)
            return
        self._context.view.notify(self.tr("Exported {file}").format(file=path.name))

    def copy(self) -> None:
        """Put the runs on the clipboard as Markdown."""
        QGuiApplication.clipboard().setText(as_markdown(self.rows))

    def stop(self) -> None:
        """Stop following; called when the main window closes."""
        for end in self._ends:
            end()
        self._ends = []
