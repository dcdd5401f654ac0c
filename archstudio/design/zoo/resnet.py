"""Residual networks: ResNet-18 and ResNet-50."""

from __future__ import annotations

from collections.abc import Callable

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph


def resnet_18() -> Graph:
    """ResNet-18 (He et al. 2015, arXiv 1512.03385).

    11,689,512 parameters, 1,814,073,344 MACs at 224×224 (torchvision.models.resnet18: 11,689,512; 1.814 G).
    """
    return _resnet("resnet-18", (2, 2, 2, 2), _basic, expansion=1)


def resnet_50() -> Graph:
    """ResNet-50 with the stride in the 3×3 convolution ("v1.5" of He et al. 2015, arXiv 1512.03385).

    25,557,032 parameters, 4,089,184,256 MACs at 224×224 (torchvision.models.resnet50: 25,557,032; 4.089 G).
    """
    return _resnet("resnet-50", (3, 4, 6, 3), _bottleneck, expansion=4)


def _resnet(name: str, depths: tuple[int, ...], branch: Callable[..., str], expansion: int) -> Graph:
    net = Sketch(name)
    x = net.input("image", (1, 3, 224, 224))
    with net.frame("Stem"):
        x = _convolved(net, x, "stem", 64, 7, 2)
        x = net.add("relu", "stem_act", x)
        x = net.add("maxPool2d", "stem_pool", x, kernelSize=3, stride=2, padding=1)
    channels = 64
    for stage, depth in enumerate(depths, 1):
        width = 64 * 2 ** (stage - 1)
        with net.frame(f"Stage {stage}"):
            for k in range(1, depth + 1):
                stride = 2 if stage > 1 and k == 1 else 1
                block = f"s{stage}b{k}"
                shortcut = x
                if stride != 1 or channels != width * expansion:
                    shortcut = _convolved(net, x, f"{block}_shortcut", width * expansion, 1, stride)
                x = net.add("add", f"{block}_add", branch(net, x, block, width, stride), shortcut)
                x = net.add("relu", f"{block}_out", x)
                channels = width * expansion
    with net.frame("Classifier"):
        x = net.add("globalAvgPool2d", "average", x)
        x = net.add("linear", "fc", x, outFeatures=1000)
    net.add("output", "classes", x)
    return net.finished()


def _convolved(net: Sketch, x: str, name: str, channels: int, kernel: int, stride: int) -> str:
    """A convolution that keeps the size (but for its stride), and its norm."""
    conv = {"outChannels": channels, "kernelSize": kernel, "stride": stride, "padding": kernel // 2, "bias": False}
    return net.add("batchNorm2d", f"{name}_norm", net.add("conv2d", f"{name}_conv", x, **conv))


def _basic(net: Sketch, x: str, block: str, width: int, stride: int) -> str:
    x = net.add("relu", f"{block}_act1", _convolved(net, x, f"{block}_1", width, 3, stride))
    return _convolved(net, x, f"{block}_2", width, 3, 1)


def _bottleneck(net: Sketch, x: str, block: str, width: int, stride: int) -> str:
    x = net.add("relu", f"{block}_act1", _convolved(net, x, f"{block}_1", width, 1, 1))
    x = net.add("relu", f"{block}_act2", _convolved(net, x, f"{block}_2", width, 3, stride))
    return _convolved(net, x, f"{block}_3", 4 * width, 1, 1)


MODELS = (
    Model("resnet-18", "ResNet-18", "Images", "ImageNet, 2015", 11_689_512, resnet_18, 1_814_073_344),
    Model("resnet-50", "ResNet-50", "Images", "ImageNet, 2015", 25_557_032, resnet_50, 4_089_184_256),
)
