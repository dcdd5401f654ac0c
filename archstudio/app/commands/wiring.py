"""Wires without a mouse: walking to them, drawing, moving and cutting them, and adding what fits their ends."""

from __future__ import annotations

from collections.abc import Callable

from archstudio.app.commands.command import Command, Context, has_document, has_one_node
from archstudio.app.commands.edit import push, what
from archstudio.app.paths import path_through
from archstudio.design.sized import connect_sized
from archstudio.edits import Edit, EditRefused
from archstudio.edits.compose import connect, disconnect, rewire


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
    """Go round the wires at the selected layer, or at the end that the selected wire enters."""
    graph, selection = context.document.graph, context.document.selection
    wire = _wire(context)
    node = graph.connection(wire).target if wire is not None else selection.single
    if node is None:
        return
    around = [c.id for c in (*graph.incoming(node), *graph.outgoing(node))]
    if around:
        at = around.index(wire) + step if wire in around else 0
        selection.set((), [around[at % len(around)]])


def draw_wire(context: Context) -> None:
    """Wire the selected layer to another one that is picked from a list."""
    graph, source = context.document.graph, context.document.selection.single
    assert source is not None
    target = context.view.choose_layer([n for n in graph.node_ids if n != source], graph.node(source).name)
    if target is None:
        return
    names = f"{graph.node(source).name} to {graph.node(target).name}"
    _push_made(context, lambda: _drawn(context, source, target), f"Connect {names}")


def _drawn(context: Context, source: str, target: str) -> Edit:
    document = context.document
    if document.visibility.sized_splice:
        return connect_sized(document.graph, document.verdict, source, target)
    return connect(document.graph, source, target)


def move_wire(context: Context) -> None:
    """Let the selected wire enter another layer that is picked from a list."""
    graph, wire = context.document.graph, _wire(context)
    assert wire is not None
    moved = graph.connection(wire)
    others = [n for n in graph.node_ids if n not in (moved.source, moved.target)]
    target = context.view.choose_layer(others, graph.node(moved.source).name)
    if target is not None:
        _push_made(context, lambda: rewire(graph, wire, target=target), "Move wire")


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
