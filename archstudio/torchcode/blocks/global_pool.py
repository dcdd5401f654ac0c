"""Pools over everything, one value for each channel."""

import torch
from torch import nn


class GlobalAvgPool1d(nn.Module):
    """The mean of each channel over the whole sequence: (B, C, L) -> (B, C)."""

    def __init__(self, keep_dims: bool = False) -> None:
        super().__init__()
        self.keep_dims = keep_dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input, got {x.dim()}D input")
        return x.mean(dim=-1, keepdim=self.keep_dims)


class GlobalAvgPool2d(nn.Module):
    """The mean of each channel over the whole image: (B, C, H, W) -> (B, C)."""

    def __init__(self, keep_dims: bool = False) -> None:
        super().__init__()
        self.keep_dims = keep_dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() not in (3, 4):
            raise ValueError(f"expected 3D or 4D input, got {x.dim()}D input")
        return x.mean(dim=(-2, -1), keepdim=self.keep_dims)


class GlobalAvgPool3d(nn.Module):
    """The mean of each channel over the whole volume: (B, C, D, H, W) -> (B, C)."""

    def __init__(self, keep_dims: bool = False) -> None:
        super().__init__()
        self.keep_dims = keep_dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() not in (4, 5):
            raise ValueError(f"expected 4D or 5D input, got {x.dim()}D input")
        return x.mean(dim=(-3, -2, -1), keepdim=self.keep_dims)


class GlobalMaxPool1d(nn.Module):
    """The largest value of each channel over the whole sequence: (B, C, L) -> (B, C)."""

    def __init__(self, keep_dims: bool = False) -> None:
        super().__init__()
        self.keep_dims = keep_dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input, got {x.dim()}D input")
        return x.amax(dim=-1, keepdim=self.keep_dims)


class GlobalMaxPool2d(nn.Module):
    """The largest value of each channel over the whole image: (B, C, H, W) -> (B, C)."""

    def __init__(self, keep_dims: bool = False) -> None:
        super().__init__()
        self.keep_dims = keep_dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() not in (3, 4):
            raise ValueError(f"expected 3D or 4D input, got {x.dim()}D input")
        return x.amax(dim=(-2, -1), keepdim=self.keep_dims)


class GlobalMaxPool3d(nn.Module):
    """The largest value of each channel over the whole volume: (B, C, D, H, W) -> (B, C)."""

    def __init__(self, keep_dims: bool = False) -> None:
        super().__init__()
        self.keep_dims = keep_dims

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() not in (4, 5):
            raise ValueError(f"expected 4D or 5D input, got {x.dim()}D input")
        return x.amax(dim=(-3, -2, -1), keepdim=self.keep_dims)
