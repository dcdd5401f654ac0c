"""Convolutions in arrangements that torch.nn does not have."""

import torch
import torch.nn.functional as F
from torch import nn


class SeparableConv2d(nn.Module):
    """A depthwise convolution without bias, then a 1 × 1 convolution that mixes the channels."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int] = 3,
        stride: int | tuple[int, int] = 1,
        padding: int | tuple[int, int] = 1,
        dilation: int | tuple[int, int] = 1,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(
            in_channels, in_channels, kernel_size, stride, padding, dilation, groups=in_channels, bias=False
        )
        self.pointwise = nn.Conv2d(in_channels, out_channels, 1, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y: torch.Tensor = self.pointwise(self.depthwise(x))
        return y


class SameConv2d(nn.Conv2d):
    """A convolution with TensorFlow's SAME padding, stride included; an odd row or column is added at the end."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int, int],
        stride: int | tuple[int, int] = 1,
        dilation: int | tuple[int, int] = 1,
        groups: int = 1,
        bias: bool = True,
    ) -> None:
        super().__init__(in_channels, out_channels, kernel_size, stride, dilation=dilation, groups=groups, bias=bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        pads: list[int] = []
        for axis in (-1, -2):
            size, kernel, stride = x.shape[axis], self.kernel_size[axis], self.stride[axis]
            covers = self.dilation[axis] * (kernel - 1) + 1
            pad = max((-(-size // stride) - 1) * stride + covers - size, 0)
            pads += [pad // 2, pad - pad // 2]
        return super().forward(F.pad(x, pads) if any(pads) else x)
