"""Linear layers at the seams of a network: to a vocabulary, and between widths."""

from __future__ import annotations

from random import Random

from archstudio.layers import samples
from archstudio.layers.base import Example
from archstudio.layers.catalogue import layer
from archstudio.layers.families.dense import Linear
from archstudio.layers.families.feedforward import feature_wire
from archstudio.layers.fields import flag, size


class Projection(Linear):
    """A linear layer under a name of its own."""

    def construct_code(self) -> str | None:
        return f"nn.Linear({', '.join(self._code_arguments())})"

    @classmethod
    def example(cls, random: Random) -> Example:
        width = random.randint(1, 6)
        params = {"inFeatures": width, cls.fields["out_features"].json: random.randint(1, 6)}
        if samples.sometimes(random, 0.3):
            params["bias"] = random.random() < 0.5
        return Example(params, (feature_wire(random, width),))


@layer("lmHead", family="dense", aliases=("languageModelHead",))
class LmHead(Projection):
    """Score every word of the vocabulary for each token, without a bias.

    Shape: (*, C) -> (*, vocabulary).    y = x·Wᵀ    [GPT-2]
    """

    new_params = {"vocabSize": 50257}

    in_features: int = size(
        from_axis=-1, at_least=0, aliases=("embedDim", "dModel", "hiddenDim"), help="Width of the tokens."
    )
    out_features: int = size(
        at_least=0, json="vocabSize", aliases=("outFeatures", "numEmbeddings"), help="Words of the vocabulary."
    )
    bias: bool = flag(False, torch_default=True, help="Add a learned offset.")


@layer("projection", family="dense", aliases=("proj",))
class PlainProjection(Projection):
    """Bring features to another width.

    Shape: (*, C) -> (*, out_dim).    y = x·Wᵀ + b    [torch.nn.Linear]
    """

    in_features: int = size(from_axis=-1, at_least=0, aliases=("inDim",), help="Size of the last axis coming in.")
    out_features: int = size(
        256, at_least=0, json="outDim", torch_default=None, help="Size of the last axis going out."
    )
