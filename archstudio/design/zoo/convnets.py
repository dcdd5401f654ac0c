"""Chains of convolutions: LeNet-5, AlexNet and VGG-16."""

from __future__ import annotations

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph


def lenet_5() -> Graph:
    """LeNet-5 with full connections between its planes and average pooling.

    61,706 parameters: 5²·1·6 + 6, 5²·6·16 + 16, 400·120 + 120, 120·84 + 84, 84·10 + 10. The paper's own 60,000 come
    from planes that see only some of those before (LeCun et al. 1998, table I).
    """
    net = Sketch("lenet-5")
    x = net.input("image", (1, 1, 32, 32))
    with net.frame("Features"):
        for k, planes in enumerate((6, 16), 1):
            x = net.add("conv2d", f"conv{k}", x, outChannels=planes, kernelSize=5)
            x = net.add("tanh", f"conv{k}_act", x)
            x = net.add("avgPool2d", f"pool{k}", x, kernelSize=2)
    with net.frame("Classifier"):
        x = net.add("flatten", "flatten", x)
        x = net.dense(x, "fc", (120, 84, 10), "tanh")
    net.add("output", "digit", x)
    return net.finished()


_ALEXNET = (
    {"outChannels": 64, "kernelSize": 11, "stride": 4, "padding": 2},
    {"outChannels": 192, "kernelSize": 5, "padding": 2},
    {"outChannels": 384, "kernelSize": 3, "padding": 1},
    {"outChannels": 256, "kernelSize": 3, "padding": 1},
    {"outChannels": 256, "kernelSize": 3, "padding": 1},
)
_ALEXNET_POOLS = (1, 2, 5)


def alexnet() -> Graph:
    """AlexNet as in "One weird trick" (Krizhevsky 2014, arXiv 1404.5997), one tower.

    61,100,840 parameters, 714,188,480 MACs at 224×224 (torchvision.models.alexnet: 61,100,840; 0.714 G).
    """
    net = Sketch("alexnet")
    x = net.input("image", (1, 3, 224, 224))
    with net.frame("Features"):
        for k, params in enumerate(_ALEXNET, 1):
            x = net.add("conv2d", f"conv{k}", x, **params)
            x = net.add("relu", f"conv{k}_act", x)
            if k in _ALEXNET_POOLS:
                x = net.add("maxPool2d", f"pool{k}", x, kernelSize=3, stride=2)
    with net.frame("Classifier"):
        x = net.add("adaptiveAvgPool2d", "average", x, outputSize=[6, 6])
        x = net.add("flatten", "flatten", x)
        for k in (1, 2):
            x = net.add("dropout", f"drop{k}", x, p=0.5)
            x = net.add("linear", f"fc{k}", x, outFeatures=4096)
            x = net.add("relu", f"fc{k}_act", x)
        x = net.add("linear", "fc3", x, outFeatures=1000)
    net.add("output", "classes", x)
    return net.finished()


_VGG_16 = ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512))


def vgg_16() -> Graph:
    """VGG-16, configuration D (Simonyan & Zisserman 2014, arXiv 1409.1556).

    138,357,544 parameters, 15,470,264,320 MACs at 224×224 (torchvision.models.vgg16: 138,357,544; 15.47 G).
    """
    net = Sketch("vgg-16")
    x = net.input("image", (1, 3, 224, 224))
    for stage, widths in enumerate(_VGG_16, 1):
        with net.frame(f"Stage {stage}"):
            for k, width in enumerate(widths, 1):
                x = net.add("conv2d", f"conv{stage}_{k}", x, outChannels=width, kernelSize=3, padding=1)
                x = net.add("relu", f"conv{stage}_{k}_act", x)
            x = net.add("maxPool2d", f"pool{stage}", x, kernelSize=2)
    with net.frame("Classifier"):
        x = net.add("flatten", "flatten", x)
        for k in (1, 2):
            x = net.add("linear", f"fc{k}", x, outFeatures=4096)
            x = net.add("relu", f"fc{k}_act", x)
            x = net.add("dropout", f"drop{k}", x, p=0.5)
        x = net.add("linear", "fc3", x, outFeatures=1000)
    net.add("output", "classes", x)
    return net.finished()


MODELS = (
    Model("lenet-5", "LeNet-5", "Images", "Handwritten digits, 1998", 61_706, lenet_5),
    Model("alexnet", "AlexNet", "Images", "ImageNet, 2012", 61_100_840, alexnet, 714_188_480),
    Model("vgg-16", "VGG-16", "Images", "ImageNet, 2014", 138_357_544, vgg_16, 15_470_264_320),
)
