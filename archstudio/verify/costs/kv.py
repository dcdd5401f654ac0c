"""How many bytes a decoder keeps for the tokens it has already read."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final

FP32_BYTES: Final = 4.0
FP16_BYTES: Final = 2.0
Q8_0_BYTES: Final = 34 / 32  # llama.cpp: a block of 32 bytes and one 2-byte scale
Q4_0_BYTES: Final = 18 / 32  # llama.cpp: a block of 16 bytes and one 2-byte scale
PAGE_TOKENS: Final = 16  # vLLM's default block


@dataclass(frozen=True)
class CachedLayer:
    """What one layer keeps: elements for each token, and elements that do not grow with the sequence.

    A `window` keeps only the last so many tokens; `fixed_tokens` replaces the sequence length (cross-attention over an
    encoder). Layers that share another's cache are simply not listed.
    """

    elements_per_token: int = 0
    window: int | None = None
    fixed_tokens: int | None = None
    constant_elements: int = 0

    @classmethod
    def attention(
        cls, kv_heads: int, key_width: int, value_width: int | None = None, window: int | None = None
    ) -> "CachedLayer":
        """Keys and values of `kv_heads` heads; the widths are those of one head."""
        values = key_width if value_width is None else value_width
        return cls(kv_heads * (key_width + values), window)

    @classmethod
    def latent(cls, width: int) -> "CachedLayer":
        """Multi-head latent attention: compressed vector and rotary key, together `width` [arXiv 2405.04434]."""
        return cls(width)

    @classmethod
    def state(cls, elements: int) -> "CachedLayer":
        """Linear attention or a state-space layer, whose state has a constant size."""
        return cls(constant_elements=elements)

    def elements(self, tokens: int) -> int:
        """Elements kept for one sequence of this many tokens."""
        kept = tokens if self.fixed_tokens is None else self.fixed_tokens
        if self.window is not None:
            kept = min(kept, self.window)
        return kept * self.elements_per_token + self.constant_elements


def kv_cache_bytes(
    layers: Iterable[CachedLayer],
    tokens: int,
    batch: int = 1,
    bytes_per_element: float = FP16_BYTES,
    page_tokens: int = 1,
) -> int:
    """Bytes cached for `batch` sequences of `tokens` tokens; paged caches round each sequence up to whole pages."""
    paged = ceil(tokens / page_tokens) * page_tokens
    elements = sum(layer.elements(paged) for layer in layers)
    return round(batch * elements * bytes_per_element)


def kv_bytes_per_token(layers: Iterable[CachedLayer], bytes_per_element: float = FP16_BYTES) -> int:
    """Bytes one more token adds while every window is still open."""
    return round(sum(layer.elements_per_token for layer in layers) * bytes_per_element)
