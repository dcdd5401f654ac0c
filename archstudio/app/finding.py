"""Finds layers of a graph by what a person types: name, type, `params>1M`, `shape:512`, `problem`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import TypeAlias

from archstudio.app.document import Document
from archstudio.graph import Node
from archstudio.layers import Severity, value_text
from archstudio.verify.verdict import NodeVerdict

Test: TypeAlias = Callable[[Node, NodeVerdict | None], bool]

_SIZE = re.compile(r"(params|macs)(<=|>=|<|>|=)([\d.,_]+)([kmgt]?)", re.IGNORECASE)
_COMPARE = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "=": operator.eq}
_FACTOR = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def find_layers(document: Document, text: str) -> list[str]:
    """Ids of the nodes for which every typed word holds, in file order; all nodes if nothing is typed.

    A word is `params>1M` (also `macs`, `<`, `<=`, `>=`, `=`; k, M, G, T), `shape:512` (an axis of that size, or part of
    the shape as it is shown), `type:conv2d`, `problem`, `bypassed`, or a part of the name or type. Words about what the
    person may not see find nothing.
    """
    tests = [_test(document, word) for word in text.split()]
    visible = document.visibility
    nodes = document.verdict.nodes if visible.exact_verdict or visible.shapes or visible.counts else {}
    return [n.id for n in document.graph.nodes if all(test(n, nodes.get(n.id)) for test in tests)]


def _test(document: Document, word: str) -> Test:
    visible, wanted = document.visibility, word.casefold()
    sized = _SIZE.fullmatch(word)
    if sized is not None:
        return _size_test(sized) if visible.counts else _nothing
    if wanted.startswith("shape:"):
        return _shape_test(wanted.removeprefix("shape:")) if visible.shapes else _nothing
    if wanted in ("problem", "problems"):
        return _has_problem if visible.exact_verdict else _nothing
    if wanted == "bypassed":
        return lambda node, _: node.bypassed
    if wanted.startswith("type:"):
        return lambda node, _: wanted.removeprefix("type:") in node.type.casefold()
    return lambda node, _: wanted in f"{node.name} {node.type}".casefold()


def _nothing(node: Node, verdict: NodeVerdict | None) -> bool:
    return False


def _has_problem(node: Node, verdict: NodeVerdict | None) -> bool:
    return verdict is not None and any(p.severity is not Severity.ADVICE for p in verdict.problems)


def _size_test(typed: re.Match[str]) -> Test:
    what, sign, digits, unit = typed.groups()
    try:
        bound = float(digits.replace(",", "").replace("_", "")) * _FACTOR[unit.casefold()]
    except ValueError:
        return _nothing

    def holds(node: Node, verdict: NodeVerdict | None) -> bool:
        size = None if verdict is None else verdict.parameters if what.casefold() == "params" else verdict.macs
        return size is not None and bool(_COMPARE[sign](int(size), bound))

    return holds


def _shape_test(wanted: str) -> Test:
    def holds(node: Node, verdict: NodeVerdict | None) -> bool:
        if verdict is None or verdict.value is None:
            return False
        shown = value_text(verdict.value).casefold()
        return wanted in re.split(r"[^\w]+", shown) or (bool(re.search(r"\D", wanted)) and wanted in shown)

    return holds
