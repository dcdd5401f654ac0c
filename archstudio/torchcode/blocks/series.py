"""Layers that look at how responses spread over an image, a series or a batch."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class GlobalResponseNorm(nn.Module):
    """Channels of an image compete: each is scaled by its share of the response (ConvNeXt V2, arXiv 2301.00808)."""

    def __init__(self, num_features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.zeros(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 4 or x.size(1) != self.weight.numel() or x.dtype != torch.float32:
            raise ValueError(f"float32 images (B, {self.weight.numel()}, H, W), not {tuple(x.shape)}")
        response = x.pow(2).sum((2, 3), keepdim=True).sqrt()
        share = response / (response.mean(1, keepdim=True) + self.eps)
        return (self.weight.view(-1, 1, 1) * (x * share) + self.bias.view(-1, 1, 1) + x).contiguous()


class ReversibleInstanceNorm(nn.Module):
    """Every series of a batch to mean 0 and variance 1, then scaled by learned numbers (RevIN, ICLR 2022)."""

    def __init__(self, num_features: int, eps: float = 1e-5, affine: bool = True) -> None:
        super().__init__()
        self.num_features, self.eps = num_features, eps
        self.weight = nn.Parameter(torch.ones(num_features)) if affine else None
        self.bias = nn.Parameter(torch.zeros(num_features)) if affine else None

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 3 or x.size(-1) != self.num_features or x.dtype != torch.float32:
            raise ValueError(f"float32 series (B, T, {self.num_features}), not {tuple(x.shape)}")
        centred = x - x.mean(1, keepdim=True)
        out = centred / (centred.pow(2).mean(1, keepdim=True) + self.eps).sqrt()
        if self.weight is not None and self.bias is not None:
            out = out * self.weight + self.bias
        return out.contiguous()


class SeriesDecomposition(nn.Module):
    """A series as a moving average and what is left of it (Autoformer, arXiv 2106.13008)."""

    def __init__(self, kernel_size: int = 25) -> None:
        super().__init__()
        if kernel_size < 1 or kernel_size % 2 == 0:
            raise ValueError(f"a moving average of {kernel_size} has no middle")
        self.kernel_size = kernel_size

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        if x.dim() != 3 or x.size(1) == 0 or x.dtype != torch.float32:
            raise ValueError(f"float32 series (B, T, C) with T above 0, not {tuple(x.shape)}")
        reach = (self.kernel_size - 1) // 2
        padded = torch.cat([x[:, :1].expand(-1, reach, -1), x, x[:, -1:].expand(-1, reach, -1)], 1)
        trend = padded.unfold(1, self.kernel_size, 1).mean(-1).contiguous()
        return (x - trend).contiguous(), trend


class MinibatchStdDev(nn.Module):
    """One more channel that holds how much the images of the batch differ (progressive GAN, arXiv 1710.10196)."""

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 4 or x.dtype != torch.float32:
            raise ValueError(f"float32 images (B, C, H, W), not {tuple(x.shape)}")
        spread = ((x - x.mean(0)).pow(2).mean(0) + 1e-8).sqrt().mean()
        return torch.cat([x, spread.expand(x.size(0), 1, *x.shape[2:])], 1).contiguous()
