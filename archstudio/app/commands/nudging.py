"""Moving selected layers and comments by the arrow keys, as dragging them does."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context
from archstudio.app.commands.edit import has_parts, push_merged, what
from archstudio.app.marking import is_locked, place_note
from archstudio.edits import Batch, Edit, Move

STEP = 12.0
"""How far one key press moves, in canvas units: the pitch that dragged nodes snap to."""

_WAYS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


def nudge(context: Context, dx: int, dy: int) -> None:
    """Move what is selected by so many steps; locked layers stay. Presses in a row are one step of the history."""
    graph, selection = context.document.graph, context.document.selection
    edits: list[Edit] = []
    placed = [n for n in selection.nodes if n in graph.layout and not is_locked(graph.node(n))]
    if placed:
        moved = {n: (graph.layout[n][0] + dx * STEP, graph.layout[n][1] + dy * STEP) for n in placed}
        edits.append(Move(dict(moved)))
    for note in (graph.notes[n] for n in selection.notes):
        x, y = note.position
        edits.append(place_note(note, (x + dx * STEP, y + dy * STEP), note.size))
    if edits:
        key = "nudge " + " ".join(sorted((*placed, *selection.notes)))
        push_merged(context, edits[0] if len(edits) == 1 else Batch(tuple(edits)), f"Move {what(context)}", key)


def _nudge(way: str, dx: int, dy: int) -> Command:
    return Command(f"edit.nudge{way}", f"Move {way}", "Edit/Move", lambda c: nudge(c, dx, dy), f"Alt+{way}",
                   has_parts, f"Move what is selected a little {way.casefold()}.", canvas=True)  # fmt: skip


COMMANDS = tuple(_nudge(way, dx, dy) for way, (dx, dy) in _WAYS.items())
