"""What nodes and wires say: texts and states taken from the model when it changes, so that painting only paints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Formatter

from archstudio.app.figures import bytes_text, count_text
from archstudio.app.node_box import input_places, input_ports, node_height, output_ports
from archstudio.app.words import said
from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, Problem, Refused, Severity, Value, Wire, find, value_text
from archstudio.study.visibility import Visibility
from archstudio.verify.ports import input_order, select
from archstudio.verify.verdict import NodeVerdict

UNKNOWN = "unknown"
MOST_MARKED = 1_000
"""Into a layer with more wires than this, no single one is marked as wrong."""


@dataclass(frozen=True, slots=True)
class NodeFace:
    """Everything a node shows, as text and flags."""

    name: str
    type: str
    family: str
    label: str
    label_inferred: bool
    output: str
    output_italic: bool
    count: str
    waiting: bool
    bypassed: bool
    locked: bool
    badge: Severity | None
    colour: str | None
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    faulty_inputs: frozenset[int]

    @property
    def height(self) -> float:
        """Height of the node, with room for its ports."""
        return node_height(len(self.inputs), len(self.outputs))

    @property
    def description(self) -> str:
        """One sentence for those who hear the canvas."""
        return ", ".join(part for part in (self.name, self.type, self.spoken_value) if part)

    @property
    def spoken_value(self) -> str:
        """What it says beside its name and type."""
        parts = [self.label, self.output]
        if self.count:
            parts.append(said("{n} parameters").format(n=self.count))
        if self.bypassed:
            parts.append(said("bypassed"))
        if self.badge is not None:
            parts.append(said({Severity.ERROR: "error", Severity.MISTAKE: "mistake"}.get(self.badge, "advice")))
        return ", ".join(p for p in parts if p)


@dataclass(frozen=True, slots=True)
class WireFace:
    """Everything a wire shows: the shape it carries, what is wrong at its end, and more on hover."""

    shape: str
    known: bool
    fault: str
    faulty: bool
    value: Value | None = None

    @property
    def tip(self) -> str:
        """Shape, dtype and bytes, for those who ask; empty where the shape may not be shown."""
        if not self.shape:
            return ""
        return UNKNOWN if self.value is None else _tip(self.value)


_BARE_WIRE = WireFace("", True, "", False)


def node_face(
    graph: Graph, node: Node, verdict: NodeVerdict | None, visible: Visibility, *, mistaken: bool = False
) -> NodeFace:
    """What a node shows; `verdict` is None where the exact verdict may not be used.

    `mistaken` says that something runs there and does the wrong thing.
    """
    entry = find(node.type)
    layer = None if verdict is None else verdict.layer
    errors = _faulty_wires(graph, node.id, verdict, visible)
    output, italic = _output_text(graph, verdict, visible)
    parameters = None if verdict is None or not visible.counts else verdict.parameters
    colour = node.meta.get("colour")
    return NodeFace(
        name=node.name,
        type=node.type,
        family="io" if entry is None else entry.family,
        label=_label(node, entry, layer if visible.shapes else None),
        label_inferred=_label_inferred(node, entry, verdict),
        output=output,
        output_italic=italic,
        count=count_text(parameters) if parameters else "",
        waiting=visible.exact_verdict and verdict is not None and bool(verdict.waiting_for),
        bypassed=node.bypassed,
        locked=bool(node.meta.get("locked", False)),
        badge=badge_of(verdict, visible, mistaken=mistaken),
        colour=colour if isinstance(colour, str) else None,
        inputs=input_ports(graph, node),
        outputs=output_ports(graph, node, layer),
        faulty_inputs=_places(graph, node.id, errors),
    )


def bare_face(
    graph: Graph, node: Node, verdict: NodeVerdict | None, visible: Visibility, *, mistaken: bool = False
) -> NodeFace:
    """What a node shows from afar: its name, family, ports and mark; words about shapes come later."""
    entry = find(node.type)
    colour = node.meta.get("colour")
    return NodeFace(
        name=node.name,
        type=node.type,
        family="io" if entry is None else entry.family,
        label="",
        label_inferred=False,
        output="",
        output_italic=False,
        count="",
        waiting=visible.exact_verdict and verdict is not None and bool(verdict.waiting_for),
        bypassed=node.bypassed,
        locked=bool(node.meta.get("locked", False)),
        badge=badge_of(verdict, visible, mistaken=mistaken),
        colour=colour if isinstance(colour, str) else None,
        inputs=input_ports(graph, node),
        outputs=output_ports(graph, node, None if verdict is None else verdict.layer),
        faulty_inputs=frozenset(),
    )


def bare_wire(target: NodeVerdict | None) -> WireFace | None:
    """What a wire shows from afar; None where it may be wrong, which has to be told at once."""
    return None if target is not None and target.problems else _BARE_WIRE


def wire_face(
    graph: Graph, connection: Connection, nodes: Mapping[str, NodeVerdict] | None, visible: Visibility
) -> WireFace:
    """What a wire shows; `nodes` is None where the exact verdict may not be used."""
    if nodes is None:
        return WireFace("", True, "", False)
    fault, faulty = _fault(graph, connection, nodes.get(connection.target), visible)
    if not visible.shapes:
        return WireFace("", True, fault, faulty)
    value = carried(connection, nodes.get(connection.source))
    if value is None:
        return WireFace("?", False, fault, faulty)
    return WireFace(value_text(value), True, fault, faulty, value)


def carried(connection: Connection, source: NodeVerdict | None) -> Value | None:
    """The tensor (or tuple of tensors) on a wire; None if it is not known."""
    if source is None or source.value is None:
        return None
    return select(source.layer, source.value, connection.source_port)


def _tip(value: Value) -> str:
    wires = list(_flat(value))
    dtypes = ", ".join(dict.fromkeys(w.dtype for w in wires))
    return f"{value_text(value)} · {dtypes} · {bytes_text(sum(int(w.bytes) for w in wires))}"


def _flat(value: Value) -> Iterable[Wire]:
    if isinstance(value, Wire):
        yield value
    else:
        for part in value:
            yield from _flat(part)


def badge_of(verdict: NodeVerdict | None, visible: Visibility, *, mistaken: bool) -> Severity | None:
    """The mark of a node: an error, else a mistake; None where there is neither or it may not be told."""
    if verdict is None or not visible.exact_verdict:
        return None
    if any(p.severity is Severity.ERROR for p in verdict.problems):
        return Severity.ERROR
    return Severity.MISTAKE if mistaken else None


def _faulty_wires(graph: Graph, node_id: str, verdict: NodeVerdict | None, visible: Visibility) -> dict[str, Problem]:
    """The wires into a node that carry what it refuses, each with its first problem."""
    if verdict is None or not visible.exact_verdict or not verdict.problems:
        return {}
    if graph.incoming_count(node_id) > MOST_MARKED:
        return {}  # each wire asks for all of them; the layer's badge says enough
    ordered = input_order(find(graph.node(node_id).type), graph.incoming(node_id))
    found: dict[str, Problem] = {}
    for p in verdict.problems:
        if p.severity is Severity.ERROR and p.port is not None and p.port < len(ordered):
            found.setdefault(ordered[p.port].id, p)
    return found


def _places(graph: Graph, node_id: str, wires: Mapping[str, Problem]) -> frozenset[int]:
    places = input_places(graph, node_id) if wires else {}
    return frozenset(places[w] for w in wires)


def _output_text(graph: Graph, verdict: NodeVerdict | None, visible: Visibility) -> tuple[str, bool]:
    """The output shape, or why there is none (in italics)."""
    if verdict is None or not visible.shapes:
        return "", False
    if verdict.value is not None:
        return value_text(verdict.value), False
    if verdict.waiting_for and visible.exact_verdict:
        names = [graph.node(n).name for n in verdict.waiting_for if n in graph]
        more = f" +{len(names) - 1}" if len(names) > 1 else ""
        told = said("waiting for {layers}").format(layers=f"{names[0]}{more}") if names else said(UNKNOWN)
        return told, bool(names)
    return said(UNKNOWN), False


def _label(node: Node, entry: type[Layer] | None, layer: Layer | None) -> str:
    if entry is None:
        return ""
    if layer is None:
        try:
            layer = entry.from_params(node.params)
        except Refused:
            return ""  # the problem is listed where it belongs; the node only has nothing to tell
    return layer.label_as(said(layer.telling)) if layer.telling else ""


def _label_inferred(node: Node, entry: type[Layer] | None, verdict: NodeVerdict | None) -> bool:
    """Whether a size in the label was set by the wire and not by a person."""
    if entry is None:
        return False
    told = {name.split(".")[0] for _, name, _, _ in Formatter().parse(entry.telling) if name}
    inferred = {*node.inferred, *(() if verdict is None else verdict.inferred)}
    return any(key in inferred and field.name in told for key, field in entry.keys.items())


def _fault(graph: Graph, connection: Connection, target: NodeVerdict | None, visible: Visibility) -> tuple[str, bool]:
    """`carries 28 · needs 32`, and whether the wire is wrong at all."""
    problem = _faulty_wires(graph, connection.target, target, visible).get(connection.id)
    if problem is None:
        return "", False
    gets, needs = problem.facts.get("gets"), problem.facts.get("needs")
    if gets is None or needs is None:
        return "", True
    return said("carries {gets} · needs {needs}").format(gets=_fact(gets), needs=_fact(needs)), True


def _fact(value: object) -> str:
    if isinstance(value, Wire):
        return value.text()
    return f"{int(value):,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
