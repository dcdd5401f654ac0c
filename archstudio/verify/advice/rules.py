"""The rules themselves: each looks at the graph and what is known of its nodes, and yields remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from archstudio.graph import Graph, Node
from archstudio.graph.walks import reachable
from archstudio.layers import Problem, Wire, find
from archstudio.layers.families.dense import Linear
from archstudio.layers.problem import ProblemKind, Severity
from archstudio.verify.ports import input_order

if TYPE_CHECKING:
    from archstudio.verify.verdict import NodeVerdict

Nodes: TypeAlias = "Mapping[str, NodeVerdict]"
Rule: TypeAlias = Callable[[Graph, "Nodes"], Iterator[Problem]]

RULES: list[Rule] = []

DEAD_END = ProblemKind(
    "A-DEAD-END", Severity.ADVICE, "Nothing uses what {node} gives out",
    "A layer that leads to no output costs memory and learns nothing.",
)  # fmt: skip
NO_OUTPUT = ProblemKind(
    "A-NO-OUTPUT", Severity.ADVICE, "The graph has no output node",
    "Graders and exports read the result at nodes of the type output.",
)  # fmt: skip
SOFTMAX_LOSS = ProblemKind(
    "M-SOFTMAX-LOSS", Severity.MISTAKE, "{node} takes raw scores, but {source} has turned them into probabilities",
    "Cross-entropy applies log-softmax itself; a softmax before it flattens the gradient.",
)  # fmt: skip
SIGMOID_LOSS = ProblemKind(
    "M-SIGMOID-LOSS", Severity.MISTAKE, "{node} takes raw scores, but {source} has squashed them already",
    "Binary cross-entropy with logits applies the sigmoid itself.",
)  # fmt: skip
BIAS_BEFORE_NORM = ProblemKind(
    "A-BIAS-BEFORE-NORM", Severity.ADVICE, "The bias of {node} is cancelled by {norm}",
    "A normalisation over the batch subtracts the mean, and with it any constant offset of each channel.",
)  # fmt: skip
TWICE_ACTIVATED = ProblemKind(
    "A-TWICE-ACTIVATED", Severity.ADVICE, "{node} follows {source}, another activation",
    "Two activations in a row add little; often one of them was left over.",
)  # fmt: skip
COLLAPSES = ProblemKind(
    "A-COLLAPSES", Severity.ADVICE, "{node} follows {source} with nothing between, so both act as one",
    "Two linear maps in a row are one linear map; without an activation between them the second adds weights, not "
    "abilities. A narrow middle (a bottleneck) can be meant.",
)  # fmt: skip
BROADCAST = ProblemKind(
    "A-BROADCAST", Severity.ADVICE, "{node} stretches {small} to {large}",
    "The shapes differ and PyTorch broadcasts them; in a residual sum that is seldom meant.",
)  # fmt: skip
ONE_VALUE = ProblemKind(
    "A-ONE-VALUE", Severity.ADVICE, "In training, {node} needs more than one value a channel",
    "Batch normalisation divides by the variance over the batch; at this batch there is one value, and PyTorch "
    "refuses to train. It runs in evaluation.",
)  # fmt: skip

_ACTIVATIONS = frozenset({"relu", "gelu", "silu", "tanh", "sigmoid", "leakyRelu", "elu", "mish"})
_BATCH_NORMS = frozenset({"batchNorm", "batchNorm1d", "batchNorm2d", "batchNorm3d"})


def rule(function: Rule) -> Rule:
    """Enter a function into the rules."""
    RULES.append(function)
    return function


def _type(node: Node) -> str:
    entry = find(node.type)
    return node.type if entry is None else entry.type


def _family(node: Node) -> str:
    entry = find(node.type)
    return "" if entry is None else entry.family


def _at_work(graph: Graph) -> Iterator[Node]:
    """Nodes that are not bypassed."""
    return (node for node in graph.nodes if not node.bypassed)


def _sources(graph: Graph, node: Node) -> list[Node]:
    """The nodes that feed a node, in the order of its inputs, seen through bypassed ones."""
    return [_through(graph, c.source) for c in input_order(find(node.type), graph.incoming(node.id))]


def _through(graph: Graph, node_id: str) -> Node:
    seen: set[str] = set()
    while graph.node(node_id).bypassed and graph.incoming(node_id) and node_id not in seen:
        seen.add(node_id)
        node_id = graph.incoming(node_id)[0].source
    return graph.node(node_id)


@rule
def dead_ends(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Layers that lead to no output; one remark for each loose end, not for all before it."""
    outputs = [n.id for n in graph.nodes if _type(n) == "output"]
    if not outputs:
        if len(graph):
            yield Problem(NO_OUTPUT, "", "structure")
        return
    useful = reachable(graph, outputs, backwards=True)
    for node in graph.nodes:
        if node.id not in useful and not graph.outgoing(node.id) and _family(node) != "loss":
            yield Problem(DEAD_END, node.id, "structure")


@rule
def losses(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Losses on raw scores that get probabilities."""
    wrong = {
        "crossEntropyLoss": (SOFTMAX_LOSS, ("softmax", "logSoftmax")),
        "bceWithLogitsLoss": (SIGMOID_LOSS, ("sigmoid",)),
    }
    for node in _at_work(graph):
        kind, types = wrong.get(_type(node), (None, ()))
        if kind is None:
            continue
        for source in _sources(graph, node)[:1]:
            if _type(source) in types:
                yield Problem(kind, node.id, "forward", 0, facts={"source": source.name})


@rule
def biases_before_norms(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Convolutions and linear layers whose only follower is a batch norm."""
    for node in _at_work(graph):
        if _type(node) not in _BATCH_NORMS:
            continue
        for source in _sources(graph, node):
            alone = len(graph.outgoing(source.id)) == 1
            if (
                alone
                and _family(source) in ("conv", "dense")
                and getattr(nodes[source.id].layer, "bias", False) is True
            ):
                yield Problem(BIAS_BEFORE_NORM, source.id, "structure", facts={"norm": node.name})


@rule
def twice_activated(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Activations that follow an activation."""
    for node in _at_work(graph):
        if _type(node) in _ACTIVATIONS:
            for source in _sources(graph, node):
                if _type(source) in _ACTIVATIONS:
                    yield Problem(TWICE_ACTIVATED, node.id, "structure", 0, facts={"source": source.name})


@rule
def collapsing_layers(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Linear layers straight behind a linear layer that nothing else reads; bottlenecks are left alone."""
    for node in _at_work(graph):
        if _type(node) != "linear":
            continue
        for source in _sources(graph, node):
            first, second = nodes[source.id].layer, nodes[node.id].layer
            if not (isinstance(first, Linear) and isinstance(second, Linear)) or len(graph.outgoing(source.id)) > 1:
                continue
            known = not first.unbound and not second.unbound
            if known and first.out_features >= min(first.in_features, second.out_features):
                yield Problem(COLLAPSES, node.id, "structure", 0, facts={"source": source.name})


@rule
def broadcasts(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Sums of different shapes of three or more dimensions.

    Gates are products and are left alone, and so is what is the same for the whole batch (a table of positions).
    """
    for node in _at_work(graph):
        if _type(node) not in ("add", "residual"):
            continue
        wires = [nodes[s.id].value for s in _sources(graph, node)]
        shapes = [w for w in wires if isinstance(w, Wire) and w.rank >= 3]
        if len(shapes) == len(wires) > 1 and len({_for_one(w) for w in shapes}) > 1:
            small, large = sorted(shapes, key=lambda w: int(w.elements))[:: len(shapes) - 1]
            yield Problem(BROADCAST, node.id, "forward", facts={"small": small.text(), "large": large.text()})


def _for_one(wire: Wire) -> tuple[int, ...]:
    """A shape without its batch."""
    return wire.shape[1:]


@rule
def one_value_a_channel(graph: Graph, nodes: Nodes) -> Iterator[Problem]:
    """Batch norms that could not train at the present batch."""
    for node in _at_work(graph):
        if _type(node) in _BATCH_NORMS:
            value = nodes[node.id].value
            if isinstance(value, Wire) and value.rank >= 2 and int(value.elements) == int(value.shape[1]):
                yield Problem(ONE_VALUE, node.id, "forward")
