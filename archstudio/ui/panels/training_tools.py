"""What the tools over the runs do: pages about them, exports with their digests, disk given back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox

from archstudio.app.runs import RunRow, RunsBook, size_text
from archstudio.app.training_compare import compared
from archstudio.app.training_settings import settings_of
from archstudio.files.atomic import SaveFailed, save_atomic
from archstudio.files.unusable import UnusableFile
from archstudio.training.diagnosis import read_diagnosis
from archstudio.training.export import runs_as_csv, runs_as_json
from archstudio.training.findings import findings
from archstudio.training.tensorboard import write_events
from archstudio.ui.panels.training_pages import ComparePage, PredictPage, WhyPage

if TYPE_CHECKING:
    from archstudio.ui.panels.training import TrainingPanel


class RunTools:
    """Connects the tools of the Training dock with what they do."""

    def __init__(self, panel: TrainingPanel, book: RunsBook) -> None:
        self._panel, self._book = panel, book
        self.page: WhyPage | ComparePage | PredictPage | None = None
        table = panel.table
        table.why_asked.connect(self.why)
        table.compare_asked.connect(self.compare)
        table.predict_asked.connect(self.predict)
        table.settings_asked.connect(self.use_settings)
        table.pin_asked.connect(self.pin)
        table.free_asked.connect(self.free)
        panel.runs.export_asked.connect(self.ask_export)

    @property
    def _chosen(self) -> list[RunRow]:
        return self._panel.table.chosen_rows()

    def _show(self, page: WhyPage | ComparePage | PredictPage) -> None:
        self.page = page
        page.show()

    def why(self) -> None:
        """Say why the selected run failed or learnt little."""
        for row in self._chosen[:1]:
            run = self._book.stored(row.run_id)
            told = []
            for seed in run.description.seeds:
                files = run.seed(seed)
                told.append((seed, findings(run.description, files.result(), read_diagnosis(files.path))))
            self._show(WhyPage(self._panel, row.name, told))

    def compare(self) -> None:
        """Show in which settings the selected runs differ."""
        rows = self._chosen
        if len(rows) > 1:
            runs = [self._book.stored(row.run_id) for row in rows]
            self._show(ComparePage(self._panel, [row.name for row in rows], compared(runs)))

    def predict(self) -> None:
        """Show what the trained graph says of validation samples, or of a file."""
        for row in self._chosen[:1]:
            page = PredictPage(self._panel, self._book.stored(row.run_id), row.name)
            self._show(page)
            page.start(None)

    def use_settings(self) -> None:
        """Put the selected run's settings into the fields, to train with them again or with some of them changed."""
        for row in self._chosen[:1]:
            self._panel.form.show_settings(settings_of(self._book.stored(row.run_id).description))
            told = self._panel.tr("The fields hold the settings of {name}.").format(name=row.name)
            self._panel.say(told)

    def pin(self) -> None:
        """Keep the selected runs' curves in the plot, or let them go."""
        for row in self._chosen:
            row.pinned = not row.pinned
        self._panel.runs.show_rows()
        self._panel.curves.draw()

    def free(self) -> None:
        """Ask, then delete checkpoints and weights of the selected runs; curves and results stay."""
        rows = self._chosen
        box = QMessageBox(self._panel)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(self._panel.tr("Free the weights of the selected runs?"))
        box.setInformativeText(self._panel.tr("Curves and results stay. Predictions then need training again."))
        yes = box.addButton(self._panel.tr("Free"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        if rows:
            box.exec()
            if box.clickedButton() is yes:
                self.free_rows(rows)

    def free_rows(self, rows: list[RunRow]) -> str:
        """Delete the weights and say how much was freed."""
        told = self._panel.tr("{size} freed.").format(size=size_text(self._book.free(rows)))
        self._panel.runs.show_rows()
        self._panel.say(told)
        return told

    def ask_export(self, kind: str) -> None:
        """Ask where to, then write."""
        title = self._panel.tr("Export")
        if kind == "tensorboard":
            name = QFileDialog.getExistingDirectory(self._panel, title)
            if name:
                self.export(Path(name), kind)
            return
        name, _ = QFileDialog.getSaveFileName(self._panel, title, f"runs.{kind}", f"{kind.upper()} (*.{kind})")
        if name:
            path = Path(name)
            self.export(path if path.suffix else path.with_suffix(f".{kind}"), kind)

    def export(self, path: Path, kind: str) -> None:
        """Write the selected runs, or all that are shown: values and descriptions, or the picture of their curves."""
        rows = self._chosen or self._panel.curves.shown
        try:
            runs = [self._book.stored(row.run_id) for row in rows]
            if kind in ("png", "svg", "pdf"):
                self._panel.curves.grab_to(path)
            elif kind == "tensorboard":
                write_events(path, runs)
            else:
                text = runs_as_csv(runs) if kind == "csv" else runs_as_json(runs)
                save_atomic(path, text.encode(), backups=0)
        except (SaveFailed, UnusableFile, OSError) as reason:
            self._panel.say(str(reason), role="error")
        else:
            self._panel.say(self._panel.tr("Written to {path}.").format(path=path))
