"""Caches, decoding and the whole answer for known networks agree with what is published or worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from archstudio.design.zoo import MODELS
from archstudio.graph import Graph
from archstudio.verify import Verdict, check
from archstudio.verify.costs.caches import caches
from archstudio.verify.costs.decoding import decoder_work, weights_read
from archstudio.verify.costs.kv import kv_bytes_per_token, kv_cache_bytes
from archstudio.verify.costs.machines import UnknownMachine, machine_named, machines
from archstudio.verify.costs.report import Costs, costs

Build = Callable[..., Graph]
TOKENS = ("input", {"shape": [2, 10, 64], "sequenceAxis": 1})


def verdict_of(name: str) -> Verdict:
    return check(next(m for m in MODELS if m.name == name).draw())


def costs_of(name: str, **asked: Any) -> Costs:
    found = costs(verdict_of(name), **asked)
    assert found is not None
    return found


def one(build: Build, kind: str, **params: Any) -> Verdict:
    return check(build({"x": TOKENS, "layer": (kind, params), "out": ("output", {})}, ["x -> layer", "layer -> out"]))


# ------------------------------------------------------------------------------------------------------------ caches


@pytest.mark.parametrize(
    ("name", "context", "per_token", "total"),
    [
        ("gpt-2-small", 1024, 36_864, 36 * 2**20),
        ("llama-2-7b", 4096, 524_288, 2 * 2**30),
        ("llama-3-8b", 8192, 131_072, 2**30),
        ("qwen3-4b", 40_960, 147_456, 5_625 * 2**30 // 1000),
        ("mixtral-8x7b", 8192, 131_072, 2**30),
        ("deepseek-v2-lite", 1000, 27 * 576 * 2, 1000 * 27 * 576 * 2),
    ],
)
def test_caches_of_known_models(name: str, context: int, per_token: int, total: int) -> None:
    kv = costs_of(name, context=context).kv
    assert kv is not None
    assert (kv.bytes, kv.bytes_per_token, kv.causal) == (total, per_token, True)


@pytest.mark.parametrize(
    ("kind", "params", "elements", "causal"),
    [
        ("multiHeadAttention", {"numHeads": 4}, 128, False),
        ("causalAttention", {"numHeads": 4}, 128, True),
        ("transformerBlock", {"numHeads": 4}, 128, False),
        ("transformerBlock", {"numHeads": 4, "causal": True}, 128, True),
        ("groupedQueryAttention", {"numHeads": 4, "numKVHeads": 2}, 2 * 2 * 16, True),
        ("groupedQueryAttention", {"numHeads": 4, "numKVHeads": 2, "headDim": 50}, 2 * 2 * 50, True),
        ("groupedQueryAttention", {"numHeads": 4, "causal": False}, 128, False),
        ("preNormBlock", {"numHeads": 4, "numKVHeads": 1}, 2 * 16, True),
        ("mla", {"numHeads": 4, "kvLatentDim": 24, "ropeHeadDim": 8}, 32, True),
        ("transformerEncoderLayer", {"numHeads": 4}, 128, False),
    ],
)
def test_what_each_attention_keeps_of_a_token(
    build: Build, kind: str, params: dict[str, Any], elements: int, causal: bool
) -> None:
    verdict = one(build, kind, **params)
    assert verdict.runs
    (kept,) = caches(verdict)
    assert (kept.cached.elements(1), kept.cached.elements(7), kept.causal) == (elements, 7 * elements, causal)


def test_a_window_keeps_its_last_tokens_only(build: Build) -> None:
    (kept,) = caches(one(build, "localAttention", numHeads=4, windowSize=5, causal=True))
    assert kept.cached.elements(3) == 3 * 128
    assert kept.cached.elements(100) == 5 * 128
    assert kept.causal


def test_attention_to_another_sequence_keeps_that_one_and_no_more(build: Build) -> None:
    nodes = {
        "x": TOKENS,
        "memory": ("input", {"shape": [2, 33, 64]}),
        "cross": ("multiHeadAttention", {"numHeads": 4}),
    }
    (kept,) = caches(check(build(nodes, ["x -> cross.query", "memory -> cross.key"])))
    assert kept.cached.elements(1) == kept.cached.elements(999) == 33 * 128


def test_one_wire_drawn_three_times_is_self_attention(build: Build) -> None:
    nodes = {"x": TOKENS, "a": ("multiHeadAttention", {"numHeads": 4})}
    (kept,) = caches(check(build(nodes, ["x -> a.query", "x -> a.key", "x -> a.value"])))
    assert kept.cached.fixed_tokens is None


def test_the_bare_product_keeps_the_heads_that_come_in(build: Build) -> None:
    nodes = {
        "q": ("input", {"shape": [2, 8, 10, 16]}),
        "k": ("input", {"shape": [2, 2, 10, 16]}),
        "v": ("input", {"shape": [2, 2, 10, 24]}),
        "a": ("scaledDotProductAttention", {"enableGqa": True, "isCausal": True}),
    }
    (kept,) = caches(check(build(nodes, ["q -> a.query", "k -> a.key", "v -> a.value"])))
    assert (kept.cached.elements(1), kept.causal) == (2 * (16 + 24), True)


def test_a_torch_decoder_layer_keeps_itself_and_its_memory(build: Build) -> None:
    nodes = {
        "x": TOKENS,
        "memory": ("input", {"shape": [2, 33, 64]}),
        "d": ("transformerDecoderLayer", {"numHeads": 4}),
    }
    own, other = caches(check(build(nodes, ["x -> d.target", "memory -> d.memory"])))
    assert own.cached.elements(4) == 4 * 128
    assert other.cached.elements(4) == 33 * 128


def test_shared_weights_keep_a_cache_for_each_use(build: Build) -> None:
    nodes = {"x": TOKENS, "a": ("causalAttention", {"numHeads": 4}), "b": ("sharedModule", {"node": "a"})}
    found = caches(check(build(nodes, ["x -> a", "a -> b"])))
    assert [kept.node for kept in found] == ["a", "b"]
    assert kv_bytes_per_token([kept.cached for kept in found]) == 2 * 128 * 2


# ---------------------------------------------------------------------------------------------------------- decoding


@pytest.mark.parametrize(
    ("name", "machine", "context", "ms"),
    [
        ("llama-2-7b", "A100-80GB SXM", 205, 6.534),
        ("llama-2-7b", "A100-80GB SXM", 4096, 7.534),
        ("llama-2-7b", "H100 SXM", 205, 3.977),
        ("llama-2-7b", "M4 Pro", 4096, 56.272),
        ("llama-3-8b", "A100-80GB SXM", 8192, 7.888),
        ("llama-3-8b", "H100 SXM", 8192, 4.801),
    ],
)
def test_ideal_steps_are_those_recorded(name: str, machine: str, context: int, ms: float) -> None:
    decode = costs_of(name, machine=machine, context=context).decode
    assert decode is not None
    assert decode.ideal.ms == pytest.approx(ms, rel=0.005)
    assert decode.ideal.bound == "weights"
    assert decode.typical.ms == pytest.approx(decode.ideal.ms / 0.65)


@pytest.mark.parametrize(("name", "tokens"), [("llama-2-7b", 25_205), ("llama-3-8b", 114_516)])
def test_the_context_at_which_the_cache_overtakes_the_weights(name: str, tokens: int) -> None:
    overtakes = costs_of(name).kv_overtakes
    assert overtakes == pytest.approx(tokens, abs=1)
    for context, bound in ((tokens - 10, "weights"), (tokens + 10, "kv")):
        decode = costs_of(name, context=context).decode
        assert decode is not None
        assert decode.ideal.bound == bound


def test_arithmetic_binds_a_large_batch_and_a_long_prompt() -> None:
    found = costs_of("llama-2-7b", batch=512, context=16)
    assert found.decode is not None
    assert found.decode.ideal.bound == "compute"
    prefill = costs_of("llama-2-7b", context=4096).prefill
    assert prefill is not None
    flops = 2 * 6_607_077_376 * 4096 + 4 * 32 * 4096 * 4096**2 // 2
    assert prefill.ideal.bound == "compute"
    assert prefill.ideal.ms == pytest.approx(flops / 312e12 * 1e3, rel=1e-6)
    assert prefill.ideal.tokens_per_second == pytest.approx(4096 / prefill.ideal.ms * 1e3)


def test_a_table_is_read_only_where_a_head_is_tied_to_it() -> None:
    assert weights_read(verdict_of("llama-2-7b"), 1) == 6_738_415_616 - 32_000 * 4096
    assert weights_read(verdict_of("qwen3-4b"), 1) == 4_022_468_096
    assert weights_read(verdict_of("gpt-2-small"), 1) == 124_439_808 - 1024 * 768


def test_a_token_reads_two_experts_of_eight_and_a_crowd_nearly_all() -> None:
    expert = 3 * 4096 * 14_336
    verdict = verdict_of("mixtral-8x7b")
    rest = 46_702_792_704 - 32_000 * 4096 - 32 * 8 * expert
    assert weights_read(verdict, 1) == pytest.approx(rest + 32 * 2 * expert)
    assert weights_read(verdict, 10_000) == pytest.approx(rest + 32 * 8 * expert)


def test_work_for_a_token_does_not_depend_on_the_length_that_is_drawn() -> None:
    graph = next(m for m in MODELS if m.name == "llama-3-8b").draw()
    before = decoder_work(check(graph))
    graph.set_meta("sequence", 17)
    graph.set_meta("batch", 3)
    assert decoder_work(check(graph)) == before


def test_a_prompt_costs_what_the_verdict_counts_but_for_the_masked_half() -> None:
    verdict = verdict_of("llama-2-7b")
    work = decoder_work(verdict)
    assert work is not None
    masked = sum(layer.pair for layer in work) * 4096**2 // 2
    assert sum(layer.prompt(4096) for layer in work) == (verdict.macs or 0) - masked


def test_a_windowed_layer_looks_at_its_window(build: Build) -> None:
    work = decoder_work(one(build, "localAttention", numHeads=4, windowSize=5, causal=True))
    assert work is not None
    assert sum(w.step(1000) - w.step(0) for w in work) == 2 * 64 * 5


def test_a_network_that_sees_what_comes_after_has_no_next_token() -> None:
    found = costs_of("bert-base")
    assert found.kv is not None
    assert not found.kv.causal
    assert found.decode is found.kv_overtakes is None
    assert found.prefill is not None


def test_a_network_without_a_sequence_has_no_latency_of_tokens() -> None:
    found = costs_of("resnet-18")
    assert found.kv is found.decode is found.prefill is found.kv_overtakes is None


# ------------------------------------------------------------------------------------------------------- whole answer


@pytest.mark.parametrize(
    ("dtype", "width", "cached"), [("fp32", 4, 4), ("bf16", 2, 2), ("int8", 1, 2), ("int4", 0.5, 2)]
)
def test_formats_change_weights_and_only_32_bits_the_cache(dtype: str, width: float, cached: int) -> None:
    found = costs_of("gpt-2-small", dtype=dtype, context=100)
    assert found.weight_bytes == 124_439_808 * width
    assert found.kv is not None
    assert found.kv.bytes_per_token == 12 * 2 * 768 * cached


def test_peaks_of_16_bit_arithmetic_say_nothing_of_32_bits() -> None:
    prefill = costs_of("llama-2-7b", dtype="fp32").prefill
    assert prefill is not None
    assert prefill.ideal.bound != "compute"


def test_a_batch_caches_for_every_sequence() -> None:
    assert costs_of("llama-3-8b", batch=4).kv.bytes == 4 * costs_of("llama-3-8b").kv.bytes  # type: ignore[union-attr]


def test_costs_are_unknown_while_an_error_stands(cnn: Graph) -> None:
    assert costs(check(cnn)) is None


def test_an_unknown_machine_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownMachine, match=r"no machine 'A100'.*A100-80GB SXM"):
        machine_named("A100")


def test_every_machine_has_a_bandwidth_and_balance_where_its_arithmetic_is_known() -> None:
    assert len(machines()) == 14
    assert all(m.bandwidth_gb_s > 0 for m in machines().values())
    for name, batch in (("A100-40GB", 201), ("A100-80GB SXM", 153), ("H100 SXM", 295), ("H200 SXM", 206)):
        assert machine_named(name).balance_batch == pytest.approx(batch, abs=0.6)


def test_a_cache_counts_layer_by_layer() -> None:
    layers = [kept.cached for kept in caches(verdict_of("llama-3-8b"))]
    assert len(layers) == 32
    assert kv_cache_bytes(layers, 131_072) == 16 * 2**30
