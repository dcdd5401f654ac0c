"""Sorts failure texts into Arch-Bench's categories, by the first rule whose words occur in them."""

from typing import Final

_RULES: Final[tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]] = (
    ("parse-error", (("no json object",), ('"actions" array',))),
    ("attention-divisibility", (("not divisible",),)),
    ("kv-over-budget", (("bytes/token > budget",),)),
    ("moe-routing", (("topk", "numexperts"),)),
    ("connectivity", (("does not reach output",), ("disconnected",), ("empty graph",))),
    ("shape-mismatch", (("declares input width",), ("differing widths",))),
    ("orphan-node", (("no incoming connection",),)),
    ("over-budget", (("> budget",),)),
    ("under-band", (("< required minimum",),)),
    ("missing-layer-type", (("missing layer type",), ("needs one of",))),
    ("forbidden-action", (("forbidden action",),)),
    ("action-limit", (("actions > max",),)),
    ("too-shallow", (("components < min",),)),
    ("low-score", (("score",),)),
)
CATEGORIES: Final = (*(name for name, _ in _RULES), "other")


def category(text: str) -> str:
    """The category of a failure text; the words decide, even where they come from a component's name."""
    lowered = text.lower()
    for name, alternatives in _RULES:
        if any(all(word in lowered for word in words) for words in alternatives):
            return name
    return "other"
