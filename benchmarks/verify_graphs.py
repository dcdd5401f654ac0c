"""The graphs that verdicts are timed on: chains, a residual network, and transformers of plain layers."""

from __future__ import annotations

from typing import Any

from archstudio.app.zoo import zoo_graph
from archstudio.graph import Connection, Graph, Node

BLOCK_NODES = 20
"""Nodes of one transformer block; input, embedding, last norm, head and output come on top."""


class Writer:
    """Appends layers to a graph, each fed by the ones named (default: the one before)."""

    def __init__(self, name: str) -> None:
        self.graph = Graph(name)
        self.last = ""

    def add(self, kind: str, *sources: str, **params: Any) -> str:
        """The id of a new layer of a type."""
        graph = self.graph
        node_id = f"n{len(graph)}"
        graph.insert_node(Node(node_id, kind, node_id, params))
        for source in sources or (() if kind == "input" else (self.last,)):
            graph.insert_connection(Connection(f"c{len(graph.connection_ids)}", source, node_id))
        self.last = node_id
        return node_id


def linears(count: int) -> Graph:
    """A chain of linear layers."""
    write = Writer(f"{count:,} linears")
    write.add("input", shape=[8, 64])
    for _ in range(count - 2):
        write.add("linear", inFeatures=64, outFeatures=64)
    write.add("output")
    return write.graph


def convolutions(count: int) -> Graph:
    """A chain of convolutions that keep the size."""
    write = Writer(f"{count:,} convolutions")
    write.add("input", shape=[2, 16, 32, 32])
    for _ in range(count - 2):
        write.add("conv2d", inChannels=16, outChannels=16, kernelSize=3, padding=1)
    write.add("output")
    return write.graph


def transformer(blocks: int) -> Graph:
    """A pre-norm transformer of plain layers: 96 blocks are 1,925 nodes."""
    width, heads, length = 128, 8, 64
    write = Writer(f"transformer, {blocks} blocks")
    write.add("input", shape=[2, length], dtype="int64")
    write.add("embedding", numEmbeddings=1000, embeddingDim=width)
    for _ in range(blocks):
        stream = write.last
        normed = write.add("layerNorm", normalizedShape=width)
        parts = []
        for _ in range(3):
            write.add("linear", normed, inFeatures=width, outFeatures=width)
            write.add("reshape", shape=[2, length, heads, width // heads])
            parts.append(write.add("transpose", dim0=1, dim1=2))
        write.add("scaledDotProductAttention", *parts)
        write.add("transpose", dim0=1, dim1=2)
        write.add("reshape", shape=[2, length, width])
        write.add("linear", inFeatures=width, outFeatures=width)
        stream = write.add("add", stream, write.last)
        write.add("layerNorm", normalizedShape=width)
        write.add("linear", inFeatures=width, outFeatures=4 * width)
        write.add("gelu")
        write.add("linear", inFeatures=4 * width, outFeatures=width)
        write.add("add", stream, write.last)
    write.add("layerNorm", normalizedShape=width)
    write.add("linear", inFeatures=width, outFeatures=1000)
    write.add("output")
    return write.graph


def resnet50() -> Graph:
    """ResNet-50 as it ships."""
    return zoo_graph("resnet-50")


def all_graphs(largest: int = 10_000) -> list[Graph]:
    """Every graph of the table with at most so many nodes."""
    chains = [make(count) for make in (linears, convolutions) for count in (100, 1_000, 10_000)]
    graphs = [*chains, resnet50(), transformer(12), transformer(96)]
    return [graph for graph in graphs if len(graph) <= largest]
