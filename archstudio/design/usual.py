"""What usually stands behind and before a layer: the order in which suggestions are made, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NEXT: Mapping[str, Sequence[str]] = {
    "io": ("conv2d", "embedding", "linear", "lstm", "patchEmbed", "conv1d", "conv3d", "layerNorm"),
    "dense": ("relu", "gelu", "linear", "dropout", "layerNorm", "add", "output", "softmax"),
    "conv": ("batchNorm2d", "batchNorm1d", "batchNorm3d", "relu", "maxPool2d", "conv2d", "add", "globalAvgPool2d"),
    "norm": ("relu", "gelu", "silu", "multiHeadAttention", "feedForward", "linear", "conv2d", "maxPool2d", "dropout"),
    "activation": ("conv2d", "linear", "maxPool2d", "dropout", "conv1d", "globalAvgPool2d", "output", "add"),
    "attention": ("add", "layerNorm", "feedForward", "linear", "dropout", "multiHeadAttention", "transformerBlock"),
    "embedding": (
        "learnedPositionalEmbedding", "positionalEncoding", "transformerBlock", "multiHeadAttention", "layerNorm",
        "lstm", "dropout", "linear",
    ),
    "pool": ("flatten", "conv2d", "linear", "conv1d", "dropout", "batchNorm2d", "relu"),
    "shape": ("linear", "conv2d", "multiHeadAttention", "layerNorm", "relu", "add", "transpose"),
    "merge": ("relu", "layerNorm", "batchNorm2d", "conv2d", "linear", "multiHeadAttention", "output"),
    "recurrent": ("linear", "dropout", "layerNorm", "lstm", "select", "multiHeadAttention", "output"),
    "loss": ("output",),
}  # fmt: skip
"""Types that usually follow a layer of a family, the most usual first."""

AFTER_TYPE: Mapping[str, Sequence[str]] = {
    "flatten": ("linear", "dropout", "batchNorm1d"),
    "globalAvgPool2d": ("linear", "dropout"),
    "globalAvgPool1d": ("linear", "dropout"),
    "feedForward": ("add", "dropout", "layerNorm"),
    "linear": ("relu", "gelu", "dropout", "linear", "output"),
    "dropout": ("linear", "conv2d", "add", "output"),
    "layerNorm": ("multiHeadAttention", "feedForward", "linear", "transformerBlock"),
    "transformerBlock": ("transformerBlock", "layerNorm", "linear", "globalAvgPool1d"),
    "add": ("relu", "layerNorm", "conv2d", "output"),
    "softmax": ("output",),
}
"""The same for types that differ from their family."""

PREVIOUS: Mapping[str, Sequence[str]] = {
    "io": ("linear", "softmax", "conv2d", "layerNorm"),
    "dense": ("flatten", "relu", "globalAvgPool2d", "dropout", "layerNorm", "linear", "gelu"),
    "conv": ("relu", "input", "maxPool2d", "batchNorm2d", "conv2d", "upsample"),
    "norm": ("conv2d", "linear", "add", "multiHeadAttention", "embedding"),
    "activation": ("batchNorm2d", "conv2d", "linear", "add", "layerNorm"),
    "attention": ("layerNorm", "learnedPositionalEmbedding", "embedding", "transformerBlock", "add"),
    "embedding": ("input", "embedding"),
    "pool": ("relu", "conv2d", "batchNorm2d", "add"),
    "shape": ("conv2d", "maxPool2d", "linear", "multiHeadAttention"),
    "merge": ("conv2d", "linear", "multiHeadAttention", "batchNorm2d", "input"),
    "recurrent": ("embedding", "input", "linear", "lstm"),
    "loss": ("linear", "input", "logSoftmax"),
}
"""Types that usually stand before a layer of a family."""
