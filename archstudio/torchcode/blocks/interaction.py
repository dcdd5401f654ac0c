"""Products of features, as recommendation models take them."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class FeatureInteraction(nn.Module):
    """Dot products of all pairs of feature vectors: (B, F, D) -> (B, F·(F−1)/2) (DLRM, arXiv 1906.00091)."""

    def forward(self, x: Tensor) -> Tensor:
        products = torch.bmm(x, x.transpose(1, 2))
        row, column = torch.tril_indices(x.size(1), x.size(1), offset=-1, device=x.device)
        return products[:, row, column]


class CrossNetwork(nn.Module):
    """Layers x₀ ⊙ (W·x + b) + x, which raise the degree of feature products (DCN-V2, arXiv 2008.13535)."""

    def __init__(self, input_dim: int, num_layers: int = 3) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(input_dim, input_dim) for _ in range(num_layers)])

    def forward(self, x: Tensor) -> Tensor:
        first = x
        for layer in self.layers:
            x = first * layer(x) + x
        return x
