"""Wires without a mouse: walking to them, drawing, moving and cutting them, and adding what fits their ends."""

from __future__ import annotations

from collections.abc import Callable

from archstudio.app.commands.command import Command, Context, has_document, has_one_node
from archstudio.app.commands.edit import push, what
from archstudio.app.connecting import free_input, moved_wire, wired
from archstudio.app.node_box import input_places, input_ports, output_ports
from archstudio.app.paths import path_through
from archstudio.edits import Edit, EditRefused
from archstudio.edits.compose import disconnect
from archstudio.layers import find


def has_one_wire(context: Context) -> bool:
    """Exactly one wire and nothing else is selected."""
    return has_document(context) and _wire(context) is not None


def _wire(context: Context) -> str | None:
    selection = context.document.selection
    alone = len(selection.connections) == 1 and not selection.nodes
    return next(iter(selection.connections)) if alone else None


def has_wires(context: Context) -> bool:
    """A wire is selected, or a layer that has some."""
    return has_document(context) and bool(_wires(context))


def _wires(context: Context) -> list[str]:
    """The selected wires, or all wires at the selected layers."""
    graph, selection = context.document.graph, context.document.selection
    if selection.connections and not selection.nodes:
        return list(selection.connections)
    return [c.id for c in graph.connections if c.source in selection.nodes or c.target in selection.nodes]


def next_wire(context: Context, step: int = 1) -> None:
    """Go round the wires at the selected layer, or at the end that the selected wire enters (back: that it leaves)."""
    graph, selection = context.document.graph, context.document.selection
    wire = _wire(context)
    if wire is not None:
        node: str | None = graph.connection(wire).target if step > 0 else graph.connection(wire).source
    else:
        node = selection.single
    if node is None:
        return
    around = [c.id for c in (*graph.incoming(node), *graph.outgoing(node))]
    if around:
        at = around.index(wire) + step if wire in around else 0
        selection.set((), [around[at % len(around)]])


def draw_wire(context: Context) -> None:
    """Wire the selected layer to another one that is picked from a list, and so are ports where there are several."""
    document, source = context.document, context.document.selection.single
    assert source is not None
    graph = document.graph
    name = graph.node(source).name
    output = _output(context, source)
    if output is None:
        return
    target = context.view.choose_layer([n for n in graph.node_ids if n != source], name)
    index = None if target is None else _input(context, target)
    if target is not None and index is not None:
        names = f"{name} to {graph.node(target).name}"
        _push_made(context, lambda: wired(document, source, output or None, target, index), f"Connect {names}")


def _output(context: Context, node: str) -> str | None:
    """The output to begin at, asked for where there are several; empty for the only one, None if none was chosen."""
    document = context.document
    names = output_ports(document.graph, document.graph.node(node), document.verdict.nodes[node].layer)
    if len(names) < 2:
        return ""
    return context.view.choose_port(names, document.graph.node(node).name)


def _input(context: Context, node: str) -> int | None:
    """The input to go to, asked for where a layer has several that differ; None if none was chosen."""
    graph = context.document.graph
    entry = find(graph.node(node).type)
    names = () if entry is None or entry.variadic else entry.inputs
    if len(names) < 2:
        return free_input(graph, node, len(input_ports(graph, graph.node(node))) + (entry is None or entry.variadic))
    chosen = context.view.choose_port(names, graph.node(node).name)
    return None if chosen is None else names.index(chosen)


def move_wire(context: Context) -> None:
    """Let the selected wire enter another layer or input that is picked from a list."""
    graph, wire = context.document.graph, _wire(context)
    assert wire is not None
    moved = graph.connection(wire)
    kind = find(graph.node(moved.target).type)
    elsewhere = kind is None or kind.variadic or len(kind.inputs) < 2
    others = [n for n in graph.node_ids if n != moved.source and not (elsewhere and n == moved.target)]
    target = context.view.choose_layer(others, graph.node(moved.source).name)
    index = None if target is None else _input(context, target)
    if target is None or index is None or (target == moved.target and input_places(graph, target)[wire] == index):
        return
    _push_made(context, lambda: moved_wire(graph, wire, target, index), "Move wire")


def _push_made(context: Context, make: Callable[[], Edit], label: str) -> None:
    try:
        edit = make()
    except EditRefused as refusal:
        context.view.notify(str(refusal))
        return
    push(context, edit, label)


def cut_wires(context: Context) -> None:
    """Take away the selected wires, or all wires at the selected layers."""
    push(context, disconnect(_wires(context)), f"Disconnect {what(context)}")


def select_path(context: Context) -> None:
    """Select everything on a path from an input to an output through what is selected."""
    selection = context.document.selection
    nodes, wires = path_through(context.document.graph, selection.nodes, selection.connections)
    selection.set(nodes, wires)


def has_something(context: Context) -> bool:
    """A layer or a wire is selected."""
    return has_document(context) and bool(context.document.selection.nodes or context.document.selection.connections)


COMMANDS = (
    Command("graph.addBehind", "Add What Fits Behind…", "Graph", lambda c: c.view.search_from(output=True), "A",
            has_one_node, "Search among the layers that take what this one gives, likeliest first.", canvas=True),
    Command("graph.addBefore", "Add What Fits Before…", "Graph", lambda c: c.view.search_from(output=False), "B",
            has_one_node, "Search among the layers that may feed this one.", canvas=True),
    Command("graph.connect", "Connect To…", "Graph/Wires", draw_wire, "K", has_one_node,
            "Draw a wire from this layer to another one, picked from a list.", canvas=True),
    Command("graph.nextWire", "Next Wire", "Graph/Wires", next_wire, "W", has_something,
            "Select a wire of this layer, then the next one.", canvas=True),
    Command("graph.previousWire", "Previous Wire", "Graph/Wires", lambda c: next_wire(c, -1), "Shift+W",
            has_something, "Select a wire of this layer, then the one before.", canvas=True),
    Command("graph.moveWire", "Move Wire To…", "Graph/Wires", move_wire, "M", has_one_wire,
            "Let the wire enter another layer, picked from a list.", canvas=True),
    Command("graph.disconnect", "Disconnect", "Graph/Wires", cut_wires, "X", has_wires,
            "Take away the selected wires, or all wires of the selected layers; nothing heals.", canvas=True),
    Command("graph.selectPath", "Select Path", "Graph/Wires", select_path, "P", has_something,
            "Select everything between inputs and outputs through what is selected.", canvas=True),
)  # fmt: skip
