"""What a decoder reads and computes for a prompt and for each token after it, from the polynomials of its layers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from archstudio.graph.walks import reachable
from archstudio.layers import Layer, Wire
from archstudio.layers.dim import terms_of
from archstudio.layers.families.attention import LocalAttention
from archstudio.layers.families.attention_grouped import MultiHeadLatentAttention
from archstudio.layers.families.embedding import Table
from archstudio.layers.families.feedforward import MixtureOfExperts
from archstudio.layers.families.position import PositionTable
from archstudio.layers.families.shared import TiedLinear
from archstudio.verify.costs.latency import experts_read
from archstudio.verify.inputs import is_input
from archstudio.verify.verdict import NodeVerdict, Verdict


@dataclass(frozen=True, slots=True)
class LayerWork:
    """Multiply–accumulates of one layer in one sequence of T tokens: once + token·T + pair·T².

    `cached` is what a new token costs for each cached one, of which it sees at most `window`.
    """

    once: int
    token: int
    pair: int
    cached: int
    window: int | None
    causal: bool

    def step(self, context: int) -> int:
        """Multiply–accumulates for one more token behind `context` cached ones."""
        seen = context if self.window is None else min(context, self.window)
        return self.once + self.token + self.cached * seen

    def prompt(self, tokens: int) -> int:
        """Multiply–accumulates for a whole prompt; causal attention needs half of the pairs."""
        pairs = self.pair * tokens * tokens
        return self.once + self.token * tokens + (pairs // 2 if self.causal else pairs)


def decoder_work(verdict: Verdict) -> list[LayerWork] | None:
    """The work of every layer that runs for each token.

    None if the graph has no sequence axis or an error, or if some count is no polynomial of degree 2 in T.
    """
    stepped = stepped_nodes(verdict)
    if not verdict.runs or not stepped:
        return None
    found = []
    for node_id in verdict.order:
        if node_id not in stepped:
            continue
        work = _work(verdict.nodes[node_id])
        if work is None:
            return None
        found.append(work)
    return found


def stepped_nodes(verdict: Verdict) -> set[str]:
    """Nodes behind an input with a sequence axis: those that run anew for each token."""
    starts = []
    for node in verdict.graph.nodes:
        value = verdict.nodes[node.id].value
        if is_input(node) and isinstance(value, Wire) and any(_grows(size) for size in value.shape):
            starts.append(node.id)
    return reachable(verdict.graph, starts)


def _grows(size: int) -> bool:
    return any(t for (_, t), _ in terms_of(size) or ())


def _work(known: NodeVerdict) -> LayerWork | None:
    terms = terms_of(known.macs or 0)
    if terms is None or any(b > 1 or t > 2 for (b, t), _ in terms):
        return None
    layer = known.layer
    once, token, pair = (sum(c for (_, t), c in terms if t == power) for power in range(3))
    if layer is not None and layer.family == "attention":
        once = 0  # keys and values of another sequence are cached, not made anew
    window = layer.window_size if isinstance(layer, LocalAttention) else None
    cached = pair
    if isinstance(layer, MultiHeadLatentAttention):
        cached = layer.num_heads * (2 * layer.kv_latent_dim + layer.rope_head_dim)  # on the latents, arXiv 2405.04434
    return LayerWork(once, token, pair, cached, window, _is_causal(layer))


def _is_causal(layer: Layer | None) -> bool:
    """Whether a layer looks back only, by its type or by its parameter."""
    if layer is None or layer.type == "causalAttention":
        return layer is not None
    return bool(getattr(layer, "causal", False) or getattr(layer, "is_causal", False))


def weights_read(verdict: Verdict, tokens: int) -> float:
    """Weights that a step for `tokens` tokens reads.

    Tables of tokens and positions are gathers of a few rows and cost nothing, unless a head is tied to them; of experts
    those are read that the tokens visit on average.
    """
    stepped, tied = stepped_nodes(verdict), set(_tied_to(verdict))
    total = 0.0
    for node_id in stepped:
        known = verdict.nodes[node_id]
        if isinstance(known.layer, Table | PositionTable) and node_id not in tied:
            continue
        total += _read(known.layer, int(known.parameters or 0), tokens)
    return total


def _tied_to(verdict: Verdict) -> Iterator[str]:
    for known in verdict.nodes.values():
        if isinstance(known.layer, TiedLinear):
            owner = verdict.graph.named(known.layer.node)
            if owner is not None:
                yield owner.id


def _read(layer: Layer | None, parameters: int, tokens: int) -> float:
    if not isinstance(layer, MixtureOfExperts):
        return parameters
    expert = sum(p.elements for p in layer.expert_weights("expert"))
    routed = layer.num_experts * expert
    return parameters - routed + experts_read(layer.num_experts, layer.top_k, tokens) * expert
