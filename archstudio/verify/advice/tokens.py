"""Tables of words and the layers that score them, and experts that share the tokens."""

from __future__ import annotations

from collections.abc import Iterator

from archstudio.layers import Problem
from archstudio.layers.families.dense import Linear
from archstudio.layers.families.embedding import Embedding
from archstudio.layers.problem import ProblemKind, advice
from archstudio.verify.advice.look import Look, rule

VOCABULARY = ProblemKind(
    "A-VOCABULARY",
    advice,
    "{node} has {rows:,} rows, the tokenizer {words:,} words",
    "An index beyond the table stops the program when it first occurs. The number of words is the graph's meta "
    "`tokenizerSize`; without it nothing is said.",
)
WIDE_TABLE = ProblemKind(
    "A-WIDE-TABLE",
    advice,
    "{node} spends {width:,} numbers on each of only {rows:,} entries",
    "A table wider than it is long can tell its entries apart with far fewer numbers.",
)
HEAD_VOCABULARY = ProblemKind(
    "A-HEAD-VOCABULARY",
    advice,
    "{node} scores {scores:,} words, {table} knows {rows:,}",
    "Words that are read and words that are written usually come from one list; nearly equal numbers hint at a slip.",
    "Arch-Bench advisor rules, lm-head-vocab-mismatch",
)
TIE = ProblemKind(
    "A-TIE",
    advice,
    "{node} and {table} could share one matrix: {saved:,} weights less",
    "The matrix that scores words has the shape of the table that looks them up; sharing it saves weights and often "
    "helps small models.",
    "Press & Wolf 2017 (arXiv 1608.05859)",
)
UNALIGNED = ProblemKind(
    "A-UNALIGNED",
    advice,
    "{node}: {what} {size:,} is no multiple of 8; {better:,} would use a GPU's matrix units",
    'Half-precision matrix units work on multiples of 8. Told only where the graph\'s meta `target` is "gpu".',
    "NVIDIA, Matrix Multiplication Background: tensor core alignment",
)
EXPERT_BALANCE = ProblemKind(
    "A-EXPERT-BALANCE",
    advice,
    "Nothing keeps the experts of {node} equally busy",
    "Routers tend to send all tokens to a few experts. Add a balance loss (or a bias that is adjusted) when "
    "training, and set the graph's meta `balanced` to true.",
    "Shazeer et al. 2017 (arXiv 1701.06538); Fedus et al. 2021 (arXiv 2101.03961)",
)
EXPERT_SPREAD = ProblemKind(
    "A-EXPERT-SPREAD",
    advice,
    "{node}: {experts:,} experts do not spread evenly over {devices:,} devices",
    "Every device should hold the same number of experts. The number of devices is the graph's meta "
    "`expertParallel`; without it nothing is said.",
)

EXPERTS = ("mixtureOfExperts", "moeLayer", "sharedExpertMoE")
NEARLY = 0.05
"""How far apart (as a share) two numbers of words may be and still be meant as one."""
LEAST_WORDS = 256
ALIGNED = 8


@rule
def tables(look: Look) -> Iterator[Problem]:
    """Tables with fewer rows than there are words, or wider than long."""
    words = look.number("tokenizerSize")
    for node in look.of("embedding"):
        layer = look.layer(node.id)
        if not isinstance(layer, Embedding):
            continue
        rows, width = layer.num_embeddings, layer.embedding_dim
        if words is not None and rows < words:
            yield Problem(VOCABULARY, node.id, "structure", facts={"rows": rows, "words": int(words)})
        if width > rows and rows >= ALIGNED:
            yield Problem(WIDE_TABLE, node.id, "structure", facts={"rows": rows, "width": width})


@rule
def words_read_and_written(look: Look) -> Iterator[Problem]:
    """The table of a language model beside the layer that scores its words."""
    found = [(n, look.layer(n.id)) for n in look.of("embedding")]
    large = [(n, t) for n, t in found if isinstance(t, Embedding) and t.num_embeddings >= LEAST_WORDS]
    if not large:
        return
    for head in _heads(look):
        layer = look.layer(head)
        for node, table in large:
            if not isinstance(layer, Linear) or layer.in_features != table.embedding_dim:
                continue
            scores, rows = layer.out_features, table.num_embeddings
            facts = {"table": node.name, "scores": scores, "rows": rows, "saved": table.embedding_dim * rows}
            if scores == rows:
                yield Problem(TIE, head, "structure", facts=facts)
            elif abs(scores - rows) <= NEARLY * rows:
                yield Problem(HEAD_VOCABULARY, head, "structure", facts=facts)


def _heads(look: Look) -> Iterator[str]:
    """Layers that give the results."""
    for node in look.of("output"):
        source = look.source(node.id)
        if source is not None and look.family(source) == "dense":
            yield source


@rule
def unaligned_sizes(look: Look) -> Iterator[Problem]:
    """Sizes of matrices that GPUs handle slowly; only for that target."""
    if look.text("target") != "gpu":
        return
    for node in look.of("linear", "lmHead", "embedding"):
        layer = look.layer(node.id)
        for what in ("in_features", "out_features", "num_embeddings"):
            size = getattr(layer, what, None)
            if isinstance(size, int) and size > LEAST_WORDS and size % ALIGNED:
                better = -(-size // ALIGNED) * ALIGNED
                name = what.split("_")[0] + what.split("_")[1].capitalize()
                yield Problem(UNALIGNED, node.id, "structure", facts={"what": name, "size": size, "better": better})


@rule
def idle_experts(look: Look) -> Iterator[Problem]:
    """Experts that nothing keeps busy, or that do not divide among the devices."""
    devices = look.number("expertParallel")
    told = look.graph.meta.get("balanced") is True
    for node in look.of(*EXPERTS):
        if not told:
            told = True
            yield Problem(EXPERT_BALANCE, node.id, "structure")
        experts = getattr(look.nodes[node.id].layer, "num_experts", None)
        if devices and isinstance(experts, int) and experts % int(devices):
            facts = {"experts": experts, "devices": int(devices)}
            yield Problem(EXPERT_SPREAD, node.id, "structure", facts=facts)
