"""Exercises on axes: rearranged, reshaped, spread and taken apart."""

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.generate.chains import add_after, layer, linear, sink, source, update

_REARRANGING: tuple[Exercise, ...] = (
    drawn(
        "An axis left out",
        "E-PERMUTE",
        goal="Bring the channels of a sequence forward for a convolution.",
        layers=[
            source(1, 100, 64),
            layer("permute", "channels_first", dims=[0, 2]),
            layer("conv1d", "conv", inChannels=64, outChannels=32, kernelSize=3),
            sink(),
        ],
        hints=(
            "Count the axes of the wire and those that are named.",
            "Three axes, two names: axis 1 is missing.",
            "Set dims of channels_first to [0, 2, 1].",
        ),
        explanation="A permutation says for every axis of the result which axis of the input it is.",
        repair=[update("channels_first", dims=[0, 2, 1])],
    ),
    drawn(
        "Elements left over",
        "E-RESHAPE",
        goal="Split a width of 96 into 8 heads.",
        layers=[source(1, 50, 96), layer("reshape", "heads", shape=[1, 50, 8, 16]), sink()],
        hints=(
            "Multiply the sizes of the new shape.",
            "8·16 is 128, the width is 96.",
            "Set shape of heads to [1, 50, 8, 12].",
        ),
        explanation="A reshape keeps every element, so the sizes before and after must multiply to the same number.",
        repair=[update("heads", shape=[1, 50, 8, 12])],
    ),
    drawn(
        "A view of shuffled memory",
        "E-VIEW",
        goal="Join the heads again after attention.",
        layers=[
            source(1, 8, 50, 12),
            layer("transpose", "tokens_first", dim0=1, dim1=2),
            layer("view", "joined", shape=[1, 50, 96]),
            sink(),
        ],
        hints=(
            "What does a transpose do to memory? Nothing.",
            "A view does not copy, and the heads no longer lie beside each other.",
            "Put a contiguous between tokens_first and joined.",
        ),
        explanation="Transposing changes how memory is read, not where the numbers lie. A view can only join axes "
        "that lie in order; contiguous copies them there (reshape does so by itself).",
        repair=[add_after("tokens_first", layer("contiguous", "in_order"))],
    ),
    drawn(
        "Spread over what is there",
        "E-EXPAND",
        goal="Repeat one query for every example.",
        layers=[source(1, 2, 64), layer("expand", "spread", shape=[16, 4, 64]), sink()],
        hints=(
            "Which axes may be repeated?",
            "Only axes of size 1; the second has 2.",
            "Set shape of spread to [16, 2, 64].",
        ),
        explanation="Expanding repeats without copying, which only works on axes of size 1; −1 keeps an axis.",
        repair=[update("spread", shape=[16, 2, 64])],
    ),
)

_PARTS: tuple[Exercise, ...] = (
    drawn(
        "Parts that do not add up",
        "E-SPLIT",
        goal="Take the queries out of a joint projection.",
        layers=[
            source(1, 50, 64),
            linear("qkv", 64, 192),
            layer("split", "parts", dim=-1, splitSize=[64, 64]),
            layer("getItem", "query", index=0),
            sink(),
        ],
        hints=(
            "Add up the parts.",
            "Two parts of 64 are not 192.",
            "Set splitSize of parts to [64, 64, 64].",
        ),
        explanation="Given as a list, the sizes of the parts must add up to the size of the axis.",
        repair=[update("parts", splitSize=[64, 64, 64])],
    ),
    drawn(
        "Beyond the end",
        "E-SLICE",
        goal="The last ten of 32 steps.",
        layers=[
            source(1, 32, 64),
            layer("slice", "last_ten", dim=1, start=25, length=10),
            linear("head", 64, 4),
            sink(),
        ],
        hints=(
            "Where does the part start, where does it end?",
            "25 + 10 lies beyond 32.",
            "Set start of last_ten to 22.",
        ),
        explanation="The part that is read must lie inside the axis.",
        repair=[update("last_ten", start=22)],
    ),
    drawn(
        "More winners than runners",
        "E-TOPK",
        goal="The scores of the best five of ten classes.",
        layers=[
            source(1, 32),
            linear("scores", 32, 10),
            layer("topK", "best", k=20),
            layer("getItem", "values", index=0),
            sink(),
        ],
        hints=(
            "How many classes are there?",
            "Of 10 classes no 20 can be the best.",
            "Set k of best to 5.",
        ),
        explanation="There must be at least k values on the axis.",
        repair=[update("best", k=5)],
    ),
    drawn(
        "Halves of an odd number",
        "E-GLU-ODD",
        goal="A gated linear unit of width 32.",
        layers=[source(1, 48), linear("both", 48, 65), layer("glu", "gate", dim=-1), linear("head", 32, 4), sink()],
        hints=(
            "What does the gate do with its input?",
            "It splits it in halves, and 65 is odd.",
            "Set outFeatures of both to 64.",
        ),
        explanation="One half is multiplied by the sigmoid of the other, so the size must be even: twice the "
        "width that is wanted.",
        repair=[update("both", outFeatures=64)],
    ),
)

EXERCISES = (*_REARRANGING, *_PARTS)
