"""The one window: docks around the canvas, menus over them, and what happens when it opens and closes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import QByteArray, QPoint, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QTabWidget

from archstudio.app.adding import add_to_selection
from archstudio.app.application import Application
from archstudio.app.commands import Context, run_command, templates
from archstudio.app.commands import file as file_commands
from archstudio.app.commands import task as task_commands
from archstudio.app.document import Document
from archstudio.app.figures import plural
from archstudio.app.runs import RunRow
from archstudio.app.tasks.entry import PRACTICE
from archstudio.app.templates import Template, Templates
from archstudio.app.torch_judge import TorchJudge
from archstudio.app.verdict_lines import wrong_count
from archstudio.app.view import Switch, ThemeChoice
from archstudio.app.zoo import zoo_document
from archstudio.edits import EditRefused
from archstudio.ui.canvas import CanvasView
from archstudio.ui.central import CentralArea
from archstudio.ui.disk_watch import DiskWatch
from archstudio.ui.docks import DockArea
from archstudio.ui.menus import CommandActions
from archstudio.ui.safekeeping import Safekeeping
from archstudio.ui.second_opinion import SecondOpinion
from archstudio.ui.status import StatusLine
from archstudio.ui.theme import apply_theme, resolve_theme
from archstudio.ui.window_view import WindowView

GEOMETRY, STATE, THEME = "windowGeometry", "windowState", "theme"
_LAYOUT_VERSION = 1
_SIZE_PX = (1600, 1000)
_CANVAS_MENU = (
    "graph.add", "edit.parameters", "edit.rename", "graph.replaceType", "edit.cut", "edit.copy", "edit.paste",
    "edit.duplicate", "edit.delete", "edit.deleteCut", "edit.bypass", "edit.lock", "edit.colour", "edit.frame",
    "edit.frameColour", "edit.fold", "edit.unframe", "edit.comment", "graph.addBehind", "graph.addBefore",
    "graph.connect", "graph.moveWire", "graph.disconnect", "graph.selectPath", "graph.layout",
    "view.fit",
)  # fmt: skip


class MainWindow(QMainWindow):
    """Puts the parts together and keeps them in step with the application; `judge` asks PyTorch itself, if given."""

    def __init__(self, application: Application, judge: TorchJudge | None = None) -> None:
        super().__init__()
        self.application = application
        self.view = WindowView(self)
        self.context = Context(application, self.view)
        self.resize(*_SIZE_PX)
        self.setDockNestingEnabled(True)
        self.setAcceptDrops(True)
        self.setTabPosition(Qt.DockWidgetArea.BottomDockWidgetArea, QTabWidget.TabPosition.North)
        stored = application.settings.read()
        self.theme_choice = chosen_theme(stored.get(THEME))
        self.theme = resolve_theme(self.theme_choice)
        self.central = CentralArea(application, self.theme)
        self.setCentralWidget(self.central)
        self.docks = DockArea(self, application, self.theme)
        self.commands = CommandActions(self, self.context)
        self.status = StatusLine(self.statusBar())
        self.safekeeping = Safekeeping(self, application, self.view)
        reload = self.commands.action("file.reload").trigger
        self.disk_watch = DiskWatch(self, application, self.central.notice, reload)
        self.opinion = None if judge is None else SecondOpinion(self, application, self.status, judge)
        self._watched: Document | None = None
        self._endings: list[Callable[[], None]] = []
        self._due = QTimer(self)
        self._due.setSingleShot(True)
        self._due.setInterval(0)
        self._due.timeout.connect(self._refresh_document)
        self._connect()
        self._restore(stored)
        self._follow()

    def _connect(self) -> None:
        self._stop_watching = self.application.watch(self._follow)
        docks, central = self.docks, self.central
        docks.tasks.chosen.connect(self.open_task)
        docks.tasks.run.connect(lambda command: run_command(command, self.context))
        docks.tasks.offer(self.commands.menu("Task"))
        docks.plan.attempt_asked.connect(lambda: run_command("task.openAttempt", self.context))
        docks.plan.attempt_chosen.connect(self.commands.update)
        self.view.bench.start()
        self.view.questions.start()
        docks.layers.chosen.connect(self.add_layer)
        docks.layers.mark_asked.connect(lambda kind: templates.mark(self.context, kind))
        docks.layers.rename_asked.connect(lambda name: self._with_template(name, templates.rename))
        docks.layers.delete_asked.connect(lambda name: self._with_template(name, templates.delete))
        docks.verdict.reported.connect(self._task_reported)
        docks.verdict.problems_asked.connect(lambda: docks.show("problems"))
        docks.problems.center_asked.connect(self.view.center_on)
        docks.problems.refused.connect(self._tell)
        docks.training.delete_asked.connect(self._delete_runs)
        docks.training.run_ended.connect(self.commands.update)
        docks.plan.submit_asked.connect(lambda: run_command("task.submit", self.context))
        central.welcome.task_chosen.connect(self.open_task)
        central.welcome.file_chosen.connect(self.open_file)
        central.welcome.network_chosen.connect(self.open_network)
        central.welcome.practice_asked.connect(lambda: self.view.bench.show_suite(PRACTICE))
        central.welcome.open_asked.connect(lambda: run_command("file.open", self.context))
        central.close_asked.connect(self._close_document)
        central.canvas_made.connect(self._canvas_made)

    def _canvas_made(self, canvas: CanvasView) -> None:
        self.commands.give_canvas(canvas)
        canvas.heat.gradients = lambda: self.docks.training.gradients.of(canvas.document)
        self.docks.training.run_ended.connect(canvas.heat.show)
        canvas.zoom_changed.connect(self.status.show_zoom)
        canvas.edit_asked.connect(self.view.edit_parameters)
        canvas.menu_asked.connect(self._show_canvas_menu)
        canvas.refused.connect(self._tell)
        canvas.graph_scene.mended.connect(self._tell_mended)

    def _restore(self, stored: dict[str, Any]) -> None:
        self.docks.arrange("design")
        geometry, state = stored.get(GEOMETRY), stored.get(STATE)
        if isinstance(geometry, str):
            self.restoreGeometry(QByteArray.fromBase64(geometry.encode()))
        if isinstance(state, str):
            self.restoreState(QByteArray.fromBase64(state.encode()), _LAYOUT_VERSION)
        for which in get_args(Switch):
            if isinstance(stored.get(which), bool):
                self.central.switch(which, stored[which])

    # ------------------------------------------------------------- refreshing

    def _follow(self) -> None:
        """Documents opened, closed or changed places."""
        document = self.application.current
        if document is not self._watched:
            self._unfollow()
            self._watched = document
            if document is not None:
                self._endings = [
                    document.watch(self._due.start),
                    document.watch(self.commands.update),  # at once: the next key may come before the event loop turns
                    document.selection.watch(self.commands.update),
                ]
        self.central.refresh()
        self.commands.update()
        if self.canvas is not None:
            self.status.show_zoom(self.canvas.camera.zoom)
        self._refresh_document()

    def _unfollow(self) -> None:
        for end in self._endings:
            end()
        self._endings = []

    def _refresh_document(self) -> None:
        document = self.application.current
        self.central.refresh_tabs()
        self.status.show_document(document)
        checked = document is not None and document.visibility.exact_verdict
        self.docks.set_count("problems", wrong_count(document) if checked and document is not None else 0)
        self.setWindowTitle("Arch Studio" if document is None else f"{document.title}[*] – Arch Studio")
        self.setWindowModified(document is not None and document.modified)
        self.safekeeping.tell_failure()

    def _task_reported(self) -> None:
        report = self.docks.verdict.report
        self.docks.set_count("plan", 0 if report is None else len(report.plan.actions))

    def _tell_mended(self, why: str) -> None:
        self.view.notify(self.tr("The canvas was drawn anew after an error"), why, fault=True)

    def _tell(self, text: str) -> None:
        self.view.notify(text)

    def _show_canvas_menu(self, position: QPoint) -> None:
        self.commands.update()
        self.commands.context_menu(self, _CANVAS_MENU).exec(position)

    # ----------------------------------------------------- opening and closing

    @property
    def canvas(self) -> CanvasView | None:
        """The canvas in front, if any."""
        return self.central.canvas

    def open_task(self, ref: str) -> None:
        """Open the starting graph of a task or an exercise; says why if it cannot be."""
        if task_commands.open_task(self.context, ref) is not None:
            self._focus_canvas()

    def open_network(self, name: str) -> None:
        """Open a known network as an untitled graph."""
        self.application.adopt(zoo_document(name, self.application.visibility))
        self._focus_canvas()

    def open_file(self, path: Path) -> None:
        """Open a graph file; says why if it cannot be."""
        if file_commands.open_path(self.context, path) is not None:
            self._focus_canvas()

    def _focus_canvas(self) -> None:
        self.central.refresh()
        if self.canvas is not None:
            self.canvas.setFocus()

    def add_layer(self, type_name: str) -> None:
        """Add a layer: into the selected wire, after the selected layer, or on its own."""
        document = self.application.current
        if document is None:
            document = self.application.new_document()
        try:
            add_to_selection(document, type_name)
        except EditRefused as refusal:
            self.view.notify(str(refusal))
            return
        self.docks.layers.recent.add(type_name)

    def _with_template(self, name: str, act: Callable[[Context, Template], None]) -> None:
        template = Templates().named(name)
        if template is not None:
            act(self.context, template)

    def _close_document(self, document: Document) -> None:
        self.application.make_current(document)
        run_command("file.close", self.context)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about runs and unsaved edits, and remember where everything stood."""
        may = self._may_stop_training() and self.view.bench.may_close()
        if not may or not file_commands.close_all(self.context):
            event.ignore()
            return
        self.view.studies.close()
        self.view.questions.close()  # before the layout is kept: it puts the docks back
        state = bytes(self.saveState(_LAYOUT_VERSION).toBase64().data()).decode()
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self.application.settings.update({GEOMETRY: geometry, STATE: state})
        self.safekeeping.stop()
        self.disk_watch.stop()
        self.view.bench.close()
        if self.opinion is not None:
            self.opinion.stop()
        self._stop_watching()
        self._unfollow()
        self.docks.close()
        event.accept()

    def _delete_runs(self, rows: list[RunRow]) -> None:
        """Ask once, then delete runs with their files: they cannot be brought back."""
        named = rows[0].title if len(rows) == 1 else plural(len(rows), "run")
        detail = self.tr("Curves and weights are deleted from disk. This cannot be undone.")
        if rows and self.view.ask_confirm(self.tr("Delete {what}?").format(what=named), detail, self.tr("Delete")):
            refusal = self.docks.training.delete(rows)
            if refusal:
                self.view.notify(refusal)

    def _may_stop_training(self) -> bool:
        active = self.docks.training.active_runs
        if not active:
            return True
        return self.view.ask_confirm(
            self.tr("Close while runs are training?"),
            self.tr("They stop at their next step and go on from there when you resume them next time."),
            self.tr("Close"),
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if not paths:
            self.view.notify(self.tr("Nothing to open"), self.tr("Only files of this machine can be dropped here."))
        elif file_commands.open_paths(self.context, paths):
            self._focus_canvas()

    # ----------------------------------------------------------------- theme

    def set_theme(self, choice: ThemeChoice) -> None:
        """Use another theme, now and at the next start."""
        self.application.settings.update({THEME: choice})
        self.theme_choice = choice
        self.theme = resolve_theme(choice)
        self.apply_theme()
        self.central.set_theme(self.theme)
        self.docks.set_theme(self.theme)
        self.view.questions.set_theme()
        self.commands.update()

    def apply_theme(self) -> None:
        """Give the application this window's theme."""
        qt = QApplication.instance()
        assert isinstance(qt, QApplication)
        apply_theme(self.theme, qt)


def chosen_theme(stored: object) -> ThemeChoice:
    """The theme chosen last; whatever else the settings file says means the system's."""
    known: tuple[ThemeChoice, ...] = get_args(ThemeChoice)
    return next((choice for choice in known if choice == stored), "system")
