"""How long a verdict takes, beside a run on PyTorch's meta device and torchinfo, on the same graphs.

Usage: python benchmarks/verify.py [--repeats 15] [--nodes 1000] [--no-peers] [--json]
Milliseconds on one thread: the median, and from the least to the most. Peers build and run the generated module anew
after each edit, since they have nothing to keep.
"""

from __future__ import annotations

import argparse
import gc
import json
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from archstudio.graph import Connection, Graph, Node
from archstudio.torchcode.source import source_of
from archstudio.torchcode.specs import io_specs
from archstudio.verify import Session, check

PEER_REPEATS = 3
"""Peers take up to seconds a run."""

# ------------------------------------------------------------------------ graphs


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
    write = Writer("linears")
    write.add("input", shape=[8, 64])
    for _ in range(count - 2):
        write.add("linear", inFeatures=64, outFeatures=64)
    write.add("output")
    return write.graph


def convolutions(count: int) -> Graph:
    """A chain of convolutions that keep the size."""
    write = Writer("convolutions")
    write.add("input", shape=[2, 16, 32, 32])
    for _ in range(count - 2):
        write.add("conv2d", inChannels=16, outChannels=16, kernelSize=3, padding=1)
    write.add("output")
    return write.graph


def transformer(count: int) -> Graph:
    """A pre-norm transformer of plain layers, 20 to a block: 96 blocks are 1,925 nodes."""
    width, heads, length = 128, 8, 64
    write = Writer("transformer")
    write.add("input", shape=[2, length], dtype="int64")
    write.add("embedding", numEmbeddings=1000, embeddingDim=width)
    for _ in range(max(1, (count - 5) // 20)):
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


# ------------------------------------------------------------------------ measuring


def timed(action: Callable[[], object], repeats: int, before: Callable[[int], None] | None = None) -> list[float]:
    """Milliseconds of several runs; `before` prepares each and does not count."""
    times = []
    gc.collect()
    gc.disable()
    try:
        for k in range(repeats):
            if before is not None:
                before(k)
            start = perf_counter()
            action()
            times.append((perf_counter() - start) * 1_000)
    finally:
        gc.enable()
    return times


def ours(graph: Graph, repeats: int) -> Iterator[tuple[str, list[float]]]:
    """Every kind of edit on a session that is up to date, by what it is called."""
    check(graph)  # the catalogue is loaded
    yield "first verdict", timed(lambda: check(graph), repeats)
    session = Session(graph)
    session.verdict()
    weighted = [n for n in graph.nodes if n.type in ("linear", "conv2d")]
    middle = weighted[len(weighted) // 2 :][:repeats]

    def keep(k: int) -> None:
        node = graph.node(middle[0].id)
        graph.replace_node(node.with_params(bias=not node.params.get("bias", True)))

    yield "edit that keeps the wire", timed(session.verdict, repeats, keep)

    def break_one(k: int) -> None:
        for node in middle:
            graph.replace_node(node)
        session.verdict()
        size = next(key for key in ("inFeatures", "inChannels") if key in middle[k].params)
        graph.replace_node(middle[k].with_params(**{size: 7}))

    yield "edit that breaks it", timed(session.verdict, repeats, break_one)

    def mend(k: int) -> None:
        break_one(k)
        session.verdict()
        graph.replace_node(middle[k])

    yield "edit that mends it", timed(session.verdict, repeats, mend)
    wire = graph.incoming(middle[0].id)[0]

    def rewire(k: int) -> None:
        place = graph.index_of_connection(wire.id)
        graph.remove_connection(wire.id)
        graph.insert_connection(wire, place)

    yield "wire cut and drawn again", timed(session.verdict, repeats, rewire)

    def batch(k: int) -> None:
        graph.set_meta("batch", 2 + k % 2)

    if "reshape" not in {n.type for n in graph.nodes}:  # whose shape holds the batch
        yield "another batch: every wire differs", timed(session.verdict, repeats + 2, batch)[2:]
        graph.set_meta("batch", None)

    def mode(k: int) -> None:
        graph.set_meta("mode", "train" if k % 2 else None)

    yield "another mode: every layer judged", timed(session.verdict, repeats + 2, mode)[2:]
    graph.set_meta("mode", None)
    session.close()


def peers(graph: Graph) -> Iterator[tuple[str, list[float]]]:
    """A fresh construct and forward on the meta device, and torchinfo's summary of a made module there."""
    import torch
    from torchinfo import summary

    verdict = check(graph)
    names: dict[str, Any] = {"__name__": "model"}
    exec(compile(source_of(graph, verdict), "model.py", "exec"), names)
    dtypes = {"float32": torch.float32, "int64": torch.int64}
    with torch.device("meta"):
        inputs = [torch.empty(spec.shape, dtype=dtypes[spec.dtype]) for spec in io_specs(graph, verdict)[0]]

    def made_and_run() -> None:
        with torch.device("meta"):
            names["build_model"]()(*inputs)

    with torch.device("meta"):
        model = names["build_model"]()
    yield "meta device, constructed and run", timed(made_and_run, PEER_REPEATS)
    yield (
        "torchinfo on the meta device",
        timed(lambda: summary(model, input_data=inputs, device="meta", verbose=0), PEER_REPEATS),
    )


def rows(repeats: int, count: int, with_peers: bool) -> Iterator[dict[str, Any]]:
    """One row a graph and measurement."""
    for graph in (linears(count), convolutions(count), transformer(count if count != 1_000 else 1_925)):
        runs = [("archstudio", *row) for row in ours(graph, repeats)]
        if with_peers:
            runs += [("peer", *row) for row in peers(graph)]
        for who, what, times in runs:
            figures = {"median_ms": median(times), "least_ms": min(times), "most_ms": max(times)}
            yield {
                "graph": graph.name,
                "nodes": len(graph),
                "who": who,
                "what": what,
                **{k: round(v, 4) for k, v in figures.items()},
            }


def main() -> None:
    """Print a table or JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.no_peers:
        import torch

        torch.set_num_threads(1)
    found = []
    for row in rows(options.repeats, options.nodes, not options.no_peers):
        found.append(row)
        if not options.json:
            if len(found) == 1:
                print(f"{'graph':<14}{'nodes':>6}  {'what':<33}{'median':>10}{'least':>10}{'most':>10}   (ms)")
            print(
                f"{row['graph']:<14}{row['nodes']:>6}  {row['what']:<33}"
                f"{row['median_ms']:>10.3f}{row['least_ms']:>10.3f}{row['most_ms']:>10.3f}"
            )
    if options.json:
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
