"""Exercises on images: channels, windows and normalisation."""

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.generate.chains import Layer, add_after, delete, layer, linear, sink, source, update


def conv(name: str, takes: int, gives: int, kernel: int = 3, **params: object) -> Layer:
    return layer("conv2d", name, inChannels=takes, outChannels=gives, kernelSize=kernel, **params)


def relu(name: str) -> Layer:
    return layer("relu", name)


_CHANNELS: tuple[Exercise, ...] = (
    drawn(
        "Channels that do not meet",
        "E-CONV-IN",
        goal="A two-stage classifier of 32×32 RGB images into 10 classes.",
        layers=[
            source(1, 3, 32, 32),
            conv("conv1", 3, 16, padding=1),
            relu("act1"),
            conv("conv2", 24, 64, padding=1),
            relu("act2"),
            layer("globalAvgPool2d", "pool"),
            linear("head", 64, 10),
            sink(),
        ],
        hints=(
            "Follow the channels: how many leave the first stage?",
            "conv2 was made for more channels than conv1 gives.",
            "Set conv2's inChannels to 16.",
        ),
        explanation="A convolution holds one kernel for each incoming channel, so inChannels must be the channels "
        "of what arrives: here the 16 that conv1 gives out.",
        repair=[update("conv2", inChannels=16)],
    ),
    drawn(
        "The channels came last",
        "E-CHANNELS-LAST",
        goal="A classifier that reads photos stored as height × width × colour.",
        layers=[
            source(1, 64, 64, 3),
            conv("conv1", 3, 16, padding=1),
            relu("act1"),
            layer("globalAvgPool2d", "pool"),
            linear("head", 16, 5),
            sink(),
        ],
        hints=(
            "Look at the order of the input's axes.",
            "PyTorch wants the channels right after the batch; here they are last.",
            "Put a permute with dims [0, 3, 1, 2] after the input.",
        ),
        explanation="Image files and other frameworks keep colours last. PyTorch's convolutions read batch × "
        "channels × height × width, so the axes must be brought into that order first.",
        repair=[add_after("input", layer("permute", "to_nchw", dims=[0, 3, 1, 2]))],
    ),
    drawn(
        "Groups that leave a rest",
        "E-GROUPS",
        goal="A light block whose second convolution works in groups.",
        layers=[
            source(1, 3, 32, 32),
            conv("stem", 3, 16, padding=1),
            relu("act1"),
            conv("grouped", 16, 32, padding=1, groups=3),
            relu("act2"),
            sink(),
        ],
        hints=(
            "Which layer splits its channels into parts?",
            "16 channels cannot be dealt out to 3 groups.",
            "Set groups of grouped to 4: it divides both 16 and 32.",
        ),
        explanation="Each group convolves an equal share of the channels by itself, so the number of groups must "
        "divide the channels coming in and the channels going out.",
        repair=[update("grouped", groups=4)],
    ),
    drawn(
        "A patch of the wrong colour",
        "E-SIZE",
        goal="The first layers of a vision transformer on greyscale X-rays.",
        layers=[
            source(1, 1, 224, 224),
            layer("patchEmbed", "patches", inChannels=3, embedDim=192, patchSize=16),
            layer("layerNorm", "norm", normalizedShape=192),
            sink(),
        ],
        hints=(
            "Compare the input with what the first layer was made for.",
            "X-rays have one channel; the patch embedding expects three.",
            "Set inChannels of patches to 1.",
        ),
        explanation="A patch embedding is a convolution as wide as its stride. Like any convolution it has one "
        "kernel for each incoming channel; a configuration copied from RGB images does not fit grey ones.",
        repair=[update("patches", inChannels=1)],
    ),
    drawn(
        "Slopes for too many channels",
        "E-PRELU-SIZE",
        goal="A convolution with a learned slope for each of its channels.",
        layers=[
            source(1, 3, 32, 32),
            conv("conv1", 3, 16, padding=1),
            layer("prelu", "act1", numParameters=32),
            sink(),
        ],
        hints=(
            "The activation has parameters of its own.",
            "It has 32 slopes, the convolution gives 16 channels.",
            "Set numParameters of act1 to 16 (or to 1, one slope for all).",
        ),
        explanation="PReLU learns either one slope for everything or one for each channel; no other number fits.",
        repair=[update("act1", numParameters=16)],
    ),
)

_WINDOWS: tuple[Exercise, ...] = (
    drawn(
        "Shrunk to nothing",
        "E-WINDOW",
        goal="A deep classifier of 16×16 icons.",
        layers=[
            source(1, 3, 16, 16),
            conv("conv1", 3, 16),
            layer("maxpool2d", "half1", kernelSize=2),
            conv("conv2", 16, 32),
            layer("maxpool2d", "half2", kernelSize=2),
            conv("conv3", 32, 64),
            layer("globalAvgPool2d", "pool"),
            linear("head", 64, 8),
            sink(),
        ],
        hints=(
            "Follow height and width: 16, 14, 7, …",
            "When conv3's turn comes, less is left than its 3×3 kernel covers.",
            "Give conv2 a padding of 1, so that it keeps its 7×7.",
        ),
        explanation="An unpadded 3×3 convolution costs one pixel on every side, and each pooling halves. Small "
        "images need padding, or fewer stages.",
        repair=[update("conv2", padding=1)],
    ),
    drawn(
        "Padding beyond the window",
        "E-POOL-PAD",
        goal="A pooling that halves the image.",
        layers=[
            source(1, 3, 32, 32),
            conv("conv1", 3, 16, padding=1),
            relu("act1"),
            layer("maxpool2d", "half", kernelSize=2, padding=2),
            sink(),
        ],
        hints=(
            "The fault is in how a window is placed at the border.",
            "A pooling window may be padded by at most half its size.",
            "Set the padding of half to 0.",
        ),
        explanation="With more padding than half a window, some windows would hold nothing but padding, and the "
        "largest of no values does not exist. (Convolutions have no such limit.)",
        repair=[update("half", padding=0)],
    ),
    drawn(
        "Windows of another size",
        "E-WINDOW-TOKENS",
        goal="Attention within windows of 8×8 patches.",
        layers=[
            source(16, 64, 96),
            layer("layerNorm", "norm", normalizedShape=96),
            layer("windowAttention", "attn", embedDim=96, numHeads=3, windowSize=7),
            sink(),
        ],
        hints=(
            "How many tokens does one window hold here?",
            "64 tokens are a window of 8×8, the layer expects 7×7 = 49.",
            "Set windowSize of attn to 8.",
        ),
        explanation="Window attention takes windows that are already cut out, each flattened to windowSize² "
        "tokens; its table of relative positions is made for exactly that many.",
        repair=[update("attn", windowSize=8)],
    ),
)

_NORMALISATION: tuple[Exercise, ...] = (
    drawn(
        "A norm for another layer",
        "E-NORM-SIZE",
        goal="A convolution with batch norm.",
        layers=[
            source(1, 3, 32, 32),
            conv("conv1", 3, 64, padding=1),
            layer("batchNorm2d", "bn1", numFeatures=32),
            relu("act1"),
            sink(),
        ],
        hints=(
            "Compare two numbers that should be the same.",
            "The convolution gives 64 channels, the norm keeps statistics of 32.",
            "Set numFeatures of bn1 to 64.",
        ),
        explanation="Batch norm keeps a mean, a variance, a scale and a shift for every channel; there must be "
        "as many as channels.",
        repair=[update("bn1", numFeatures=64)],
    ),
    drawn(
        "An image norm on vectors",
        "E-RANK",
        goal="A perceptron with batch norm.",
        layers=[
            source(1, 20),
            linear("fc1", 20, 64),
            layer("batchNorm2d", "bn1", numFeatures=64),
            relu("act1"),
            linear("head", 64, 3),
            sink(),
        ],
        hints=(
            "The norm expects something with more axes.",
            "batchNorm2d is for images (four axes); a perceptron's layers have two.",
            "Replace bn1 by a batchNorm1d of 64 features.",
        ),
        explanation="The digit counts spatial axes: batchNorm1d takes (batch, features) and sequences, batchNorm2d "
        "images, batchNorm3d volumes.",
        repair=[add_after("bn1", layer("batchNorm1d", "norm1", numFeatures=64)), delete("bn1")],
    ),
    drawn(
        "Nothing to compare with",
        "E-INSTANCE-ONE-VALUE",
        goal="Pool a feature map to one value a channel and classify it.",
        layers=[
            source(1, 3, 32, 32),
            conv("conv1", 3, 16, padding=1),
            layer("adaptiveAvgPool2d", "pool", outputSize=1),
            layer("instanceNorm2d", "norm", numFeatures=16),
            layer("flatten", "flat"),
            linear("head", 16, 4),
            sink(),
        ],
        hints=(
            "What does the norm average over?",
            "After the pooling each channel is a single value; its variance says nothing.",
            "Remove norm (or move it before the pooling).",
        ),
        explanation="Instance norm takes mean and variance over each channel of each image. A single element has "
        "no spread, and normalising it would always give 0; PyTorch refuses.",
        repair=[delete("norm")],
    ),
    drawn(
        "Flattened by guess",
        "E-LINEAR-IN",
        goal="A classifier of 28×28 digits.",
        layers=[
            source(1, 1, 28, 28),
            conv("conv1", 1, 8),
            relu("act1"),
            layer("maxpool2d", "half", kernelSize=2),
            layer("flatten", "flat"),
            linear("head", 8 * 14 * 14, 10),
            sink(),
        ],
        hints=(
            "Work out height and width before the flatten.",
            "An unpadded 3×3 convolution makes 26×26 of 28×28; halved that is 13×13.",
            "Set inFeatures of head to 8·13·13 = 1352.",
        ),
        explanation="A linear layer multiplies the last axis by a matrix of fixed size. After a flatten that is "
        "channels × height × width, and every unpadded convolution before counts.",
        repair=[update("head", inFeatures=8 * 13 * 13)],
    ),
)

EXERCISES = (*_CHANNELS, *_WINDOWS, *_NORMALISATION)
