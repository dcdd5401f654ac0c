"""Layers that mix the positions of a sequence in other ways than softmax over all pairs."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Mamba(nn.Module):
    """Selective state space: a gated recurrence whose step, input and output depend on the token (arXiv 2312.00752)."""

    def __init__(
        self, d_model: int, d_state: int = 16, d_conv: int = 4, expand: int = 2, dt_rank: int | None = None
    ) -> None:
        super().__init__()
        inner = expand * d_model
        self.dt_rank = math.ceil(d_model / 16) if dt_rank is None else dt_rank
        self.d_state, self.d_conv = d_state, d_conv
        self.in_proj = nn.Linear(d_model, 2 * inner, bias=False)
        self.conv = nn.Conv1d(inner, inner, d_conv, groups=inner)
        self.x_proj = nn.Linear(inner, self.dt_rank + 2 * d_state, bias=False)
        self.dt_proj = nn.Linear(self.dt_rank, inner)
        self.A_log = nn.Parameter(torch.arange(1.0, d_state + 1).log().repeat(inner, 1))
        self.D = nn.Parameter(torch.ones(inner))
        self.out_proj = nn.Linear(inner, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3 or x.size(1) == 0:
            raise ValueError(f"sequences (B, T, C) with T above 0, not {tuple(x.shape)}")
        u, gate = self.in_proj(x).chunk(2, -1)
        u = F.silu(self.conv(F.pad(u.transpose(1, 2), (self.d_conv - 1, 0)))).transpose(1, 2)
        step, b, c = self.x_proj(u).split([self.dt_rank, self.d_state, self.d_state], -1)
        out: Tensor = self.out_proj((self.scan(u, F.softplus(self.dt_proj(step)), b, c) + self.D * u) * F.silu(gate))
        return out

    def scan(self, u: Tensor, step: Tensor, b: Tensor, c: Tensor) -> Tensor:
        """Run the recurrence h = exp(Δ·A)·h + Δ·B·u, y = C·h over (B, T, D), one position after the other."""
        decay = torch.exp(step.unsqueeze(-1) * -self.A_log.exp())
        driven = (step * u).unsqueeze(-1) * b.unsqueeze(-2)
        state = torch.zeros_like(driven[:, 0])
        results = []
        for t in range(u.size(1)):
            state = decay[:, t] * state + driven[:, t]
            results.append((state * c[:, t].unsqueeze(-2)).sum(-1))
        return torch.stack(results, 1)


class Retention(nn.Module):
    """Attention with a fixed decay over distance in place of softmax, in its parallel form (arXiv 2307.08621)."""

    def __init__(self, embed_dim: int, num_heads: int = 1) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.g_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.o_proj = nn.Linear(embed_dim, embed_dim, bias=False)

    def decay(self, length: int, like: Tensor) -> Tensor:
        """γ to the power of the distance, 0 ahead: (heads, T, T), γ = 1 − 2^(−5 − head)."""
        gamma = 1 - torch.exp2(-5.0 - torch.arange(self.num_heads, device=like.device))
        place = torch.arange(length, device=like.device)
        distance = place.unsqueeze(1) - place.unsqueeze(0)
        return torch.pow(gamma.view(-1, 1, 1), distance.clamp(min=0)).masked_fill(distance < 0, 0.0)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3:
            raise ValueError(f"sequences (B, T, C), not {tuple(x.shape)}")
        parts = (self.q_proj(x), self.k_proj(x), self.v_proj(x))
        q, k, v = (part.view(*x.shape[:2], self.num_heads, self.head_dim).transpose(1, 2) for part in parts)
        scores = q @ k.transpose(-2, -1) * self.head_dim**-0.5 * self.decay(x.size(1), x)
        heads = F.layer_norm(scores @ v, (self.head_dim,)).transpose(1, 2).flatten(2)
        out: Tensor = self.o_proj(F.silu(self.g_proj(x)) * heads)
        return out


class DifferentialAttention(nn.Module):
    """The difference of two attention maps, so that what both agree on by accident cancels (arXiv 2410.05258)."""

    def __init__(self, embed_dim: int, num_heads: int = 1, lambda_init: float = 0.8, causal: bool = True) -> None:
        super().__init__()
        if embed_dim % (2 * num_heads):
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} pairs of heads")
        self.num_heads, self.width, self.lambda_init = num_heads, embed_dim // num_heads // 2, lambda_init
        self.causal = causal
        self.q_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.k_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.v_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.o_proj = nn.Linear(embed_dim, embed_dim, bias=False)
        self.lambdas = nn.Parameter(torch.randn(4, self.width) * 0.1)
        self.norm = nn.RMSNorm(2 * self.width)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3:
            raise ValueError(f"sequences (B, T, C), not {tuple(x.shape)}")
        q = self.q_proj(x).view(*x.shape[:2], 2 * self.num_heads, self.width).transpose(1, 2)
        k = self.k_proj(x).view(*x.shape[:2], 2 * self.num_heads, self.width).transpose(1, 2)
        v = self.v_proj(x).view(*x.shape[:2], self.num_heads, 2 * self.width).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) * self.width**-0.5
        if self.causal:
            future = torch.ones(x.size(1), x.size(1), dtype=torch.bool, device=x.device).triu(1)
            scores = scores.masked_fill(future, float("-inf"))
        maps = scores.softmax(-1)
        first, second = (self.lambdas[::2] * self.lambdas[1::2]).sum(-1).exp().unbind()
        weights = maps[:, ::2] - (first - second + self.lambda_init) * maps[:, 1::2]
        heads = (1 - self.lambda_init) * self.norm(weights @ v)
        out: Tensor = self.o_proj(heads.transpose(1, 2).flatten(2))
        return out


class LatentCrossAttention(nn.Module):
    """Learned latents ask a sequence: (B, T, C) -> (B, latents, C) (Perceiver, arXiv 2103.03206)."""

    def __init__(self, embed_dim: int, num_latents: int, num_heads: int = 1) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.latents = nn.Parameter(torch.randn(num_latents, embed_dim) * 0.02)
        self.q_proj = nn.Linear(embed_dim, embed_dim)
        self.k_proj = nn.Linear(embed_dim, embed_dim)
        self.v_proj = nn.Linear(embed_dim, embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3:
            raise ValueError(f"sequences (B, T, C), not {tuple(x.shape)}")
        q = self.q_proj(self.latents).expand(x.size(0), -1, -1)
        parts = (q, self.k_proj(x), self.v_proj(x))
        q, k, v = (part.reshape(*part.shape[:2], self.num_heads, self.head_dim).transpose(1, 2) for part in parts)
        heads = F.scaled_dot_product_attention(q, k, v)
        out: Tensor = self.o_proj(heads.transpose(1, 2).flatten(2))
        return out


class AttentionPool(LatentCrossAttention):
    """One learned question asked of a sequence: (B, T, C) -> (B, C) (arXiv 1810.00825)."""

    def __init__(self, embed_dim: int, num_heads: int = 1) -> None:
        super().__init__(embed_dim, 1, num_heads)

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x).squeeze(1)


class DividedSpaceTimeAttention(nn.Module):
    """Attention over frames, then over places within a frame, each added to what came in (arXiv 2102.05095)."""

    def __init__(self, embed_dim: int, num_heads: int = 1) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim {embed_dim} does not split into {num_heads} heads")
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.time_norm, self.space_norm = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.time_qkv, self.space_qkv = nn.Linear(embed_dim, 3 * embed_dim), nn.Linear(embed_dim, 3 * embed_dim)
        self.time_proj, self.space_proj = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)

    def mixed(self, qkv: Tensor) -> Tensor:
        """Attention along the last axis but one of (B, G, T, 3·C)."""
        q, k, v = qkv.reshape(*qkv.shape[:3], 3, self.num_heads, self.head_dim).permute(3, 0, 1, 4, 2, 5).unbind()
        return F.scaled_dot_product_attention(q, k, v).transpose(2, 3).flatten(3)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 4:
            raise ValueError(f"videos (B, frames, places, C), not {tuple(x.shape)}")
        moved = self.mixed(self.time_qkv(self.time_norm(x)).transpose(1, 2)).transpose(1, 2)
        x = (x + self.time_proj(moved)).contiguous()
        out: Tensor = x + self.space_proj(self.mixed(self.space_qkv(self.space_norm(x))))
        return out
