"""What marks parts of the graph for people: locks, colours, comments, collapsed frames."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, has_document, has_nodes
from archstudio.app.commands.edit import push, push_merged, what
from archstudio.app.marking import (
    add_note,
    chosen_frame,
    colour_frame,
    colour_nodes,
    fold_frame,
    fresh_key,
    is_locked,
    toggle_lock,
)
from archstudio.graph import Frame, Node
from archstudio.layers.catalogue import FAMILIES

NO_COLOUR = ""
"""What a person picks to give a part back the colour it had."""
COLOURS = (NO_COLOUR, *FAMILIES)
"""What parts can be coloured with: the hues of the families, which tell apart in every theme."""


def has_frame(context: Context) -> bool:
    """A frame holds all selected layers."""
    return has_document(context) and _frame(context) is not None


def _frame(context: Context) -> Frame | None:
    return chosen_frame(context.document.graph, context.document.selection)


def all_locked(context: Context) -> bool:
    """Every selected layer is locked."""
    return has_nodes(context) and all(map(is_locked, _nodes(context)))


def _nodes(context: Context) -> list[Node]:
    graph = context.document.graph
    return [graph.node(n) for n in context.document.selection.nodes]


def lock(context: Context) -> None:
    """Keep the selected layers where they are; or, if all of them are kept, let go of them."""
    verb = "Unlock" if all_locked(context) else "Lock"
    push(context, toggle_lock(context.document.graph, context.document.selection.nodes), f"{verb} {what(context)}")


def colour(context: Context) -> None:
    """Ask for a colour and give it to the selected layers."""
    chosen = context.view.choose_colour(COLOURS)
    if chosen is not None:
        edit = colour_nodes(context.document.graph, context.document.selection.nodes, chosen or None)
        push(context, edit, f"Colour {what(context)}")


def colour_of_frame(context: Context) -> None:
    """Ask for a colour and give it to the frame around the selected layers."""
    frame = _frame(context)
    assert frame is not None
    chosen = context.view.choose_colour(COLOURS)
    if chosen is not None:
        push(context, colour_frame(frame, chosen or None), f"Colour {frame.title}")


def fold(context: Context) -> None:
    """Collapse the frame around the selected layers into one node, or open it."""
    frame = _frame(context)
    assert frame is not None
    push(context, fold_frame(frame), f"{'Open' if frame.collapsed else 'Collapse'} {frame.title}")


def is_folded(context: Context) -> bool:
    """The frame around the selected layers is collapsed."""
    frame = _frame(context) if has_document(context) else None
    return frame is not None and frame.collapsed


def comment(context: Context) -> None:
    """Put a comment at the pointer, else beside what is in view, and begin to write it."""
    edit, note = add_note(context.document.graph, context.view.place_to_add())
    if push_merged(context, edit, "Comment", fresh_key(note)):
        context.document.selection.set(notes=[note])
        context.view.rename_selected()


COMMANDS = (
    Command("edit.lock", "Lock", "Edit", lock, "L", has_nodes,
            "Keep the layers where they are when others are dragged or laid out.", True, True, all_locked),
    Command("edit.colour", "Colour…", "Edit", colour, "", has_nodes, "Give the layers a colour of their own."),
    Command("edit.frameColour", "Frame Colour…", "Edit", colour_of_frame, "", has_frame, "Give the frame a colour."),
    Command("edit.fold", "Collapse Frame", "Edit", fold, "Ctrl+E", has_frame,
            "Draw the frame as one node that shows what goes in and out, or open it.", checked=is_folded),
    Command("edit.comment", "Comment", "Edit", comment, "C", has_document,
            "Write a comment on the canvas, at the pointer.", canvas=True),
)  # fmt: skip
