"""Undo, clipboard, deleting, naming, grouping."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, has_document, has_nodes, has_one_node, has_selection
from archstudio.edits import Edit, EditRefused
from archstudio.edits.clipboard import copy_text, extract, paste, paste_text
from archstudio.edits.compose import delete_nodes, disconnect, frame_nodes, toggle_bypass, unframe
from archstudio.graph import Point

DUPLICATE_SHIFT: Point = (32.0, 32.0)
"""How far a duplicate is put from its original, in canvas units."""


def can_undo(context: Context) -> bool:
    """There is a step to take back."""
    return has_document(context) and context.document.history.can_undo


def can_redo(context: Context) -> bool:
    """There is a step to make again."""
    return has_document(context) and context.document.history.can_redo


def push(context: Context, edit: Edit, label: str) -> bool:
    """Make an edit; a refusal is told, and returns False."""
    try:
        context.document.push(edit, label)
    except EditRefused as refusal:
        context.view.notify(str(refusal))
        return False
    return True


def what(context: Context) -> str:
    """The selection in a few words, for labels: the name of one layer, or how many there are."""
    nodes = context.document.selection.nodes
    if len(nodes) == 1:
        return context.document.graph.node(next(iter(nodes))).name
    return f"{len(nodes)} layers" if nodes else "wire"


def delete(context: Context, *, heal: bool = True) -> None:
    """Delete the selected layers, or the selected wires if no layer is selected."""
    selection, graph = context.document.selection, context.document.graph
    if selection.nodes:
        push(context, delete_nodes(graph, selection.nodes, heal=heal), f"Delete {what(context)}")
    else:
        push(context, disconnect(selection.connections), "Disconnect")


def copy(context: Context) -> None:
    """Put the selected layers and the wires among them on the clipboard."""
    context.view.set_clipboard_text(copy_text(context.document.graph, context.document.selection.nodes))


def cut(context: Context) -> None:
    """Copy, then delete with healing."""
    copy(context)
    delete(context)


def paste_here(context: Context) -> None:
    """Paste layers at the pointer."""
    document = context.document
    try:
        edit, made = paste_text(document.graph, context.view.clipboard_text(), context.view.pointer())
    except EditRefused as refusal:
        context.view.notify("Nothing to paste", str(refusal))
        return
    if push(context, edit, "Paste"):
        document.selection.set(made)


def duplicate(context: Context) -> None:
    """Paste a copy of the selected layers beside them."""
    document = context.document
    label = f"Duplicate {what(context)}"
    edit, made = paste(document.graph, extract(document.graph, document.selection.nodes))
    if push(context, edit, label):
        document.selection.set(made)


def bypass(context: Context) -> None:
    """Let the selected layers pass their input through, or work again."""
    push(context, toggle_bypass(context.document.graph, context.document.selection.nodes), f"Bypass {what(context)}")


def frame(context: Context) -> None:
    """Put a frame around the selected layers."""
    push(context, frame_nodes(context.document.graph, context.document.selection.nodes, "Group"), "Frame")


def remove_frame(context: Context) -> None:
    """Remove the frame around the selected layers."""
    try:
        push(context, unframe(context.document.graph, context.document.selection.nodes), "Remove frame")
    except EditRefused as refusal:
        context.view.notify(str(refusal))


def select_all(context: Context) -> None:
    """Select every layer."""
    context.document.selection.set(context.document.graph.node_ids)


COMMANDS = (
    Command("edit.undo", "Undo", "Edit", lambda c: c.document.undo(), "Ctrl+Z", can_undo, "Take the last step back."),
    Command("edit.redo", "Redo", "Edit", lambda c: c.document.redo(), "Ctrl+Shift+Z; Ctrl+Y", can_redo,
            "Make the step again."),
    Command("edit.cut", "Cut", "Edit", cut, "Ctrl+X", has_nodes, "Copy the layers and delete them.", True),
    Command("edit.copy", "Copy", "Edit", copy, "Ctrl+C", has_nodes, "Copy the layers as readable JSON."),
    Command("edit.paste", "Paste", "Edit", paste_here, "Ctrl+V", has_document, "Paste layers at the pointer."),
    Command("edit.duplicate", "Duplicate", "Edit", duplicate, "Ctrl+D", has_nodes, "Copy the layers beside them."),
    Command("edit.delete", "Delete", "Edit", delete, "Del; Backspace", has_selection,
            "Delete; the wiring closes over deleted layers.", True),
    Command("edit.deleteCut", "Delete without Healing", "Edit", lambda c: delete(c, heal=False), "Alt+Del",
            has_selection, "Delete and leave the gap open."),
    Command("edit.rename", "Rename", "Edit", lambda c: c.view.rename_selected(), "F2", has_one_node,
            "Give the layer another name."),
    Command("edit.parameters", "Edit Parameters", "Edit", lambda c: c.view.edit_parameters(), "", has_nodes,
            "Go to the first parameter in the Inspector (Enter on the canvas)."),
    Command("edit.bypass", "Bypass", "Edit", bypass, "D", has_nodes, "Let the layers pass their input through."),
    Command("edit.frame", "Frame", "Edit", frame, "Ctrl+G", has_nodes, "Put a titled frame around the layers.", True),
    Command("edit.unframe", "Remove Frame", "Edit", remove_frame, "Ctrl+Shift+G", has_nodes, "Remove the frame."),
    Command("edit.selectAll", "Select All", "Edit", select_all, "Ctrl+A", has_document, "Select every layer.", True),
)  # fmt: skip
