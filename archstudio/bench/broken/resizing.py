"""Exercises on images that grow again, and on what lies beyond their edges."""

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.broken.images import conv, relu
from archstudio.bench.generate.chains import layer, sink, source, update

_GOING_BACK_UP: tuple[Exercise, ...] = (
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
        explanation="A pixel shuffle moves r² channels into an r×r square of pixels, so r² must divide the channels.",
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

_PADDING: tuple[Exercise, ...] = (
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
        explanation="Reflection copies what lies beside the edge, without the edge; it must be smaller than the axis.",
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

EXERCISES = (*_GOING_BACK_UP, *_PADDING)
