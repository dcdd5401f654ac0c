"""Adding, ordering and arranging layers; submitting a task."""

from __future__ import annotations

from typing import get_args

from archstudio.app.arrange import Axis, Edge, align, distribute, layout_edit
from archstudio.app.commands.command import Command, Context, has_document, has_one_node, has_task, may_start_over
from archstudio.app.commands.edit import push
from archstudio.app.connecting import exchanged_inputs, names_inputs
from archstudio.app.document import copy_graph
from archstudio.app.layout import auto_layout, takes_long
from archstudio.design.suggest import replace_type
from archstudio.edits import EditRefused
from archstudio.edits.compose import reorder_inputs
from archstudio.edits.diff import diff


def has_inputs_to_order(context: Context) -> bool:
    """The one selected layer, or the layer that the one selected wire enters, has several inputs."""
    node = _ordered_node(context)
    return node is not None and len(context.document.graph.incoming(node)) > 1


def _ordered_node(context: Context) -> str | None:
    if not has_document(context):
        return None
    selection = context.document.selection
    if selection.single is not None:
        return selection.single
    wire = _ordered_wire(context)
    return None if wire is None else context.document.graph.connection(wire).target


def _ordered_wire(context: Context) -> str | None:
    selection = context.document.selection
    alone = len(selection.connections) == 1 and not selection.nodes
    return next(iter(selection.connections)) if alone else None


def move_input(context: Context, by: int) -> None:
    """Move the selected wire up (-1) or down (1) among its layer's inputs.

    With a layer selected its inputs go round instead. A wire at the end stays.
    """
    graph, node, wire = context.document.graph, _ordered_node(context), _ordered_wire(context)
    assert node is not None
    if names_inputs(graph, node):
        exchanged = exchanged_inputs(graph, node, wire, by)
        if exchanged is not None:
            push(context, exchanged, f"Reorder inputs of {graph.node(node).name}")
        return
    order = [c.id for c in graph.incoming(node)]
    if wire is None:
        order = order[-by:] + order[:-by]
    else:
        place = order.index(wire)
        if not 0 <= place + by < len(order):
            return
        order[place], order[place + by] = order[place + by], order[place]
    push(context, reorder_inputs(graph, node, order), f"Reorder inputs of {graph.node(node).name}")


def arrange_layers(context: Context) -> None:
    """Lay out the selected layers, or all; locked ones stay. What takes long is computed apart and can be cancelled."""
    document = context.document
    chosen = document.selection.nodes if len(document.selection.nodes) > 1 else None
    if takes_long(document.graph, chosen) and context.view.lay_out_apart(chosen):
        return
    edit = layout_edit(document.graph, auto_layout(document.graph, only=chosen, width=context.view.layout_width()))
    label = "Lay out selection" if chosen else "Lay out"
    if edit is not None and push(context, edit, label) and chosen is None:
        context.view.fit(selection=False)


def change_type(context: Context) -> None:
    """Ask for another type for the selected layer; its name, wires and the parameters both types have are kept."""
    document, node_id = context.document, context.document.selection.single
    assert node_id is not None
    node = document.graph.node(node_id)
    chosen = context.view.choose_type(node.name)
    if chosen is not None and chosen != node.type:
        sized = document.visibility.sized_splice
        edit = replace_type(document.graph, document.verdict, node_id, chosen, sized=sized)
        push(context, edit, f"Make {node.name} {chosen}")


def reset(context: Context) -> None:
    """Go back to the task's starting graph, as one undo step."""
    document = context.document
    edit = diff(document.graph, copy_graph(document.start))
    if edit is not None:
        push(context, edit, "Start over")


def has_layers_to_align(context: Context) -> bool:
    """At least two layers are selected."""
    return has_document(context) and len(context.document.selection.nodes) > 1


def has_layers_to_spread(context: Context) -> bool:
    """At least three layers are selected."""
    return has_document(context) and len(context.document.selection.nodes) > 2


def _align(edge: Edge) -> Command:
    def run(context: Context) -> None:
        try:
            edit = align(context.document.graph, context.document.selection.nodes, edge)
        except EditRefused as refusal:
            context.view.notify(str(refusal))
            return
        push(context, edit, f"Align {edge}")

    names = {"centre": "Centres", "middle": "Middles"}
    title = f"Align {names.get(edge, edge.capitalize())}"
    return Command(f"graph.align.{edge}", title, "Graph/Align", run, "", has_layers_to_align,
                   f"Put the selected layers on one line: {edge}.")  # fmt: skip


def _spread(axis: Axis) -> Command:
    def run(context: Context) -> None:
        try:
            edit = distribute(context.document.graph, context.document.selection.nodes, axis)
        except EditRefused as refusal:
            context.view.notify(str(refusal))
            return
        push(context, edit, f"Distribute {axis}")

    return Command(f"graph.distribute.{axis}", f"Distribute {axis.capitalize()}", "Graph/Align", run, "",
                   has_layers_to_spread, "Make the gaps between the selected layers equal.",
                   axis == get_args(Axis)[0])  # fmt: skip


COMMANDS = (
    Command("graph.add", "Add Layer…", "Graph", lambda c: c.view.search_to_add(), "Tab", has_document,
            "Search for a layer and add it into the selected wire, behind the selected layer, or at the pointer "
            "(Space too).", canvas=True),
    Command("graph.replaceType", "Replace Type…", "Graph", change_type, "R", has_one_node,
            "Make the layer one of another type; its name and wires stay.", canvas=True),
    Command("graph.inputsUp", "Move Input Up", "Graph", lambda c: move_input(c, -1), "Ctrl+Up", has_inputs_to_order,
            "Move the selected wire before the one above it; with a layer selected its inputs go round.",
            canvas=True),
    Command("graph.inputsDown", "Move Input Down", "Graph", lambda c: move_input(c, 1), "Ctrl+Down",
            has_inputs_to_order, "Move the selected wire behind the one below it; with a layer selected its inputs "
            "go round.", canvas=True),
    Command("graph.layout", "Auto-Layout", "Graph", arrange_layers, "Ctrl+L", has_document,
            "Place the layers in the order of the data; the selected ones if several are selected.", True),
    *(_align(edge) for edge in get_args(Edge)),
    *(_spread(axis) for axis in get_args(Axis)),
    Command("task.submit", "Submit…", "Task", lambda c: c.view.show_submission(), "Ctrl+Return", has_task,
            "See exactly what will be sent, then submit it."),
    Command("task.startOver", "Start Over", "Task", reset, "", may_start_over, "Go back to the task's starting graph."),
)  # fmt: skip
