"""Cached bytes agree with figures published for known models."""

from archstudio.verify.costs.kv import Q8_0_BYTES, CachedLayer, kv_bytes_per_token, kv_cache_bytes

LLAMA_2_7B = [CachedLayer.attention(32, 128)] * 32


def test_llama_2_7b_caches_half_a_mebibyte_a_token() -> None:
    assert kv_bytes_per_token(LLAMA_2_7B) == 524_288
    assert kv_cache_bytes(LLAMA_2_7B, 4096) == 2 * 2**30


def test_a_window_stops_the_cache_from_growing() -> None:
    gemma = [CachedLayer.attention(16, 128)] * 10 + [CachedLayer.attention(16, 128, window=1024)] * 52
    assert kv_cache_bytes(gemma, 131_072) == 11_173_625_856
    assert kv_bytes_per_token(gemma) == 507_904


def test_a_latent_cache_has_no_factor_of_two() -> None:
    assert kv_bytes_per_token([CachedLayer.latent(576)] * 61) == 70_272


def test_states_and_encoder_keys_do_not_grow_with_the_text() -> None:
    layers = [CachedLayer.state(1000), CachedLayer(elements_per_token=8, fixed_tokens=50)]
    assert kv_cache_bytes(layers, 10) == kv_cache_bytes(layers, 10_000) == 2 * (1000 + 400)


def test_quantised_and_paged_caches_count_scales_and_whole_pages() -> None:
    assert kv_cache_bytes([CachedLayer.attention(1, 16)], 32, bytes_per_element=Q8_0_BYTES) == 32 * 34
    assert kv_cache_bytes([CachedLayer.attention(1, 1)], 17, batch=3, page_tokens=16) == 3 * 32 * 2 * 2


def test_values_may_be_narrower_than_keys() -> None:
    assert CachedLayer.attention(2, 192, 128).elements(1) == 640
