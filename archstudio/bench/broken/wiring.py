"""Exercises on how layers are joined: merging, missing wires, loops and shared weights."""

from typing import Any

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.broken.images import conv, relu
from archstudio.bench.generate.chains import add_after, delete, embedding, layer, linear, sink, source, update


def connect(source_name: str, target_name: str) -> dict[str, Any]:
    return {"type": "add_connection", "fromName": source_name, "toName": target_name}


def disconnect(source_name: str, target_name: str) -> dict[str, Any]:
    return {"type": "delete_connection", "fromName": source_name, "toName": target_name}


_MERGING: tuple[Exercise, ...] = (
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

_WIRES: tuple[Exercise, ...] = (
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

_SHARING: tuple[Exercise, ...] = (
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

EXERCISES = (*_MERGING, *_WIRES, *_SHARING)
