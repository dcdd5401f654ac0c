"""How long one decode step takes at best, by the roofline of memory bandwidth and arithmetic.

A step reads every weight once and the whole cache once; it is bound by whichever takes longest. The input embedding is
a gather and costs nothing unless the output head is tied to it.
"""

from dataclasses import dataclass
from typing import Final, Literal

Bound = Literal["weights", "kv", "compute"]

TYPICAL_BANDWIDTH_SHARE: Final = 0.65  # gpt-fast and llama.cpp measure 0.65 to 0.69 of the ideal


@dataclass(frozen=True)
class Machine:
    """Memory bandwidth in 10⁹ bytes/s and dense 16-bit arithmetic in 10¹² FLOP/s (None: unknown, not counted)."""

    name: str
    bandwidth_gb_s: float
    peak_tflops: float | None = None

    @property
    def balance_batch(self) -> float | None:
        """The batch from which 16-bit weights no longer bind: FLOPs per byte the machine can do."""
        return None if self.peak_tflops is None else self.peak_tflops * 1e12 / (self.bandwidth_gb_s * 1e9)


@dataclass(frozen=True)
class DecodeStep:
    """What generating one token for each of `batch` sequences reads, writes and computes."""

    weight_bytes: float
    kv_bytes: float
    flops: float = 0.0
    kv_bytes_written: float = 0.0
    batch: int = 1


@dataclass(frozen=True)
class Latency:
    """Milliseconds a step, tokens a second over the whole batch, and what binds."""

    ms: float
    tokens_per_second: float
    bound: Bound


def decode_latency(
    step: DecodeStep,
    machine: Machine,
    bandwidth_share: float = 1.0,
    compute_share: float = 1.0,
    launches: int = 0,
    launch_us: float = 0.0,
) -> Latency:
    """The time of one decode step; shares of 1 give the ideal, `launches` kernels of `launch_us` each come on top."""
    moved = step.weight_bytes + step.kv_bytes + step.kv_bytes_written
    memory_s = moved / (machine.bandwidth_gb_s * 1e9 * bandwidth_share)
    compute_s = 0.0 if machine.peak_tflops is None else step.flops / (machine.peak_tflops * 1e12 * compute_share)
    seconds = max(memory_s, compute_s) + launches * launch_us * 1e-6
    memory_bound: Bound = "weights" if step.weight_bytes >= step.kv_bytes else "kv"
    bound: Bound = "compute" if compute_s > memory_s else memory_bound
    return Latency(seconds * 1e3, step.batch / seconds if seconds else float("inf"), bound)


def decode_flops(matmul_parameters: int, attention_widths: int, tokens: int, batch: int = 1) -> int:
    """FLOPs of one step: 2 a parameter of every matrix product, and 4 a cached token and query width.

    `attention_widths` is the sum of heads × head width over the attention layers.
    """
    return batch * (2 * matmul_parameters + 4 * attention_widths * tokens)


def experts_read(experts: int, chosen: int, batch: int) -> float:
    """How many of a layer's experts `batch` tokens touch on average, when each picks `chosen` of them at random."""
    return experts * (1.0 - (1.0 - chosen / experts) ** batch)


def context_where_kv_overtakes(weight_bytes: float, kv_bytes_per_token: float) -> float:
    """The sequence length at which reading the cache costs as much as reading the weights."""
    return weight_bytes / kv_bytes_per_token if kv_bytes_per_token else float("inf")
