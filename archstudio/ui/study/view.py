"""What commands may ask of a study's window: the canvas and its docks, and nothing that leads out of the study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from archstudio.app.commands import Command, all_commands
from archstudio.app.view import Switch, ThemeChoice
from archstudio.study.visibility import Visibility
from archstudio.ui.window_view import WindowView

if TYPE_CHECKING:
    from archstudio.ui.study.window import StudyWindow
    from archstudio.ui.window import MainWindow

_ROOMS: Final = ("edit.", "graph.")
_VIEW: Final = (
    "view.fit", "view.fitSelection", "view.zoom100", "view.zoomIn", "view.zoomOut", "view.nextRegion",
    "view.previousRegion", "view.snap", "view.minimap", "view.path", "view.motion",
    "view.theme.system", "view.theme.light", "view.theme.dark", "view.theme.high-contrast",
)  # fmt: skip
_SIZES: Final = ("view.heat.off", "view.heat.parameters", "view.heat.macs", "view.heat.memory")
_LEADS_OUT: Final = (
    "edit.preferences", "graph.saveTemplate", "graph.renameTemplate", "graph.deleteTemplate", "graph.favourite",
)  # fmt: skip


def study_commands(seen: Visibility) -> list[Command]:
    """The commands of a study's window, in menu order."""
    view = (*_VIEW, *(_SIZES if seen.counts else ()))
    rows = (row for row in all_commands() if row.id.startswith(_ROOMS) or row.id in view)
    return [row for row in rows if row.id not in _LEADS_OUT]


class StudyView(WindowView):
    """The window's view without tasks, packs and settings: their commands are not among the study's."""

    def __init__(self, window: StudyWindow) -> None:
        self._window = cast("MainWindow", window)  # it has the parts of one that the study's commands use
        self._study = window

    def notify(self, text: str, detail: str = "", *, fault: bool = False) -> None:
        self._study.notice.tell(text, detail, fault=fault)

    def next_region(self, step: int) -> None:
        self._study.next_region(step)

    def switch(self, which: Switch, on: bool) -> None:
        self._study.central.switch(which, on)

    def theme_choice(self) -> ThemeChoice:
        return self._study.theme_choice

    def set_theme(self, choice: ThemeChoice) -> None:
        self._study.set_theme(choice)

    def layers_changed(self) -> None:
        """Templates are no part of studies."""
