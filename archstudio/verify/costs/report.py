"""All costs of a network in one answer: memory in inference and training, caches, and latency on a machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from archstudio.verify.costs.activations import OPTIMISER_COPIES, Peak, buffer_bytes, peak_memory, training_bytes
from archstudio.verify.costs.caches import caches
from archstudio.verify.costs.decoding import decoder_work, weights_read
from archstudio.verify.costs.kv import FP16_BYTES, FP32_BYTES, kv_bytes_per_token, kv_cache_bytes
from archstudio.verify.costs.latency import (
    TYPICAL_BANDWIDTH_SHARE,
    DecodeStep,
    Latency,
    Machine,
    context_where_kv_overtakes,
    decode_latency,
)
from archstudio.verify.costs.machines import machine_named
from archstudio.verify.costs.saved import saved_bytes
from archstudio.verify.costs.weights import WEIGHT_BYTES, weight_bytes
from archstudio.verify.verdict import Verdict

DEFAULT_MACHINE: Final = "A100-80GB SXM"


@dataclass(frozen=True, slots=True)
class Timed:
    """A latency at best, and at the 65 % of bandwidth and arithmetic that programs usually reach."""

    ideal: Latency
    typical: Latency


@dataclass(frozen=True, slots=True)
class KvCost:
    """Bytes cached for all sequences at the context asked for, and what one more token of one sequence adds.

    `causal` is False where some layer would not be a decoder as it is drawn.
    """

    bytes: int
    bytes_per_token: int
    causal: bool


@dataclass(frozen=True, slots=True)
class Costs:
    """What a network costs. `kv` is None without attention; latencies are None without a sequence axis,
    and that of decoding also where some attention sees what comes after.

    Activations and training are those of the graph's own B and T, in float32; weights, cache and latencies are those of
    the batch, context and format asked for.
    """

    weight_bytes: int
    buffer_bytes: int
    peak: Peak
    saved_bytes: int
    training_bytes: Mapping[str, int]
    kv: KvCost | None
    decode: Timed | None
    prefill: Timed | None
    kv_overtakes: float | None
    """Tokens of context at which reading the caches of the batch costs as much as reading the weights."""


def costs(
    verdict: Verdict, batch: int = 1, context: int = 4096, dtype: str = "bf16", machine: str = DEFAULT_MACHINE
) -> Costs | None:
    """The costs of a graph, or None while an error stands.

    `dtype` is one of `WEIGHT_BYTES`; caches hold 16-bit numbers, and 32-bit ones for fp32. KeyError for an unknown
    format, UnknownMachine for an unknown machine.
    """
    device, element = machine_named(machine), WEIGHT_BYTES[dtype]
    peak, kept = peak_memory(verdict), saved_bytes(verdict)
    if verdict.parameters is None or peak is None or kept is None:
        return None
    training = {name: training_bytes(verdict, name, kept) or 0 for name in OPTIMISER_COPIES}
    cost = _Decoding(verdict, batch, context, element, device)
    return Costs(
        weight_bytes(int(verdict.parameters), dtype),
        buffer_bytes(verdict),
        peak,
        kept,
        training,
        cost.kv(),
        cost.decode(),
        cost.prefill(),
        cost.kv_overtakes(),
    )


class _Decoding:
    """The decoding of one graph at one batch, context, weight format and machine."""

    def __init__(self, verdict: Verdict, batch: int, context: int, weight: float, machine: Machine) -> None:
        self._verdict, self._batch, self._context, self._weight = verdict, batch, context, weight
        self._number = FP32_BYTES if weight == FP32_BYTES else FP16_BYTES
        # The peaks are those of 16-bit arithmetic, which says nothing of 32-bit numbers.
        self._machine = machine if self._number == FP16_BYTES else Machine(machine.name, machine.bandwidth_gb_s)
        self._caches = caches(verdict)
        self._layers = [cache.cached for cache in self._caches]
        self._growing = [layer for layer in self._layers if layer.fixed_tokens is None]
        self._causal = all(c.causal for c in self._caches if c.cached.fixed_tokens is None)
        self._work = decoder_work(verdict)

    def kv(self) -> KvCost | None:
        """The caches; None where nothing is cached."""
        if not self._caches:
            return None
        per_token = kv_bytes_per_token(self._growing, self._number)
        return KvCost(self._cached(self._context), per_token, self._causal)

    def _cached(self, tokens: int) -> int:
        return kv_cache_bytes(self._layers, tokens, self._batch, self._number)

    def decode(self) -> Timed | None:
        """One more token for each sequence, behind `context` cached ones; None where it would change those before."""
        if self._work is None or not self._causal:
            return None
        macs = sum(work.step(self._context) for work in self._work)
        weights = self._weight * weights_read(self._verdict, self._batch)
        written = self._batch * kv_bytes_per_token(self._growing, self._number)
        step = DecodeStep(weights, self._cached(self._context), 2 * self._batch * macs, written, self._batch)
        return self._timed(step)

    def prefill(self) -> Timed | None:
        """A prompt of `context` tokens for each sequence; tokens a second are those of the prompts."""
        if self._work is None:
            return None
        macs, tokens = sum(work.prompt(self._context) for work in self._work), self._batch * self._context
        weights = self._weight * weights_read(self._verdict, tokens)
        step = DecodeStep(weights, 0, 2 * self._batch * macs, self._cached(self._context), tokens)
        return self._timed(step)

    def _timed(self, step: DecodeStep) -> Timed:
        share = TYPICAL_BANDWIDTH_SHARE
        return Timed(decode_latency(step, self._machine), decode_latency(step, self._machine, share, share))

    def kv_overtakes(self) -> float | None:
        """None without a growing cache, or where windows keep it below the weights for ever."""
        full = [layer for layer in self._growing if layer.window is None and layer.elements_per_token]
        if self._work is None or not self._causal or not full:
            return None
        weights = self._weight * weights_read(self._verdict, self._batch)
        bounded = [layer for layer in self._layers if layer not in full]
        rest = weights - kv_cache_bytes(bounded, self._context, self._batch, self._number)
        return max(0.0, context_where_kv_overtakes(rest, self._batch * kv_bytes_per_token(full, self._number)))
