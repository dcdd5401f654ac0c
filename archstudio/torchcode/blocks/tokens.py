"""From images and clips to tokens, and tokens that are learned."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class ClsToken(nn.Module):
    """Put one learned token before the sequence (BERT, ViT)."""

    def __init__(self, embed_dim: int) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, 1, embed_dim) * 0.02)

    def forward(self, x: Tensor) -> Tensor:
        return torch.cat([self.token.expand(x.size(0), -1, -1), x], dim=1)


class PatchEmbed(nn.Module):
    """Cut an image into patches and project each: (B, C, H, W) -> (B, patches, embed_dim) (ViT, arXiv 2010.11929)."""

    def __init__(self, in_channels: int, embed_dim: int, patch_size: int | tuple[int, int], bias: bool = True) -> None:
        super().__init__()
        self.proj = nn.Conv2d(in_channels, embed_dim, patch_size, stride=patch_size, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 4:
            raise ValueError(f"takes (B, C, H, W), got {tuple(x.shape)}")
        out: Tensor = self.proj(x).flatten(2).transpose(1, 2)
        return out


class TubeletEmbed(nn.Module):
    """Cut a clip into tubelets and project each: (B, C, T, H, W) -> (B, count, embed_dim) (ViViT, arXiv 2103.15691)."""

    def __init__(
        self, in_channels: int, embed_dim: int, tubelet_size: int | tuple[int, int, int], bias: bool = True
    ) -> None:
        super().__init__()
        self.proj = nn.Conv3d(in_channels, embed_dim, tubelet_size, stride=tubelet_size, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        if x.dim() != 5:
            raise ValueError(f"takes (B, C, T, H, W), got {tuple(x.shape)}")
        out: Tensor = self.proj(x).flatten(2).transpose(1, 2)
        return out
