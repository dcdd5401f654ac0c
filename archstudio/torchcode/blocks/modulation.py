"""Layers that scale, shift or bend what comes in."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class FiLM(nn.Module):
    """Scale and shift features as a condition says (arXiv 1709.07871)."""

    def __init__(self, feature_dim: int, cond_dim: int) -> None:
        super().__init__()
        self.proj = nn.Linear(cond_dim, 2 * feature_dim)

    def forward(self, x: Tensor, condition: Tensor) -> Tensor:
        scale, shift = self.proj(condition).chunk(2, dim=-1)
        missing = x.dim() - scale.dim()
        if missing > 0:
            outer = scale.shape[:-1]
            scale, shift = (t.reshape(*outer, *(1,) * missing, t.size(-1)) for t in (scale, shift))
        out: Tensor = x * (1 + scale) + shift
        return out


class KANLinear(nn.Module):
    """Every connection is a learned function: SiLU plus a B-spline on a fixed grid (KAN, arXiv 2404.19756)."""

    knots: Tensor

    def __init__(self, in_features: int, out_features: int, grid_size: int = 5, spline_order: int = 3) -> None:
        super().__init__()
        self.spline_order = spline_order
        step = 2.0 / grid_size
        knots = torch.arange(-spline_order, grid_size + spline_order + 1) * step - 1.0
        self.register_buffer("knots", knots)
        self.base_weight = nn.Parameter(torch.empty(out_features, in_features))
        self.spline_weight = nn.Parameter(torch.randn(out_features, in_features, grid_size + spline_order) * 0.1)
        nn.init.kaiming_uniform_(self.base_weight, a=5**0.5)

    def splines(self, x: Tensor) -> Tensor:
        """Values of all basis functions: (*, in_features) -> (*, in_features, grid_size + spline_order)."""
        x, knots = x.unsqueeze(-1), self.knots
        basis = ((x >= knots[:-1]) & (x < knots[1:])).to(x.dtype)
        for k in range(1, self.spline_order + 1):
            left = (x - knots[: -k - 1]) / (knots[k:-1] - knots[: -k - 1])
            right = (knots[k + 1 :] - x) / (knots[k + 1 :] - knots[1:-k])
            basis = left * basis[..., :-1] + right * basis[..., 1:]
        return basis

    def forward(self, x: Tensor) -> Tensor:
        curved = F.linear(self.splines(x).flatten(-2), self.spline_weight.flatten(1))
        return F.linear(F.silu(x), self.base_weight) + curved
