"""Feed-forward parts of transformers, dense and routed."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MLP(nn.Module):
    """Two linear layers with an activation between."""

    def __init__(self, embed_dim: int, ff_dim: int | None = None, bias: bool = True, activation: str = "gelu") -> None:
        super().__init__()
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.up = nn.Linear(embed_dim, ff_dim, bias=bias)
        self.activation = {"gelu": nn.GELU, "relu": nn.ReLU, "silu": nn.SiLU}[activation]()
        self.down = nn.Linear(ff_dim, embed_dim, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.down(self.activation(self.up(x)))
        return out


class SwiGLU(nn.Module):
    """A linear layer gated by SiLU of another, and one back (arXiv 2002.05202)."""

    def __init__(self, embed_dim: int, ff_dim: int | None = None, bias: bool = False) -> None:
        super().__init__()
        ff_dim = 8 * embed_dim // 3 if ff_dim is None else ff_dim
        self.gate = nn.Linear(embed_dim, ff_dim, bias=bias)
        self.up = nn.Linear(embed_dim, ff_dim, bias=bias)
        self.down = nn.Linear(ff_dim, embed_dim, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.down(F.silu(self.gate(x)) * self.up(x))
        return out


class GEGLU(nn.Module):
    """A linear layer gated by GELU of another, and one back (arXiv 2002.05202)."""

    def __init__(self, embed_dim: int, ff_dim: int | None = None, bias: bool = False) -> None:
        super().__init__()
        ff_dim = 8 * embed_dim // 3 if ff_dim is None else ff_dim
        self.gate = nn.Linear(embed_dim, ff_dim, bias=bias)
        self.up = nn.Linear(embed_dim, ff_dim, bias=bias)
        self.down = nn.Linear(ff_dim, embed_dim, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.down(F.gelu(self.gate(x)) * self.up(x))
        return out


class MixtureOfExperts(nn.Module):
    """A bias-free router sends every token to its `top_k` best experts and mixes what they return.

    Experts are bias-free: two matrices with GELU between, or SwiGLU where `gated`.
    """

    def __init__(self, embed_dim: int, hidden_dim: int, num_experts: int, top_k: int = 1, gated: bool = False) -> None:
        super().__init__()
        if top_k > num_experts:
            raise ValueError(f"a token cannot visit {top_k} of {num_experts} experts")
        self.top_k = top_k
        self.router = nn.Linear(embed_dim, num_experts, bias=False)
        expert = SwiGLU if gated else MLP
        self.experts = nn.ModuleList([expert(embed_dim, hidden_dim, bias=False) for _ in range(num_experts)])

    def forward(self, x: Tensor) -> Tensor:
        tokens = x.reshape(-1, x.size(-1))
        weight, chosen = self.router(tokens).softmax(dim=-1).topk(self.top_k, dim=-1)
        weight = weight / weight.sum(dim=-1, keepdim=True)
        out = torch.zeros_like(tokens, memory_format=torch.contiguous_format)
        for index, expert in enumerate(self.experts):
            token, place = torch.where(chosen == index)
            out = out.index_add(0, token, expert(tokens[token]) * weight[token, place].unsqueeze(-1))
        return out.reshape(x.shape)


class SharedExpertMoE(nn.Module):
    """Routed experts, and some that every token visits (DeepSeekMoE, arXiv 2401.06066)."""

    def __init__(
        self,
        embed_dim: int,
        hidden_dim: int,
        num_experts: int,
        top_k: int = 1,
        num_shared_experts: int = 1,
        gated: bool = True,
    ) -> None:
        super().__init__()
        expert = SwiGLU if gated else MLP
        self.routed = MixtureOfExperts(embed_dim, hidden_dim, num_experts, top_k, gated)
        self.shared = nn.ModuleList([expert(embed_dim, hidden_dim, bias=False) for _ in range(num_shared_experts)])

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.routed(x)
        for expert in self.shared:
            out = out + expert(x)
        return out
