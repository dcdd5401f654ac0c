"""Attention beyond nn.MultiheadAttention."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from archstudio.torchcode.blocks.position import RotaryEmbedding


class CausalSelfAttention(nn.MultiheadAttention):
    """Multi-head self-attention in which a position sees itself and what came before."""

    def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
        length = x.size(-2 if self.batch_first else 0)
        future = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        return super().forward(x, x, x, attn_mask=future, need_weights=False, is_causal=True)[0]


class LocalAttention(nn.MultiheadAttention):
    """Multi-head self-attention in which a position sees only those less than `window_size` away."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int = 1,
        window_size: int = 256,
        causal: bool = False,
        dropout: float = 0.0,
        bias: bool = True,
    ) -> None:
        super().__init__(embed_dim, num_heads, dropout, bias, batch_first=True)
        if window_size < 1:
            raise ValueError(f"a window of {window_size} sees nothing")
        self.window_size, self.causal = window_size, causal

    def forward(self, x: Tensor) -> Tensor:  # type: ignore[override]
        place = torch.arange(x.size(-2), device=x.device)
        ahead = place.unsqueeze(0) - place.unsqueeze(1)
        hidden = (ahead > 0) if self.causal else (ahead >= self.window_size)
        hidden = hidden | (ahead <= -self.window_size)
        return super().forward(x, x, x, attn_mask=hidden, need_weights=False)[0]


class GroupedQueryAttention(nn.Module):
    """Self-attention in which groups of query heads share one key and value head (arXiv 2305.13245)."""

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        num_kv_heads: int | None = None,
        head_dim: int | None = None,
        bias: bool = False,
        causal: bool = True,
        qk_norm: bool = False,
    ) -> None:
        super().__init__()
        num_kv_heads = num_heads if num_kv_heads is None else num_kv_heads
        if head_dim is None and embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        if num_heads % num_kv_heads:
            raise ValueError(f"{num_heads} query heads cannot share {num_kv_heads} key/value heads")
        self.num_heads, self.num_kv_heads, self.causal = num_heads, num_kv_heads, causal
        self.head_dim = embed_dim // num_heads if head_dim is None else head_dim
        self.q_proj = nn.Linear(embed_dim, num_heads * self.head_dim, bias=bias)
        self.k_proj = nn.Linear(embed_dim, num_kv_heads * self.head_dim, bias=bias)
        self.v_proj = nn.Linear(embed_dim, num_kv_heads * self.head_dim, bias=bias)
        self.o_proj = nn.Linear(num_heads * self.head_dim, embed_dim, bias=bias)
        self.q_norm = nn.RMSNorm(self.head_dim) if qk_norm else nn.Identity()
        self.k_norm = nn.RMSNorm(self.head_dim) if qk_norm else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q = self.q_norm(self.q_proj(x).view(batch, length, self.num_heads, self.head_dim)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(batch, length, self.num_kv_heads, self.head_dim)).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, self.num_kv_heads, self.head_dim).transpose(1, 2)
        y = F.scaled_dot_product_attention(
            q, k, v, is_causal=self.causal, enable_gqa=self.num_heads != self.num_kv_heads
        )
        out: Tensor = self.o_proj(y.transpose(1, 2).reshape(batch, length, self.num_heads * self.head_dim))
        return out


class MultiHeadLatentAttention(nn.Module):
    """Causal self-attention whose keys and values are made from one small latent (DeepSeek-V2, arXiv 2405.04434).

    Queries are not compressed. What has to be cached per token is the latent and the rotated part of the key.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        kv_latent_dim: int,
        rope_head_dim: int,
        head_dim: int | None = None,
        causal: bool = True,
        latent_norm: bool = False,
    ) -> None:
        super().__init__()
        if head_dim is None and embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.num_heads, self.kv_latent_dim, self.rope_head_dim = num_heads, kv_latent_dim, rope_head_dim
        self.head_dim = embed_dim // num_heads if head_dim is None else head_dim
        self.causal = causal
        self.q_proj = nn.Linear(embed_dim, num_heads * (self.head_dim + rope_head_dim), bias=False)
        self.kv_down = nn.Linear(embed_dim, kv_latent_dim + rope_head_dim, bias=False)
        self.kv_norm = nn.RMSNorm(kv_latent_dim) if latent_norm else nn.Identity()
        self.kv_up = nn.Linear(kv_latent_dim, num_heads * 2 * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, embed_dim, bias=False)
        self.rope = RotaryEmbedding(rope_head_dim)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        q = self.q_proj(x).view(batch, length, self.num_heads, self.head_dim + self.rope_head_dim).transpose(1, 2)
        q, q_place = q.split([self.head_dim, self.rope_head_dim], dim=-1)
        latent, k_place = self.kv_down(x).split([self.kv_latent_dim, self.rope_head_dim], dim=-1)
        kv = self.kv_up(self.kv_norm(latent)).view(batch, length, self.num_heads, 2 * self.head_dim).transpose(1, 2)
        k, v = kv.chunk(2, dim=-1)
        k_place = self.rope(k_place.unsqueeze(1)).expand(-1, self.num_heads, -1, -1)
        q = torch.cat([q, self.rope(q_place)], dim=-1)
        k = torch.cat([k, k_place], dim=-1)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        out: Tensor = self.o_proj(y.transpose(1, 2).reshape(batch, length, self.num_heads * self.head_dim))
        return out


class WindowAttention(nn.Module):
    """Self-attention inside square windows with a learned bias per offset (Swin Transformer, arXiv 2103.14030).

    Takes windows that are already cut out: (windows, window_size², embed_dim).
    """

    offsets: Tensor

    def __init__(self, embed_dim: int, num_heads: int, window_size: int = 7, qkv_bias: bool = True) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.num_heads, self.window_size = num_heads, window_size
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim, bias=qkv_bias)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.bias_table = nn.Parameter(torch.empty((2 * window_size - 1) ** 2, num_heads))
        nn.init.trunc_normal_(self.bias_table, std=0.02)
        place = torch.arange(window_size)
        row, column = place.repeat_interleave(window_size), place.repeat(window_size)
        offset = (row[:, None] - row) * (2 * window_size - 1) + (column[:, None] - column)
        self.register_buffer("offsets", offset + 2 * window_size * (window_size - 1))

    def forward(self, x: Tensor) -> Tensor:
        windows, length, width = x.shape
        if length != self.window_size**2:
            raise ValueError(f"a window has {self.window_size**2} tokens, got {length}")
        q, k, v = self.qkv(x).view(windows, length, 3, self.num_heads, width // self.num_heads).permute(2, 0, 3, 1, 4)
        bias = self.bias_table[self.offsets].permute(2, 0, 1).unsqueeze(0)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        out: Tensor = self.proj(y.transpose(1, 2).reshape(windows, length, width))
        return out


class LinearAttention(nn.Module):
    """Attention without softmax, linear in the length: φ(q)·(φ(k)ᵀ·v), φ = elu + 1 (arXiv 2006.16236)."""

    def __init__(self, embed_dim: int, num_heads: int = 1, bias: bool = True) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.num_heads = num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=bias)
        self.o_proj = nn.Linear(embed_dim, embed_dim, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (
            proj(x).view(batch, length, self.num_heads, width // self.num_heads).transpose(1, 2)
            for proj in (self.q_proj, self.k_proj, self.v_proj)
        )
        q, k = F.elu(q) + 1, F.elu(k) + 1
        y = q @ (k.transpose(-2, -1) @ v)
        y = y / (q * k.sum(dim=-2, keepdim=True)).sum(dim=-1, keepdim=True)
        out: Tensor = self.o_proj(y.transpose(1, 2).reshape(batch, length, width))
        return out
