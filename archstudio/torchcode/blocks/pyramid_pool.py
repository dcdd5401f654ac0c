"""Pooling with grids of several sizes."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import nn


class SpatialPyramidPool(nn.Module):
    """Largest values in grids of several sizes, side by side (He et al. 2014): (B, C, H, W) -> (B, C·Σ level²)."""

    def __init__(self, levels: Sequence[int] = (1, 2, 4)) -> None:
        super().__init__()
        self.levels = tuple(levels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() != 4:
            raise ValueError(f"expected 4D input, got {x.dim()}D input")
        if not self.levels or min(self.levels) < 1:
            raise ValueError(f"levels must be positive, got {self.levels}")
        return torch.cat([F.adaptive_max_pool2d(x, level).flatten(1) for level in self.levels], dim=1)
