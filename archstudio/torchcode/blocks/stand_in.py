"""What stands in exported code for a layer without a reference implementation."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class StandIn(nn.Module):
    """Gives zeros of the declared shape (−1 first: the batch of the first input) and holds the declared weights.

    Replace it by the real layer: shapes, parameters and whatever lies behind it are already right.
    """

    def __init__(self, output_shape: Sequence[int], parameter_count: int = 0) -> None:
        super().__init__()
        if not output_shape or any(size < 0 for size in output_shape[1:]) or output_shape[0] < -1:
            raise ValueError(f"a shape whose first size may be -1, not {tuple(output_shape)}")
        self.output_shape = tuple(output_shape)
        self.weight = nn.Parameter(torch.zeros(parameter_count))

    def forward(self, *inputs: Tensor) -> Tensor:
        if self.output_shape[0] == -1 and inputs[0].dim() == 0:
            raise ValueError("a scalar has no batch")
        batch = inputs[0].size(0) if self.output_shape[0] == -1 else self.output_shape[0]
        return torch.zeros(batch, *self.output_shape[1:], device=self.weight.device) + 0.0 * self.weight.sum()
