"""Adding, ordering and arranging layers; submitting a task."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, has_document, has_one_node, has_task
from archstudio.app.commands.edit import push
from archstudio.app.document import copy_graph
from archstudio.app.layout import auto_layout
from archstudio.edits import Move
from archstudio.edits.compose import reorder_inputs
from archstudio.edits.diff import diff


def has_several_inputs(context: Context) -> bool:
    """One layer with several wires into it is selected."""
    if not has_one_node(context):
        return False
    node = context.document.selection.single
    return node is not None and len(context.document.graph.incoming(node)) > 1


def rotate_inputs(context: Context, step: int) -> None:
    """Move the first input to the end, or the last to the front."""
    node = context.document.selection.single
    assert node is not None
    order = [c.id for c in context.document.graph.incoming(node)]
    push(context, reorder_inputs(context.document.graph, node, order[step:] + order[:step]), "Reorder inputs")


def arrange_layers(context: Context) -> None:
    """Lay out the selected layers, or all."""
    document = context.document
    chosen = document.selection.nodes if len(document.selection.nodes) > 1 else None
    positions = auto_layout(document.graph, only=chosen)
    if push(context, Move(dict(positions)), "Auto-layout"):
        context.view.fit(selection=False)


def reset(context: Context) -> None:
    """Go back to the task's starting graph, as one undo step."""
    document = context.document
    edit = diff(document.graph, copy_graph(document.start))
    if edit is not None:
        push(context, edit, "Start over")


COMMANDS = (
    Command("graph.add", "Add Layer…", "Graph", lambda c: c.view.search_to_add(), "Tab; Space", has_document,
            "Search for a layer and add it at the pointer, into the selected wire or behind the selected layer.",
            canvas=True),
    Command("graph.layout", "Auto-Layout", "Graph", arrange_layers, "Ctrl+L", has_document,
            "Place the layers in the order of the data; the selected ones if several are selected."),
    Command("graph.inputsUp", "Move First Input Last", "Graph", lambda c: rotate_inputs(c, 1), "Ctrl+Up",
            has_several_inputs, "Change the order of the layer's inputs."),
    Command("graph.inputsDown", "Move Last Input First", "Graph", lambda c: rotate_inputs(c, -1), "Ctrl+Down",
            has_several_inputs, "Change the order of the layer's inputs."),
    Command("task.submit", "Submit…", "Graph", lambda c: c.view.show_submission(), "Ctrl+Return", has_task,
            "See exactly what will be sent, then submit it.", True),
    Command("task.startOver", "Start Over", "Graph", reset, "", has_task, "Go back to the task's starting graph."),
)  # fmt: skip
