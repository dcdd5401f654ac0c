"""Whole transformer blocks with a condition, with a convolution, and for tables."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn


class AdaLNZeroBlock(nn.Module):
    """Transformer block whose norms and residuals are steered by a condition (DiT, arXiv 2212.09748)."""

    def __init__(
        self, embed_dim: int, num_heads: int = 1, cond_dim: int | None = None, ff_dim: int | None = None
    ) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        cond_dim = embed_dim if cond_dim is None else cond_dim
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.num_heads, self.head_dim, self.embed_dim = num_heads, embed_dim // num_heads, embed_dim
        self.steering = nn.Linear(cond_dim, 6 * embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.up = nn.Linear(embed_dim, ff_dim)
        self.down = nn.Linear(ff_dim, embed_dim)

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        if x.dim() != 3 or condition.dim() != 2 or condition.size(0) != x.size(0):
            raise ValueError(f"tokens (B, T, C) and conditions (B, D), not {tuple(x.shape)}, {tuple(condition.shape)}")
        if x.dtype != self.steering.weight.dtype:
            raise ValueError(f"tokens of {self.steering.weight.dtype}, not {x.dtype}")
        shift1, scale1, gate1, shift2, scale2, gate2 = self.steering(F.silu(condition)).unsqueeze(1).chunk(6, -1)
        normed = F.layer_norm(x, (self.embed_dim,)) * (1 + scale1) + shift1
        q, k, v = self.qkv(normed).view(*x.shape[:2], 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind()
        x = x + gate1 * self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        normed = F.layer_norm(x, (self.embed_dim,)) * (1 + scale2) + shift2
        out: Tensor = x + gate2 * self.down(F.gelu(self.up(normed), approximate="tanh"))
        return out.contiguous()


class ConformerBlock(nn.Module):
    """Half a feed-forward part, attention, a convolution, and the other half (arXiv 2005.08100)."""

    def __init__(self, embed_dim: int, num_heads: int = 1, ff_dim: int | None = None, kernel_size: int = 31) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        if kernel_size % 2 == 0:
            raise ValueError(f"a kernel of {kernel_size} has no middle")
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.first = self.feed_forward(embed_dim, ff_dim)
        self.attention_norm = nn.LayerNorm(embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.conv_norm = nn.LayerNorm(embed_dim)
        self.widen = nn.Conv1d(embed_dim, 2 * embed_dim, 1)
        self.depthwise = nn.Conv1d(embed_dim, embed_dim, kernel_size, padding=kernel_size // 2, groups=embed_dim)
        self.batch_norm = nn.BatchNorm1d(embed_dim)
        self.narrow = nn.Conv1d(embed_dim, embed_dim, 1)
        self.second = self.feed_forward(embed_dim, ff_dim)
        self.final_norm = nn.LayerNorm(embed_dim)

    @staticmethod
    def feed_forward(embed_dim: int, ff_dim: int) -> nn.Sequential:
        """One of the two feed-forward parts, which are added by half."""
        return nn.Sequential(
            nn.LayerNorm(embed_dim), nn.Linear(embed_dim, ff_dim), nn.SiLU(), nn.Linear(ff_dim, embed_dim)
        )

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3 or 0 in x.shape:
            raise ValueError(f"sequences (B, T, C) that are not empty, not {tuple(x.shape)}")
        x = x + 0.5 * self.first(x)
        normed = self.qkv(self.attention_norm(x))
        q, k, v = normed.view(*x.shape[:2], 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind()
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        wide = F.glu(self.widen(self.conv_norm(x).transpose(1, 2)), 1)
        x = x + self.narrow(F.silu(self.batch_norm(self.depthwise(wide)))).transpose(1, 2)
        out: Tensor = self.final_norm(x + 0.5 * self.second(x))
        return out


class FTTransformerBlock(nn.Module):
    """Pre-norm block with a ReLU gate over the features of a table (FT-Transformer, arXiv 2106.11959)."""

    def __init__(self, embed_dim: int, num_heads: int = 1, ff_dim: int | None = None) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        ff_dim = 4 * embed_dim // 3 if ff_dim is None else ff_dim
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.attention_norm, self.mlp_norm = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.proj = nn.Linear(embed_dim, embed_dim)
        self.up = nn.Linear(embed_dim, 2 * ff_dim)
        self.down = nn.Linear(ff_dim, embed_dim)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3:
            raise ValueError(f"tokens (B, T, C), not {tuple(x.shape)}")
        normed = self.qkv(self.attention_norm(x))
        q, k, v = normed.view(*x.shape[:2], 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4).unbind()
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        values, gates = self.up(self.mlp_norm(x)).chunk(2, -1)
        out: Tensor = x + self.down(values * F.relu(gates))
        return out.contiguous()
