"""What is shown and how."""

from __future__ import annotations

from typing import get_args

from archstudio.app.commands.command import Command, Context, has_document, has_nodes
from archstudio.app.view import Arrangement, Dock, LanguageChoice, Switch, ThemeChoice

ZOOM_STEP = 1.25
LANGUAGE_TITLES: dict[LanguageChoice, str] = {"system": "System Language", "en": "English", "de": "Deutsch"}
"""Languages by their own names, so that everybody finds theirs."""

_DOCK_TITLES: dict[Dock, str] = {
    "tasks": "Tasks",
    "layers": "Layers",
    "inspector": "Inspector",
    "verdict": "Verdict",
    "problems": "Problems",
    "table": "Layer Table",
    "training": "Training",
    "plan": "Plan",
    "history": "History",
}


def _dock(dock: Dock, title: str) -> Command:
    def show(context: Context) -> None:
        context.view.show_dock(dock)

    return Command(f"view.dock.{dock}", title, "View/Docks", show, help=f"Show the {title} dock.")


def _theme(choice: ThemeChoice) -> Command:
    def choose(context: Context) -> None:
        context.view.set_theme(choice)

    title = {"system": "Follow the System", "high-contrast": "High Contrast"}.get(choice, choice.capitalize())
    return Command(f"view.theme.{choice}", title, "View/Theme", choose, help=f"Use the theme {title}.",
                   checked=lambda context: context.view.theme_choice() == choice)  # fmt: skip


def _language(choice: LanguageChoice) -> Command:
    def choose(context: Context) -> None:
        context.view.set_language(choice)

    title = LANGUAGE_TITLES[choice]
    return Command(f"view.language.{choice}", title, "View/Language", choose,
                   help="Speak the language of the system." if choice == "system" else f"Speak {title}.",
                   checked=lambda context: context.view.language_choice() == choice)  # fmt: skip


def _arrangement(arrangement: Arrangement) -> Command:
    def arrange(context: Context) -> None:
        context.view.arrange(arrangement)

    title = {"train": "Training", "study": "Studies"}.get(arrangement, arrangement.capitalize())
    return Command(
        f"view.arrange.{arrangement}", f"For {title}", "View/Arrange", arrange, help=f"Put the docks as for {title}."
    )


def _switch(which: Switch, title: str, help_: str, separator: bool = False) -> Command:
    def turn(context: Context) -> None:
        context.view.switch(which, not context.view.is_on(which))

    return Command(f"view.{which}", title, "View", turn, help=help_, separator=separator,
                   checked=lambda context: context.view.is_on(which))  # fmt: skip


def is_split(context: Context) -> bool:
    """There are two sides."""
    return has_document(context) and context.view.is_on("split")


COMMANDS = (
    Command(
        "view.palette", "Command Palette…", "View", lambda c: c.view.show_palette(), "Ctrl+Shift+P",
        help="Find and run any command.",
    ),
    Command("view.fit", "Fit All", "View", lambda c: c.view.fit(selection=False), "F", has_document, "Show all.", True,
            canvas=True),
    Command(
        "view.fitSelection", "Fit Selection", "View", lambda c: c.view.fit(selection=True), "Shift+F", has_nodes,
        "Show what is selected.", canvas=True,
    ),
    Command("view.zoom100", "Zoom to 100 %", "View", lambda c: c.view.zoom(None), "Ctrl+0", has_document, "Real size."),
    Command(
        "view.zoomIn", "Zoom In", "View", lambda c: c.view.zoom(ZOOM_STEP), "Ctrl+=; Ctrl++", has_document, "Nearer.",
    ),
    Command(
        "view.zoomOut", "Zoom Out", "View", lambda c: c.view.zoom(1 / ZOOM_STEP), "Ctrl+-", has_document, "Farther.",
    ),
    Command(
        "view.nextRegion", "Next Region", "View", lambda c: c.view.next_region(1), "F6",
        help="Move the focus to the next dock or the canvas.", separator=True,
    ),
    Command(
        "view.previousRegion", "Previous Region", "View", lambda c: c.view.next_region(-1), "Shift+F6",
        help="Move the focus back.",
    ),
    _switch("snap", "Snap to Grid", "Let dragged layers snap to the grid.", True),
    _switch("minimap", "Minimap", "Show the whole graph in a corner of the canvas."),
    _switch("path", "Emphasise Path", "Fade what is not on a way through the selected layer."),
    _switch("motion", "Animate Changes", "Let layers glide to new places; off, they jump (reduced motion)."),
    _switch("split", "Split View", "Show two graphs, or two places of one, side by side.", True),
    _switch("linked", "Move Both Sides Together", "Let both sides of a split view show the same place at one size."),
    Command("view.otherSide", "Other Side", "View", lambda c: c.view.other_side(), "F8", is_split,
            "Give the keyboard to the other side of a split view."),
    Command("view.compare", "Compare…", "View", lambda c: c.view.compare(), "Ctrl+Shift+D", has_document,
            "See what another graph, the saved file or the start has unlike this graph."),
    *(_dock(dock, title) for dock, title in _DOCK_TITLES.items()),
    *(_arrangement(a) for a in get_args(Arrangement)),
    *(_theme(choice) for choice in get_args(ThemeChoice)),
    *(_language(choice) for choice in get_args(LanguageChoice)),
)  # fmt: skip
