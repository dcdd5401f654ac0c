"""Networks that guess what a person likes: DLRM, two towers, and a transformer over behaviour."""

from __future__ import annotations

from archstudio.design.zoo.model import Model
from archstudio.design.zoo.sketch import Sketch
from archstudio.graph import Graph

_CRITEO_KAGGLE = (
    *(1460, 583, 10_131_227, 2_202_608, 305, 24, 12_517, 633, 3, 93_145, 5683, 8_351_593, 3194),
    *(27, 14_992, 5_461_306, 10, 5652, 2173, 4, 7_046_547, 18, 15, 286_181, 105, 142_572),
)
"""Values of the 26 categories in the Criteo Kaggle data (facebookresearch/dlrm)."""


def dlrm() -> Graph:
    """DLRM as benchmarked on the Criteo Kaggle data (Naumov et al. 2019, arXiv 1906.00091).

    540,677,217 parameters, recomputed for the options of facebookresearch/dlrm `bench/dlrm_s_criteo_kaggle.sh`
    (vectors of 16, bottom 13-512-256-64-16, top 512-256-1): 33,762,577 rows · 16, bottom 155,984, top 320,001.
    """
    net = Sketch("dlrm")
    dense = net.input("dense", (128, 13))
    with net.frame("Bottom"):
        bottom = net.dense(dense, "bottom", (512, 256, 64, 16), "relu", last=True)
    features = [bottom]
    indices = [net.input(f"category{k}", (128, 1), dtype="int64") for k in range(1, 27)]
    with net.frame("Tables"):
        for k, (index, rows) in enumerate(zip(indices, _CRITEO_KAGGLE, strict=True), 1):
            table = {"numEmbeddings": rows, "embeddingDim": 16, "mode": "sum"}
            features.append(net.add("embeddingBag", f"table{k}", index, **table))
    with net.frame("Interaction"):
        x = net.add("stack", "vectors", *features, dim=1)
        x = net.add("featureInteraction", "pairs", x)
        x = net.add("concatenate", "features", bottom, x, dim=1)
    with net.frame("Top"):
        x = net.dense(x, "top", (512, 256, 1), "relu")
        x = net.add("sigmoid", "chance", x)
    net.add("output", "click", x)
    return net.finished()


def two_tower() -> Graph:
    """Retrieval with one tower for people and one for things, compared by cosine (after Yi et al. 2019, RecSys '19).

    25,713,536 parameters, recomputed for sizes of our own: tables of 401,000 rows · 64, and two towers 128-128-64 of
    24,768 each.
    """
    net = Sketch("two-tower")
    person = net.input("person", (256,), dtype="int64")
    history = net.input("history", (256, 50), dtype="int64")
    item = net.input("item", (256,), dtype="int64")
    category = net.input("category", (256,), dtype="int64")
    with net.frame("Person tower"):
        a = net.add("embedding", "person_table", person, numEmbeddings=200_000, embeddingDim=64)
        b = net.add("embeddingBag", "history_table", history, numEmbeddings=100_000, embeddingDim=64, mode="mean")
        x = net.add("concatenate", "person_features", a, b)
        x = net.dense(x, "person_fc", (128, 64), "relu")
    with net.frame("Item tower"):
        a = net.add("embedding", "item_table", item, numEmbeddings=100_000, embeddingDim=64)
        b = net.add("embedding", "category_table", category, numEmbeddings=1_000, embeddingDim=64)
        y = net.add("concatenate", "item_features", a, b)
        y = net.dense(y, "item_fc", (128, 64), "relu")
    score = net.add("cosineSimilarity", "score", x, y)
    net.add("output", "match", score)
    return net.finished()


def behaviour_sequence_transformer() -> Graph:
    """Behaviour Sequence Transformer: the last 20 clicks and the target, one block of 8 heads (arXiv 1905.06874).

    21,317,761 parameters, recomputed: table 300,000·64 and positions 21·64 (sizes of our own), block 49,984, head
    2,066,433 (1024-512-256 as in the paper).
    """
    net = Sketch("bst")
    profile = net.input("profile", (64, 32))
    clicks = net.input("clicks", (64, 21), dtype="int64")
    with net.frame("Sequence"):
        x = net.add("embedding", "item_table", clicks, numEmbeddings=300_000, embeddingDim=64)
        x = net.add("learnedPositionalEmbedding", "positions", x, maxLen=21)
    with net.frame("Block"):
        y = net.add("multiHeadAttention", "attention", x, numHeads=8, dropout=0.2)
        y = net.add("dropout", "attention_drop", y, p=0.2)
        x = net.add("layerNorm", "norm1", net.add("add", "add1", x, y))
        y = net.add("linear", "up", x, outFeatures=256)
        y = net.add("leakyRelu", "up_act", y)
        y = net.add("dropout", "up_drop", y, p=0.2)
        y = net.add("linear", "down", y, outFeatures=64)
        x = net.add("layerNorm", "norm2", net.add("add", "add2", x, y))
    with net.frame("Head"):
        x = net.add("flatten", "flatten", x)
        x = net.add("concatenate", "features", x, profile)
        x = net.dense(x, "fc", (1024, 512, 256, 1), "leakyRelu")
        x = net.add("sigmoid", "chance", x)
    net.add("output", "click", x)
    return net.finished()


MODELS = (
    Model("dlrm", "DLRM", "Recommendation", "Advertisements, 2019", 540_677_217, dlrm),
    Model("two-tower", "Two towers", "Recommendation", "Retrieval, 2019", 25_713_536, two_tower),
    Model("bst", "BST", "Recommendation", "Transformer over clicks, 2019", 21_317_761, behaviour_sequence_transformer),
)
