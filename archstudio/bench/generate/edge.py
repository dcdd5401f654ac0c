"""The edge tier: small models under a parameter and a KV budget at once."""

from math import ceil
from typing import Any

from archstudio.bench.facts import KvLimit, OnPath, ParameterRange, SplitsIntoHeads
from archstudio.bench.generate.chains import (
    add_after,
    build,
    chain_graph,
    delete,
    edge_stub,
    embedding,
    estimate,
    grouped_attention,
    layer,
    linear,
    sink,
    source,
    update,
)
from archstudio.bench.generate.core_edits import NO_REBUILD
from archstudio.bench.generate.frontier import SHARING, attention_layers, kept_sizes, one_of_sharing, same_input
from archstudio.bench.generate.task import COMMON, EDITS_ONLY, GeneratedTask, least_layers, required_types, told
from archstudio.bench.mulberry import Mulberry32

LENGTH = 64


def fit(draws: Mulberry32, name: str) -> GeneratedTask:
    """eedge: a text model that fits both budgets."""
    heads, head_width = draws.pick((4, 8)), draws.integer(8, 32)
    width = heads * head_width
    vocabulary, classes = 1000 * draws.integer(2, 16), draws.integer(2, 100)
    layers = [
        source(1, LENGTH),
        embedding(vocabulary, width),
        grouped_attention("gqa", width, heads, 2),
        layer("layerNorm", "ln", normalizedShape=width),
        linear("head", width, classes),
        sink(),
    ]
    most, most_cached = ceil(1.2 * estimate(layers)), ceil(8 * head_width * 1.25)
    constraints: dict[str, Any] = {
        **COMMON,
        "mustContainTypes": ["embedding", "linear"],
        "mustContainTypesAny": list(SHARING),
        "minComponents": 6,
        "maxParams": most,
        "maxKvBytesPerToken": most_cached,
    }
    statements = (
        told(
            f"Build a text model for a small device: vocabulary {vocabulary:,}, width {width}, {heads} heads, "
            f"{classes} classes.",
            *kept_sizes(vocabulary, width, heads, classes),
        ),
        told(
            f"It may have {most:,} parameters by the rubric's estimate and cache {most_cached:,} bytes per token; "
            f"full attention would cache {4 * width:,}.",
            ParameterRange(most, estimated=True),
            KvLimit(most_cached),
            OnPath(SHARING),
            SplitsIntoHeads(),
        ),
        one_of_sharing(),
        same_input(LENGTH),
        required_types("embedding", "linear"),
        least_layers(6),
    )
    start = edge_stub(name, (1, LENGTH))
    return GeneratedTask(name, "edge", "eedge", "design", {}, constraints, start, build(layers), statements)


def shrink(draws: Mulberry32, name: str) -> GeneratedTask:
    """eshrink: shrink vocabulary and cache of a given model."""
    heads, head_width = draws.pick((8, 16)), draws.integer(16, 48)
    width = heads * head_width
    kv_heads = draws.pick((2, 4))
    big, small = 1000 * draws.integer(40, 120), 1000 * draws.integer(4, 12)
    classes = draws.integer(2, 100)
    start = chain_graph(name, attention_layers(LENGTH, big, width, heads, classes))
    target = [embedding(small, width), grouped_attention("gqa", width, heads, kv_heads), linear("head", width, classes)]
    most, most_cached = ceil(1.15 * estimate(target)), ceil(1.25 * 4 * kv_heads * head_width)
    constraints: dict[str, Any] = {
        **COMMON,
        "mustContainTypesAny": list(SHARING),
        "minComponents": 6,
        "maxParams": most,
        "maxKvBytesPerToken": most_cached,
        "maxActions": 4,
        **EDITS_ONLY,
    }
    reference = [
        update("embed", numEmbeddings=small),
        add_after("embed", grouped_attention("gqa", width, heads, kv_heads)),
        delete("attn"),
    ]
    statements = (
        told(
            f"Shrink this text model (width {width}, {heads} heads, {classes} classes) for a small device: take its "
            f"vocabulary from {big:,} to {small:,}.",
            *kept_sizes(small, width, heads, classes),
        ),
        told(
            f"It may then have {most:,} parameters by the rubric's estimate and cache {most_cached:,} bytes per "
            f"token instead of {4 * width:,}.",
            ParameterRange(most, estimated=True),
            KvLimit(most_cached),
            OnPath(SHARING),
            SplitsIntoHeads(),
        ),
        told("At most 4 actions."),
        NO_REBUILD,
        one_of_sharing(),
        same_input(LENGTH),
        least_layers(6),
    )
    return GeneratedTask(name, "edge", "eshrink", "extend", {}, constraints, start, reference, statements)
