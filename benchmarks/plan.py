"""How long a plan takes and how many actions it has, for gestures, random edits and wholesale changes.

Usage: python benchmarks/plan.py [--repeats 15] [--json]
Milliseconds on one thread: the median, and from the least to the most. `did` is how many actions or gestures led there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

from archstudio.edits import AddNode, Edit, batch, compose, set_params
from archstudio.edits.from_actions import actions_to_edit
from archstudio.edits.plan import plan
from archstudio.graph import Connection, Graph, Node

Case: TypeAlias = tuple[str, Graph, Graph, int]
"""What was done, the graph before and after, and how many gestures or actions it took."""


def layers(count: int, skips: bool = False) -> Graph:
    """A chain from input to output; with skips, every third layer also adds what is two layers before it."""
    graph = Graph()
    for k in range(count):
        kind = {0: "input", count - 1: "output"}.get(k, "add" if skips and k % 3 == 0 else "linear")
        graph.insert_node(Node(f"n{k}", kind, f"layer{k}", {"outFeatures": 64} if kind == "linear" else {}))
        for source in range(max(0, k - 3 if kind == "add" else k - 1), k, 2):
            graph.insert_connection(Connection(f"c{source}-{k}", f"n{source}", f"n{k}"))
    return graph


def stub() -> Graph:
    """An input wired to an output."""
    return layers(2)


def edited(start: Graph, *makers: Callable[[Graph], Edit]) -> Graph:
    """A copy after edits, each made from the graph as the ones before left it."""
    now = start.copy()
    for make in makers:
        make(now).apply(now)
    return now


def gestures() -> Iterator[Case]:
    """One or a few gestures on fifty layers."""
    plain, skips = layers(50), layers(50, skips=True)

    def splice(graph: Graph) -> Edit:
        return compose.splice_into(graph, graph.outgoing("n21")[0].id, compose.new_node(graph, "relu"))

    yield "one parameter typed", plain, edited(plain, lambda g: set_params(g.node("n20"), outFeatures=32)), 1
    yield "a layer spliced into a chain", plain, edited(plain, splice), 1
    yield "a layer spliced into one of two wires", skips, edited(skips, splice), 1
    yield "another type", plain, edited(plain, lambda g: compose.set_type(g, "n20", "conv1d", {})), 1
    yield "three layers deleted", skips, edited(skips, lambda g: compose.delete_nodes(g, ["n10", "n21", "n22"])), 3
    yield "two layers swapped", plain, edited(plain, *swap("n20", "n21")), 3


def swap(first: str, second: str) -> list[Callable[[Graph], Edit]]:
    """Two neighbours in a chain change places."""

    def turn(graph: Graph) -> Edit:
        (wire,) = graph.between(first, second)
        return batch([compose.disconnect([wire.id]), compose.connect(graph, second, first)])

    return [
        lambda g: compose.rewire(g, g.incoming(first)[0].id, target=second),
        lambda g: compose.rewire(g, g.outgoing(second)[0].id, source=first),
        turn,
    ]


def random_edits(nodes: int, steps: int, seed: int) -> Case:
    """Random actions of the benchmark on layers with skips."""
    random = Random(seed)
    start = layers(nodes, skips=True)
    now = start.copy()
    for k in range(steps):
        names = [n.name for n in now.nodes]
        earlier, later = sorted(random.sample(range(len(names)), 2))
        ends = {"fromName": names[earlier], "toName": names[later]}
        action: dict[str, Any] = random.choice(
            (
                {"type": "add_component", "componentType": "relu", "name": f"new{k}", "afterName": names[earlier]},
                {"type": "add_component", "componentType": "linear", "name": f"new{k}", "params": {"outFeatures": k}},
                {"type": "delete_component", "name": names[earlier]},
                {"type": "add_connection", **ends},
                {"type": "delete_connection", **ends},
                {"type": "update_params", "name": names[earlier], "params": {"outFeatures": k}},
            )
        )
        edit = actions_to_edit(now, [action]).edit
        if edit is not None:
            edit.apply(now)
    return f"random actions (seed {seed})", start, now, steps


def wholesale(count: int) -> Iterator[Case]:
    """As many layers added, deleted or replaced at once."""
    now = stub()
    for _ in range(count):
        compose.splice_into(now, now.incoming("n1")[0].id, compose.new_node(now, "linear")).apply(now)
    yield "a chain added to a stub", stub(), now, count
    long = layers(count + 2)
    inner = long.node_ids[1:-1]
    yield "a chain deleted", long, edited(long, lambda g: compose.delete_nodes(g, inner)), count
    retyped = edited(long, *(lambda g, n=n: compose.set_type(g, n, "conv1d", {}) for n in inner))
    yield "every type changed", long, retyped, count
    loose = edited(long, *(lambda g: AddNode(compose.new_node(g, "relu")) for _ in range(count)))
    yield "loose layers added", long, loose, count


def cases() -> Iterator[Case]:
    """All that is measured."""
    yield from gestures()
    for nodes, steps, seed in ((50, 5, 1), (50, 20, 1), (50, 20, 2), (50, 20, 3), (200, 100, 1), (1_000, 20, 1)):
        yield random_edits(nodes, steps, seed)
    yield from wholesale(20)
    yield from wholesale(200)


def measure(start: Graph, now: Graph, repeats: int) -> list[float]:
    """Milliseconds of several plans."""
    times = []
    for _ in range(repeats):
        begun = perf_counter()
        plan(start, now)
        times.append((perf_counter() - begun) * 1_000)
    return times


def main() -> None:
    """Print one line a case, or JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for what, start, now, did in cases():
        times = measure(start, now, options.repeats)
        figures = {"median_ms": median(times), "least_ms": min(times), "most_ms": max(times)}
        counts = {"nodes": len(start), "did": did, "actions": len(plan(start, now).actions)}
        rows.append({"what": what, **counts, **{k: round(v, 3) for k, v in figures.items()}})
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'what':<40}{'nodes':>6}{'did':>5}{'actions':>9}{'median':>10}{'least':>10}{'most':>10}   (ms)")
    for row in rows:
        print(
            f"{row['what']:<40}{row['nodes']:>6}{row['did']:>5}{row['actions']:>9}"
            f"{row['median_ms']:>10.2f}{row['least_ms']:>10.2f}{row['most_ms']:>10.2f}"
        )


if __name__ == "__main__":
    main()
