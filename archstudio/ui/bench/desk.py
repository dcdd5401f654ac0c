"""What commands about tasks may ask of the window, answered by its docks and dialogs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QProgressDialog

from archstudio.app.comparing import compare
from archstudio.app.document import Document
from archstudio.app.figures import plural
from archstudio.app.task_report import TaskReport
from archstudio.app.tasks.attempts import Attempt
from archstudio.app.tasks.authoring import Draft
from archstudio.app.tasks.library import Imported
from archstudio.app.tasks.suites import GeneratedSuite
from archstudio.bench.results.gathered import ResultFile
from archstudio.files.atomic import SaveFailed
from archstudio.graph import Graph
from archstudio.study.visibility import Visibility
from archstudio.ui.bench.generate_dialog import GenerateDialog
from archstudio.ui.bench.import_report import ImportReport
from archstudio.ui.bench.practice_watch import PracticeWatch
from archstudio.ui.compare.show import go_to
from archstudio.ui.compare.window import CompareWindow

if TYPE_CHECKING:
    from archstudio.ui.bench.authoring import AuthoringWindow
    from archstudio.ui.bench.results import ResultsWindow
    from archstudio.ui.window import MainWindow

_TASK_FILES = "Task files (*.json *.jsonl);;All files (*)"
_FOLDER_KEY = "importFolder"
PATIENCE_MS = 600
"""Reading that takes no longer shows no progress."""
LOOK_S = 0.05
"""So often it is looked whether somebody pressed Cancel."""


class BenchDesk:
    """Implements `app.bench_view.BenchView` for the Qt window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._authoring: AuthoringWindow | None = None
        self._results: ResultsWindow | None = None
        self.practice: PracticeWatch | None = None

    def start(self) -> None:
        """Begin to watch exercises; called when the window is put together."""
        self.practice = PracticeWatch(self._window, self._window.application)

    def may_close(self) -> bool:
        """Whether a draft that is being written, if any, may be given up."""
        return self._authoring is None or not self._authoring.isVisible() or self._authoring.close()

    def close(self) -> None:
        """Close the windows beside the main one, and stop watching."""
        if self._authoring is not None:
            self._authoring.hide()
        if self._results is not None:
            self._results.stop()
            self._results.hide()
        if self.practice is not None:
            self.practice.stop()

    # ------------------------------------------------- what only a person can answer

    def ask_recipe(self) -> GeneratedSuite | None:
        dialog = GenerateDialog(self._window, self._window.application.settings)
        chosen = dialog.recipe if dialog.exec() else None
        dialog.deleteLater()
        return chosen

    def ask_task_files(self) -> list[Path]:
        return self._ask_files(self._window.tr("Import tasks"))

    def ask_result_files(self) -> list[Path]:
        return self._ask_files(self._window.tr("Import results"))

    def _ask_files(self, title: str) -> list[Path]:
        settings = self._window.application.settings
        folder = settings.read().get(_FOLDER_KEY)
        start = folder if isinstance(folder, str) else ""
        names, _ = QFileDialog.getOpenFileNames(self._window, title, start, _TASK_FILES)
        if names:
            settings.update({_FOLDER_KEY: str(Path(names[0]).parent)})
        return [Path(name) for name in names]

    def watch_reading(self, file: str, steps: Iterator[int]) -> bool:
        """Go through the steps; what takes longer than a moment shows how far it is and can be cancelled."""
        window = self._window
        shown = QProgressDialog(window.tr("Reading {file}").format(file=file), window.tr("Cancel"), 0, 0, window)
        shown.setWindowModality(Qt.WindowModality.WindowModal)
        shown.setMinimumDuration(PATIENCE_MS)
        due = perf_counter() + LOOK_S
        try:
            for count in steps:
                if perf_counter() > due:
                    shown.setLabelText(window.tr("Reading {file}: {n} rows").format(file=file, n=f"{count:,}"))
                    shown.setValue(0)
                    QApplication.processEvents()
                    due = perf_counter() + LOOK_S
                if shown.wasCanceled():
                    return False
            return True
        finally:
            shown.close()
            shown.deleteLater()

    # ------------------------------------------------------------------------ tasks

    def show_suite(self, suite_id: str) -> None:
        self._window.docks.show("tasks")
        self._window.docks.tasks.show_suite(suite_id)

    def shown_suite(self) -> str:
        return self._window.docks.tasks.suite

    def next_task(self) -> str | None:
        return self._window.docks.tasks.next_task()

    def search_tasks(self) -> None:
        self._window.docks.show("tasks")
        self._window.docks.tasks.focus_search()

    def tell_imported(self, file: str, made: Imported) -> None:
        if made.rejected or not made.taken:
            dialog = ImportReport(self._window, file, made)
            dialog.exec()
            dialog.deleteLater()
        else:
            told = self._window.tr("{tasks} imported from {file}")
            self._window.view.notify(told.format(tasks=plural(made.taken, "task"), file=file))

    # --------------------------------------------------------------------- attempts

    def show_attempts(self) -> None:
        self._window.docks.show("plan")
        self._window.docks.plan.focus_attempts()

    def chosen_attempt(self) -> Attempt | None:
        return self._window.docks.plan.attempts.chosen()

    def keep_attempt(self, document: Document, report: TaskReport) -> None:
        """Keep what was submitted, and say what came of it where that may be told."""
        window = self._window
        assert document.task_id is not None, "only tasks are submitted"
        seconds = perf_counter() - document.opened_at
        try:
            made = window.application.tasks.attempts.keep(document.task_id, report, document.graph, seconds)
        except SaveFailed as failed:
            window.view.notify(window.tr("Not submitted"), str(failed), fault=True)
            return
        window.view.notify(window.tr("Submitted"), _told(report.task.id, made, document.visibility))

    def compare_with_reference(self, document: Document, reference: Graph) -> None:
        window = self._window
        made = compare((document.title, document.graph), (window.tr("Reference"), reference))
        shown = CompareWindow(window, made, window.theme, document.visibility)
        shown.chosen.connect(lambda part: go_to(window, document, part))
        shown.show()

    # ---------------------------------------------------------- authoring and results

    def author(self, draft: Draft) -> None:
        from archstudio.ui.bench.authoring import AuthoringWindow

        if self._authoring is None:
            self._authoring = AuthoringWindow(self._window, self._window.context)
        self._authoring.show_draft(draft)

    @property
    def authoring(self) -> AuthoringWindow | None:
        """The window in which a task is being written, if it was ever opened."""
        return self._authoring

    def show_results(self) -> None:
        from archstudio.ui.bench.results import ResultsWindow

        if self._results is None:
            self._results = ResultsWindow(self._window, self._window.context)
        self._results.bring()

    @property
    def results(self) -> ResultsWindow | None:
        """The window of results, if it was ever opened."""
        return self._results

    def tell_results(self, files: list[ResultFile]) -> None:
        doubtful = [file.name for file in files if file.totals_agree is False]
        told = self._window.tr("{files} imported").format(files=plural(len(files), "result file"))
        detail = ""
        if doubtful:
            detail = self._window.tr("The rows make other totals than stated: {names}").format(
                names=", ".join(doubtful)
            )
        self._window.view.notify(told, detail)
        self.show_results()


def _told(task_id: str, made: Attempt, seen: Visibility) -> str:
    """What the verdicts that may be seen say of a submission; nothing if none may."""
    if made.solved and seen.task_verdict and seen.exact_verdict and seen.brief_verdict:
        return f"{task_id} passes, runs in PyTorch and does what the brief asks"
    parts = []
    if seen.task_verdict:
        parts.append("passes" if made.passed else "does not pass")
    if seen.exact_verdict and made.runs is not True:
        parts.append("does not run in PyTorch")
    if seen.brief_verdict and made.facts and made.does_the_brief is not True:
        parts.append(f"does {made.facts_met} of {made.facts} facts of the brief")
    return f"{task_id} {', '.join(parts)}" if parts else ""
