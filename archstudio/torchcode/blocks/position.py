"""Where a token stands in its sequence."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class RotaryEmbedding(nn.Module):
    """Turn pairs of features by an angle that grows with the position (RoPE, arXiv 2104.09864).

    Positions run along the second last axis, features along the last; halves are paired as in Llama.
    """

    def __init__(self, dim: int, base: float = 10_000.0) -> None:
        super().__init__()
        if dim % 2:
            raise ValueError(f"rotary embedding turns pairs of features, {dim} is odd")
        self.dim, self.base = dim, base

    def forward(self, x: Tensor) -> Tensor:
        length, dim = x.shape[-2:]
        if dim != self.dim or not x.is_floating_point():
            raise ValueError(f"made for {self.dim} floating-point features, got {dim} of {x.dtype}")
        half = torch.arange(0, dim, 2, device=x.device, dtype=x.dtype)
        angle = torch.arange(length, device=x.device, dtype=x.dtype)[:, None] * self.base ** (-half / dim)
        cos, sin = angle.cos(), angle.sin()
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


class SinusoidalPositions(nn.Module):
    """Add sines and cosines of the position (Attention Is All You Need, arXiv 1706.03762)."""

    table: Tensor

    def __init__(self, embed_dim: int, max_length: int = 5000, dropout: float = 0.0) -> None:
        super().__init__()
        if embed_dim % 2:
            raise ValueError(f"sines and cosines come in pairs, {embed_dim} is odd")
        angle = torch.arange(max_length)[:, None] * torch.exp(
            torch.arange(0, embed_dim, 2) * (-math.log(10_000.0) / embed_dim)
        )
        self.register_buffer("table", torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).unsqueeze(0))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.dropout(x + self.table[:, : x.size(-2)])
        return out


class LearnedPositions(nn.Module):
    """Add the first rows of a learned table, one row a position."""

    def __init__(self, max_length: int, embed_dim: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(1, max_length, embed_dim) * 0.02)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table[:, : x.size(-2)]


class LearnedPositionsStrict(nn.Module):
    """Add a whole learned table, one row a position: the sequence must be as long as the table."""

    def __init__(self, length: int, embed_dim: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.randn(1, length, embed_dim) * 0.02)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.table


class RelativePositionBias(nn.Module):
    """Add a learned bias per head and distance to attention scores (T5, arXiv 1910.10683, without its buckets)."""

    def __init__(self, num_heads: int, max_distance: int = 128) -> None:
        super().__init__()
        self.max_distance = max_distance
        self.bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(self, scores: Tensor) -> Tensor:
        query, key = (torch.arange(n, device=scores.device) for n in scores.shape[-2:])
        distance = (key[None, :] - query[:, None]).clamp(-self.max_distance, self.max_distance)
        out: Tensor = scores + self.bias(distance + self.max_distance).permute(2, 0, 1)
        return out


class Alibi(nn.Module):
    """Subtract from attention scores in proportion to the distance (ALiBi, arXiv 2108.12409); nothing is learned."""

    slopes: Tensor

    def __init__(self, num_heads: int) -> None:
        super().__init__()
        self.register_buffer("slopes", 2.0 ** (-8.0 * torch.arange(1, num_heads + 1) / num_heads))

    def forward(self, scores: Tensor) -> Tensor:
        query, key = (torch.arange(n, device=scores.device) for n in scores.shape[-2:])
        distance = (key[None, :] - query[:, None]).abs()
        return scores - self.slopes[:, None, None] * distance


class TimeEmbedding(nn.Module):
    """Sines and cosines of a time step, then two linear layers with SiLU between (DDPM, arXiv 2006.11239)."""

    def __init__(self, dim: int, hidden_dim: int | None = None, frequency_dim: int = 256) -> None:
        super().__init__()
        if frequency_dim % 2:
            raise ValueError(f"sines and cosines come in pairs, {frequency_dim} is odd")
        hidden_dim = dim if hidden_dim is None else hidden_dim
        self.frequency_dim = frequency_dim
        self.net = nn.Sequential(nn.Linear(frequency_dim, hidden_dim), nn.SiLU(), nn.Linear(hidden_dim, dim))

    def forward(self, t: Tensor) -> Tensor:
        half = self.frequency_dim // 2
        frequency = torch.exp(-math.log(10_000.0) * torch.arange(half, device=t.device) / half)
        angle = t.unsqueeze(-1).float() * frequency
        out: Tensor = self.net(torch.cat([angle.cos(), angle.sin()], dim=-1))
        return out


class FourierPositions(nn.Module):
    """Sines and cosines of coordinates at doubling frequencies (NeRF, arXiv 2003.08934)."""

    def __init__(self, num_frequencies: int = 10, include_input: bool = True) -> None:
        super().__init__()
        self.num_frequencies, self.include_input = num_frequencies, include_input

    def forward(self, x: Tensor) -> Tensor:
        frequency = 2.0 ** torch.arange(self.num_frequencies, device=x.device) * math.pi
        angle = (x.unsqueeze(-1) * frequency).flatten(-2)
        parts = [angle.sin(), angle.cos()]
        return torch.cat([x, *parts] if self.include_input else parts, dim=-1)
