"""Attention and transformers: heads, widths, weights, and what they cost."""

import pytest

from archstudio.layers import Wire, entry


def test_heads_must_divide_the_width(run):
    result = run("multiHeadAttention", (2, 10, 100), embedDim=100, numHeads=7)
    assert (result.code, result.phase) == ("E-HEADS", "construct")
    assert (result.facts["width"], result.facts["heads"], round(result.facts["each"], 1)) == (100, 7, 14.3)


def test_one_input_attends_to_itself_and_two_or_three_to_each_other(run):
    query, key = (2, 10, 64), (2, 7, 64)
    assert run("multiHeadAttention", query, numHeads=4).shape == query
    assert run("multiHeadAttention", query, key, numHeads=4).shape == query
    assert run("multiHeadAttention", query, key, key, numHeads=4).shape == query
    assert run("multiHeadAttention", query, key, (2, 6, 64), numHeads=4).code == "E-ATTN-PAIR"
    assert run("multiHeadAttention", query, (3, 7, 64), numHeads=4).code == "E-ATTN-PAIR"


def test_keys_and_values_may_have_widths_of_their_own(run):
    result = run("multiHeadAttention", (2, 10, 64), (2, 7, 32), (2, 7, 48), numHeads=4, kdim=32, vdim=48)
    assert (result.parameters, result.macs) == (13_568, 253_440)
    assert run("multiHeadAttention", (2, 10, 64), (2, 7, 33), (2, 7, 48), numHeads=4, kdim=32, vdim=48).facts == {
        "needs": 32,
        "gets": 33,
        "what": "key",
        "set_by": "kdim",
    }


def test_attention_weights_are_a_second_output_where_they_are_wanted(run):
    result = run("multiHeadAttention", (2, 10, 64), numHeads=4, needWeights=True, addBiasKv=True)
    assert [wire.shape for wire in result.value] == [(2, 10, 64), (2, 10, 11)]
    assert result.layer.output_names() == {"output": (0,), "weights": (1,)}
    assert (result.parameters, result.macs) == (16_768, 355_840)


def test_batch_first_attention_returns_a_view_of_time_first_memory(run):
    result = run("multiHeadAttention", (3, 5, 8), numHeads=2)
    assert result.value.element_strides == (8, 24, 1)


def test_all_spellings_of_plain_attention_are_one_entry():
    assert entry("attention") is entry("selfAttention") is entry("multiHeadAttention")
    assert entry("causalAttention").torch == "blocks.CausalSelfAttention"


def test_query_heads_share_key_heads_equally(run):
    assert run("groupedQueryAttention", (1, 4, 64), numHeads=32, numKVHeads=7, headDim=8).code == "E-KV-HEADS"
    qwen = run("groupedQueryAttention", (1, 16, 2560), numHeads=32, numKVHeads=8, headDim=128, qkNorm=True)
    assert (qwen.parameters, qwen.macs) == (26_214_656, 421_527_552)
    assert run("groupedQueryAttention", (1, 16, 100), numHeads=7).code == "E-HEADS"


def test_latent_attention_counts_its_four_matrices(run):
    d, heads, latent, rope, head = 64, 4, 16, 8, 16
    result = run("mla", (2, 5, d), numHeads=heads, kvLatentDim=latent, ropeHeadDim=rope)
    expected = d * heads * (head + rope) + d * (latent + rope) + latent * heads * 2 * head + heads * head * d
    assert result.parameters == expected
    assert run("mla", (2, 5, d), numHeads=heads, kvLatentDim=latent, ropeHeadDim=7).code == "E-ROPE-ODD"


def test_the_bare_product_spreads_one_key_head_but_not_eight(run):
    query = (1, 32, 16, 128)
    assert run("scaledDotProductAttention", query, (1, 1, 16, 128), (1, 1, 16, 128)).shape == query
    assert run("scaledDotProductAttention", query, (1, 8, 16, 128), (1, 8, 16, 128)).code == "E-BROADCAST"
    shared = run("scaledDotProductAttention", query, (1, 8, 16, 128), (1, 8, 16, 128), enableGqa=True)
    assert (shared.shape, shared.macs) == (query, 2_097_152)


@pytest.mark.parametrize("width", [32, 768])
def test_a_transformer_block_has_12_dd_and_13_d_parameters(run, width):
    expected = 12 * width**2 + 13 * width
    assert run("transformerBlock", (2, 8, width), numHeads=4).parameters == expected
    assert run("preNormBlock", (2, 8, width), numHeads=4).parameters == expected


def test_a_llama_block_counts_like_llama(run):
    block = run("preNormBlock", (1, 16, 4096), numHeads=32, ffDim=11_008, norm="rmsnorm", mlp="swiglu", bias=False)
    assert (block.parameters, block.macs) == (202_383_360, 3_240_099_840)


def test_an_encoder_layer_keeps_what_pytorch_keeps(run):
    result = run("transformerEncoderLayer", (1, 512, 128), numHeads=8, dimFeedforward=256)
    kept = list(result.layer.saved(result.inputs, result.value))
    own = sum(s.own_bytes for s in kept)
    assert own + sum(result.inputs[s.index].bytes for s in kept if s.what == "input") == 2_646_016


def test_a_decoder_needs_a_memory_of_the_same_batch(run):
    assert run("transformerDecoderLayer", (2, 10, 128), (2, 20, 128), numHeads=8).shape == (2, 10, 128)
    assert run("transformerDecoderLayer", (2, 10, 128), (3, 20, 128), numHeads=8).code == "E-SIZE"
    assert run("transformerDecoderLayer", (2, 10, 128), numHeads=8).code == "E-INPUT-COUNT"


def test_experts_count_all_weights_but_only_the_visits_of_a_token(run):
    d, hidden, experts, top_k = 64, 128, 8, 2
    bench = run("mixtureOfExperts", (1, 16, d), hiddenDim=hidden, numExperts=experts, topK=top_k)
    assert bench.parameters == d * experts + experts * 2 * d * hidden
    assert bench.macs == 16 * (d * experts + top_k * 2 * d * hidden)
    gated = run("moeLayer", (1, 16, d), expertDim=hidden, numExperts=experts, topK=top_k)
    assert gated.parameters == d * experts + experts * 3 * d * hidden
    assert run("moeLayer", (1, 16, d), expertDim=hidden, numExperts=4, topK=5).code == "E-MOE-TOPK"


def test_half_precision_does_not_enter_attention_of_float32_weights(run):
    assert run("multiHeadAttention", Wire.of((2, 4, 8), "float16"), numHeads=2).code == "E-DTYPE"
