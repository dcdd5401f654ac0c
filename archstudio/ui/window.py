"""The one window: docks around the canvas, and what commands may ask of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget, QFileDialog, QLabel, QMainWindow, QTabWidget, QWidget

from archstudio.app.adding import add_to_selection
from archstudio.app.application import Application
from archstudio.app.commands import Context, run_command
from archstudio.app.commands import file as file_commands
from archstudio.app.figures import plural
from archstudio.app.submissions import keep_submission
from archstudio.app.task_report import TaskReport, task_report
from archstudio.app.view import Arrangement, Dock, ThemeChoice
from archstudio.edits import EditRefused
from archstudio.files.atomic import SaveFailed
from archstudio.files.journal import FLUSH_WITHIN_MS
from archstudio.graph import Point
from archstudio.ui import dialogs
from archstudio.ui.canvas import CanvasView
from archstudio.ui.central import CentralArea
from archstudio.ui.docks import arrange, make_dock
from archstudio.ui.menus import CommandActions
from archstudio.ui.palette import CommandPalette
from archstudio.ui.panels.history import HistoryPanel
from archstudio.ui.panels.inspector import InspectorPanel
from archstudio.ui.panels.layer_table import LayerTablePanel
from archstudio.ui.panels.layers import LayersPanel
from archstudio.ui.panels.panel import Panel
from archstudio.ui.panels.plan import PlanPanel
from archstudio.ui.panels.problems import ProblemsPanel
from archstudio.ui.panels.tasks import TasksPanel
from archstudio.ui.panels.training import TrainingPanel
from archstudio.ui.panels.verdict import VerdictPanel
from archstudio.ui.theme import apply_theme, resolve_theme

GEOMETRY, STATE, THEME = "windowGeometry", "windowState", "theme"
_LAYOUT_VERSION = 1
_SIZE_PX = (1600, 1000)


class MainWindow(QMainWindow):
    """Implements `app.view.View`."""

    def __init__(self, application: Application) -> None:
        super().__init__()
        self.application = application
        self.context = Context(application, self)
        self.setWindowTitle("Arch Studio")
        self.resize(*_SIZE_PX)
        self.setDockNestingEnabled(True)
        self.setAcceptDrops(True)
        self.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, QTabWidget.TabPosition.North)
        stored = application.settings.read()
        self.theme = resolve_theme(_choice(stored.get(THEME)))
        self.central = CentralArea(application, self.theme)
        self.setCentralWidget(self.central)
        self._make_docks()
        self.actions_ = CommandActions(self, self.context)
        self._status_left, self._status_right = QLabel(), QLabel()
        self.statusBar().addWidget(self._status_left, 1)
        self.statusBar().addPermanentWidget(self._status_right)
        self.statusBar().setSizeGripEnabled(False)
        self._connect()
        self._restore(stored)
        self._refresh()

    # ---------------------------------------------------------------- making

    def _make_docks(self) -> None:
        app = self.application
        self.tasks, self.layers = TasksPanel(app), LayersPanel(app, self.theme)
        self.inspector, self.verdict = InspectorPanel(app), VerdictPanel(app)
        self.problems, self.table = ProblemsPanel(app), LayerTablePanel(app)
        self.training, self.plan, self.history = TrainingPanel(app, self.theme), PlanPanel(app), HistoryPanel(app)
        self._panels: dict[Dock, Panel] = {
            "tasks": self.tasks,
            "layers": self.layers,
            "inspector": self.inspector,
            "verdict": self.verdict,
            "problems": self.problems,
            "table": self.table,
            "training": self.training,
            "plan": self.plan,
            "history": self.history,
        }
        titles = {"table": "Layer table"}
        self.docks: dict[Dock, QDockWidget] = {
            name: make_dock(self, name, titles.get(name, name.capitalize()), panel)
            for name, panel in self._panels.items()
        }

    def _connect(self) -> None:
        self._watching = self.application.watch(self._refresh)
        self._document_watching: Callable[[], None] = lambda: None
        self._watched: object = None
        self.tasks.chosen.connect(self.open_task)
        self.layers.chosen.connect(self.add_layer)
        self.verdict.reported.connect(self._task_reported)
        self.problems.center_asked.connect(self.center_on)
        self.plan.submit_asked.connect(lambda: run_command("task.submit", self.context))
        welcome = self.central.welcome
        welcome.task_chosen.connect(self.open_task)
        welcome.file_chosen.connect(lambda path: file_commands.open_path(self.context, path))
        welcome.open_asked.connect(lambda: run_command("file.open", self.context))
        self.central.close_asked.connect(self._close_document)
        self.central.canvas_made.connect(self._canvas_made)
        self._flusher = QTimer(self)
        self._flusher.setInterval(FLUSH_WITHIN_MS)
        self._flusher.timeout.connect(self.application.flush_journals)
        self._flusher.start()
        self._journal_told = False
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(0)
        self._due.timeout.connect(self._refresh_document)

    def _canvas_made(self, canvas: CanvasView) -> None:
        canvas.zoom_changed.connect(self._show_zoom)
        canvas.edit_asked.connect(self.edit_parameters)
        canvas.rename_asked.connect(self.rename_selected)
        canvas.menu_asked.connect(self._show_canvas_menu)
        canvas.refused.connect(lambda text: self.notify(text))

    def _restore(self, stored: dict[str, Any]) -> None:
        arrange(self, self.docks, "design")
        geometry, state = stored.get(GEOMETRY), stored.get(STATE)
        if isinstance(geometry, str):
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        if isinstance(state, str):
            self.restoreState(QByteArray.fromBase64(state.encode()), _LAYOUT_VERSION)

    # ------------------------------------------------------------- refreshing

    def _refresh(self) -> None:
        document = self.application.current
        if document is not self._watched:
            self._document_watching()
            self._watched = document
            if document is not None:
                ends = [document.watch(self._due.start), document.selection.watch(self._due.start)]
                self._document_watching = lambda: [end() for end in ends]  # type: ignore[assignment]
            else:
                self._document_watching = lambda: None
        self.central.refresh()
        self._refresh_document()

    def _refresh_document(self) -> None:
        document = self.application.current
        self.actions_.update()
        self.central.refresh()
        self.docks["problems"].setWindowTitle("Problems")
        if document is None:
            self._status_left.setText("")
            self.setWindowTitle("Arch Studio")
            return
        self.setWindowTitle(f"{document.title}[*] – Arch Studio")
        self.setWindowModified(document.modified)
        if document.visibility.exact_verdict:
            count = len(document.verdict.problems)
            self.docks["problems"].setWindowTitle(f"Problems {count}" if count else "Problems")
        self._status_left.setText(self._status_text())
        self._tell_journal_failure()

    def _task_reported(self) -> None:
        report = self.verdict.report
        count = 0 if report is None else len(report.plan.actions)
        self.docks["plan"].setWindowTitle(f"Plan {count}" if count else "Plan")
        document = self.application.current
        if report is not None and document is not None and document.visibility.task_verdict:
            self.tasks.set_passed(report.task.id, report.grade.passed)

    def _status_text(self) -> str:
        document = self.application.current
        assert document is not None
        parts = [
            plural(len(document.graph), "layer"),
            plural(len(document.graph.connection_ids), "connection"),
        ]
        if document.visibility.exact_verdict:
            parts.append("checked by the rules for torch 2.13")
        return "  " + " · ".join(parts)

    def _tell_journal_failure(self) -> None:
        failure = self.application.journal_failure()
        if failure is not None and not self._journal_told:
            self.notify("Edits cannot be kept safe", f"{failure} Save your work elsewhere.", fault=True)
        self._journal_told = failure is not None

    def _show_zoom(self, factor: float) -> None:
        self._status_right.setText(f"{factor:.0%}  ")

    # ----------------------------------------------------- opening and closing

    def open_task(self, task_id: str) -> None:
        """Open a task's starting graph."""
        self.application.open_task(task_id)
        if self.canvas is not None:
            self.canvas.setFocus()

    def add_layer(self, type_name: str) -> None:
        """Add a layer: into the selected wire, after the selected layer, or on its own."""
        document = self.application.current
        if document is not None:
            try:
                add_to_selection(document, type_name)
            except EditRefused as refusal:
                self.notify(str(refusal))

    def _close_document(self, document: Any) -> None:
        self.application.make_current(document)
        run_command("file.close", self.context)

    def recover_unsaved(self) -> None:
        """Offer what a dead instance left; called once after the first frame."""
        found, unreadable = self.application.unsaved_work()
        for text in unreadable:
            self.notify("Some unsaved work could not be read", text, fault=True)
        if not found:
            return
        dialog = dialogs.RecoveryDialog(self, found)
        dialog.exec()
        for work in found:
            if dialog.choice == "restore":
                self.application.restore(work)
            elif dialog.choice == "discard":
                work.discard()
            else:
                work.found.leave()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.training.may_close() or not file_commands.close_all(self.context):
            event.ignore()
            return
        state = bytes(self.saveState(_LAYOUT_VERSION).toBase64().data()).decode()
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.application.settings.update({GEOMETRY: geometry, STATE: state})
        self._flusher.stop()
        self._watching()
        self._document_watching()
        for panel in self._panels.values():
            panel.close_panel()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for url in event.mimeData().urls():
            if url.isLocalFile():
                file_commands.open_path(self.context, Path(url.toLocalFile()))

    # ------------------------------------------------------------ the View

    @property
    def canvas(self) -> CanvasView | None:
        """The canvas in front, if any."""
        return self.central.canvas

    def ask_open(self) -> list[Path]:
        names, _ = QFileDialog.getOpenFileNames(self, "Open", "", "Graphs (*.arch.json *.json);;All files (*)")
        return [Path(name) for name in names]

    def ask_save(self, suggestion: Path) -> Path | None:
        name, _ = QFileDialog.getSaveFileName(self, "Save as", str(suggestion), "Graphs (*.arch.json)")
        return Path(name) if name else None

    def ask_unsaved(self, title: str) -> Literal["save", "discard", "cancel"]:
        return dialogs.ask_unsaved(self, title)

    def ask_confirm(self, question: str, detail: str, action: str) -> bool:
        return dialogs.ask_confirm(self, question, detail, action)

    def notify(self, text: str, detail: str = "", *, fault: bool = False) -> None:
        self.central.notice.tell(text, detail, fault=fault)

    def clipboard_text(self) -> str:
        return QGuiApplication.clipboard().text()

    def set_clipboard_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def pointer(self) -> Point | None:
        return None if self.canvas is None else self.canvas.pointer()

    def search_to_add(self) -> None:
        if self.canvas is not None:
            self.canvas.begin_search()

    def rename_selected(self) -> None:
        self.docks["inspector"].show()
        self.inspector.focus_name()

    def edit_parameters(self) -> None:
        self.docks["inspector"].show()
        self.inspector.focus_first_field()

    def fit(self, *, selection: bool) -> None:
        if self.canvas is not None:
            (self.canvas.fit_selection if selection else self.canvas.fit)()

    def zoom(self, factor: float | None) -> None:
        if self.canvas is not None:
            if factor is None:
                self.canvas.zoom_100()
            else:
                self.canvas.zoom_by(factor)

    def center_on(self, node_id: str) -> None:
        if self.canvas is not None:
            self.canvas.center_on(node_id)

    def set_snap(self, on: bool) -> None:
        if self.canvas is not None:
            self.canvas.set_snap(on)

    def set_minimap(self, on: bool) -> None:
        if self.canvas is not None:
            self.canvas.set_minimap(on)

    def show_palette(self) -> None:
        palette = CommandPalette(self, self.context)
        palette.move(self.mapToGlobal(self.rect().center()).x() - palette.width() // 2, self.geometry().top() + 90)
        palette.exec()
        if palette.chosen is not None:
            run_command(palette.chosen, self.context)

    def show_shortcuts(self) -> None:
        dialogs.ShortcutsDialog(self).exec()

    def show_about(self) -> None:
        dialogs.show_about(self)

    def show_welcome(self) -> None:
        self.central.show_welcome()

    def show_submission(self) -> None:
        document = self.application.current
        report = None if document is None else task_report(document)
        if document is None or report is None:
            return
        dialog = dialogs.SubmissionDialog(self, report, show_grade=document.visibility.task_verdict)
        if dialog.exec():
            self._submit(report, document.visibility.task_verdict)

    def _submit(self, report: TaskReport, tell: bool) -> None:
        try:
            keep_submission(report)
        except SaveFailed as failed:
            self.notify("Not submitted", str(failed), fault=True)
            return
        passed = "passes" if report.grade.passed else "does not pass"
        self.notify("Submitted", f"{report.task.id} {passed}" if tell else "")

    def show_dock(self, dock: Dock) -> None:
        self.docks[dock].show()
        self.docks[dock].raise_()
        self._panels[dock].setFocus()

    def next_region(self, step: int) -> None:
        """Move the focus round the canvas and the docks that can be seen."""
        shown: list[QWidget] = [self._panels[name] for name in self._panels if self._panels[name].isVisible()]
        regions: list[QWidget] = [self.canvas or self.central, *shown]
        focus = QGuiApplication.focusObject()
        at = next(
            (k for k, r in enumerate(regions) if focus is r or (isinstance(focus, QWidget) and r.isAncestorOf(focus))),
            0,
        )
        target = regions[(at + step) % len(regions)]
        first = target if target.focusPolicy() != Qt.FocusPolicy.NoFocus else _first_focusable(target)
        first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def arrange(self, arrangement: Arrangement) -> None:
        arrange(self, self.docks, arrangement)

    def set_theme(self, choice: ThemeChoice) -> None:
        self.application.settings.update({THEME: choice})
        self.theme = resolve_theme(choice)
        self.apply_theme()
        self.central.set_theme(self.theme)
        self.layers.set_theme(self.theme)
        self.training.set_theme(self.theme)

    def apply_theme(self) -> None:
        """Give the application this window's theme."""
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        apply_theme(self.theme, qt)

    def start_training(self) -> None:
        self.show_dock("training")
        self.training.start()

    def stop_training(self) -> None:
        self.training.stop()

    def quit(self) -> None:
        self.close()

    def _show_canvas_menu(self, position: Any) -> None:
        ids = (
            "graph.add", "edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete", "edit.deleteCut",
            "edit.rename", "edit.bypass", "edit.frame", "graph.layout", "view.fit",
        )  # fmt: skip
        self.actions_.update()
        self.actions_.context_menu(self, ids).exec(position)


def _choice(stored: object) -> ThemeChoice:
    """The theme chosen last; whatever else the settings file says means the system's."""
    known: tuple[ThemeChoice, ...] = get_args(ThemeChoice)
    return next((choice for choice in known if choice == stored), "system")


def _first_focusable(widget: QWidget) -> QWidget:
    """The first child that takes the keyboard, or the widget itself."""
    for child in widget.findChildren(QWidget):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible() and child.isEnabled():
            return child
    return widget
