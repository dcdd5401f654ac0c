"""What commands may ask of the window, answered by its parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from archstudio.app.commands import run_command
from archstudio.app.heat import HeatKind
from archstudio.app.task_report import task_report
from archstudio.app.view import Arrangement, Dock, LanguageChoice, Switch, ThemeChoice
from archstudio.graph import Point
from archstudio.ui import dialogs
from archstudio.ui.bench.desk import BenchDesk
from archstudio.ui.bench.submission_dialog import SubmissionDialog
from archstudio.ui.language import LANGUAGE, chosen_language
from archstudio.ui.palette import (
    ALL_FOUND,
    colour_chooser,
    command_chooser,
    layer_chooser,
    port_chooser,
    target_chooser,
    template_chooser,
    type_chooser,
)
from archstudio.ui.quiz.host import QuizHost
from archstudio.ui.recent_dialog import RecentDialog
from archstudio.ui.study.host import StudiesHost
from archstudio.ui.template_dialog import TemplateDialog

if TYPE_CHECKING:
    from archstudio.ui.canvas import CanvasView
    from archstudio.ui.preferences.dialog import Page, PreferencesDialog
    from archstudio.ui.window import MainWindow

_FILES = (
    "Graphs (*.arch.json *.json);;Pictures with a graph (*.svg *.pdf *.png);;ONNX models (*.onnx);;"
    "Studies (*.study);;All files (*)"
)
_USUAL_WIDTH = 1000.0


class WindowView:
    """Implements `app.view.View` for the Qt window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.bench = BenchDesk(window)
        self.questions = QuizHost(window)
        self.studies = StudiesHost(window)

    @property
    def _canvas(self) -> CanvasView | None:
        return self._window.central.canvas

    # ------------------------------------------------- what only a person can answer

    def ask_open(self) -> list[Path]:
        names, _ = QFileDialog.getOpenFileNames(self._window, self._window.tr("Open"), "", _FILES)
        return [Path(name) for name in names]

    def ask_recent(self) -> list[Path]:
        dialog = RecentDialog(self._window, self._window.application.recent)
        return dialog.chosen if dialog.exec() else []

    def ask_save(self, suggestion: Path) -> Path | None:
        title, kind = self._window.tr("Save as"), "Graphs (*.arch.json)"
        name, _ = QFileDialog.getSaveFileName(self._window, title, str(suggestion), kind)
        return Path(name) if name else None

    def ask_export(self, suggestion: Path, kinds: Sequence[str]) -> Path | None:
        return dialogs.ask_export(self._window, suggestion, kinds)

    def ask_unsaved(self, title: str) -> Literal["save", "discard", "cancel"]:
        return dialogs.ask_unsaved(self._window, title)

    def ask_changed(self, name: str) -> Literal["reload", "saveAs", "overwrite", "cancel"]:
        return dialogs.ask_changed(self._window, name)

    def ask_confirm(self, question: str, detail: str, action: str) -> bool:
        return dialogs.ask_confirm(self._window, question, detail, action)

    def choose_type(self, name: str) -> str | None:
        return type_chooser(self._window, name).ask()

    def choose_template(self, prompt: str) -> str | None:
        return template_chooser(self._window, prompt).ask()

    def ask_template(self, name: str, note: str) -> tuple[str, str] | None:
        dialog = TemplateDialog(self._window, name, note)
        return dialog.answer if dialog.exec() else None

    def choose_layer(self, among: list[str], wire_from: str) -> str | None:
        document = self._window.application.current
        return None if document is None else target_chooser(self._window, document, among, wire_from).ask()

    def choose_port(self, ports: Sequence[str], layer: str) -> str | None:
        return port_chooser(self._window, ports, layer).ask()

    def choose_colour(self, colours: tuple[str, ...]) -> str | None:
        return colour_chooser(self._window, colours).ask()

    # ------------------------------------------------------------ telling, clipboard

    def notify(self, text: str, detail: str = "", *, fault: bool = False) -> None:
        if not self.questions.tell(text, detail, fault=fault):
            self._window.central.notice.tell(text, detail, fault=fault)

    def clipboard_text(self) -> str:
        return QGuiApplication.clipboard().text()

    def set_clipboard_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    # ------------------------------------------------------------- pictures and paper

    # what is seldom asked for is imported then: the first frame does not wait for it

    def write_picture(self, path: Path) -> None:
        from archstudio.ui.pictures.write import picture_options, save_picture

        document = self._window.application.current
        if document is not None:
            save_picture(document, path, picture_options(self._window.application.settings.read()))

    def copy_picture(self) -> None:
        from archstudio.ui.pictures.write import copy_picture

        document = self._window.application.current
        if document is not None:
            copy_picture(document)
            self.notify(self._window.tr("Copied as a picture"))

    def print_graph(self, *, preview: bool) -> None:
        from archstudio.ui.pictures.printing import ask_print, preview_print

        document = self._window.application.current
        if document is not None:
            (preview_print if preview else ask_print)(self._window, document)

    # --------------------------------------------------------------------- the canvas

    def pointer(self) -> Point | None:
        return None if self._canvas is None else self._canvas.pointer()

    def search_to_add(self) -> None:
        if self._canvas is not None:
            self._canvas.begin_search()

    def search_from(self, *, output: bool) -> None:
        if self._canvas is not None:
            self._canvas.search_from(output=output)

    def place_to_add(self) -> Point:
        return (0.0, 0.0) if self._canvas is None else self._canvas.place_to_add()

    def lay_out_apart(self, chosen: frozenset[str] | None) -> bool:
        if self._canvas is None:
            return False
        self._canvas.lay_out_apart(chosen)
        return True

    def heat(self) -> HeatKind:
        return "off" if self._canvas is None else self._canvas.heat.kind

    def set_heat(self, kind: HeatKind) -> None:
        if self._canvas is not None:
            self._canvas.heat.set_kind(kind)

    def gradients(self) -> Mapping[str, float]:
        return {} if self._canvas is None else self._canvas.heat.gradients()

    def layout_width(self) -> float:
        return _USUAL_WIDTH if self._canvas is None else self._canvas.graph_scene.width_hint

    def fit(self, *, selection: bool) -> None:
        if self._canvas is not None:
            (self._canvas.fit_selection if selection else self._canvas.fit)()

    def zoom(self, factor: float | None) -> None:
        if self._canvas is not None:
            if factor is None:
                self._canvas.zoom_100()
            else:
                self._canvas.zoom_by(factor)

    def center_on(self, node_id: str) -> None:
        if self._canvas is not None:
            self._canvas.center_on(node_id)

    def is_on(self, which: Switch) -> bool:
        return self._window.central.is_on(which)

    def switch(self, which: Switch, on: bool) -> None:
        self._window.central.switch(which, on)
        self._window.application.settings.update({which: on})

    # --------------------------------------------------------------------- the docks

    def rename_selected(self) -> None:
        if self._canvas is not None:
            self._canvas.begin_rename()

    def rename_frame(self) -> None:
        if self._canvas is not None:
            self._canvas.begin_titling()

    def edit_parameters(self) -> None:
        self._window.docks.show("inspector")
        self._window.docks.inspector.focus_first_field()

    def layers_changed(self) -> None:
        self._window.docks.layers.refill()
        self._window.commands.update()

    def show_dock(self, dock: Dock) -> None:
        self._window.docks.show(dock)

    def other_side(self) -> None:
        self._window.central.other_side()

    def compare(self) -> None:
        from archstudio.ui.compare.show import show_comparison

        show_comparison(self._window)

    def next_region(self, step: int) -> None:
        self._window.docks.next_region(self._canvas or self._window.central, step)

    def arrange(self, arrangement: Arrangement) -> None:
        self._window.docks.arrange(arrangement)

    def start_training(self) -> None:
        self._window.docks.show("training")
        self._window.docks.training.start()

    def pause_training(self) -> None:
        self._window.docks.training.pause_or_resume()

    def stop_training(self) -> None:
        self._window.docks.training.stop()

    # --------------------------------------------------------------------- the window

    def show_palette(self) -> None:
        chosen = command_chooser(self._window, self._window.context, self._window.commands.shortcuts.keys).ask()
        if chosen is not None:
            run_command(chosen, self._window.context)

    def find(self) -> None:
        document = self._window.application.current
        chooser = None if document is None else layer_chooser(self._window, document)
        chosen = None if chooser is None else chooser.ask()
        if document is None or chooser is None or chosen is None:
            return
        if chosen == ALL_FOUND:
            document.selection.set(chooser.found_keys(but=ALL_FOUND))
            self.fit(selection=True)
        else:
            document.selection.set([chosen])
            self.center_on(chosen)

    def show_shortcuts(self) -> None:
        self._preferences("keys").exec()

    def show_preferences(self) -> None:
        self._preferences("general").exec()

    def _preferences(self, page: Page) -> PreferencesDialog:
        from archstudio.ui.preferences.dialog import PreferencesDialog

        window, commands = self._window, self._window.commands
        return PreferencesDialog(window, window.application, self, commands.shortcuts, commands.rekey, page)

    def show_about(self) -> None:
        dialogs.show_about(self._window)

    def show_welcome(self) -> None:
        self._window.central.show_welcome()

    def show_submission(self) -> None:
        document = self._window.application.current
        report = None if document is None else task_report(document)
        if document is None or report is None:
            return
        if SubmissionDialog(self._window, report, document.visibility).exec():
            self.bench.keep_attempt(document, report)

    def language_choice(self) -> LanguageChoice:
        return chosen_language(self._window.application.settings.read().get(LANGUAGE))

    def set_language(self, choice: LanguageChoice) -> None:
        self._window.application.settings.update({LANGUAGE: choice})
        self._window.commands.update()
        self.notify(self._window.tr("The language changes at the next start"))

    def theme_choice(self) -> ThemeChoice:
        return self._window.theme_choice

    def set_theme(self, choice: ThemeChoice) -> None:
        self._window.set_theme(choice)

    def quit(self) -> None:
        self._window.close()
