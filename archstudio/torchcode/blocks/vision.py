"""Blocks of vision networks."""

import torch
from torch import nn


class SEBlock(nn.Module):
    """Squeeze and excitation: each channel is weighed by a gate computed from all channels' means."""

    def __init__(self, c: int, r: int = 16) -> None:
        super().__init__()
        if r < 1:
            raise ValueError(f"the reduction ratio must be at least 1, got {r}")
        narrow = max(c // r, 1)
        self.squeeze = nn.Linear(c, narrow)
        self.excite = nn.Linear(narrow, c)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() != 4:
            raise ValueError(f"expected 4D input, got {x.dim()}D input")
        gate = torch.sigmoid(self.excite(torch.relu(self.squeeze(x.mean(dim=(2, 3))))))
        return x * gate[:, :, None, None]


class InvertedResidual(nn.Module):
    """MobileNetV2's block: widen (1 × 1), filter each channel (3 × 3), narrow (1 × 1); plus the input where it fits."""

    def __init__(self, in_channels: int, out_channels: int, stride: int = 1, expand_ratio: int = 6) -> None:
        super().__init__()
        if stride < 1 or expand_ratio < 1:
            raise ValueError("stride and expand_ratio must be at least 1")
        wide = in_channels * expand_ratio
        layers: list[nn.Module] = []
        if expand_ratio != 1:
            layers += [nn.Conv2d(in_channels, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU6()]
        layers += [nn.Conv2d(wide, wide, 3, stride, 1, groups=wide, bias=False), nn.BatchNorm2d(wide), nn.ReLU6()]
        layers += [nn.Conv2d(wide, out_channels, 1, bias=False), nn.BatchNorm2d(out_channels)]
        self.layers = nn.Sequential(*layers)
        self.adds_input = stride == 1 and in_channels == out_channels

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.layers(x)
        return x + y if self.adds_input else y


class ConvNeXtBlock(nn.Module):
    """A wide depthwise convolution, a layer norm and two linears over the channels, scaled and added to the input."""

    def __init__(self, dim: int, kernel_size: int = 7, expand_ratio: int = 4, layer_scale: float = 1e-6) -> None:
        super().__init__()
        if kernel_size % 2 == 0 or expand_ratio < 1:
            raise ValueError("kernel_size must be odd and expand_ratio at least 1")
        self.scale = nn.Parameter(torch.full((dim,), float(layer_scale)))
        self.conv = nn.Conv2d(dim, dim, kernel_size, padding=kernel_size // 2, groups=dim)
        self.norm = nn.LayerNorm(dim)
        self.widen = nn.Linear(dim, dim * expand_ratio)
        self.act = nn.GELU()
        self.narrow = nn.Linear(dim * expand_ratio, dim)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() != 4:
            raise ValueError(f"expected 4D input, got {x.dim()}D input")
        y: torch.Tensor = self.norm(self.conv(x).permute(0, 2, 3, 1))
        y = self.scale * self.narrow(self.act(self.widen(y)))
        return x + y.permute(0, 3, 1, 2)
