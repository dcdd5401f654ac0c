"""The core tier's design families: build a network from an empty stub."""

from typing import Any

from archstudio.bench.facts import (
    Bottleneck,
    EndsIn,
    Input,
    OnPath,
    OutputWidth,
    ParameterRange,
    SplitsIntoHeads,
    Stages,
    Towers,
)
from archstudio.bench.generate.chains import (
    Layer,
    attention,
    build,
    embedding,
    grouped_attention,
    layer,
    linear,
    mlp,
    sink,
    source,
    stub,
    tower_stub,
)
from archstudio.bench.generate.task import (
    COMMON,
    GeneratedTask,
    Statement,
    least_layers,
    ours,
    required_types,
    told,
)
from archstudio.bench.mulberry import Mulberry32
from archstudio.edits.actions.model import Model

RELU = frozenset({"relu"})


def _design(
    name: str,
    family: str,
    start: Model,
    layers: list[Layer],
    most: int,
    kinds: list[str],
    least: int,
    statements: tuple[Statement, ...],
    wires: list[tuple[str, str]] | None = None,
) -> GeneratedTask:
    constraints: dict[str, Any] = {
        **COMMON,
        "maxParams": most,
        "mustContainTypes": kinds,
        "minComponents": least,
    }
    said = (*statements, told(f"Keep it under {most // 1_000_000} million parameters.", ParameterRange(most)))
    said += (required_types(*kinds), least_layers(least))
    return GeneratedTask(
        name, "core", family, "design", {"maxParams": most}, constraints, start, build(layers, wires), said
    )


def perceptron(draws: Mulberry32, name: str) -> GeneratedTask:
    """mlp: hidden layers with ReLU, then a linear head."""
    width, classes, depth = draws.integer(8, 512), draws.integer(2, 200), draws.integer(2, 6)
    widths = [draws.integer(16, 1024) for _ in range(depth)]
    statements = (
        told(
            f"Build a multilayer perceptron that sorts {width} features into {classes} classes.",
            Input((width,)),
            OutputWidth((classes,), "classes"),
            EndsIn("linear"),
        ),
        told(
            f"Give it {depth} hidden linear layers, each followed by ReLU, and a linear head.",
            Stages(frozenset({"linear"}), RELU, depth, depth, "hidden linear layers with ReLU"),
        ),
    )
    layers = mlp(width, widths, classes)
    return _design(
        name, "mlp", stub(name, (1, width)), layers, 10_000_000, ["linear", "relu"], 2 * depth + 3, statements
    )


def autoencoder(draws: Mulberry32, name: str) -> GeneratedTask:
    """ae: down to a bottleneck and back."""
    width, hidden, bottleneck = draws.integer(64, 2048), draws.integer(64, 1024), draws.integer(4, 256)
    layers = [
        source(1, width),
        linear("enc1", width, hidden),
        linear("enc2", hidden, bottleneck),
        linear("dec1", bottleneck, hidden),
        linear("dec2", hidden, width),
        sink(),
    ]
    statements = (
        told(
            f"Build a dense autoencoder for vectors of {width} values: compress them to {bottleneck} values, "
            f"then restore all {width}.",
            Input((width,)),
            Bottleneck(bottleneck),
            OutputWidth((width,), "values"),
        ),
    )
    return _design(name, "ae", stub(name, (1, width)), layers, 20_000_000, ["linear"], 6, statements)


def convolutional(draws: Mulberry32, name: str) -> GeneratedTask:
    """cnn: convolution stages, then a linear classifier."""
    side, classes, stages = draws.integer(24, 64), draws.integer(2, 100), draws.integer(2, 4)
    channels = [3, *(draws.integer(8, 64) for _ in range(stages))]
    layers = [source(1, 3, side, side)]
    for number in range(1, stages + 1):
        before, after = channels[number - 1], channels[number]
        layers.append(layer("conv2d", f"conv{number}", inChannels=before, outChannels=after, kernelSize=3))
        layers.append(layer("relu", f"act{number}"))
    layers += [linear("head", channels[-1], classes), sink()]
    statements = (
        told(
            f"Build a convolutional classifier for RGB images of {side}×{side} pixels and {classes} classes.",
            Input((3, side, side)),
            OutputWidth((classes,), "classes"),
            EndsIn("linear"),
        ),
        told(
            f"Use {stages} convolution stages, each followed by ReLU, and a linear classifier.",
            Stages(frozenset({"conv2d"}), RELU, stages, stages, "conv2d stages with ReLU"),
        ),
    )
    return _design(
        name,
        "cnn",
        stub(name, (1, 3, side, side)),
        layers,
        50_000_000,
        ["conv2d", "linear"],
        2 * stages + 3,
        statements,
    )


def transformer(draws: Mulberry32, name: str) -> GeneratedTask:
    """txf: token embedding, attention blocks, linear classifier."""
    length, heads = draws.integer(32, 512), draws.pick((2, 4, 8))
    width = heads * draws.integer(8, 64)
    blocks, classes, vocabulary = draws.integer(1, 3), draws.integer(2, 100), draws.integer(8000, 50_000)
    layers = [source(1, length), embedding(vocabulary, width)]
    layers += [attention(f"attn{number}", width, heads) for number in range(1, blocks + 1)]
    layers += [linear("head", width, classes), sink()]
    statements = (
        told(
            f"Build a transformer encoder that sorts texts of {length} tokens into {classes} classes.",
            Input((length,)),
            OutputWidth((classes,), "classes"),
        ),
        told(
            f"Use a token embedding, {_counted(blocks, 'multi-head attention block')} "
            "whose width divides by the heads, and a linear classifier.",
            OnPath(("embedding",)),
            Stages(
                frozenset({"multiHeadAttention"}), frozenset(), blocks, blocks, _counted_noun(blocks, "attention block")
            ),
            SplitsIntoHeads(),
            EndsIn("linear"),
        ),
    )
    kinds = ["embedding", "multiHeadAttention", "linear"]
    return _design(name, "txf", stub(name, (1, length)), layers, 60_000_000, kinds, blocks + 4, statements)


def grouped(draws: Mulberry32, name: str) -> GeneratedTask:
    """gqa: grouped-query attention blocks, each followed by a layer norm."""
    length, heads = draws.integer(32, 512), draws.pick((4, 8, 16))
    width = heads * draws.integer(8, 48)
    kv_heads = draws.pick({4: (2,), 8: (2, 4), 16: (2, 4, 8)}[heads])
    blocks, classes, vocabulary = draws.integer(1, 3), draws.integer(2, 100), draws.integer(8000, 50_000)
    layers = [source(1, length), embedding(vocabulary, width)]
    for number in range(1, blocks + 1):
        layers.append(grouped_attention(f"attn{number}", width, heads, kv_heads))
        layers.append(layer("layerNorm", f"norm{number}", normalizedShape=[width]))
    layers += [linear("head", width, classes), sink()]
    block = Stages(
        frozenset({"groupedQueryAttention"}),
        frozenset({"layerNorm"}),
        blocks,
        blocks,
        _counted_noun(blocks, "grouped-query attention block") + " with layer norm",
    )
    statements = (
        told(
            f"Build a text classifier for {length} tokens and {classes} classes.",
            Input((length,)),
            OutputWidth((classes,), "classes"),
        ),
        told(
            f"Use a token embedding, {_counted(blocks, 'grouped-query attention block')} each followed by a layer "
            "norm, and a linear classifier.",
            OnPath(("embedding",)),
            block,
            EndsIn("linear"),
        ),
        told(
            "The width divides by the query heads, and these by the KV heads.",
            SplitsIntoHeads(("groupedQueryAttention",)),
        ),
    )
    kinds = ["embedding", "groupedQueryAttention", "layerNorm", "linear"]
    return _design(name, "gqa", stub(name, (1, length)), layers, 60_000_000, kinds, 2 * blocks + 4, statements)


def towers(draws: Mulberry32, name: str) -> GeneratedTask:
    """tower: a user and an item tower, concatenated and scored."""
    user, item, width = draws.integer(16, 256), draws.integer(16, 256), draws.integer(32, 512)
    layers = [source(1, user, name="user_input"), source(1, item, name="item_input")]
    for side, takes in (("user", user), ("item", item)):
        layers.append(linear(f"{side}_fc1", takes, width))
        layers.append(layer("relu", f"{side}_act"))
        layers.append(linear(f"{side}_fc2", width, width))
    layers += [layer("concatenate", "merge", dim=-1), linear("head", 2 * width, 1), sink()]
    wires = [
        wire
        for side in ("user", "item")
        for wire in (
            (f"{side}_input", f"{side}_fc1"),
            (f"{side}_fc1", f"{side}_act"),
            (f"{side}_act", f"{side}_fc2"),
        )
    ]
    wires += [("user_fc2", "merge"), ("item_fc2", "merge"), ("merge", "head"), ("head", "output")]
    return _design(
        name,
        "tower",
        tower_stub(name, user, item),
        layers,
        10_000_000,
        ["linear", "relu", "concatenate"],
        11,
        _tower_statements(user, item, width),
        wires,
    )


def _tower_statements(user: int, item: int, width: int) -> tuple[Statement, ...]:
    return (
        told(
            f"Build a two-tower ranker: one tower for {user} user features, one for {item} item features, "
            "scored by a linear head with one output.",
            Input((user,), "user input"),
            Input((item,), "item input"),
            OutputWidth((1,), "value"),
            EndsIn("linear"),
        ),
        told(
            f"Each tower has 2 linear layers of width {width}; the towers are concatenated before the head.",
            Towers("input", 2, width),
            OnPath(("concatenate",)),
        ),
        ours("ReLU is used in the towers.", OnPath(("relu",))),
    )


def _counted_noun(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _counted(count: int, noun: str) -> str:
    return f"{count} {_counted_noun(count, noun)}"
