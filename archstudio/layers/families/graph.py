"""Layers over the nodes of a graph (molecules, meshes, social networks), with a dense adjacency matrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention_grouped import linear_weights
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.fields import flag, size
from archstudio.layers.heads import require_heads
from archstudio.layers.problem import EMPTY, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

ADJACENCY = ProblemKind(
    "E-ADJACENCY",
    error,
    "{node} needs edges of shape {needs}, the wire carries {gets}",
    "A dense adjacency matrix has a row and a column for every node: entry (i, j) weighs what i hears from j.",
)


class DenseGraph(Layer):
    """Node features (B, N, C) or (N, C), and edges (B, N, N) or (N, N)."""

    inputs = ("nodes", "adjacency")
    telling = "{in_features}→{out_features}"
    new_params: ClassVar = {"outFeatures": 64}

    in_features: int = size(from_axis=-1, at_least=1, aliases=("inChannels",), help="Features of a node coming in.")
    out_features: int = size(at_least=1, aliases=("outChannels",), help="Features of a node going out.")

    def forward(self, nodes: Wire, adjacency: Wire) -> Wire:
        nodes.require_rank(2, 3)
        needs = (*nodes.shape[:-1], nodes.shape[-2])
        if adjacency.shape != needs:
            raise Refused(ADJACENCY, port=1, needs=_text(needs), gets=_text(adjacency.shape))
        adjacency.require_float32(1)
        nodes.require_size(-1, self.in_features, set_by="inFeatures", what="features", kind=LINEAR_IN)
        return nodes.require_float32().with_last(self.out_features)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("outFeatures") if axis == -1 else Step("", 0, axis)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: what comes in, and one result of every product."""
        yield Saved.input(0)
        yield Saved.input(1)
        yield Saved.own(product(inputs[0].shape[:-1]) * self.out_features)

    @classmethod
    def example(cls, random: Random) -> Example:
        count, width = random.randint(1, 5), random.randint(1, 4)
        batch = [random.randint(1, 3)] if samples.sometimes(random, 0.6) else []
        nodes, edges = [*batch, count, width], [*batch, count, count]
        if samples.sometimes(random, 0.25):
            wrong = random.choice((nodes, edges))
            wrong[random.randrange(len(wrong))] += 1
        wires = tuple(samples.wire(random, shape, samples.dtype(random, 0.04)) for shape in (nodes, edges))
        return Example({"inFeatures": width, "outFeatures": random.randint(1, 5), **cls.more(random)}, wires)

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        """Further parameters to try with."""
        return {"bias": False} if "bias" in cls.fields and samples.sometimes(random, 0.3) else {}


def _text(shape: Sequence[int]) -> str:
    return "×".join(str(int(d)) for d in shape) or "scalar"


def _pairs(nodes: Wire) -> int:
    """Entries of the adjacency matrix."""
    return product(nodes.shape[:-1]) * nodes.shape[-2]


@layer("gcn", family="dense", torch="blocks.GCNConv", aliases=("gcnConv", "graphConvolution"))
class Gcn(DenseGraph):
    """Average every node with its neighbours, weighted by both degrees, and multiply by a matrix.

    Shape: (B, N, in), (B, N, N) -> (B, N, out).    D^(−½)·(A + I)·D^(−½)·X·W + b    [arXiv 1609.02907]
    """

    bias: bool = flag(True, help="Add a learned offset.")

    def parameters(self) -> Iterator[Parameter]:
        if self.bias:
            yield Parameter("bias", (self.out_features,))
        yield from linear_weights("linear", self.in_features, self.out_features, False)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.out_features + _pairs(inputs[0]) * self.out_features


@layer("graphConv", family="dense", torch="blocks.GraphConv")
class GraphConv(DenseGraph):
    """A node's own features through one matrix, the sum of its neighbours' through another.

    Shape: (B, N, in), (B, N, N) -> (B, N, out).    X·W₁ + A·X·W₂ + b    [arXiv 1810.02244]
    """

    bias: bool = flag(True, help="Add a learned offset.")

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("neighbours", self.in_features, self.out_features, self.bias)
        yield from linear_weights("own", self.in_features, self.out_features, False)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return 2 * product(inputs[0].shape) * self.out_features + _pairs(inputs[0]) * self.in_features


@layer("graphSAGE", family="dense", torch="blocks.GraphSAGE", aliases=("sageConv",))
class GraphSage(GraphConv):
    """A node's own features through one matrix, the mean of its neighbours' through another.

    Shape: (B, N, in), (B, N, N) -> (B, N, out).    X·W₁ + mean(A·X)·W₂ + b    [arXiv 1706.02216]
    """


@layer("gin", family="dense", torch="blocks.GINConv", aliases=("ginConv",))
class Gin(DenseGraph):
    """A two-layer network of a node's features plus the sum of its neighbours'.

    Shape: (B, N, in), (B, N, N) -> (B, N, out).    MLP((1 + ε)·X + A·X), ε learned    [arXiv 1810.00826]
    """

    hidden_features: int | None = size(None, optional=True, at_least=1, help="Inner width; null is outFeatures.")

    @property
    def hidden(self) -> int:
        """Width between the two layers."""
        return self.out_features if self.hidden_features is None else self.hidden_features

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("eps", (1,))
        yield from linear_weights("up", self.in_features, self.hidden, True)
        yield from linear_weights("down", self.hidden, self.out_features, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        nodes = product(inputs[0].shape[:-1])
        return _pairs(inputs[0]) * self.in_features + nodes * self.hidden * (self.in_features + self.out_features)

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        return {"hiddenFeatures": random.randint(1, 6)} if samples.sometimes(random, 0.5) else {}


@layer("graphAttention", family="attention", torch="blocks.GATConv", aliases=("gat", "gatConv"))
class GraphAttention(DenseGraph):
    """Attention over a node's neighbours and itself, by a learned score of both ends of an edge.

    Shape: (B, N, in), (B, N, N) -> (B, N, out), heads side by side.    [arXiv 1710.10903]
    """

    telling = "{in_features}→{out_features}, {num_heads} heads"

    num_heads: int = size(1, at_least=1, divides=("out_features",), aliases=("heads",), help="Heads side by side.")
    bias: bool = flag(True, help="Add a learned offset.")

    def check(self) -> None:
        require_heads(self.out_features, self.num_heads)

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("source", (self.num_heads, self.out_features // self.num_heads))
        yield Parameter("target", (self.num_heads, self.out_features // self.num_heads))
        if self.bias:
            yield Parameter("bias", (self.out_features,))
        yield from linear_weights("linear", self.in_features, self.out_features, False)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.out_features + _pairs(inputs[0]) * self.out_features

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        return super().more(random) | ({"numHeads": random.randint(1, 3)} if samples.sometimes(random, 0.6) else {})


@layer("edgeConv", family="dense", torch="blocks.EdgeConv")
class EdgeConv(DenseGraph):
    """The largest, over neighbours, of a layer that sees a node and its difference to the neighbour.

    Shape: (B, N, in), (B, N, N) -> (B, N, out).    max over j of relu(W·[xᵢ, xⱼ − xᵢ] + b)    [arXiv 1801.07829]
    """

    bias: bool = flag(True, help="Add a learned offset.")

    def forward(self, nodes: Wire, adjacency: Wire) -> Wire:
        out = super().forward(nodes, adjacency)
        if nodes.shape[-2] == 0:
            raise Refused(EMPTY, port=0, axis=-2, what="neighbour")
        return out

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("linear", 2 * self.in_features, self.out_features, self.bias)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return _pairs(inputs[0]) * 2 * self.in_features * self.out_features
