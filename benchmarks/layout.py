"""How long the automatic layout takes: lines, nets with skips, random graphs, the zoo. `--json` prints figures only."""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import median
from time import process_time

from archstudio.app.layout import auto_layout
from archstudio.app.zoo import zoo_entries, zoo_graph
from archstudio.graph import Connection, Graph, Node

BUDGET_MS = {1_000: 15.0, 5_000: 120.0}
"""What the layout may take, by number of nodes."""


def chain(count: int) -> Graph:
    """A straight line of layers."""
    return _graph(count, [(k, k + 1) for k in range(count - 1)])


def residual(count: int) -> Graph:
    """A line with a skip over every third node."""
    return _graph(count, [*((k, k + 1) for k in range(count - 1)), *((k, k + 3) for k in range(0, count - 3, 3))])


def skipping(count: int) -> Graph:
    """A line with a skip from every fourth node, as `canvas.py` draws it."""
    return _graph(count, [*((k, k + 1) for k in range(count - 1)), *((k, k + 4) for k in range(0, count - 4, 4))])


def tangled(count: int) -> Graph:
    """Each node feeds from one or two of the sixty before it."""
    random = Random(count)
    edges = [(random.randrange(max(0, k - 60), k), k) for k in range(1, count) for _ in range(random.randint(1, 2))]
    return _graph(count, edges)


def _graph(count: int, edges: list[tuple[int, int]]) -> Graph:
    graph = Graph()
    for k in range(count):
        graph.insert_node(Node(f"n{k}", "relu" if k % 3 else "linear", f"n{k}"))
    for k, (a, b) in enumerate(edges):
        graph.insert_connection(Connection(f"c{k}", f"n{a}", f"n{b}"))
    return graph


def measure(graph: Graph, repeats: int = 7) -> list[float]:
    """Milliseconds of CPU of several layouts, sorted."""
    times = []
    for _ in range(repeats):
        start = process_time()
        auto_layout(graph)
        times.append((process_time() - start) * 1_000)
    return sorted(times)


def main() -> None:
    """Print one line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    rows = []
    for count, budget in BUDGET_MS.items():
        for make in (chain, residual, skipping, tangled):
            times = measure(make(count))
            rows.append(
                {"graph": make.__name__, "nodes": count, "median_ms": round(median(times), 2),
                 "least_ms": round(times[0], 2), "most_ms": round(times[-1], 2), "budget_ms": budget}
            )  # fmt: skip
    for entry in zoo_entries():
        graph = zoo_graph(entry.name)
        times = measure(graph)
        rows.append(
            {"graph": entry.name, "nodes": len(graph), "median_ms": round(median(times), 2),
             "least_ms": round(times[0], 2), "most_ms": round(times[-1], 2), "budget_ms": BUDGET_MS[1_000]}
        )  # fmt: skip
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'graph':<32}{'nodes':>7}{'median':>10}{'least':>10}{'most':>10}{'budget':>10}   (ms)")
    for r in rows:
        print(
            f"{r['graph']:<32}{r['nodes']:>7}{r['median_ms']:>10}{r['least_ms']:>10}{r['most_ms']:>10}{r['budget_ms']:>10}"
        )


if __name__ == "__main__":
    main()
