"""The roofline of one decode step."""

import pytest

from archstudio.verify.costs.latency import (
    DecodeStep,
    Machine,
    context_where_kv_overtakes,
    decode_flops,
    decode_latency,
    experts_read,
)

A100 = Machine("A100-80GB SXM", 2039, 312)
LLAMA_2_7B = 13_214_687_232.0


def test_a_small_batch_is_bound_by_the_weights() -> None:
    latency = decode_latency(DecodeStep(LLAMA_2_7B, 107_479_040, 13_322_166_272), A100)
    assert latency.bound == "weights"
    assert latency.ms == pytest.approx(6.534, rel=1e-3)
    assert latency.tokens_per_second == pytest.approx(153.1, rel=1e-3)


def test_a_long_context_is_bound_by_the_cache() -> None:
    tokens = context_where_kv_overtakes(LLAMA_2_7B, 524_288)
    assert tokens == pytest.approx(25_205, abs=1)
    assert decode_latency(DecodeStep(LLAMA_2_7B, 524_288 * (tokens + 1)), A100).bound == "kv"


def test_a_huge_batch_is_bound_by_arithmetic() -> None:
    batch = 400
    step = DecodeStep(LLAMA_2_7B, 0, decode_flops(int(LLAMA_2_7B // 2), 0, 0, batch), batch=batch)
    latency = decode_latency(step, A100)
    assert latency.bound == "compute"
    assert latency.tokens_per_second == pytest.approx(batch / latency.ms * 1e3)


def test_a_machine_of_unknown_arithmetic_is_judged_by_its_memory() -> None:
    assert decode_latency(DecodeStep(1e9, 0, 1e30), Machine("M4 Pro", 273)).bound == "weights"
    assert Machine("M4 Pro", 273).balance_batch is None
    assert A100.balance_batch == pytest.approx(153, abs=0.1)


def test_less_bandwidth_and_kernel_launches_add_time() -> None:
    ideal = decode_latency(DecodeStep(2039e6, 0), A100)
    assert ideal.ms == pytest.approx(1.0)
    assert decode_latency(DecodeStep(2039e6, 0), A100, bandwidth_share=0.5).ms == pytest.approx(2.0)
    assert decode_latency(DecodeStep(2039e6, 0), A100, launches=100, launch_us=5).ms == pytest.approx(1.5)


@pytest.mark.parametrize(("batch", "read"), [(1, 2.0), (4, 5.47), (16, 7.92)])
def test_a_larger_batch_touches_more_experts(batch: int, read: float) -> None:
    assert experts_read(8, 2, batch) == pytest.approx(read, abs=0.01)
