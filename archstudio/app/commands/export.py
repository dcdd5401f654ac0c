"""Taking a graph elsewhere: pictures, PyTorch code, paper."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.commands.command import Command, Context, has_document
from archstudio.app.exporting import export_torch, module_name
from archstudio.app.words import said
from archstudio.files.atomic import SaveFailed
from archstudio.files.unusable import UnusableFile
from archstudio.torchcode.program import GraphHasErrors

PICTURE_KINDS = ("SVG picture (*.svg)", "PDF document (*.pdf)", "PNG picture (*.png)")
TORCH_KINDS = ("Python module (*.py)",)


def may_tell_code(context: Context) -> bool:
    """A graph is open and the exact verdict, which the code would give away, may be used."""
    return has_document(context) and context.document.visibility.exact_verdict


def export_picture(context: Context) -> None:
    """Ask where, and write the picture there; its ending says which kind."""
    path = context.view.ask_export(_beside(context, f"{context.document.title}.svg"), PICTURE_KINDS)
    if path is None:
        return
    try:
        context.view.write_picture(path)
    except (SaveFailed, UnusableFile) as failed:
        context.view.notify(said("Not exported"), str(failed), fault=True)
        return
    context.view.notify(
        said("Exported {name}").format(name=path.name),
        said("The graph is inside: drop the picture here to edit it again."),
    )


def export_module(context: Context) -> None:
    """Ask where, and write the graph as a PyTorch module."""
    document = context.document
    path = context.view.ask_export(_beside(context, f"{module_name(document.title)}.py"), TORCH_KINDS)
    if path is None:
        return
    try:
        lines = export_torch(document, path)
    except GraphHasErrors as refused:
        context.view.notify(said("Not exported"), f"{refused}. {said('Mend the problems first.')}", fault=True)
        return
    except SaveFailed as failed:
        context.view.notify(said("Not exported"), str(failed), fault=True)
        return
    context.view.notify(
        said("Exported {name}").format(name=path.name),
        said("{n} lines; it needs nothing but torch.").format(n=f"{lines:,}"),
    )


def _beside(context: Context, name: str) -> Path:
    """A suggestion beside the graph's own file."""
    own = context.document.path
    return (Path.home() if own is None else own.parent) / name


COMMANDS = (
    Command("file.exportPicture", "Picture…", "File/Export", export_picture, "Ctrl+Shift+E", has_document,
            "Write the graph as SVG, PDF or PNG; the picture opens as a graph again."),
    Command("file.exportTorch", "PyTorch Module…", "File/Export", export_module, "", may_tell_code,
            "Write the graph as one Python file that needs nothing but torch."),
    Command("file.copyPicture", "Copy as Picture", "File/Export", lambda c: c.view.copy_picture(), "Ctrl+Shift+C",
            has_document, "Put a picture of the graph on the clipboard."),
    Command("file.printPreview", "Print Preview…", "File", lambda c: c.view.print_graph(preview=True), "", has_document,
            "See how the graph comes out on paper.", True),
    Command("file.print", "Print…", "File", lambda c: c.view.print_graph(preview=False), "Ctrl+P", has_document,
            "Print the graph on one page."),
)  # fmt: skip
