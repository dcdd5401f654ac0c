"""How long a verdict takes, beside four other ways to learn the shapes of the same graphs.

Usage: python benchmarks/verify.py [--only IMPL] [--repeats 15] [--largest 10000] [--limit 20] [--detail] [--json]
Milliseconds on one thread: the median, with --detail also other edits of ours, from the least to the most.
IMPL is archstudio, onnx, fake, meta or torchinfo. `full` starts from nothing, `keep` follows an edit that keeps the
shape, `break` one in the middle that does not, and `dirty` judges every layer again. The peers keep nothing between
edits; what each does for an edit stands in verify_peers.py. A peer that does not answer a question within the limit
is told of as `over N s`.
"""

from __future__ import annotations

import argparse
import gc
import json
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any

from verify_graphs import all_graphs
from verify_peers import PEERS, WRONG_SIZE

from archstudio.graph import Graph
from archstudio.verify import Session, check

OURS = "archstudio"
QUESTIONS = ("full", "keep", "broken", "dirty")
PEER_REPEATS = 3
"""Peers take up to seconds a run."""


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


class OutOfTime(BaseException):
    """The limit of a question has passed; no `except Exception` of a peer may stop it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in what runs longer, as soon as Python is asked again."""

    def stop(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def timed_within(seconds: float, action: Callable[[], object], repeats: int) -> list[float]:
    """Milliseconds of the runs that end within so many seconds together; none if not even the first does."""
    times: list[float] = []
    try:
        with at_most(seconds):
            for _ in range(repeats):
                times += timed(action, 1)
    except OutOfTime:
        pass
    return times


def ours(graph: Graph, repeats: int) -> Iterator[tuple[str, list[float]]]:
    """Every kind of edit on a session that is up to date, by what it is called."""
    check(graph)  # the catalogue is loaded
    yield "full", timed(lambda: check(graph), repeats)
    session = Session(graph)
    session.verdict()
    weighted = [n for n in graph.nodes if n.type in ("linear", "conv2d")]
    middle = weighted[len(weighted) // 2 :][:repeats]
    original = graph.node(middle[0].id)

    def keep(k: int) -> None:
        node = graph.node(middle[0].id)
        graph.replace_node(node.with_params(bias=not node.params.get("bias", True)))

    yield "keep", timed(session.verdict, repeats, keep)
    graph.replace_node(original)

    def break_one(k: int) -> None:
        for node in middle:
            graph.replace_node(node)
        session.verdict()
        node = middle[k % len(middle)]
        size = next(key for key in ("inFeatures", "inChannels") if key in node.params)
        graph.replace_node(node.with_params(**{size: WRONG_SIZE}))

    yield "broken", timed(session.verdict, repeats, break_one)

    def mend(k: int) -> None:
        break_one(k)
        session.verdict()
        graph.replace_node(middle[k % len(middle)])

    yield "mended", timed(session.verdict, repeats, mend)
    wire = graph.incoming(middle[0].id)[0]

    def rewire(k: int) -> None:
        place = graph.index_of_connection(wire.id)
        graph.remove_connection(wire.id)
        graph.insert_connection(wire, place)

    yield "wire cut and drawn again", timed(session.verdict, repeats, rewire)

    def mode(k: int) -> None:
        graph.set_meta("mode", "train" if k % 2 else None)

    yield "dirty", timed(session.verdict, repeats + 2, mode)[2:]
    graph.set_meta("mode", None)
    session.close()


def bytes_a_node(graph: Graph) -> float:
    """Memory that a session and its verdict keep, in bytes a node."""
    gc.collect()
    tracemalloc.start()
    session = Session(graph)
    verdict = session.verdict()
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    session.close()
    return kept / len(verdict.nodes)


def theirs(impl: str, graph: Graph, limit_s: float) -> tuple[dict[str, list[float]], bool]:
    """The times of a peer by question, empty where the limit passed, and whether it misses the break."""
    times: dict[str, list[float]] = {question: [] for question in QUESTIONS}
    try:
        with at_most(limit_s):
            peer = PEERS[impl](graph)
    except OutOfTime:
        return times, False
    times |= {question: timed_within(limit_s, getattr(peer, question), PEER_REPEATS) for question in QUESTIONS}
    return times, peer.misses


def row(impl: str, graph: Graph, repeats: int, limit_s: float) -> dict[str, Any]:
    """One row of the table: one way to learn the shapes of one graph."""
    found: dict[str, Any] = {"graph": graph.name, "nodes": len(graph), "impl": impl}
    if impl == OURS:
        times = dict(ours(graph, repeats))
        found["bytes_a_node"] = round(bytes_a_node(graph))
    else:
        times, found["misses"] = theirs(impl, graph, limit_s)
        found["limit_s"] = limit_s
    for question in QUESTIONS:
        middle = round(median(times[question]), 4) if times[question] else None
        found[f"{'break' if question == 'broken' else question}_ms"] = middle
    found["spread_ms"] = {k: [round(min(v), 4), round(median(v), 4), round(max(v), 4)] for k, v in times.items() if v}
    return found


def show(found: dict[str, Any], detail: bool) -> None:
    """Print a row."""
    over = f"over {found.get('limit_s', 0):g} s"
    shown = [found[f"{question}_ms"] for question in ("full", "keep", "break", "dirty")]
    figures = "".join(f"{over:>11}" if ms is None else f"{ms:>11,.3f}" for ms in shown)
    kept = f"{found['bytes_a_node']:>12,}" if "bytes_a_node" in found else ""
    kept = "   the break is not noticed" if found.get("misses") else kept
    print(f"{found['graph']:<24}{found['nodes']:>7,}  {found['impl']:<12}{figures}{kept}", flush=True)
    for what, (least, middle, most) in found["spread_ms"].items() if detail else ():
        print(f"{'':<33}{what:<26}{middle:>9,.3f} ({least:,.3f} to {most:,.3f})")


def main() -> None:
    """Print a table or JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=(OURS, *PEERS))
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--largest", type=int, default=10_000, help="leave larger graphs out")
    parser.add_argument("--limit", type=float, default=20, help="seconds that a peer has for one question")
    parser.add_argument("--detail", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    impls = [options.only] if options.only else [OURS, *PEERS]
    if impls != [OURS]:
        import torch

        torch.set_num_threads(1)
    if not options.json:
        print(
            f"{'graph':<24}{'nodes':>7}  {'impl':<12}{'full':>11}{'keep':>11}{'break':>11}{'dirty':>11}  bytes a node"
        )
    rows = []
    for graph in all_graphs(options.largest):
        for impl in impls:
            rows.append(row(impl, graph, options.repeats, options.limit))
            if not options.json:
                show(rows[-1], options.detail)
    if options.json:
        print(json.dumps({"rows": rows}, indent=1))


if __name__ == "__main__":
    main()
