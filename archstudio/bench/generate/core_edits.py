"""The core tier's families that start from a whole network and may not rebuild it."""

from typing import Any

from archstudio.bench.facts import (
    Input,
    Keeps,
    KeepsTheRest,
    OutputWidth,
    ParameterRange,
    SplitsIntoHeads,
    Stages,
)
from archstudio.bench.generate.chains import (
    add_after,
    attention,
    chain_graph,
    embedding,
    grouped_attention,
    layer,
    linear,
    mlp,
    sink,
    source,
    update,
)
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

NO_REBUILD = told("Edit the given graph; do not rebuild it (no replace_model, no clear_canvas).")


def action_cap(count: int) -> Statement:
    """The cap on submitted actions, where the original brief is silent about it."""
    return ours(f"At most {count} actions.")


def repair(draws: Mulberry32, name: str) -> GeneratedTask:
    """fix: an attention layer whose heads do not divide."""
    length, classes, vocabulary = draws.integer(32, 512), draws.integer(2, 100), draws.integer(8000, 50_000)
    is_grouped = draws.draw() < 0.5
    width = 8 * draws.integer(8, 64) if is_grouped else 2 * draws.integer(32, 256)
    bad_kv, good_kv = draws.pick((3, 5, 7)), draws.pick((2, 4))
    if is_grouped:
        broken = grouped_attention("attn", width, 8, bad_kv)
        mended = update("attn", numKVHeads=good_kv)
        fault = f"its 8 query heads do not divide by its {bad_kv} KV heads"
    else:
        heads = next((count for count in (5, 7, 11, 13) if width % count), width - 1)
        broken = attention("attn", width, heads)
        mended = update("attn", numHeads=next(count for count in (16, 8, 4, 2) if width % count == 0))
        fault = f"its width {width} does not divide by its {heads} heads"
    start = chain_graph(
        name,
        [source(1, length), embedding(vocabulary, width), broken, linear("head", width, classes), sink()],
    )
    constraints = {**COMMON, "minComponents": 5, "maxActions": 2, **EDITS_ONLY}
    statements = (
        told(f"The attention layer of this text classifier is broken: {fault}.", SplitsIntoHeads()),
        told("Repair it with at most 2 actions.", Keeps((("attn", broken.kind),))),
        NO_REBUILD,
        ours("Leave everything but the attention layer as it is.", KeepsTheRest(start, ("attn",))),
        least_layers(5),
    )
    return GeneratedTask(name, "core", "fix", "repair", {}, constraints, start, [mended], statements)


def trim(draws: Mulberry32, name: str) -> GeneratedTask:
    """trim: bring an oversized MLP under its budget."""
    width, classes, depth = draws.integer(32, 256), draws.integer(2, 50), draws.integer(2, 4)
    big, small = draws.integer(1536, 4096), draws.integer(64, 384)
    layers = mlp(width, [big] * depth, classes)
    start = chain_graph(name, layers)
    reference = [
        update(f"fc{number}", inFeatures=small if number > 1 else width, outFeatures=small)
        for number in range(1, depth + 1)
    ]
    reference.append(update("head", inFeatures=small, outFeatures=classes))
    most = 2_000_000
    constraints: dict[str, Any] = {
        **COMMON,
        "maxParams": most,
        "mustContainTypes": ["linear", "relu"],
        "minComponents": len(layers),
        "maxActions": depth + 2,
        **EDITS_ONLY,
    }
    statements = (
        told(
            f"This perceptron with {depth} hidden layers of width {big} is too large: bring it under 2 million "
            "parameters and keep all its layers.",
            ParameterRange(most),
            Keeps.all_of(start),
            Stages(frozenset({"linear"}), frozenset({"relu"}), depth, depth, "hidden linear layers with ReLU"),
        ),
        NO_REBUILD,
        *_same_ends(width, classes),
        action_cap(depth + 2),
        least_layers(len(layers)),
        required_types("linear", "relu"),
    )
    budget = {"maxParams": most}
    return GeneratedTask(name, "core", "trim", "extend", budget, constraints, start, reference, statements)


def normalise(draws: Mulberry32, name: str) -> GeneratedTask:
    """norm: a batch norm after every hidden layer."""
    width, classes, depth = draws.integer(16, 256), draws.integer(2, 100), draws.integer(2, 5)
    widths = [draws.integer(32, 512) for _ in range(depth)]
    layers = mlp(width, widths, classes)
    start = chain_graph(name, layers)
    reference = [
        add_after(f"fc{number}", layer("batchNorm1d", f"bn{number}", numFeatures=size))
        for number, size in enumerate(widths, start=1)
    ]
    constraints: dict[str, Any] = {
        **COMMON,
        "mustContainTypes": ["batchNorm1d"],
        "minComponents": len(layers) + depth,
        "maxActions": depth + 1,
        **EDITS_ONLY,
    }
    follow = Stages(
        frozenset({"linear"}), frozenset({"batchNorm1d"}), depth, depth, "hidden linear layers with batchNorm1d"
    )
    statements = (
        told(
            f"This perceptron takes {width} features to {classes} classes through {depth} hidden layers and trains "
            "unstably: add a batchNorm1d after each hidden linear layer.",
            Input((width,)),
            OutputWidth((classes,), "classes"),
            follow,
        ),
        ours("Do not rebuild it (no replace_model, no clear_canvas); keep its layers.", Keeps.all_of(start)),
        action_cap(depth + 1),
        least_layers(len(layers) + depth),
    )
    return GeneratedTask(name, "core", "norm", "extend", {}, constraints, start, reference, statements)


def grow(draws: Mulberry32, name: str) -> GeneratedTask:
    """grow: widen a tiny MLP into a parameter band."""
    width, classes = draws.integer(16, 128), draws.integer(2, 50)
    tiny, big = draws.integer(4, 24), draws.integer(640, 1400)
    start = chain_graph(name, mlp(width, [tiny, tiny], classes))
    reference = [
        update("fc1", inFeatures=width, outFeatures=big),
        update("fc2", inFeatures=big, outFeatures=big),
        update("head", inFeatures=big, outFeatures=classes),
    ]
    least, most = 400_000, 4_000_000
    constraints: dict[str, Any] = {
        **COMMON,
        "minParams": least,
        "maxParams": most,
        "mustContainTypes": ["linear", "relu"],
        "minComponents": 7,
        "maxActions": 4,
        **EDITS_ONLY,
    }
    statements = (
        told(
            f"This perceptron from {width} features to {classes} classes is too small: grow it to between 400,000 "
            "and 4,000,000 parameters.",
            Input((width,)),
            OutputWidth((classes,), "classes"),
            ParameterRange(most, least),
        ),
        NO_REBUILD,
        action_cap(4),
        least_layers(7),
        required_types("linear", "relu"),
    )
    budget = {"maxParams": most}
    return GeneratedTask(name, "core", "grow", "extend", budget, constraints, start, reference, statements)


def _same_ends(width: int, classes: int) -> tuple[Statement, ...]:
    return (
        ours(
            f"It still takes {width} features and gives {classes} classes.",
            Input((width,)),
            OutputWidth((classes,), "classes"),
        ),
    )
