"""A graph as lines of a program: for each node what makes it, what runs it, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer, Problem, Value, find
from archstudio.torchcode.expressions import blocks_used, checked
from archstudio.torchcode.inline import all_blocks
from archstudio.torchcode.lenient import Unwritable, as_written, call_of
from archstudio.torchcode.names import Names
from archstudio.verify.order import named_node, names_nodes
from archstudio.verify.ports import input_order
from archstudio.verify.verdict import Verdict


class GraphHasErrors(ValueError):
    """No program can be written for this graph: PyTorch would refuse it, or it computes nothing."""

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Line:
    """One node: `construct` makes its module (None: it has none), `call` gives its result.

    `result` is how later lines (and the return) read it: its variable, or what an output node passes on.
    `refusal` says why it cannot be called; then `call` is empty (and `construct` too, if that cannot be written).
    """

    node: Node
    name: str
    construct: str | None
    call: str
    result: str
    value: Value | None
    sources: tuple[str, ...] = ()
    refusal: Unwritable | None = None


@dataclass(frozen=True)
class Program:
    """All lines in an order in which they run; `inputs` and `outputs` are ids of nodes, in file order."""

    title: str
    lines: tuple[Line, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    blocks: frozenset[str]

    @cached_property
    def by_node(self) -> Mapping[str, Line]:
        """The line of each node, by its id; nodes in loops have none."""
        return {line.node.id: line for line in self.lines}


def program_of(graph: Graph, verdict: Verdict, *, even_if_wrong: bool = False) -> Program:
    """The program of a graph; GraphHasErrors with the problems unless it runs (or `even_if_wrong`)."""
    if not even_if_wrong:
        require_runnable(graph, verdict)
    return _Writer(graph, verdict).program()


def require_runnable(graph: Graph, verdict: Verdict) -> None:
    """Raise GraphHasErrors, naming the nodes at fault, unless the graph runs and returns something."""
    if verdict.errors:
        named = [p.title(graph.node(p.node).name) for p in verdict.errors[:5]]
        more = f" (and {len(verdict.errors) - 5} more)" if len(verdict.errors) > 5 else ""
        raise GraphHasErrors(f"PyTorch would refuse this network: {'; '.join(named)}{more}", verdict.errors)
    unknown = [graph.node(n).name for n in graph.node_ids if verdict.nodes[n].value is None]
    if unknown:
        raise GraphHasErrors(f"nothing is known of what comes out of {', '.join(unknown)}")
    if not result_nodes(graph):
        raise GraphHasErrors("the network returns nothing: it has no layers")


def input_nodes(graph: Graph) -> tuple[str, ...]:
    """Ids of the nodes that the model's arguments stand for, in file order."""
    return tuple(n.id for n in graph.nodes if _is(n, "input"))


def result_nodes(graph: Graph) -> tuple[str, ...]:
    """Ids of the nodes whose values the model returns: its outputs, or without any all that lead nowhere."""
    outputs = tuple(n.id for n in graph.nodes if _is(n, "output"))
    return outputs or tuple(n.id for n in graph.nodes if not graph.outgoing(n.id) and not _is(n, "input"))


def _is(node: Node, type_name: str) -> bool:
    entry = find(node.type)
    return entry is not None and entry.type == type_name


def port_path(layer: Layer | None, port: str | None) -> tuple[int, ...]:
    """Where a port's tensor stands in what its layer returns; () for the whole."""
    if port is None or layer is None:
        return ()
    return layer.output_names()[port]


class _Writer:
    """Gathers the lines of one graph."""

    def __init__(self, graph: Graph, verdict: Verdict) -> None:
        self._graph, self._verdict = graph, verdict
        names = Names(taken=all_blocks())
        self._names: Mapping[str, str] = {n.id: names.take(n.name, n.type) for n in graph.nodes}
        self._results: dict[str, str] = {}
        self._modules: dict[str, str] = {}
        self._blocks: set[str] = set()

    def program(self) -> Program:
        graph = self._graph
        lines = tuple(self._line(graph.node(n)) for n in self._verdict.order)
        return Program(graph.name, lines, input_nodes(graph), result_nodes(graph), frozenset(self._blocks))

    def _line(self, node: Node) -> Line:
        name = self._names[node.id]
        wires = input_order(find(node.type), self._graph.incoming(node.id))
        sources = tuple(c.source for c in wires)
        construct = None
        try:
            layer = self._layer(node)
            construct = None if layer is None else self._construct(node, layer)
            call = self._call(node, layer, [self._expression(c) for c in wires])
        except Unwritable as refusal:
            return Line(node, name, construct, "", "", None, sources, refusal)
        result = self._results[node.id] = call if _is(node, "output") else name
        return Line(node, name, construct, call, result, self._verdict.nodes[node.id].value, sources)

    def _expression(self, connection: Connection) -> str:
        layer = self._verdict.nodes[connection.source].layer
        if connection.source not in self._results:
            raise Unwritable("a layer before it cannot be called", "forward")
        name = self._results[connection.source]
        try:
            path = port_path(layer, connection.source_port)
        except KeyError:
            raise Unwritable(f"{connection.source_port!r} is no output of the layer it reads", "forward") from None
        return name + "".join(f"[{step}]" for step in path)

    def _construct(self, node: Node, layer: Layer) -> str | None:
        code = layer.construct_code()
        if code is not None:
            self._blocks |= blocks_used(checked(code, frozenset()))
        shares = code is None and layer.target is not None
        self._modules[node.id] = self._modules[self._target_id(node)] if shares else f"self.{self._names[node.id]}"
        return code

    def _call(self, node: Node, layer: Layer | None, inputs: Sequence[str]) -> str:
        if layer is None:
            return inputs[0] if inputs else self._names[node.id]
        code = call_of(layer, self._modules[node.id], inputs)
        variables = frozenset({"self", *(expression.split("[")[0] for expression in inputs)})
        self._blocks |= blocks_used(checked(code, variables))
        return code

    def _layer(self, node: Node) -> Layer | None:
        """The layer of a node; None for an input, and for one that passes its input on."""
        wires = input_order(find(node.type), self._graph.incoming(node.id))
        if _is(node, "input") or (node.bypassed and wires):
            return None
        known = self._verdict.nodes[node.id]
        if known.state == "ok" and known.layer is not None:
            return known.layer
        entry = find(node.type)
        if entry is None:
            raise Unwritable(f"no layer is called {node.type!r}")
        target = self._verdict.nodes[self._target_id(node)].layer if names_nodes(entry) else None
        return as_written(entry, node.params, [self._verdict.carried(c.id) for c in wires], target=target)

    def _target_id(self, node: Node) -> str:
        name = named_node(node)
        target = None if name is None else self._graph.named(name)
        if target is None or target.id not in self._modules:
            raise Unwritable(f"{name!r}, whose weights it shares, is no layer before it")
        return target.id
