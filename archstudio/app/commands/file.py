"""New, open, save, close, quit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from archstudio.app.commands import export
from archstudio.app.commands.command import Command, Context, has_document
from archstudio.app.commands.questions import may_be_pack
from archstudio.app.commands.studies import is_study
from archstudio.app.document import Document
from archstudio.app.figures import plural
from archstudio.app.storage import EXTENSION, ChangedOnDisk
from archstudio.app.words import said
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.graph import GraphError


def new(context: Context) -> None:
    """Open an empty graph."""
    context.application.new_document()


def open_files(context: Context) -> None:
    """Ask for files and open them."""
    open_paths(context, context.view.ask_open())


def open_path(context: Context, path: Path) -> Document | None:
    """Open one file; says why if it cannot be, and what had to be repaired."""
    return next(iter(open_paths(context, [path])), None)


def open_paths(context: Context, paths: Sequence[Path]) -> list[Document]:
    """Open several files; what cannot be opened, and what had to be repaired, is told once for all of them."""
    opened, refused, repaired = [], [], []
    for path in paths:
        if is_study(path):
            context.view.studies.take_part(path)
            continue
        if may_be_pack(path):
            context.view.questions.open_pack(path)
            continue
        try:
            document = context.application.open_file(path)
        except (UnusableFile, GraphError, OSError) as fault:
            refused.append((path.name, str(fault)))
            continue
        opened.append(document)
        if document.repairs:
            repaired.append((path.name, f"{path.name}: {'; '.join(document.repairs)}"))
    _tell(context, refused, said("{who} could not be opened"))
    if not refused:
        one = len(repaired) == 1
        told = said("{who} was opened with changes") if one else said("{who} were opened with changes")
        _tell(context, repaired, told)
    return opened


def _tell(context: Context, about: list[tuple[str, str]], what: str) -> None:
    """Tell about one file by its name, about several by their number; the details name each."""
    if about:
        who = about[0][0] if len(about) == 1 else plural(len(about), "file")
        context.view.notify(what.format(who=who), "\n".join(detail for _, detail in about), fault=True)


def save(context: Context) -> bool:
    """Save where the document came from, or ask where; returns whether it is saved."""
    document = context.document
    return save_as(context) if document.path is None else _save_to(context, document.path)


def save_as(context: Context) -> bool:
    """Ask where, and save there."""
    document = context.document
    folder = Path.home() if document.path is None else document.path.parent
    chosen = context.view.ask_save(folder / f"{document.title}{EXTENSION}")
    if chosen is None:
        return False
    return _save_to(context, chosen if chosen.suffix else chosen.with_name(chosen.name + EXTENSION))


def reload(context: Context) -> bool:
    """Take over what the file says now; undo brings the graph back. Returns whether it was read."""
    document = context.document
    try:
        context.application.reload(document)
    except (UnusableFile, GraphError, OSError) as fault:
        context.view.notify(said("{name} could not be reloaded").format(name=document.title), str(fault), fault=True)
        return False
    context.view.notify(
        said("Reloaded {name}").format(name=document.title), said("Undo brings back the graph as it was.")
    )
    return True


def has_file(context: Context) -> bool:
    """The open graph has a file."""
    return has_document(context) and context.document.path is not None


def _save_to(context: Context, path: Path, *, overwrite: bool = False) -> bool:
    try:
        context.application.save(context.document, path, overwrite=overwrite)
    except ChangedOnDisk as changed:
        return _settle_change(context, changed.path)
    except SaveFailed as failed:
        context.view.notify("Not saved", f"{failed} Your edits are kept; use Save As to save elsewhere.", fault=True)
        return False
    context.view.notify(f"Saved {path.name}")
    return True


def _settle_change(context: Context, path: Path) -> bool:
    """Somebody else has written the file: ask whose version stays. Returns whether the present graph is saved."""
    answer = context.view.ask_changed(path.name)
    if answer == "overwrite":
        return _save_to(context, path, overwrite=True)
    if answer == "saveAs":
        return save_as(context)
    if answer == "reload":
        reload(context)
    return False


def close(context: Context) -> bool:
    """Close the current document, asking about unsaved edits; returns whether it is closed."""
    document = context.document
    if document.modified:
        answer = context.view.ask_unsaved(document.title)
        if answer == "cancel" or (answer == "save" and not save(context)):
            return False
    context.application.close(document)
    return True


def close_all(context: Context) -> bool:
    """Close every document, asking about each with unsaved edits; returns whether all are closed."""
    while context.application.documents:
        context.application.make_current(context.application.documents[0])
        if not close(context):
            return False
    return True


def quit_program(context: Context) -> None:
    """Close the window, which asks about unsaved edits."""
    context.view.quit()


def _ignore_result(run: object) -> None:
    """Menus do not look at what a command returns."""


COMMANDS = (
    Command("file.new", "New", "File", new, "Ctrl+N", help="Open an empty graph: an input wired to an output."),
    Command("file.open", "Open…", "File", open_files, "Ctrl+O", help="Open graph files."),
    Command("file.recent", "Open Recent…", "File", lambda c: _ignore_result(open_paths(c, c.view.ask_recent())),
            "Ctrl+Shift+O", help="Open, pin or take off the list what was opened lately."),
    Command("file.welcome", "Welcome", "File", lambda c: c.view.show_welcome(), help="Show the welcome page."),
    Command(
        "file.save", "Save", "File", lambda c: _ignore_result(save(c)), "Ctrl+S", has_document,
        "Save to the file it came from.", True,
    ),
    Command(
        "file.saveAs", "Save As…", "File", lambda c: _ignore_result(save_as(c)), "Ctrl+Shift+S", has_document,
        "Save to another file.",
    ),
    Command(
        "file.reload", "Reload from Disk", "File", lambda c: _ignore_result(reload(c)), "", has_file,
        "Take over what the file says now; undo brings the graph back.",
    ),
    *export.COMMANDS,
    Command(
        "file.close", "Close", "File", lambda c: _ignore_result(close(c)), "Ctrl+W", has_document,
        "Close this graph; asks about unsaved edits.", True,
    ),
    Command("file.quit", "Quit", "File", quit_program, "Ctrl+Q", help="Close the window."),
)  # fmt: skip
