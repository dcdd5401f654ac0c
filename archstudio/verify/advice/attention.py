"""Attention without positions, masks or a sane order of its norms, and what it costs to serve."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Layer, Problem, Wire
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule
from archstudio.verify.costs.kv import FP16_BYTES

NO_POSITION = ProblemKind(
    "A-NO-POSITION",
    advice,
    "{node} cannot tell the order of the tokens: nothing gives them positions",
    "Attention treats its tokens as a set. Add positions (learned, sinusoidal, rotary, ALiBi) unless the order is "
    "without meaning. Causal attention can do without: it counts what it sees (Haviv et al. 2022, arXiv 2203.16634).",
    "Vaswani et al. 2017 (arXiv 1706.03762), section 3.5",
)
TWO_POSITIONS = ProblemKind(
    "A-TWO-POSITIONS",
    advice,
    "{node} adds positions to tokens that have them from {source}",
    "Two encodings on one path cost parameters and blur each other.",
    "Arch-Bench advisor rules, duplicate-positional-encoding",
)
NOT_CAUSAL = ProblemKind(
    "A-NOT-CAUSAL",
    advice,
    "{node} looks at later tokens, {why}",
    "A model that is to predict the next token learns to copy it if any layer lets it look ahead.",
    "Radford et al. 2018 (GPT)",
)
POST_NORM = ProblemKind(
    "A-POST-NORM",
    advice,
    "{count} norms behind sums: a post-norm transformer of this depth needs a warm-up",
    "With the norm behind the sum, gradients near the output are large at the start; beyond about 12 layers training "
    "fails without a slow start. Norms before attention and feed-forward need none.",
    "Xiong et al. 2020 (arXiv 2002.04745)",
)
INIT_SCALE = ProblemKind(
    "A-INIT-SCALE",
    advice,
    "{count} residual sums and nothing that scales the branches down at the start",
    "Each sum adds variance. Deep stacks start better with branches near zero: layer scale, or weights of the last "
    "layer of each branch divided by the root of the number of sums.",
    "Touvron et al. 2021 (arXiv 2103.17239); Radford et al. 2019 (GPT-2)",
)
KV_BUDGET = ProblemKind(
    "A-KV-BUDGET",
    advice,
    "Keys and values of {tokens:,} tokens take {bytes:,} bytes, more than the {budget:,} allowed",
    "Every token read stays in memory as keys and values of each layer (16 bits a number). Sharing heads (GQA), a "
    "latent cache (MLA) or windows make it smaller. Context and budget are the graph's meta `context` and "
    "`kvBudgetBytes`; without them 8,192 tokens and 4·10⁹ bytes.",
    "Arch-Bench advisor rules, kv-cache-context-budget",
)
FULL_HEADS = ProblemKind(
    "A-FULL-HEADS",
    advice,
    "{count} causal layers keep keys and values for every head",
    "At this width, serving is limited by reading the cache; sharing keys and values among groups of heads (GQA) "
    "makes it several times smaller at nearly the same quality.",
    "Ainslie et al. 2023 (arXiv 2305.13245)",
)
HEAD_WIDTH = ProblemKind(
    "A-HEAD-WIDTH",
    advice,
    "{node} has heads of width {width}; GPUs want multiples of 8",
    "Half-precision matrix units work on multiples of 8; 64 and 128 are fastest. Told only where the graph's meta "
    '`target` is "gpu".',
    "NVIDIA, Matrix Multiplication Background: tensor core alignment",
)

KEPT_SCORES = ProblemKind(
    "A-KEPT-SCORES",
    advice,
    "{node} also gives its attention weights, {size} numbers, and nothing reads them",
    "With needWeights, PyTorch leaves the fast path and keeps the tokens × tokens matrix of every head for the "
    "backward pass. Without it, memory grows with the tokens, not with their square.",
    "PyTorch docs, MultiheadAttention: need_weights",
)

POSITIONS = (
    *("learnedPositionalEmbedding", "learnedPositionalEmbeddingStrict", "positionalEncoding"),
    *("rope", "alibi", "relativePositionBias"),
)
ADDED_POSITIONS = frozenset(POSITIONS[:3])
CARRY_POSITIONS = ("lstm", "gru", "rnn", "conv1d", "depthwiseConv1d", "bidirectionalLSTM", "bidirectionalGRU", "mla")
"""Layers that read tokens in order, or turn positions in themselves."""
TOKENS = ("embedding", "patchEmbed", "tubeletEmbed")
PLAIN_ATTENTION = (
    *("multiHeadAttention", "causalAttention", "groupedQueryAttention", "transformerBlock"),
    *("transformerEncoderLayer", "scaledDotProductAttention", "preNormBlock"),
)
DEEP_POST_NORM = 24
"""Norms behind sums: two for each of 12 layers."""
DEEP_SUMS = 48
CONTEXT, KV_BUDGET_BYTES = 8192, 4_000_000_000
MANY_FULL, WIDE = 6, 2048
TENSOR_CORE = 8


@rule
def tokens_without_positions(look: Look) -> Iterator[Problem]:
    """Attention over embedded tokens or patches where nothing says their places.

    A sum of two embeddings, or with a stored table, may hold positions; sets of vectors from elsewhere are left alone,
    and so is causal attention, which can count the tokens it sees.
    """
    if not look.has(PLAIN_ATTENTION) or not look.has(TOKENS) or look.has((*POSITIONS, *CARRY_POSITIONS)):
        return
    tables = [n.id for n in look.of(*TOKENS)]
    if sum(look.type(n) == "embedding" for n in tables) > 1 or len(list(look.of("input"))) > 1:
        return
    reached = look.behind(tables)
    for node in look.of(*PLAIN_ATTENTION):
        if node.id in reached and not _causal(look, node.id):
            yield Problem(NO_POSITION, node.id, "structure")
            return


@rule
def positions_twice(look: Look) -> Iterator[Problem]:
    """Added positions behind added positions with no attention between."""
    for node in look.of(*ADDED_POSITIONS):
        here = look.source(node.id)
        while here is not None and look.family(here) in ("norm", "activation", "embedding"):
            if look.type(here) in ADDED_POSITIONS:
                yield Problem(TWO_POSITIONS, node.id, "structure", facts={"source": look.name(here)})
                break
            here = look.source(here)


@rule
def looking_ahead(look: Look) -> Iterator[Problem]:
    """Attention without a mask in a graph for the next token, or beside attention with one."""
    layers = [(n, c) for n in look.of_family("attention") if (c := _causal(look, n.id)) is not None]
    wanted = look.text("objective") == "next-token"
    mixed = any(c for _, c in layers) and not wanted and not look.has(("crossAttention", "transformerDecoderLayer"))
    if not (wanted or mixed):
        return
    why = "but the graph is to predict the next one" if wanted else "though other layers of the graph do not"
    for node, causal in layers:
        if not causal:
            yield Problem(NOT_CAUSAL, node.id, "structure", facts={"why": why})


def _causal(look: Look, node_id: str) -> bool | None:
    """Whether self-attention hides later tokens; None where that is not known (cross-attention, given masks)."""
    layer, kind = look.nodes[node_id].layer, look.type(node_id)
    if kind == "causalAttention":
        return True
    if kind == "multiHeadAttention":
        return False if len(set(look.sources(node_id))) == 1 else None
    if kind == "scaledDotProductAttention" and len(look.sources(node_id)) > 3:
        return None
    for name in ("causal", "is_causal"):
        value = getattr(layer, name, None)
        if isinstance(value, bool):
            return value
    return None


@rule
def norms_behind_sums(look: Look) -> Iterator[Problem]:
    """Many norms fed by a sum that nothing else reads: the residual stream itself is normalised."""
    if not look.has(PLAIN_ATTENTION):
        return
    behind = [n.id for n in look.of("layerNorm", "rmsNorm") if _normalises_stream(look, n.id)]
    if len(behind) > DEEP_POST_NORM:
        yield Problem(POST_NORM, behind[0], "structure", facts={"count": len(behind)})


def _normalises_stream(look: Look, node_id: str) -> bool:
    source = look.source(node_id)
    return source is not None and look.type(source) in ("add", "residual") and len(look.targets(source)) == 1


@rule
def unscaled_branches(look: Look) -> Iterator[Problem]:
    """Very many residual sums in a transformer without layer scale."""
    if not look.has(PLAIN_ATTENTION) or look.has(("layerScale", "dropPath")):
        return
    sums = [n.id for n in look.of("add", "residual") if len(look.sources(n.id)) > 1]
    if len(sums) > DEEP_SUMS:
        yield Problem(INIT_SCALE, sums[0], "structure", facts={"count": len(sums)})


@rule
def large_caches(look: Look) -> Iterator[Problem]:
    """Caches of causal attention that outgrow their budget, and full heads where groups would serve."""
    causal = [n for n in look.of_family("attention") if _causal(look, n.id)]
    kept = sum(_cached(look.layer(n.id)) for n in causal)
    tokens = int(look.number("context", CONTEXT) or CONTEXT)
    budget = int(look.number("kvBudgetBytes", KV_BUDGET_BYTES) or KV_BUDGET_BYTES)
    size = kept * tokens * int(FP16_BYTES)
    if causal and size > budget:
        facts = {"tokens": tokens, "bytes": size, "budget": budget}
        yield Problem(KV_BUDGET, causal[0].id, "structure", facts=facts)
    full = [n for n in causal if _has_full_heads(look.layer(n.id))]
    if len(full) >= MANY_FULL:
        yield Problem(FULL_HEADS, full[0].id, "structure", facts={"count": len(full)})


def _cached(layer: Layer | None) -> int:
    """Numbers kept for each token."""
    if layer is None:
        return 0
    latent = getattr(layer, "kv_latent_dim", None)
    if isinstance(latent, int):
        return latent + int(getattr(layer, "rope_head_dim", 0) or 0)
    width, heads = getattr(layer, "embed_dim", 0), getattr(layer, "num_heads", 0)
    if not isinstance(width, int) or not isinstance(heads, int) or heads < 1:
        return 0
    shared = getattr(layer, "num_kv_heads", None) or heads
    each = getattr(layer, "head_dim", None) or width // heads
    return 2 * int(shared) * int(each)


def _has_full_heads(layer: Layer | None) -> bool:
    width, heads = getattr(layer, "embed_dim", 0), getattr(layer, "num_heads", 0)
    shared = getattr(layer, "num_kv_heads", heads)
    latent = hasattr(layer, "kv_latent_dim")
    return isinstance(width, int) and width >= WIDE and not latent and shared in (None, heads)


@rule
def scores_nobody_reads(look: Look) -> Iterator[Problem]:
    """Attention weights that are computed and left."""
    for node in look.of("multiHeadAttention", "crossAttention"):
        value = look.nodes[node.id].value
        if not isinstance(value, tuple) or len(value) != 2 or not isinstance(value[1], Wire):
            continue
        wires = look.graph.outgoing(node.id)
        if wires and all(wire.source_port == "output" for wire in wires):
            yield Problem(KEPT_SCORES, node.id, "structure", facts={"size": value[1].text()})


@rule
def narrow_heads(look: Look) -> Iterator[Problem]:
    """Heads that GPUs handle slowly; only for that target."""
    if look.text("target") != "gpu":
        return
    for node in look.of_family("attention"):
        layer = look.layer(node.id)
        width, heads = getattr(layer, "embed_dim", 0), getattr(layer, "num_heads", 0)
        if isinstance(width, int) and isinstance(heads, int) and heads > 0:
            each = int(getattr(layer, "head_dim", None) or width // heads)
            if each % TENSOR_CORE:
                yield Problem(HEAD_WIDTH, node.id, "structure", facts={"width": each})
