"""Inverted residuals: MobileNetV2."""

from __future__ import annotations

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph

_STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
"""Expansion, channels, blocks and stride of each stage (table 2 of the paper)."""


def mobilenet_v2() -> Graph:
    """MobileNetV2 (Sandler et al. 2018, arXiv 1801.04381).

    3,504,872 parameters, 300,774,272 MACs at 224×224 (torchvision.models.mobilenet_v2: 3,504,872; 0.301 G).
    """
    net = Sketch("mobilenet-v2")
    x = net.input("image", (1, 3, 224, 224))
    with net.frame("Stem"):
        x = _convolved(net, x, "stem", 32, kernelSize=3, stride=2, padding=1)
    channels = 32
    for stage, (expansion, width, depth, first_stride) in enumerate(_STAGES, 1):
        with net.frame(f"Stage {stage}"):
            for k in range(1, depth + 1):
                stride = first_stride if k == 1 else 1
                x = _inverted(net, x, f"s{stage}b{k}", (channels, width), expansion, stride)
                channels = width
    with net.frame("Classifier"):
        x = _convolved(net, x, "last", 1280, kernelSize=1)
        x = net.add("globalAvgPool2d", "average", x)
        x = net.add("dropout", "drop", x, p=0.2)
        x = net.add("linear", "fc", x, outFeatures=1000)
    net.add("output", "classes", x)
    return net.finished()


def _inverted(net: Sketch, x: str, block: str, channels: tuple[int, int], expansion: int, stride: int) -> str:
    """Wide between narrow ends: expand, filter each channel, project; added to the input where sizes allow."""
    narrow, out = channels
    wide = narrow * expansion
    y = x if expansion == 1 else _convolved(net, x, f"{block}_expand", wide, kernelSize=1)
    y = _convolved(net, y, f"{block}_depth", wide, kernelSize=3, stride=stride, padding=1, groups=wide)
    y = net.add("conv2d", f"{block}_project_conv", y, outChannels=out, kernelSize=1, bias=False)
    y = net.add("batchNorm2d", f"{block}_project_norm", y)
    return net.add("add", f"{block}_add", y, x) if stride == 1 and narrow == out else y


def _convolved(net: Sketch, x: str, name: str, channels: int, **conv: int) -> str:
    x = net.add("conv2d", f"{name}_conv", x, outChannels=channels, bias=False, **conv)
    return net.add("relu6", f"{name}_act", net.add("batchNorm2d", f"{name}_norm", x))


MODELS = (
    Model("mobilenet-v2", "MobileNetV2", "Images", "ImageNet on phones, 2018", 3_504_872, mobilenet_v2, 300_774_272),
)
