"""Normalisations and scalings that torch.nn does not have, and stochastic depth."""

import torch
import torch.nn.functional as F
from torch import nn


class BatchNorm(nn.BatchNorm2d):
    """Batch norm over axis 1 of 2 to 5 dimensions."""

    def _check_input_dim(self, input: torch.Tensor) -> None:
        if input.dim() not in (2, 3, 4, 5):
            raise ValueError(f"expected 2D to 5D input, got {input.dim()}D input")


class LayerScale(nn.Module):
    """Multiply each feature of the last axis by a learned number that begins small."""

    def __init__(self, dim: int, init_value: float = 1e-4) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.full((dim,), float(init_value)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype != self.scale.dtype or x.shape[-1] != self.scale.shape[0]:
            raise ValueError(f"expected {self.scale.shape[0]} features of {self.scale.dtype}, got {x.shape}, {x.dtype}")
        return x * self.scale


class DyT(nn.Module):
    """Dynamic tanh, a squashing in place of a norm: weight · tanh(alpha · x) + bias."""

    def __init__(self, dim: int, init_alpha: float = 0.5) -> None:
        super().__init__()
        self.alpha = nn.Parameter(torch.full((1,), float(init_alpha)))
        self.weight = nn.Parameter(torch.ones(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype != self.weight.dtype or x.shape[-1] != self.weight.shape[0]:
            raise ValueError(
                f"expected {self.weight.shape[0]} features of {self.weight.dtype}, got {x.shape}, {x.dtype}"
            )
        return torch.tanh(self.alpha * x) * self.weight + self.bias


class PixelNorm(nn.Module):
    """Divide the channels (axis 1) of each pixel by their root mean square."""

    def __init__(self, eps: float = 1e-8) -> None:
        super().__init__()
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(dim=1, keepdim=True) + self.eps)


class DropPath(nn.Module):
    """Drop whole samples at random in training (stochastic depth)."""

    def __init__(self, p: float = 0.1, scale_by_keep: bool = True) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"the chance must lie between 0 and 1, got {p}")
        self.p, self.scale_by_keep = p, scale_by_keep

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training or self.p == 0:
            return x
        if not x.is_floating_point():
            raise TypeError(f"expected floating-point numbers, got {x.dtype}")
        kept = x.new_empty((x.shape[0],) + (1,) * (x.dim() - 1)).bernoulli_(1 - self.p)
        if self.scale_by_keep and self.p < 1:
            kept.div_(1 - self.p)
        return x * kept


class AdaIN(nn.Module):
    """Give each channel of the content the mean and deviation of the style's channel."""

    def __init__(self, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps

    def forward(self, content: torch.Tensor, style: torch.Tensor) -> torch.Tensor:
        if content.dim() != 4 or style.dim() != 4 or content.shape[:2] != style.shape[:2]:
            raise ValueError(f"expected 4D content and style of equal channels, got {content.shape} and {style.shape}")
        if content.dtype != style.dtype:
            raise TypeError(f"content is {content.dtype}, style is {style.dtype}")
        deviation, mean = torch.std_mean(style, dim=(2, 3), keepdim=True, correction=0)
        return F.instance_norm(content, eps=self.eps) * deviation + mean
