"""What looks like a case for advice and is not: the guards of the rules."""

from __future__ import annotations

from itertools import pairwise

import pytest

from archstudio.verify import check

IMAGE = ("input", {"shape": [8, 3, 32, 32]})
ROWS = ("input", {"shape": [8, 64]})
TOKENS = ("input", {"shape": [8, 16], "dtype": "int64"})
SEQUENCE = ("input", {"shape": [8, 16, 64]})
WORDS = ("embedding", {"numEmbeddings": 100, "embeddingDim": 64})
ATTENTION = ("multiHeadAttention", {"embedDim": 64, "numHeads": 4})
OUT = ("output", {})


def conv(gives: int, size: int = 3, **more: object) -> tuple[str, dict]:
    return "conv2d", {"outChannels": gives, "kernelSize": size, **more}


def linear(gives: int, **more: object) -> tuple[str, dict]:
    return "linear", {"outFeatures": gives, **more}


QUIET: dict[str, tuple[tuple[str, dict], ...]] = {
    "layer norm keeps the bias of a linear layer": (ROWS, linear(32), ("layerNorm", {"normalizedShape": 32})),
    "dropout behind the last batch norm": (
        *(IMAGE, conv(8, bias=False), ("batchNorm2d", {}), ("relu", {})),
        *(("globalAvgPool2d", {}), ("dropout", {"p": 0.5}), linear(10)),
    ),
    "a layer norm between dropout and linear layers": (
        *(ROWS, ("dropout", {"p": 0.1}), ("layerNorm", {"normalizedShape": 64})),
        linear(10),
    ),
    "a bottleneck of linear layers": (ROWS, linear(4), linear(64)),
    "a gate's sigmoid at the end": (ROWS, linear(1), ("sigmoid", {})),
    "a shortcut of stride 2 without a window": (IMAGE, conv(8, 1, stride=2), ("relu", {})),
    "patches that fit": (IMAGE, conv(8, 8, stride=8), ("relu", {})),
    "an odd size in a network that only goes down": (
        ("input", {"shape": [8, 3, 33, 33]}),
        conv(8, stride=2),
        ("relu", {}),
    ),
    "channels last on purpose": (
        *(IMAGE, conv(8), ("permute", {"dims": [0, 2, 3, 1]})),
        *(linear(16), ("relu", {}), linear(4)),
    ),
    "a set of vectors without positions": (SEQUENCE, ATTENTION),
    "causal attention without positions": (TOKENS, WORDS, ("causalAttention", {"embedDim": 64, "numHeads": 4})),
    "an encoder of words with positions": (
        *(TOKENS, WORDS, ("positionalEncoding", {"maxLen": 16, "embedDim": 64})),
        ATTENTION,
    ),
    "a classifier over words that has few classes": (TOKENS, WORDS, ("lstm", {"hiddenSize": 64})),
    "windows cut out and put back": (
        *(("input", {"shape": [2, 49, 64]}), ("reshape", {"shape": [14, 7, 64]}), ("relu", {})),
        ("reshape", {"shape": [2, 49, 64]}),
    ),
    "two linear layers with a ReLU between": (ROWS, linear(128), ("relu", {}), linear(10)),
    "width 60 for no particular target": (
        ("input", {"shape": [8, 16, 60]}),
        ("multiHeadAttention", {"embedDim": 60, "numHeads": 5}),
    ),
    "a word table of any size without a tokenizer": (TOKENS, WORDS),
    "a pool that rounds up without an opset": (IMAGE, ("maxPool2d", {"kernelSize": 3, "ceilMode": True})),
}


@pytest.mark.parametrize("case", QUIET)
def test_nothing_is_said_of(case, build):
    layers = {f"n{k}": layer for k, layer in enumerate((*QUIET[case], OUT))}
    wires = [f"{a} -> {b}" for a, b in pairwise(layers)]
    if layers[f"n{len(layers) - 2}"][0] == "lstm":
        wires[-1] = wires[-1].replace(" ->", ".output ->")
    verdict = check(build(layers, wires))
    assert verdict.runs, [p.title(p.node) for p in verdict.errors]
    assert [(p.kind.code, p.node) for p in verdict.remarks] == []


def test_a_gate_may_be_spread_and_a_table_of_positions_added(build):
    nodes = {
        "x": SEQUENCE,
        "gate": ("input", {"shape": [8, 1, 64]}),
        "table": ("input", {"shape": [1, 16, 64], "batchAxis": None}),
        "times": ("multiply", {}),
        "plus": ("add", {}),
        "y": OUT,
    }
    wires = ["x -> times", "gate -> times", "times -> plus", "table -> plus", "plus -> y"]
    assert check(build(nodes, wires)).remarks == ()


def test_advice_is_given_beside_errors_and_does_not_fall_over_what_is_unknown(build):
    nodes = {"x": ROWS, "a": ("relu", {}), "b": ("gelu", {}), "bad": linear(3, inFeatures=9), "c": conv(4), "y": OUT}
    verdict = check(build(nodes, [f"{a} -> {b}" for a, b in pairwise(nodes)]))
    assert [p.kind.code for p in verdict.problems] == ["E-LINEAR-IN", "A-TWICE-ACTIVATED"]


def test_a_linear_layer_that_does_not_fit_the_width_is_an_error_and_no_advice(build):
    nodes = {"x": IMAGE, "conv": conv(16, padding=1), "head": linear(10, inFeatures=16), "y": OUT}
    verdict = check(build(nodes, [f"{a} -> {b}" for a, b in pairwise(nodes)]))
    assert [p.kind.code for p in verdict.problems] == ["E-LINEAR-IN"]
