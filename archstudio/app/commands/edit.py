"""Undo, clipboard, deleting, naming, grouping, selecting."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, has_document, has_nodes, has_selection
from archstudio.app.marking import chosen_frame, delete_notes, fresh_key
from archstudio.app.opening import mended_text
from archstudio.app.words import said
from archstudio.edits import Batch, Edit, EditRefused
from archstudio.edits.clipboard import copy_text, extract, paste, paste_text
from archstudio.edits.compose import delete_nodes, disconnect, frame_nodes, toggle_bypass, unframe


def can_undo(context: Context) -> bool:
    """There is a step to take back."""
    return has_document(context) and context.document.history.can_undo


def can_redo(context: Context) -> bool:
    """There is a step to make again."""
    return has_document(context) and context.document.history.can_redo


def has_parts(context: Context) -> bool:
    """Layers or comments are selected."""
    return has_nodes(context) or (has_document(context) and bool(context.document.selection.notes))


def has_name(context: Context) -> bool:
    """One layer, the layers of a frame, or one comment is selected: something whose words can be changed."""
    if not has_document(context):
        return False
    document = context.document
    if document.selection.single is not None or chosen_frame(document.graph, document.selection) is not None:
        return True
    return len(document.selection.notes) == 1


def push(context: Context, edit: Edit, label: str) -> bool:
    """Make an edit; a refusal is told, and returns False."""
    return push_merged(context, edit, label, None)


def push_merged(context: Context, edit: Edit, label: str, key: str | None) -> bool:
    """Make an edit that joins the last step if that has the same key."""
    try:
        context.document.push(edit, label, key)
    except EditRefused as refusal:
        context.view.notify(str(refusal))
        return False
    return True


def what(context: Context) -> str:
    """The selection in a few words, for labels: the name of one layer, else how many layers or wires there are."""
    selection = context.document.selection
    if len(selection.nodes) == 1:
        return context.document.graph.node(next(iter(selection.nodes))).name
    if selection.nodes:
        return f"{len(selection.nodes)} layers"
    if selection.notes and not selection.connections:
        return "comment" if len(selection.notes) == 1 else f"{len(selection.notes)} comments"
    return "wire" if len(selection.connections) == 1 else f"{len(selection.connections)} wires"


def delete(context: Context, *, heal: bool = True) -> None:
    """Delete what is selected as one step; with `heal` the wiring closes over each layer.

    What fed the first deleted layer is selected then, so that a person can go on from there.
    """
    graph, selection = context.document.graph, context.document.selection
    nodes = [n for n in graph.node_ids if n in selection.nodes]
    loose = [w for w in graph.connections if w.source not in selection.nodes and w.target not in selection.nodes]
    wires = [w.id for w in loose if w.id in selection.connections]
    edits: list[Edit] = [disconnect(wires)] if wires else []
    if nodes:
        edits.append(delete_nodes(graph, nodes, heal=heal))
    edits += delete_notes(selection.notes)
    if not edits:
        return
    before = next((w.source for n in nodes for w in graph.incoming(n) if w.source not in selection.nodes), None)
    if push(context, edits[0] if len(edits) == 1 else Batch(tuple(edits), "Delete"), f"Delete {what(context)}"):
        selection.set([before] if heal and before is not None else [])


def copy(context: Context) -> None:
    """Put the selected layers, the wires among them and the selected comments on the clipboard."""
    selection = context.document.selection
    context.view.set_clipboard_text(copy_text(context.document.graph, selection.nodes, selection.notes))


def cut(context: Context) -> None:
    """Copy, then delete with healing."""
    copy(context)
    delete(context)


def paste_here(context: Context, *, keep_incoming: bool = False) -> None:
    """Paste layers at the pointer, and select them; with `keep_incoming` fed by what fed the copied ones."""
    document, text = context.document, context.view.clipboard_text()
    if not text.strip():
        context.view.notify("Nothing to paste", "The clipboard is empty. Select layers and copy them first.")
        return
    text, notes = mended_text(text)
    try:
        edit, made = paste_text(document.graph, text, context.view.pointer(), keep_incoming=keep_incoming)
    except EditRefused as refusal:
        context.view.notify("Nothing to paste", str(refusal))
        return
    if push(context, edit, "Paste"):
        document.selection.set(made)
        if notes:
            context.view.notify(said("Repaired while pasting"), "; ".join(notes))


def duplicate(context: Context) -> None:
    """Paste a copy of the selected layers beside them, and select it."""
    document = context.document
    edit, made = paste(document.graph, extract(document.graph, document.selection.nodes))
    if push(context, edit, f"Duplicate {what(context)}"):
        document.selection.set(made)


def bypass(context: Context) -> None:
    """Let the selected layers pass their input through; or, if all of them do, let them work again."""
    graph, nodes = context.document.graph, context.document.selection.nodes
    stop = all(graph.node(n).bypassed for n in nodes)
    push(context, toggle_bypass(graph, nodes), f"{'Stop bypassing' if stop else 'Bypass'} {what(context)}")


def all_bypassed(context: Context) -> bool:
    """Every selected layer is bypassed."""
    return has_nodes(context) and all(context.document.graph.node(n).bypassed for n in context.document.selection.nodes)


def frame(context: Context) -> None:
    """Put a frame around the selected layers."""
    graph = context.document.graph
    edit = frame_nodes(graph, context.document.selection.nodes, "Group")
    if push_merged(context, edit, "Frame", fresh_key(edit.id)):
        context.view.rename_frame()


def remove_frame(context: Context) -> None:
    """Remove the frame around the selected layers."""
    try:
        edit = unframe(context.document.graph, context.document.selection.nodes)
    except EditRefused as refusal:
        context.view.notify(str(refusal))
        return
    push(context, edit, "Remove frame")


def select_all(context: Context) -> None:
    """Select every layer, wire and comment."""
    graph = context.document.graph
    context.document.selection.set(graph.node_ids, graph.connection_ids, graph.notes)


COMMANDS = (
    Command("edit.undo", "Undo", "Edit", lambda c: c.document.undo(), "Ctrl+Z", can_undo, "Take the last step back."),
    Command("edit.redo", "Redo", "Edit", lambda c: c.document.redo(), "Ctrl+Shift+Z; Ctrl+Y", can_redo,
            "Make the step again."),
    Command("edit.cut", "Cut", "Edit", cut, "Ctrl+X", has_parts, "Copy the layers and delete them.", True),
    Command("edit.copy", "Copy", "Edit", copy, "Ctrl+C", has_parts, "Copy the layers as readable JSON."),
    Command("edit.paste", "Paste", "Edit", paste_here, "Ctrl+V", has_document, "Paste layers at the pointer."),
    Command("edit.pasteWired", "Paste Keeping Inputs", "Edit", lambda c: paste_here(c, keep_incoming=True),
            "Ctrl+Shift+V", has_document, "Paste layers, fed by what fed the copied ones."),
    Command("edit.duplicate", "Duplicate", "Edit", duplicate, "Ctrl+D", has_nodes, "Copy the layers beside them."),
    Command("edit.delete", "Delete", "Edit", delete, "Del; Backspace", has_selection,
            "Delete; the wiring closes over deleted layers.", True, canvas=True),
    Command("edit.deleteCut", "Delete without Healing", "Edit", lambda c: delete(c, heal=False),
            "Alt+Del; Alt+Backspace", has_selection, "Delete and leave the gap open.", canvas=True),
    Command("edit.rename", "Rename", "Edit", lambda c: c.view.rename_selected(), "F2", has_name,
            "Give the layer another name, the frame another title or the comment another text, on the canvas."),
    Command("edit.parameters", "Edit Parameters", "Edit", lambda c: c.view.edit_parameters(), "Return; Enter",
            has_nodes, "Go to the first parameter in the Inspector.", canvas=True),
    Command("edit.bypass", "Bypass", "Edit", bypass, "D", has_nodes, "Let the layers pass their input through.",
            canvas=True, checked=all_bypassed),
    Command("edit.frame", "Frame", "Edit", frame, "Ctrl+G", has_nodes, "Put a titled frame around the layers.", True),
    Command("edit.unframe", "Remove Frame", "Edit", remove_frame, "Ctrl+Shift+G", has_nodes, "Remove the frame."),
    Command("edit.selectAll", "Select All", "Edit", select_all, "Ctrl+A", has_document,
            "Select every layer, wire and comment.", True),
    Command("edit.find", "Find Layers…", "Edit", lambda c: c.view.find(), "Ctrl+F", has_document,
            "Find layers by name, type, params>1M, shape:512 or problem."),
    Command("edit.preferences", "Preferences…", "Edit", lambda c: c.view.show_preferences(), "Ctrl+,",
            help="Theme, habits of the canvas, pictures and keyboard shortcuts.", separator=True),
)  # fmt: skip
