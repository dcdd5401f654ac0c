"""The layer types Arch-Bench's rubric knows, grouped by what it reads of them."""

from typing import Final

CONVOLUTIONS: Final = frozenset({"conv1d", "conv2d", "conv3d"})
FULL_ATTENTION: Final = frozenset({"multiHeadAttention", "attention", "selfAttention", "causalAttention"})
ATTENTION_LIKE: Final = FULL_ATTENTION | {"groupedQueryAttention", "transformerBlock", "mla", "mixtureOfExperts"}
WITH_HEADS: Final = ATTENTION_LIKE - {"mixtureOfExperts"}
NONLINEARITIES: Final = frozenset({"relu", "gelu", "silu", "tanh", "sigmoid", "leakyRelu", "elu", "mish", "swish"})
NORMS: Final = frozenset({"batchNorm1d", "batchNorm2d", "layerNorm", "groupNorm", "rmsNorm", "instanceNorm2d"})
PASSES_WIDTH: Final = NONLINEARITIES | NORMS | {"dropout", "softmax", "residual", "output", "concatenate"}
WEIGHTED: Final = CONVOLUTIONS | {"linear", "embedding", "multiHeadAttention", "attention", "transformerBlock"}
MODEL_WIDTH: Final = ("embedDim", "hiddenDim", "dModel")
