"""Replays recorded verdicts of PyTorch: shapes, parameters, MACs, and the first error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from archstudio.files.conform import ConformReport, NotACase, first_difference, read_cases
from archstudio.graph import Connection, Graph, Node
from archstudio.layers import Layer
from archstudio.layers.catalogue import find_torch, with_torch_defaults
from archstudio.layers.wire import shapes_of
from archstudio.verify.costs.saved import saved_bytes
from archstudio.verify.session import check
from archstudio.verify.verdict import Verdict

_COUNTS = {"expected_params": "parameters", "expected_buffer_elems": "buffers", "expected_macs": "macs"}


class Uncovered(NotACase):
    """An operation that the catalogue does not know."""


def conform_shapes(lines: Iterable[str]) -> ConformReport:
    """Compare with recorded graphs; an operation that is not in the catalogue leaves its case uncovered."""
    outcome = ConformReport()
    for name, record in read_cases(lines, outcome):
        try:
            graph = graph_of_case(record)
        except NotACase as gap:
            outcome.not_covered(f"{name}: {gap}")
            continue
        outcome.compared(name, _difference(record, check(graph)))
    return outcome


def conform_saved(lines: Iterable[str]) -> ConformReport:
    """Compare the bytes that autograd keeps, where a case records them; these are estimates for recurrent layers."""
    outcome = ConformReport()
    for name, record in read_cases(lines, outcome):
        recorded = record.get("saved_for_backward_bytes_cpu")
        if recorded is None:
            continue
        try:
            now = saved_bytes(check(graph_of_case(record)))
        except NotACase as gap:
            outcome.not_covered(f"{name}: {gap}")
            continue
        difference = (
            None if now == recorded else f"{recorded:,} bytes recorded, now {'unknown' if now is None else f'{now:,}'}"
        )
        outcome.compared(name, difference)
    return outcome


def graph_of_case(record: Mapping[str, Any]) -> Graph:
    """The graph of a recorded case; node ids become names. Uncovered names the operation that is not known."""
    graph = Graph(str(record.get("id", "case")))
    if record.get("mode") == "train":
        graph.meta["mode"] = "train"
    nodes = record["graph"]["nodes"]
    for item in nodes:
        graph.insert_node(_node(item))
    for item in nodes:
        for source in item.get("in", ()):
            wire = Connection(f"c{len(graph.connection_ids)}", source, item["id"])
            graph.insert_connection(wire)
    return graph


def _node(item: Mapping[str, Any]) -> Node:
    op, args = item["op"], dict(item.get("args") or {})
    entry = find_torch(op)
    if entry is None:
        raise Uncovered(f"operation {op} is not in the catalogue")
    if "tie" in item:
        return _tied(item, args)
    if op == "Input":
        return Node(item["id"], "input", item["id"], {"dtype": "float32", **args, "batchAxis": None})
    return Node(item["id"], entry.type, item["id"], _params(entry, args))


def _tied(item: Mapping[str, Any], args: Mapping[str, Any]) -> Node:
    """A linear layer whose weight is another node's: `"tie": {"weight": "emb.weight"}`."""
    owner, _, name = str(item["tie"].get("weight", "")).rpartition(".")
    if item["op"] != "Linear" or name != "weight" or args.get("bias", True) or len(item["tie"]) != 1:
        raise Uncovered(f"{item['op']} tied by {item['tie']}")
    return Node(item["id"], "tiedLinear", item["id"], {"node": owner})


def _params(entry: type[Layer], args: dict[str, Any]) -> dict[str, Any]:
    known = {key for field in entry.fields.values() for key in field.keys}
    unknown = [a for a in args if a not in known]
    if unknown:
        raise Uncovered(f"{entry.type} has no argument {', '.join(unknown)}")
    return with_torch_defaults(entry, args)


def _difference(record: Mapping[str, Any], verdict: Verdict) -> str | None:
    expected = record.get("expected_error")
    first = verdict.first_error
    if expected is not None:
        return _error_difference(record, expected, verdict)
    if first is not None:
        return f"recorded as running, now {first.kind.code} at {first.node} ({first.title(first.node)})"
    found = first_difference(record["node_shapes"], _shapes(verdict), "node_shapes")
    if found is not None:
        return found
    for key, name in _COUNTS.items():
        if key in record and record[key] != (now := int(getattr(verdict, name) or 0)):
            return f"{key}: recorded {record[key]:,}, now {now:,}"
    return None


def _error_difference(record: Mapping[str, Any], expected: Mapping[str, Any], verdict: Verdict) -> str | None:
    first = verdict.first_error
    if first is None:
        return f"recorded an error at {expected['node']} ({expected['phase']}), now it runs"
    now = (first.node, "construct" if first.phase == "construct" else "forward")
    if now != (expected["node"], expected["phase"]):
        return f"recorded {expected['phase']} error at {expected['node']}, now {now[1]} at {now[0]} ({first.kind.code})"
    shapes = _shapes(verdict)
    before = {n: shapes.get(n) for n in record.get("node_shapes_before_error", ())}
    return first_difference(record.get("node_shapes_before_error", {}), before, "node_shapes_before_error")


def _shapes(verdict: Verdict) -> dict[str, object]:
    return {n: shapes_of(v.value) for n, v in verdict.nodes.items() if v.value is not None}
