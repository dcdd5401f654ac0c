"""The frontier tier: experts, latent attention and KV-cache budgets of large models."""

from math import ceil, floor
from typing import Any

from archstudio.bench.facts import (
    EndsIn,
    Input,
    KvLimit,
    OnPath,
    OutputWidth,
    ParameterRange,
    Setting,
    SplitsIntoHeads,
)
from archstudio.bench.generate.chains import (
    add_after,
    attention,
    build,
    chain_graph,
    delete,
    embedding,
    estimate,
    grouped_attention,
    layer,
    linear,
    sink,
    source,
    stub,
)
from archstudio.bench.generate.core_edits import NO_REBUILD
from archstudio.bench.generate.task import (
    COMMON,
    EDITS_ONLY,
    GeneratedTask,
    Statement,
    least_layers,
    ours,
    required_types,
    told,
)
from archstudio.bench.mulberry import Mulberry32

SHARING = ("groupedQueryAttention", "mla")
WIDTH_NAMES = ("embedDim", "hiddenDim", "dModel")


def experts(draws: Mulberry32, name: str) -> GeneratedTask:
    """fmoe: attention and a mixture of experts, within 25 % of the canonical parameter count."""
    heads = draws.pick((4, 8, 16))
    width = heads * draws.integer(16, 64)
    count, chosen = draws.pick((8, 16, 32, 64)), draws.integer(1, 4)
    hidden = width * draws.integer(2, 4)
    classes = draws.integer(2, 1000)
    moe = layer("mixtureOfExperts", "moe", embedDim=width, hiddenDim=hidden, numExperts=count, topK=chosen)
    layers = [
        source(1, width),
        attention("attn", width, heads),
        layer("layerNorm", "ln1", normalizedShape=width),
        moe,
        layer("layerNorm", "ln2", normalizedShape=width),
        linear("head", width, classes),
        sink(),
    ]
    canonical = estimate(layers)
    least, most = floor(0.75 * canonical), ceil(1.25 * canonical)
    kinds = ["multiHeadAttention", "mixtureOfExperts", "layerNorm", "linear"]
    constraints: dict[str, Any] = {
        **COMMON,
        "mustContainTypes": kinds,
        "minComponents": 7,
        "minParams": least,
        "maxParams": most,
    }
    statements = (
        told(
            f"Build a mixture-of-experts block for vectors of width {width} and a linear head for {classes} classes.",
            Input((width,)),
            OutputWidth((classes,), "classes"),
            EndsIn("linear"),
        ),
        told(
            f"Multi-head attention (embedDim {width}, numHeads {heads}) and a layer norm, then experts (embedDim "
            f"{width}, hiddenDim {hidden}, numExperts {count}, topK {chosen}) and a layer norm.",
            Setting(("multiHeadAttention",), ("numHeads",), heads, "Attention heads"),
            SplitsIntoHeads(),
            Setting(("mixtureOfExperts",), ("numExperts",), count, "Experts"),
            Setting(("mixtureOfExperts",), ("topK",), chosen, "Experts a token is sent to"),
            Setting(("mixtureOfExperts",), ("hiddenDim",), hidden, "Expert hidden width"),
            OnPath(("layerNorm",)),
        ),
        told(
            "The parameter estimate stays within 25 % of this canonical design.",
            ParameterRange(most, least, estimated=True),
        ),
        ours(f"That is from {least:,} to {most:,} parameters by the rubric's estimate."),
        required_types(*kinds),
        least_layers(7),
    )
    start = stub(name, (1, width))
    return GeneratedTask(name, "frontier", "fmoe", "design", {}, constraints, start, build(layers), statements)


def latent(draws: Mulberry32, name: str) -> GeneratedTask:
    """fmla: multi-head latent attention under a KV budget."""
    heads = draws.pick((8, 16))
    width = heads * draws.integer(16, 64)
    cached, rope = 64 * draws.integer(4, 9), draws.pick((32, 64))
    classes = draws.integer(2, 1000)
    layers = [
        source(1, width),
        layer("mla", "mla", embedDim=width, numHeads=heads, kvLatentDim=cached, ropeHeadDim=rope),
        layer("layerNorm", "ln", normalizedShape=width),
        linear("head", width, classes),
        sink(),
    ]
    most = ceil((cached + rope) * 2 * 1.25)
    constraints: dict[str, Any] = {
        **COMMON,
        "mustContainTypes": ["mla"],
        "minComponents": 5,
        "maxKvBytesPerToken": most,
    }
    statements = (
        told(
            f"Build an attention block of width {width} that serves contexts of 128k tokens, with {classes} output "
            "classes.",
            Input((width,)),
            OutputWidth((classes,), "classes"),
        ),
        told(
            f"Its KV cache may take {most:,} bytes per token (full attention takes {4 * width:,}): use "
            f"multi-head latent attention (mla) with kvLatentDim {cached} and ropeHeadDim {rope}.",
            KvLimit(most),
            OnPath(("mla",)),
            Setting(("mla",), ("kvLatentDim",), cached, "Latent width"),
            Setting(("mla",), ("ropeHeadDim",), rope, "Rotary width"),
            Setting(("mla",), WIDTH_NAMES, width, "Attention width"),
        ),
        least_layers(5),
    )
    start = stub(name, (1, width))
    return GeneratedTask(name, "frontier", "fmla", "design", {}, constraints, start, build(layers), statements)


def shared_cache(draws: Mulberry32, name: str) -> GeneratedTask:
    """fkv: swap full attention for one that shares its KV heads."""
    heads = draws.pick((8, 16, 32))
    head_width = draws.integer(16, 64)
    width = heads * head_width
    kv_heads = draws.pick((2, 4))
    vocabulary, classes = 1000 * draws.integer(8, 32), draws.integer(2, 500)
    start = chain_graph(name, attention_layers(128, vocabulary, width, heads, classes))
    most = ceil(4 * kv_heads * head_width * 1.25)
    constraints: dict[str, Any] = {
        **COMMON,
        "mustContainTypesAny": list(SHARING),
        "minComponents": 6,
        "maxKvBytesPerToken": most,
        "maxActions": 3,
        **EDITS_ONLY,
    }
    reference = [add_after("embed", grouped_attention("gqa", width, heads, kv_heads)), delete("attn")]
    statements = (
        told(
            f"This model (width {width}, {heads} heads, vocabulary {vocabulary:,}, {classes} classes) caches "
            f"{4 * width:,} bytes per token; bring that to at most {most:,} bytes per token without "
            "changing its sizes.",
            KvLimit(most),
            *kept_sizes(vocabulary, width, heads, classes),
        ),
        told("At most 3 actions.", OnPath(SHARING), SplitsIntoHeads()),
        NO_REBUILD,
        one_of_sharing(),
        same_input(128),
        least_layers(6),
    )
    return GeneratedTask(name, "frontier", "fkv", "extend", {}, constraints, start, reference, statements)


def attention_layers(length: int, vocabulary: int, width: int, heads: int, classes: int) -> list[Any]:
    """The chain that cache-shrinking families start from."""
    return [
        source(1, length),
        embedding(vocabulary, width),
        attention("attn", width, heads),
        layer("layerNorm", "ln", normalizedShape=width),
        linear("head", width, classes),
        sink(),
    ]


def kept_sizes(vocabulary: int, width: int, heads: int, classes: int) -> tuple[Any, ...]:
    """The facts that a model of these sizes is still the same model."""
    return (
        Setting(("embedding",), ("numEmbeddings",), vocabulary, "Vocabulary"),
        Setting(("embedding",), ("embeddingDim",), width, "Embedding width"),
        Setting(("multiHeadAttention", *SHARING), ("numHeads",), heads, "Attention heads"),
        OutputWidth((classes,), "classes"),
    )


def one_of_sharing() -> Statement:
    """The type names that count as sharing attention."""
    return ours(f"The grader looks for a layer of type {' or '.join(SHARING)}.")


def same_input(length: int) -> Statement:
    """The input shape, which the starting graph shows and no original brief states."""
    return ours(f"The input stays a sequence of {length} tokens.", Input((length,)))
