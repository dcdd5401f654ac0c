"""Exercises on parameters themselves: missing ones, wrong kinds, values out of range."""

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.broken.images import relu
from archstudio.bench.generate.chains import layer, linear, sink, source, update

EXERCISES: tuple[Exercise, ...] = (
    drawn(
        "A size nobody gave",
        "E-PARAM-MISSING",
        goal="A perceptron with three classes.",
        layers=[source(1, 32), linear("fc1", 32, 64), relu("act1"), layer("linear", "head", inFeatures=64), sink()],
        hints=(
            "One layer cannot be made at all.",
            "Nothing says how many values head gives out.",
            "Set outFeatures of head to 3.",
        ),
        explanation="Sizes of what comes in can be read off the wire; what goes out must be said.",
        repair=[update("head", outFeatures=3)],
    ),
    drawn(
        "A number in quotes",
        "E-PARAM-TYPE",
        goal="A convolution of window 3.",
        layers=[
            source(1, 3, 32, 32),
            layer("conv2d", "conv1", inChannels=3, outChannels=16, kernelSize="three", padding=1),
            relu("act1"),
            sink(),
        ],
        hints=(
            "Look at what kind of value each parameter has.",
            "kernelSize is a text.",
            "Set kernelSize of conv1 to 3.",
        ),
        explanation="A window is a whole number, or one for each axis.",
        repair=[update("conv1", kernelSize=3)],
    ),
    drawn(
        "More than everything dropped",
        "E-PARAM-RANGE",
        goal="A perceptron with dropout.",
        layers=[
            source(1, 32),
            linear("fc1", 32, 64),
            relu("act1"),
            layer("dropout", "drop", p=1.5),
            linear("head", 64, 2),
            sink(),
        ],
        hints=(
            "One parameter is a probability.",
            "p is 1.5; a probability lies from 0 to 1.",
            "Set p of drop to 0.15.",
        ),
        explanation="Dropout zeroes each value with probability p.",
        repair=[update("drop", p=0.15)],
    ),
    drawn(
        "Factors for another width",
        "E-SCALE-WIDTH",
        goal="Features that a condition scales and shifts.",
        layers=[
            source(1, 50, 128, name="features"),
            source(1, 16, name="condition"),
            layer("film", "modulate", featureDim=256, condDim=16),
            sink(),
        ],
        wires=[("features", "modulate"), ("condition", "modulate"), ("modulate", "output")],
        hints=(
            "Compare two widths.",
            "The features are 128 wide, the layer makes 256 factors for them.",
            "Set featureDim of modulate to 128.",
        ),
        explanation="Every channel of the last axis gets a factor and a shift of its own from the condition.",
        repair=[update("modulate", featureDim=128)],
    ),
)
