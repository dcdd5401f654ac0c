"""Exercises on how layers are joined: merging, rearranging, splitting, missing wires and loops."""

from typing import Any

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.broken.images import conv, relu
from archstudio.bench.generate.chains import add_after, delete, embedding, layer, linear, sink, source, update


def connect(source_name: str, target_name: str) -> dict[str, Any]:
    return {"type": "add_connection", "fromName": source_name, "toName": target_name}


def disconnect(source_name: str, target_name: str) -> dict[str, Any]:
    return {"type": "delete_connection", "fromName": source_name, "toName": target_name}


def exercises() -> tuple[Exercise, ...]:
    return (*_merging(), *_wires(), *_rearranging(), *_parts(), *_sharing())


def _merging() -> tuple[Exercise, ...]:
    return (
        drawn(
            "A shortcut of another size",
            "E-BROADCAST",
            goal="A residual block that halves the image.",
            layers=[
                source(1, 16, 32, 32),
                conv("conv1", 16, 32, padding=1, stride=2),
                relu("act1"),
                conv("conv2", 32, 32, padding=1),
                conv("shortcut", 16, 32, 1),
                layer("add", "sum"),
                sink(),
            ],
            wires=[
                ("input", "conv1"),
                ("conv1", "act1"),
                ("act1", "conv2"),
                ("input", "shortcut"),
                ("conv2", "sum"),
                ("shortcut", "sum"),
                ("sum", "output"),
            ],
            hints=(
                "Compare the two images that are added.",
                "The main path has stride 2, the shortcut has not: 16×16 and 32×32.",
                "Set stride of shortcut to 2.",
            ),
            explanation="Tensors are added element by element. Where the main path changes size or channels, the "
            "shortcut needs a 1×1 convolution with the same stride and channels.",
            repair=[update("shortcut", stride=2)],
        ),
        drawn(
            "Branches that end unevenly",
            "E-CONCAT",
            goal="Two branches with different windows, joined by channels.",
            layers=[
                source(1, 16, 28, 28),
                conv("narrow", 16, 16, 1),
                conv("wide", 16, 16, 5),
                layer("concatenate", "join", dim=1),
                conv("mix", 32, 32, 1),
                sink(),
            ],
            wires=[
                ("input", "narrow"),
                ("input", "wide"),
                ("narrow", "join"),
                ("wide", "join"),
                ("join", "mix"),
                ("mix", "output"),
            ],
            hints=(
                "What size does each branch give?",
                "The 5×5 window without padding takes 4 off height and width.",
                "Set padding of wide to 2.",
            ),
            explanation="Joining along one axis needs equal sizes on all others. A k×k convolution keeps its size "
            "with padding (k − 1)/2.",
            repair=[update("wide", padding=2)],
        ),
        drawn(
            "Batches that differ",
            "E-BMM",
            goal="Multiply attention weights with values, 8 heads at once.",
            layers=[
                source(8, 64, 64, name="weights"),
                source(4, 64, 32, name="values"),
                layer("bmm", "mixed"),
                sink(),
            ],
            wires=[("weights", "mixed"), ("values", "mixed"), ("mixed", "output")],
            hints=(
                "Look at the first axis of both.",
                "There are 8 matrices of weights and 4 of values.",
                "Set the shape of values to 8×64×32.",
            ),
            explanation="A batched product pairs the matrices one by one and does not spread a smaller batch.",
            repair=[update("values", shape=[8, 64, 32])],
        ),
        drawn(
            "Letters that disagree",
            "E-EINSUM-SIZE",
            goal="Scores of every query with every key.",
            layers=[
                source(1, 32, 48, name="queries"),
                source(1, 64, 48, name="keys"),
                layer("einsum", "scores", equation="bqd,bdk->bqk"),
                layer("softmax", "weights", dim=-1),
                sink(),
            ],
            wires=[("queries", "scores"), ("keys", "scores"), ("scores", "weights"), ("weights", "output")],
            hints=(
                "Write the size under each letter.",
                "d is 48 in the first input and 64 in the second.",
                "The keys are b, k, d: set the equation of scores to bqd,bkd->bqk.",
            ),
            explanation="In an einsum a letter stands for one size, wherever it occurs.",
            repair=[update("scores", equation="bqd,bkd->bqk")],
        ),
        drawn(
            "A letter from nowhere",
            "E-EINSUM",
            goal="Scores of every query with every key.",
            layers=[
                source(1, 32, 48, name="queries"),
                source(1, 64, 48, name="keys"),
                layer("einsum", "scores", equation="bqd,bkd->bqh"),
                sink(),
            ],
            wires=[("queries", "scores"), ("keys", "scores"), ("scores", "output")],
            hints=(
                "Read the equation from right to left.",
                "h occurs in the result, but in no input.",
                "Set the equation of scores to bqd,bkd->bqk.",
            ),
            explanation="Each input has its letters, one an axis; the result may only name letters that occur there.",
            repair=[update("scores", equation="bqd,bkd->bqk")],
        ),
        drawn(
            "A target of another shape",
            "E-LOSS-SHAPE",
            goal="Classify 20 features into 5 classes, with the loss.",
            layers=[
                source(16, 20, name="features"),
                layer("input", "labels", shape=[8], dtype="int64"),
                linear("head", 20, 5),
                layer("crossEntropyLoss", "loss"),
                sink(),
            ],
            wires=[("features", "head"), ("head", "loss"), ("labels", "loss"), ("loss", "output")],
            hints=(
                "Count predictions and labels.",
                "A batch of 16 predictions comes with 8 labels.",
                "Set the shape of labels to [16].",
            ),
            explanation="Cross-entropy takes one class index for each row of scores.",
            repair=[update("labels", shape=[16])],
        ),
    )


def _wires() -> tuple[Exercise, ...]:
    return (
        drawn(
            "One of two",
            "E-INPUT-COUNT",
            goal="A block that multiplies what it made with what it got.",
            layers=[
                source(1, 64),
                linear("fc1", 64, 64),
                relu("act1"),
                layer("bilinear", "interact", in1Features=64, in2Features=64, outFeatures=32),
                sink(),
            ],
            hints=(
                "How many tensors does each layer take?",
                "A bilinear layer multiplies two inputs; it has one.",
                "Connect input to interact as well.",
            ),
            explanation="The number of wires into a layer is the number of arguments its forward gets.",
            repair=[connect("input", "interact")],
        ),
        drawn(
            "The loose end",
            "E-NO-INPUT",
            goal="A perceptron with a head.",
            layers=[source(1, 32), linear("fc1", 32, 64), relu("act1"), linear("head", 64, 2), sink()],
            wires=[("input", "fc1"), ("fc1", "act1"), ("head", "output")],
            hints=(
                "Follow the wires from the input.",
                "They end at act1; nothing arrives at head.",
                "Connect act1 to head.",
            ),
            explanation="A layer's forward takes a tensor, and here no wire brings one.",
            repair=[connect("act1", "head")],
        ),
        drawn(
            "A wire that runs backwards",
            "E-CYCLE",
            goal="A residual block.",
            layers=[
                source(1, 64),
                linear("fc1", 64, 64),
                relu("act1"),
                linear("fc2", 64, 64),
                layer("add", "sum"),
                sink(),
            ],
            wires=[
                ("input", "fc1"),
                ("fc1", "act1"),
                ("act1", "fc2"),
                ("fc2", "sum"),
                ("sum", "output"),
                ("sum", "act1"),
            ],
            hints=(
                "Can you put the layers into an order in which to run them?",
                "sum waits for fc2, fc2 for act1, and act1 for sum.",
                "Take the wire from sum to act1 away and draw the skip from input to sum.",
            ),
            explanation="A network runs from front to back; a skip connection starts before the layers it skips.",
            repair=[disconnect("sum", "act1"), connect("input", "sum")],
        ),
        drawn(
            "A layer nobody knows",
            "E-UNKNOWN-TYPE",
            goal="A perceptron with a smooth activation.",
            layers=[source(1, 32), linear("fc1", 32, 64), layer("gelou", "act1"), linear("head", 64, 2), sink()],
            hints=(
                "Read the types letter by letter.",
                "There is no layer called gelou.",
                "Put a gelu after act1 and delete act1.",
            ),
            explanation="The type of a layer must be in the catalogue, under any of its spellings.",
            repair=[add_after("act1", layer("gelu", "smooth")), delete("act1")],
        ),
        drawn(
            "Index and number at once",
            "E-INPUT-DTYPE",
            goal="A wide-and-deep model: ids are embedded, features go to a linear layer.",
            layers=[
                source(1, 16, name="ids"),
                source(1, 16, name="features"),
                embedding(1000, 32),
                layer("mean", "pool", dim=[1]),
                linear("wide", 16, 32),
                layer("add", "sum"),
                sink(),
            ],
            wires=[
                ("ids", "embed"),
                ("embed", "pool"),
                ("ids", "wide"),
                ("pool", "sum"),
                ("wide", "sum"),
                ("sum", "output"),
            ],
            hints=(
                "Where does each input go?",
                "ids feed both the table and the linear layer; features feed nothing.",
                "Move the wire of wide from ids to features.",
            ),
            explanation="A tensor holds either indices or numbers; what is looked up in a table cannot be multiplied "
            "by weights as well.",
            repair=[disconnect("ids", "wide"), connect("features", "wide")],
        ),
    )


def _rearranging() -> tuple[Exercise, ...]:
    return (
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
            explanation="A reshape keeps every element, so the sizes before and after must multiply to the same "
            "number.",
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


def _parts() -> tuple[Exercise, ...]:
    return (
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


def _sharing() -> tuple[Exercise, ...]:
    return (
        drawn(
            "Tied to nothing",
            "E-NO-TARGET",
            goal="A language model whose head uses the embedding's table.",
            layers=[
                source(1, 64),
                embedding(1000, 96),
                layer("layerNorm", "norm", normalizedShape=96),
                layer("tiedLinear", "head", node="embedding"),
                sink(),
            ],
            hints=(
                "Which layer does the head borrow from?",
                "There is no layer called embedding; the table is called embed.",
                "Set node of head to embed.",
            ),
            explanation="A tied layer names another layer of the graph, whose weights it uses.",
            repair=[update("head", node="embed")],
        ),
        drawn(
            "Tied to an activation",
            "E-SHARED-WEIGHT",
            goal="A language model whose head uses the embedding's table.",
            layers=[
                source(1, 64),
                embedding(1000, 96),
                layer("relu", "act"),
                layer("tiedLinear", "head", node="act"),
                sink(),
            ],
            hints=(
                "Which layer does the head borrow from?",
                "act is an activation and has no matrix.",
                "Set node of head to embed.",
            ),
            explanation="A tied linear layer multiplies by the table of an embedding or the matrix of a linear layer.",
            repair=[update("head", node="embed")],
        ),
    )
