"""Bottlenecks (codes out of a learned book, the noisy one of an autoencoder), and the heads of policies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.families.attention_grouped import linear_weights
from archstudio.layers.families.dense import LINEAR_IN
from archstudio.layers.families.feedforward import feature_wire
from archstudio.layers.fields import MOST_REPEATED, size
from archstudio.layers.wire import Value, Wire


class OfFeatures(Layer):
    """What works on the last axis alone: (*, in_features)."""

    in_features: int = size(from_axis=-1, at_least=1, aliases=("inputDim", "embedDim", "stateDim"), help="Features in.")

    def features(self, x: Wire) -> Wire:
        """The input, refused if it is not float32 of the right width."""
        x.require_rank_at_least(1)
        x.require_size(-1, self.in_features, set_by="inFeatures", what="features", kind=LINEAR_IN)
        return x.require_float32()

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 5)
        return Example({"inFeatures": width, **cls.more(random)}, (feature_wire(random, width),))

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        """Further parameters to try with."""
        return {}


class Quantizer(Layer):
    """The nearest codes of learned books, and which they are."""

    new_params: ClassVar = {"numCodes": 512}
    telling = "{num_codes} codes × {code_dim}"
    output_ports: ClassVar[Ports] = {"output": (0,), "indices": (1,)}

    num_codes: int = size(at_least=1, aliases=("numEmbeddings", "codebookSize"), help="Codes in a book.")
    code_dim: int = size(from_axis=-1, at_least=1, aliases=("embeddingDim", "dim"), help="Width of a code.")

    def quantised(self, x: Wire, chosen: Sequence[int]) -> Value:
        """The codes in the shape of what came in, and their indices in this one."""
        x.require_rank_at_least(1)
        x.require_size(-1, self.code_dim, set_by="codeDim", what="features", kind=LINEAR_IN)
        return x.require_float32().with_shape(x.shape), Wire.of(chosen, "int64")

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return inputs[0].elements * self.num_codes

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """An estimate: the indices, and the input for the distances."""
        yield Saved.input()
        yield Saved.output(1)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("", 0, axis) if output.dtype == "float32" else None

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 5)
        params = {"numCodes": random.randint(1, 6), "codeDim": width}
        if "num_quantizers" in cls.fields and samples.sometimes(random, 0.6):
            params["numQuantizers"] = random.randint(1, 3)
        return Example(params, (feature_wire(random, width),))


@layer("vectorQuantizer", family="embedding", torch="blocks.VectorQuantizer", aliases=("vq",))
class VectorQuantizer(Quantizer):
    """The nearest of K learned codes, with the gradient passed straight through; and which code it was.

    Shape: (*, D) -> (*, D) and indices (*).    argmin over k of |x − eₖ|²    [VQ-VAE, arXiv 1711.00937]
    """

    def forward(self, x: Wire) -> Value:
        return self.quantised(x, x.shape[:-1])

    def parameters(self) -> Iterator[Parameter]:
        yield Parameter("codebook", (self.num_codes, self.code_dim))


@layer("residualVQ", family="embedding", torch="blocks.ResidualVQ", aliases=("rvq", "residualVectorQuantizer"))
class ResidualVq(Quantizer):
    """Codes of codes: each book quantises what the ones before left over.

    Shape: (*, D) -> (*, D) and indices (*, quantizers).    [SoundStream, arXiv 2107.03312]
    """

    num_quantizers: int = size(4, at_least=1, at_most=MOST_REPEATED, torch_default=None, help="Books, one by one.")

    def forward(self, x: Wire) -> Value:
        return self.quantised(x, (*x.shape[:-1], self.num_quantizers))

    def parameters(self) -> Iterator[Parameter]:
        for k in range(self.num_quantizers):
            yield Parameter(f"books.{k}.codebook", (self.num_codes, self.code_dim))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return super().macs(inputs, output) * self.num_quantizers


@layer("vaeBottleneck", family="dense", torch="blocks.VAEBottleneck", aliases=("reparameterize",))
class VaeBottleneck(OfFeatures):
    """Mean and log variance from one linear layer each, and while training a sample of that distribution.

    Shape: (*, in) -> sample, mean and log variance, each (*, latent).    μ + ε·exp(½·log σ²)    [arXiv 1312.6114]
    """

    new_params = {"latentDim": 32}
    telling = "{in_features}→{latent_dim}"
    output_ports: ClassVar[Ports] = {"output": (0,), "mean": (1,), "log_var": (2,)}

    latent_dim: int = size(at_least=1, aliases=("latent", "zDim", "outFeatures"), help="Width of the latent.")

    def forward(self, x: Wire) -> Value:
        out = self.features(x).with_last(self.latent_dim)
        return out, out, out

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("mean", self.in_features, self.latent_dim, True)
        yield from linear_weights("log_var", self.in_features, self.latent_dim, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return 2 * product(inputs[0].shape) * self.latent_dim

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("latentDim") if axis == -1 else Step("", 0, axis)

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        return {"latentDim": random.randint(1, 4)}


ACTIONS = ("actionDim", "actions", "numOutputs", "outFeatures")
"""Keys under which files give the number of actions."""


@layer("actorHead", family="dense", torch="blocks.ActorHead", aliases=("dqnHead", "policyHead", "qHead"))
class ActorHead(OfFeatures):
    """One output for every action: its value (DQN) or its logit (a policy).

    Shape: (*, in_features) -> (*, actions).    y = W·x + b
    """

    new_params = {"numActions": 4}
    telling = "{in_features}→{num_actions} actions"

    num_actions: int = size(at_least=1, aliases=ACTIONS, help="Number of actions.")

    def forward(self, x: Wire) -> Wire:
        return self.features(x).with_last(self.num_actions)

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("actions", self.in_features, self.num_actions, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape) * self.num_actions

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("numActions") if axis == -1 else Step("", 0, axis)

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        return {"numActions": random.randint(1, 4)}


@layer("criticHead", family="dense", torch="blocks.CriticHead", aliases=("valueHead",))
class CriticHead(OfFeatures):
    """One value for every state.

    Shape: (*, in_features) -> (*, 1).    v = w·x + b
    """

    telling = "{in_features}→1"

    def forward(self, x: Wire) -> Wire:
        return self.features(x).with_last(1)

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("value", self.in_features, 1, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        return product(inputs[0].shape)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None if axis == -1 else Step("", 0, axis)


class TwoHidden(OfFeatures):
    """A network with two hidden layers and tanh, the usual one of actor–critic methods."""

    hidden_dim: int = size(64, at_least=1, aliases=("hiddenSize", "hidden"), help="Width of the hidden layers.")

    @property
    def outputs(self) -> int:
        """How many numbers come out for each state."""
        return 1

    def forward(self, x: Wire) -> Wire:
        return self.features(x).with_last(self.outputs)

    def parameters(self) -> Iterator[Parameter]:
        yield from linear_weights("first", self.in_features, self.hidden_dim, True)
        yield from linear_weights("second", self.hidden_dim, self.hidden_dim, True)
        yield from linear_weights("head", self.hidden_dim, self.outputs, True)

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        rows = product(inputs[0].shape[:-1])
        return rows * self.hidden_dim * (self.in_features + self.hidden_dim + self.outputs)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield Saved.own(2 * product(inputs[0].shape[:-1]) * self.hidden_dim)

    @classmethod
    def more(cls, random: Random) -> dict[str, Any]:
        hidden = {"hiddenDim": random.randint(1, 5)} if samples.sometimes(random, 0.7) else {}
        return hidden | ({"numActions": random.randint(1, 4)} if "num_actions" in cls.fields else {})


@layer("policyNetwork", family="dense", torch="blocks.PolicyNetwork")
class PolicyNetwork(TwoHidden):
    """Two hidden layers with tanh, and one output for every action.

    Shape: (*, in_features) -> (*, actions).    W₃·tanh(W₂·tanh(W₁·x))    [arXiv 1707.06347]
    """

    new_params = {"numActions": 4}
    telling = "{in_features}→{num_actions} actions"

    num_actions: int = size(at_least=1, aliases=ACTIONS, help="Number of actions.")

    @property
    def outputs(self) -> int:
        return self.num_actions

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("numActions") if axis == -1 else Step("", 0, axis)


@layer("valueNetwork", family="dense", torch="blocks.ValueNetwork")
class ValueNetwork(TwoHidden):
    """Two hidden layers with tanh, and one value for every state.

    Shape: (*, in_features) -> (*, 1).    w₃·tanh(W₂·tanh(W₁·x))    [arXiv 1707.06347]
    """

    telling = "{in_features}→1"

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return None if axis == -1 else Step("", 0, axis)
