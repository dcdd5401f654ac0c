"""Exercises on images: channels, windows, padding, resizing and normalisation."""

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.generate.chains import Layer, add_after, delete, layer, linear, sink, source, update


def conv(name: str, takes: int, gives: int, kernel: int = 3, **params: object) -> Layer:
    return layer("conv2d", name, inChannels=takes, outChannels=gives, kernelSize=kernel, **params)


def relu(name: str) -> Layer:
    return layer("relu", name)


def exercises() -> tuple[Exercise, ...]:
    return (*_channels(), *_windows(), *_going_back_up(), *_padding(), *_normalisation())


def _channels() -> tuple[Exercise, ...]:
    return (
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


def _windows() -> tuple[Exercise, ...]:
    return (
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


def _going_back_up() -> tuple[Exercise, ...]:
    return (
        drawn(
            "Shuffled into thirds",
            "E-SHUFFLE",
            goal="Double the side of an image by sub-pixel convolution.",
            layers=[
                source(1, 3, 24, 24),
                conv("features", 3, 16, padding=1),
                layer("pixelShuffle", "upscale", upscaleFactor=3),
                conv("refine", 4, 3, padding=1),
                sink(),
            ],
            hints=(
                "One layer turns channels into pixels.",
                "A factor of 3 takes 9 channels for each one it gives; 16 do not split by 9.",
                "Set upscaleFactor of upscale to 2: 16 channels become 4, as refine expects.",
            ),
            explanation="A pixel shuffle moves r² channels into an r×r square of pixels, so r² must divide the "
            "channels.",
            repair=[update("upscale", upscaleFactor=2)],
        ),
        drawn(
            "One row too many",
            "E-OUTPUT-PADDING",
            goal="A decoder stage that doubles 8×8 to 16×16.",
            layers=[
                source(1, 32, 8, 8),
                layer(
                    "transposeConv2d",
                    "up",
                    inChannels=32,
                    outChannels=16,
                    kernelSize=3,
                    stride=2,
                    padding=1,
                    outputPadding=2,
                ),
                relu("act"),
                sink(),
            ],
            hints=(
                "Read the parameters of the transposed convolution together.",
                "Output padding only chooses among the sizes the stride leaves open.",
                "Set outputPadding of up to 1: smaller than the stride of 2, and it makes 16×16.",
            ),
            explanation="A convolution of stride 2 maps two sizes onto one. Going back, outputPadding says which of "
            "them is meant, so it must be smaller than the stride (or the dilation).",
            repair=[update("up", outputPadding=1)],
        ),
        drawn(
            "Cut away whole",
            "E-TRANSPOSED-EMPTY",
            goal="A generator that grows a single cell into a 2×2 map.",
            layers=[
                source(1, 64, 1, 1),
                layer("transposeConv2d", "grow", inChannels=64, outChannels=32, kernelSize=2, stride=2, padding=1),
                relu("act"),
                sink(),
            ],
            hints=(
                "Work out the size: (in − 1)·stride − 2·padding + kernel.",
                "Padding takes away from the result of a transposed convolution: 0 − 2 + 2 = 0.",
                "Set the padding of grow to 0.",
            ),
            explanation="What padding adds before a convolution, it cuts off after a transposed one. Here it cuts off "
            "everything there is.",
            repair=[update("grow", padding=0)],
        ),
        drawn(
            "A line through an image",
            "E-RESIZE-MODE",
            goal="Enlarge a feature map smoothly by two.",
            layers=[
                source(1, 16, 12, 12),
                layer("upsample", "bigger", scaleFactor=2, mode="linear"),
                conv("smooth", 16, 16, padding=1),
                sink(),
            ],
            hints=(
                "The name of an interpolation says for how many axes it is.",
                "linear is for sequences; this is an image.",
                "Set mode of bigger to bilinear.",
            ),
            explanation="PyTorch names interpolations by the number of spatial axes: linear for one, bilinear and "
            "bicubic for two, trilinear for three; nearest and area take any.",
            repair=[update("bigger", mode="bilinear")],
        ),
        drawn(
            "Larger, but how much",
            "E-RESIZE-SIZE",
            goal="Double the side of a feature map.",
            layers=[
                source(1, 16, 12, 12),
                layer("upsample", "bigger", mode="nearest"),
                conv("smooth", 16, 16, padding=1),
                sink(),
            ],
            hints=(
                "Something is not said.",
                "Neither a size nor a factor is given.",
                "Set scaleFactor of bigger to 2.",
            ),
            explanation="An upsampling needs the size it should reach or the factor by which to grow: one of the two.",
            repair=[update("bigger", scaleFactor=2)],
        ),
    )


def _padding() -> tuple[Exercise, ...]:
    return (
        drawn(
            "Mirrored past the edge",
            "E-PAD-REFLECT",
            goal="Filter a 4×4 map with mirrored borders.",
            layers=[
                source(1, 8, 4, 4),
                layer("reflectionPad2d", "mirror", padding=4),
                conv("filter", 8, 8),
                sink(),
            ],
            hints=(
                "How far can a map of 4 be mirrored?",
                "The edge itself is not repeated, so at most 3 values are there to mirror.",
                "Set the padding of mirror to 1, which a 3×3 filter needs.",
            ),
            explanation="Reflection copies what lies beside the edge, without the edge; it must be smaller than the "
            "axis.",
            repair=[update("mirror", padding=1)],
        ),
        drawn(
            "Twice around",
            "E-PAD-WRAP",
            goal="Filter a 4×4 map of a torus.",
            layers=[
                source(1, 8, 4, 4),
                layer("circularPad2d", "wrap", padding=5),
                conv("filter", 8, 8),
                sink(),
            ],
            hints=(
                "How far can one go around a map of 4?",
                "A padding of 5 would go around more than once.",
                "Set the padding of wrap to 1.",
            ),
            explanation="Circular padding takes its values from the opposite side, and may go around only once.",
            repair=[update("wrap", padding=1)],
        ),
    )


def _normalisation() -> tuple[Exercise, ...]:
    return (
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
