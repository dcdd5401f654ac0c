"""Exercises on sequences: tokens, attention, positions and recurrence."""

from archstudio.bench.broken.exercise import Exercise, drawn
from archstudio.bench.generate.chains import (
    Layer,
    add_after,
    attention,
    embedding,
    grouped_attention,
    layer,
    linear,
    sink,
    source,
    update,
)


def _tokens_of(length: int, width: int) -> list[Layer]:
    return [source(1, length), embedding(8000, width)]


_ATTENTION: tuple[Exercise, ...] = (
    drawn(
        "Seven heads for a hundred",
        "E-HEADS",
        goal="One attention layer over 128 tokens.",
        layers=[*_tokens_of(128, 100), attention("attn", 100, 7), linear("head", 100, 2), sink()],
        hints=(
            "Every head gets an equal share of the width.",
            "100 does not divide by 7.",
            "Set numHeads of attn to 5 (or 4, or 10).",
        ),
        explanation="Attention splits its width among the heads; the number of heads must divide the width.",
        repair=[update("attn", numHeads=5)],
    ),
    drawn(
        "Heads that cannot share",
        "E-KV-HEADS",
        goal="Grouped-query attention with few key/value heads.",
        layers=[*_tokens_of(128, 64), grouped_attention("attn", 64, 8, 3), linear("head", 64, 2), sink()],
        hints=(
            "Two head counts must go together.",
            "8 query heads cannot be dealt out to 3 key/value heads.",
            "Set numKVHeads of attn to 2 (or 4).",
        ),
        explanation="Each key/value head serves the same number of query heads, so their number must divide the "
        "number of query heads.",
        repair=[update("attn", numKVHeads=2)],
    ),
    drawn(
        "Attention of another width",
        "E-ATTN-IN",
        goal="Attention over embedded tokens.",
        layers=[*_tokens_of(64, 128), attention("attn", 256, 8), linear("head", 256, 4), sink()],
        hints=(
            "Compare the width of the tokens with that of the attention.",
            "Tokens are 128 wide; attention and head were made for 256.",
            "Set embeddingDim of embed to 256.",
        ),
        explanation="Queries, keys and values are made by matrices of fixed size from the last axis; it must be "
        "as wide as embedDim says. Here one number at the embedding puts all three layers in agreement.",
        repair=[update("embed", embeddingDim=256)],
    ),
    drawn(
        "Keys without values",
        "E-ATTN-PAIR",
        goal="A question attends to a document of 200 tokens.",
        layers=[
            source(1, 20, 64, name="question"),
            source(1, 200, 64, name="document"),
            source(1, 50, 64, name="summary"),
            layer("crossAttention", "attn", embedDim=64, numHeads=4),
            sink(),
        ],
        wires=[("question", "attn"), ("document", "attn"), ("summary", "attn"), ("attn", "output")],
        hints=(
            "Cross-attention takes query, key and value, in this order.",
            "Keys come from the document, values from the summary, which has another length.",
            "Set the shape of summary to 1×200×64, so that there is a value for each key.",
        ),
        explanation="Every key has one value: both come as a pair, usually from the same sequence.",
        repair=[update("summary", shape=[1, 200, 64])],
    ),
    drawn(
        "Rows that meet no columns",
        "E-MATMUL",
        goal="Attention scores by hand: every query with every key.",
        layers=[
            source(1, 32, 64),
            linear("query", 64, 48),
            linear("key", 64, 48),
            layer("matmul", "scores"),
            layer("softmax", "weights", dim=-1),
            sink(),
        ],
        wires=[
            ("input", "query"),
            ("input", "key"),
            ("query", "scores"),
            ("key", "scores"),
            ("scores", "weights"),
            ("weights", "output"),
        ],
        hints=(
            "Write down the two shapes that are multiplied.",
            "32×48 times 32×48 does not work: the second must be turned.",
            "Put a transpose after key.",
        ),
        explanation="A matrix product sums the last axis of the first with the second last of the second. Scores "
        "are queries times keys transposed.",
        repair=[add_after("key", layer("transpose", "turned", dim0=-2, dim1=-1))],
    ),
    drawn(
        "More experts than there are",
        "E-MOE-TOPK",
        goal="A mixture of four experts.",
        layers=[
            source(1, 32, 64),
            layer("mixtureOfExperts", "moe", embedDim=64, hiddenDim=128, numExperts=4, topK=8),
            linear("head", 64, 4),
            sink(),
        ],
        hints=(
            "Look at the router's numbers.",
            "No token can visit 8 of 4 experts.",
            "Set topK of moe to 2.",
        ),
        explanation="The router sends a token to its topK best experts, all different, so there must be at least "
        "that many; 1 or 2 are usual.",
        repair=[update("moe", topK=2)],
    ),
)

_TOKENS: tuple[Exercise, ...] = (
    drawn(
        "Words as fractions",
        "E-INDEX-DTYPE",
        goal="Embed token ids and classify.",
        layers=[
            layer("input", "input", shape=[1, 64], dtype="float32"),
            embedding(8000, 128),
            layer("mean", "pool", dim=[1]),
            linear("head", 128, 2),
            sink(),
        ],
        hints=(
            "What kind of numbers are token ids?",
            "A table is looked up by whole numbers; the input promises floating-point ones.",
            "Set dtype of input to int64.",
        ),
        explanation="Row 2.5 of a table does not exist: indices are int64 (or int32).",
        repair=[update("input", dtype="int64")],
    ),
    drawn(
        "Ids that were multiplied",
        "E-DTYPE",
        goal="A text classifier on token ids.",
        layers=[
            layer("input", "input", shape=[1, 64], dtype="int64"),
            linear("fc1", 64, 128),
            layer("relu", "act1"),
            linear("head", 128, 2),
            sink(),
        ],
        hints=(
            "Weights meet whole numbers.",
            "The ids reach a linear layer without having been embedded.",
            "Put an embedding (8000 × 64) and a mean over dim [1] between input and fc1.",
        ),
        explanation="Weights are float32 and multiply floating-point numbers only. Besides, an id is a name and "
        "not an amount: it must be looked up.",
        repair=[
            add_after("input", embedding(8000, 64)),
            add_after("embed", layer("mean", "pool", dim=[1])),
        ],
    ),
    drawn(
        "The token after the last",
        "E-INDEX",
        goal="Classify a text by its last token.",
        layers=[
            *_tokens_of(64, 128),
            attention("attn", 128, 8),
            layer("select", "last", dim=1, index=64),
            linear("head", 128, 2),
            sink(),
        ],
        hints=(
            "Count the tokens the way a program does.",
            "64 tokens have the indices 0 to 63.",
            "Set index of last to -1 (or 63).",
        ),
        explanation="Items are counted from 0; from the end, −1 is the last.",
        repair=[update("last", index=-1)],
    ),
    drawn(
        "Averaged over an axis that is not there",
        "E-AXIS",
        goal="Average over the tokens and classify.",
        layers=[
            *_tokens_of(64, 128),
            layer("mean", "pool", dim=[3]),
            linear("head", 128, 2),
            sink(),
        ],
        hints=(
            "How many axes do embedded tokens have?",
            "Batch, tokens, width: axes 0, 1 and 2.",
            "Set dim of pool to [1], the tokens.",
        ),
        explanation="Axes are counted from 0, or from −1 at the end. The wire is batch × tokens × width.",
        repair=[update("pool", dim=[1])],
    ),
)

_POSITIONS: tuple[Exercise, ...] = (
    drawn(
        "A table too short",
        "E-POSITIONS",
        goal="Tokens of texts of length 196 with learned positions.",
        layers=[
            *_tokens_of(196, 64),
            layer("learnedPositionalEmbedding", "positions", maxLen=128, embedDim=64),
            attention("attn", 64, 4),
            sink(),
        ],
        hints=(
            "Compare two lengths.",
            "The texts have 196 tokens, the table has 128 rows.",
            "Set maxLen of positions to 196 or more.",
        ),
        explanation="Learned positions are a table with one row a place; a sequence cannot be longer than it.",
        repair=[update("positions", maxLen=196)],
    ),
    drawn(
        "Positions of another width",
        "E-POSITION-WIDTH",
        goal="Tokens with learned positions.",
        layers=[
            *_tokens_of(64, 128),
            layer("learnedPositionalEmbedding", "positions", maxLen=64, embedDim=64),
            attention("attn", 128, 4),
            sink(),
        ],
        hints=(
            "What happens to a token and its position?",
            "They are added, so both must be as wide; 64 is not 128.",
            "Set embedDim of positions to 128.",
        ),
        explanation="The rows of the table are added to the tokens element by element.",
        repair=[update("positions", embedDim=128)],
    ),
    drawn(
        "A pair that lacks its half",
        "E-ROPE-ODD",
        goal="Rotary positions for queries of 8 heads.",
        layers=[source(1, 8, 64, 33), layer("rope", "rotate", dim=33), sink()],
        hints=(
            "Rotary embedding works on pairs of features.",
            "33 features leave one without a partner.",
            "Give heads of 32 features: change the shape of input and dim of rotate.",
        ),
        explanation="Each pair of features is turned by an angle that depends on the position, so the width of a "
        "head must be even.",
        repair=[update("input", shape=[1, 8, 64, 32]), update("rotate", dim=32)],
    ),
    drawn(
        "Biases for half the heads",
        "E-HEADS-AXIS",
        goal="Add relative position biases to the scores of 8 heads.",
        layers=[
            source(1, 8, 64, 64),
            layer("relativePositionBias", "bias", numHeads=4),
            layer("softmax", "weights", dim=-1),
            sink(),
        ],
        hints=(
            "Count heads on both sides.",
            "The scores have 8 heads, the bias is made for 4.",
            "Set numHeads of bias to 8.",
        ),
        explanation="Scores are batch × heads × queries × keys; each head has biases of its own.",
        repair=[update("bias", numHeads=8)],
    ),
)

_FIRST_ITEM = layer("getItem", "sequence", index=0)
_RECURRENCE: tuple[Exercise, ...] = (
    drawn(
        "Everything an LSTM returns",
        "E-TUPLE-IN",
        goal="Tag every token after an LSTM.",
        layers=[
            *_tokens_of(64, 128),
            layer("lstm", "lstm", inputSize=128, hiddenSize=96),
            linear("head", 96, 17),
            sink(),
        ],
        hints=(
            "An LSTM returns more than one tensor.",
            "It gives its outputs and its final states; the head takes one tensor.",
            "Put a getItem with index 0 after lstm.",
        ),
        explanation="torch.nn.LSTM returns (output, (h, c)). What follows must say which of them it means; item 0 "
        "holds the output at every token.",
        repair=[add_after("lstm", _FIRST_ITEM)],
    ),
    drawn(
        "Steps of another width",
        "E-RNN-IN",
        goal="A GRU over embedded tokens.",
        layers=[
            *_tokens_of(64, 128),
            layer("gru", "gru", inputSize=64, hiddenSize=96),
            _FIRST_ITEM,
            linear("head", 96, 17),
            sink(),
        ],
        hints=(
            "What does the GRU read at one step?",
            "Tokens are 128 wide, inputSize says 64.",
            "Set inputSize of gru to 128.",
        ),
        explanation="inputSize is the width of one step of the sequence: its last axis.",
        repair=[update("gru", inputSize=128)],
    ),
    drawn(
        "A projection that grows",
        "E-PROJ-SIZE",
        goal="An LSTM with a projected hidden state.",
        layers=[
            *_tokens_of(64, 128),
            layer("lstm", "lstm", inputSize=128, hiddenSize=96, projSize=96),
            _FIRST_ITEM,
            sink(),
        ],
        hints=(
            "A projection of an LSTM is there to save.",
            "projSize must be smaller than hiddenSize.",
            "Set projSize of lstm to 48.",
        ),
        explanation="The projection makes the hidden state that is passed on smaller than the cell's; PyTorch "
        "refuses one that does not.",
        repair=[update("lstm", projSize=48)],
    ),
)

EXERCISES = (*_ATTENTION, *_TOKENS, *_POSITIONS, *_RECURRENCE)
