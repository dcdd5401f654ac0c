"""Wires that are missing, too many, in a loop, or carry what the layer does not take."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.design.moves import (
    cut,
    leave_from,
    put_in,
    read_output,
    retype,
    set_values,
    spelled,
    take_out,
    wire_up,
)
from archstudio.design.site import Site, fixes
from archstudio.design.trial import Move, Recipe
from archstudio.edits import AddConnection, AddNode, Batch, ChangeConnection, Edit
from archstudio.edits.compose import Ids, new_node
from archstudio.graph import Connection, Graph
from archstudio.graph.walks import reachable
from archstudio.layers import Layer, Value, Wire, find
from archstudio.layers.families.embedding import INDEX_TYPE, OFFSETS
from archstudio.layers.families.pool_other import UNPOOL_INDICES
from archstudio.layers.families.shared import NO_MATRIX
from archstudio.layers.families.shared import NO_TARGET as NO_SHARED
from archstudio.layers.problem import CYCLE, DTYPE, INPUT_COUNT, TUPLE_IN, UNKNOWN_TYPE
from archstudio.layers.wire import FLOATING, INTEGER
from archstudio.verify.inputs import INPUT_DTYPE, is_input
from archstudio.verify.structure import NO_INPUT, NO_PORT, NO_TARGET
from archstudio.verify.verdict import Verdict


@fixes(TUPLE_IN, NO_PORT)
def one_output_of_several(site: Site) -> Iterator[Recipe]:
    """Say which output the wire carries."""
    wire = site.wire
    if wire is None:
        return
    source = site.verdict.nodes[wire.source]
    if source.layer is None:
        return
    for port in source.layer.output_names():
        name = site.graph.node(wire.source).name
        yield Recipe(f"Read “{port}” of {name}", (read_output(wire.id, port),), carry=True)


@fixes(UNKNOWN_TYPE)
def type_that_was_meant(site: Site) -> Iterator[Recipe]:
    """The types whose names look like the one given."""
    for name in site.fact("nearest") or ():
        yield Recipe(f"Make it {name}", (retype(site.id, name),))
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), far=2, carry=True)


@fixes(CYCLE)
def open_the_loop(site: Site) -> Iterator[Recipe]:
    """Remove a wire that closes the loop: those that run against the order of the file first."""
    nodes = set(site.fact("nodes") or ())
    place = {n: k for k, n in enumerate(site.graph.node_ids)}
    inside = [c for c in site.graph.connections if c.source in nodes and c.target in nodes]
    for wire in sorted(inside, key=lambda c: (place[c.target] > place[c.source], place[c.target] - place[c.source])):
        source, target = site.graph.node(wire.source).name, site.graph.node(wire.target).name
        backwards = place[wire.target] <= place[wire.source]
        yield Recipe(f"Remove the wire {source} → {target}", (cut(wire.id),), far=0 if backwards else 1)


@fixes(NO_INPUT)
def something_to_read(site: Site) -> Iterator[Recipe]:
    """Connect the nearest output before it that nothing reads, else the layer before it; or remove the layer."""
    order = list(site.graph.node_ids)
    here = order.index(site.id)
    behind = reachable(site.graph, [site.id])
    possible = [n for n in (*reversed(order[:here]), *order[here + 1 :]) if n not in behind]
    possible = [n for n in possible if site.graph.node(n).type != "output"]
    loose = [n for n in possible if not site.graph.outgoing(n)]
    for node in dict.fromkeys((*loose[:2], *possible[:2])):
        name = site.graph.node(node).name
        yield Recipe(f"Connect {name}", (_wire_from(site, node),), far=int(node not in loose), carry=True)
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), far=2)


def _wire_from(site: Site, source: str) -> Move:
    known = site.verdict.nodes[source]
    ports = list(known.layer.output_names()) if known.layer is not None and isinstance(known.value, tuple) else []
    return wire_up(source, site.id, ports[0] if ports else None)


@fixes(INPUT_COUNT)
def as_many_wires_as_inputs(site: Site) -> Iterator[Recipe]:
    """Too many wires: merge them or drop the last; too few: connect what is loose, or read one wire twice."""
    kind, wires = site.kind, site.wires
    if kind is None:
        return
    if not kind.inputs:
        yield Recipe("Remove the wires into it", (cut(*(w.id for w in wires)),))
        return
    if len(wires) > len(kind.inputs):
        for type_name in ("add", "concatenate") if len(kind.inputs) == 1 else ():
            yield Recipe(_merge_label(type_name), (_merged(site.id, type_name),), carry=True)
        for type_name, params in (("concatenate", {"dim": 1}),) if len(kind.inputs) == 1 else ():
            yield Recipe("Concatenate along axis 1", (_merged(site.id, type_name, **params),), far=1, carry=True)
        for wire in reversed(wires):
            name = site.graph.node(wire.source).name
            yield Recipe(f"Disconnect {name}", (cut(wire.id),), far=1)
        return
    behind = reachable(site.graph, [site.id])
    loose = [n.id for n in site.graph.nodes if n.id not in behind and not site.graph.outgoing(n.id)]
    for node in [n for n in reversed(loose) if site.graph.node(n).type != "output"][:3]:
        yield Recipe(f"Connect {site.graph.node(node).name}", (_wire_from(site, node),), carry=True)
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), far=2, carry=True)


def _merge_label(type_name: str) -> str:
    return "Add the inputs" if type_name == "add" else "Concatenate the inputs"


def _merged(node_id: str, type_name: str, **params: int) -> Move:
    """The move that gathers all wires into a node in a merging layer before it."""

    def move(graph: Graph, verdict: Verdict) -> Edit:
        node = new_node(graph, type_name, params)
        ids = Ids(graph)
        wires = graph.incoming(node_id)
        moved = [ChangeConnection(Connection(w.id, w.source, node.id, w.source_port, None, w.extra)) for w in wires]
        return Batch((AddNode(node), *moved, AddConnection(Connection(ids.fresh("c"), node.id, node_id))))

    return move


@fixes(DTYPE, INDEX_TYPE)
def numbers_of_the_right_kind(site: Site) -> Iterator[Recipe]:
    """Declare the input so, or convert on the way."""
    x, wire, needs = site.tensor, site.wire, str(site.fact("needs"))
    if x is None or wire is None:
        return
    wanted = _dtype_meant(needs)
    source = _input_behind(site, wire.source)
    if source is not None:
        label = f"{spelled(site.graph.node(source), 'dtype')} {wanted} at {site.graph.node(source).name}"
        yield Recipe(label, (set_values(source, dtype=wanted),))
    if find("cast") is not None:
        yield Recipe(f"Convert to {wanted}", (put_in(wire.id, "cast", dtype=wanted),))
    if site.problem.kind is DTYPE and x.dtype in INTEGER and source is not None:
        move = put_in(wire.id, "embedding", numEmbeddings=1000, embeddingDim=64)
        note = "A table of 1,000 rows of 64; set its size to your vocabulary."
        yield Recipe("Embed the indices", (move,), note=note, far=1, carry=True)


def _dtype_meant(needs: str) -> str:
    for name in (*sorted(FLOATING | INTEGER, key=len, reverse=True), "bool"):
        if name in needs:
            return name
    return "int64" if "integer" in needs else "float32"


def _input_behind(site: Site, node_id: str) -> str | None:
    """The input node from which a dtype comes, along first inputs."""
    seen: set[str] = set()
    while node_id not in seen:
        seen.add(node_id)
        if is_input(site.graph.node(node_id)):
            return node_id
        wires = site.graph.incoming(node_id)
        if not wires:
            return None
        node_id = wires[0].source
    return None


@fixes(NO_TARGET, NO_SHARED, NO_MATRIX)
def weights_of_an_existing_layer(site: Site) -> Iterator[Recipe]:
    """The layers whose weights can be shared here."""
    kind: type[Layer] | None = site.kind
    field = None if kind is None else next((f for f in kind.fields.values() if f.kind == "node"), None)
    if field is None:
        return
    for node in site.graph.nodes:
        if node.id != site.id and (site.verdict.nodes[node.id].parameters or 0) > 0:
            move = set_values(site.id, **{spelled(site.node, field.json): node.name})
            yield Recipe(f"Share the weights of {node.name}", (move,), carry=True)
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), far=2, carry=True)


@fixes(OFFSETS)
def bags_of_equal_length(site: Site) -> Iterator[Recipe]:
    """Without offsets, or with bags as rows."""
    if len(site.wires) > 1:
        yield Recipe("Without offsets", (cut(*(w.id for w in site.wires[1:])),))
    elif site.wire is not None:
        yield Recipe("As one bag", (put_in(site.wire.id, "unsqueeze", dim=0),), carry=True)


@fixes(UNPOOL_INDICES)
def indices_of_the_pooling(site: Site) -> Iterator[Recipe]:
    """Read the indices of a pooling before it; let that pooling return them."""
    wires = site.wires
    if len(wires) < 2:
        return
    for node in site.graph.nodes:
        value: Value | None = site.verdict.nodes[node.id].value
        parts = value if isinstance(value, tuple) else ()
        if any(isinstance(p, Wire) and p.dtype == "int64" for p in parts):
            layer = site.verdict.nodes[node.id].layer
            port = None if layer is None else list(layer.output_names())[-1]
            moves = (leave_from(wires[1].id, node.id), *(() if port is None else (read_output(wires[1].id, port),)))
            yield Recipe(f"Indices of {node.name}", moves, carry=True)


@fixes(INPUT_DTYPE)
def say_the_dtype(site: Site) -> Iterator[Recipe]:
    """Make it an index, and convert it where it is used as a number."""
    number = site.fact("number")
    target = None if number is None else site.graph.named(str(number))
    moves = [set_values(site.id, dtype="int64")]
    direct = [] if target is None else site.graph.between(site.id, target.id)
    yield Recipe(
        "dtype int64, converted for numbers", [*moves, *(put_in(w.id, "cast", dtype="float32") for w in direct)]
    )
    for dtype in ("int64", "float32"):
        yield Recipe(f"dtype {dtype}", (set_values(site.id, dtype=dtype),), far=1)
