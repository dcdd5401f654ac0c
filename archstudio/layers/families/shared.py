"""Layers that use the weights of another node, which count once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from archstudio.layers.base import Example, Layer, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.fields import node
from archstudio.layers.problem import ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

NO_TARGET = ProblemKind(
    "E-SHARED",
    error,
    "{node} uses the weights of {target}, which is not there",
    "The layer names another node of the graph whose module it calls again.",
)
NO_MATRIX = ProblemKind(
    "E-SHARED-WEIGHT",
    error,
    "{node} needs a weight matrix, {target} has none",
    "A tied linear layer multiplies by the table of an embedding or the matrix of a linear layer.",
)


class Shared(Layer):
    """A layer whose `node` names the one that owns the weights; `target` is that layer, bound by the verifier.

    In `call_code` the module is that of the target.
    """

    telling = "= {node}"

    node: str = node(aliases=("ref", "tie", "tiedTo", "sharedWith"), help="The node whose weights are used.")

    def owner(self) -> Layer:
        """The layer that owns the weights; Refused if the node is not there."""
        if self.target is None:
            raise Refused(NO_TARGET, param="node", target=self.node)
        return self.target


@layer("sharedModule", family="dense", torch_ops=("Ref",), aliases=("ref", "sharedWeights", "reuse"))
class SharedModule(Shared):
    """Call the module of another node again, with the same weights.

    Shape: as that module.    [weight sharing, as in Siamese networks]
    """

    inputs = ("input",)
    variadic = True
    takes_tuples = True

    def accept(self, inputs: Sequence[Value]) -> tuple[Wire, ...]:
        return self.owner().accept(inputs)

    def forward(self, *wires: Wire) -> Value:
        return self.owner().forward(*wires)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return self.owner().macs(inputs, output)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        return self.owner().saved(inputs, output)

    def output_names(self) -> Ports:
        names: Mapping[str, tuple[int, ...]] = {"output": ()}
        return names if self.target is None else self.target.output_names()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return self.owner().trace(axis, inputs, output)

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        return self.owner().shape_formula(inputs, output)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return self.owner().call_code(module, inputs)

    @classmethod
    def example(cls, random: Random) -> Example:
        raise NotImplementedError("a shared module needs another node; its tests are graphs")


@layer("tiedLinear", family="dense", torch_ops=("TiedLinear",), aliases=("tiedLmHead", "tiedHead"))
class TiedLinear(Shared):
    """Multiply the last axis by the weight matrix of another node, such as the table of the embedding.

    Shape: (*, columns) -> (*, rows) of that matrix.    y = x·Wᵀ    [arXiv 1608.05859]
    """

    def matrix(self) -> tuple[int, int]:
        """Rows and columns of the weight."""
        for parameter in self.owner().parameters():
            if parameter.name == "weight" and len(parameter.shape) == 2:
                rows, columns = parameter.shape
                return rows, columns
        raise Refused(NO_MATRIX, param="node", target=self.node)

    def forward(self, x: Wire) -> Wire:
        rows, columns = self.matrix()
        if x.rank == 0:
            x.require_rank(1)
        x.require_size(-1, columns, set_by="node", what="features", kind=LINEAR_IN)
        return x.require_float32().with_last(rows)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.matrix()[0]

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step(f"rows of {self.node}") if axis == -1 else Step("", 0, axis)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        return f"F.linear({inputs[0]}, {module}.weight)"

    @classmethod
    def example(cls, random: Random) -> Example:
        raise NotImplementedError("a tied linear layer needs another node; its tests are graphs")
