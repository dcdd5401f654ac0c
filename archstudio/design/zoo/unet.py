"""Down and up again with skip connections: U-Net."""

from __future__ import annotations

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph

_WIDTHS = (64, 128, 256, 512)
_CROPS = (88, 40, 16, 4)
"""Pixels cut from each side of a skip connection: 568 → 392, 280 → 200, 136 → 104, 64 → 56 (figure 1)."""


def u_net() -> Graph:
    """U-Net with unpadded convolutions, 572×572 to 388×388 (Ronneberger et al. 2015, arXiv 1505.04597).

    31,030,658 parameters, recomputed from figure 1 with biases: two 3×3 convolutions a level down (4,684,224), at the
    bottom (14,157,824) and up (9,402,240), four 2×2 transposed convolutions (2,786,240), and the last 1×1 (130).
    """
    net = Sketch("u-net")
    x = net.input("image", (1, 1, 572, 572))
    skips: list[str] = []
    for level, width in enumerate(_WIDTHS, 1):
        with net.frame(f"Down {level}"):
            x = _twice(net, x, f"down{level}", width)
            skips.append(x)
            x = net.add("maxPool2d", f"down{level}_pool", x, kernelSize=2)
    with net.frame("Bottom"):
        x = _twice(net, x, "bottom", 1024)
    for level in range(len(_WIDTHS), 0, -1):
        width, crop = _WIDTHS[level - 1], _CROPS[level - 1]
        with net.frame(f"Up {level}"):
            x = net.add("convTranspose2d", f"up{level}_grow", x, outChannels=width, kernelSize=2, stride=2)
            skip = net.add("pad", f"up{level}_crop", skips[level - 1], pad=[-crop] * 4)
            x = net.add("concatenate", f"up{level}_join", skip, x, dim=1)
            x = _twice(net, x, f"up{level}", width)
    x = net.add("conv2d", "classify", x, outChannels=2, kernelSize=1)
    net.add("output", "segments", x)
    return net.finished()


def _twice(net: Sketch, x: str, prefix: str, width: int) -> str:
    for k in (1, 2):
        x = net.add("conv2d", f"{prefix}_conv{k}", x, outChannels=width, kernelSize=3)
        x = net.add("relu", f"{prefix}_act{k}", x)
    return x


MODELS = (Model("u-net", "U-Net", "Images", "Segmentation of cells, 2015", 31_030_658, u_net),)
