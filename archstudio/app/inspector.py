"""What the inspector shows of a node, and what typing into its fields does: plain data, no widgets."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from archstudio.app.document import Document
from archstudio.app.search import spoken_summary
from archstudio.app.words import said, said_made
from archstudio.edits import ChangeNode, Edit, set_params
from archstudio.graph import Node
from archstudio.layers import Layer, Refused, Wire, find
from archstudio.layers.fields import Field, json_text, whole_number
from archstudio.layers.problem import Problem
from archstudio.layers.short_numbers import with_short_numbers
from archstudio.verify.verdict import NodeVerdict


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One parameter as the inspector shows it."""

    field: Field
    key: str
    text: str
    """What was typed (or written by the studio); empty if the file says nothing."""
    placeholder: str
    """The value in force when nothing is typed: inferred from the wire, or the default."""
    inferred: bool
    """Nobody typed it: it follows the wire."""
    origin: str
    """`from act1` for an inferred size, `default` for a default, else empty."""
    steps: tuple[int, ...] = ()
    """The only valid values, where there are few (divisors of the width for heads)."""


def field_rows(document: Document, node_id: str) -> list[FieldRow]:
    """The parameters of a node, in torch's order; empty for an unknown type."""
    node = document.graph.node(node_id)
    entry = find(node.type)
    if entry is None:
        return []
    verdict = document.verdict.nodes[node_id]
    return [_row(document, node, entry, field, verdict) for field in entry.fields.values()]


SEVERAL = "several values"
"""What stands in a field in which the selected layers differ."""


def shared_rows(document: Document, node_ids: Sequence[str]) -> list[FieldRow]:
    """The parameters of several nodes of one type: where they differ, nothing is shown and typing sets all of them."""
    first, *others = [field_rows(document, node_id) for node_id in node_ids]
    rows = []
    for k, row in enumerate(first):
        like = all((rows_of[k].text, rows_of[k].placeholder) == (row.text, row.placeholder) for rows_of in others)
        steps = tuple(s for s in row.steps if all(s in rows_of[k].steps for rows_of in others))
        rows.append(
            replace(row, steps=steps)
            if like
            else replace(row, text="", placeholder=SEVERAL, inferred=False, origin="", steps=steps)
        )
    return rows


def field_help(row: FieldRow, *, divisors: bool = True) -> str:
    """What a parameter is, what it takes and what it is if nothing is typed, in a line."""
    field = row.field
    parts = [said(field.help).rstrip(".")] if field.help else []
    parts.append(_takes(field))
    if divisors and row.steps:
        shown = ", ".join(f"{step:,}" for step in row.steps[:12])
        parts.append(said("valid: {steps}").format(steps=shown) + (", …" if len(row.steps) > 12 else ""))
    if field.inferred is not None:
        parts.append(said("left empty it follows the wire"))
    elif not field.required:
        parts.append(said("usually {value}").format(value=value_text(field.default)))
    text = "; ".join(part for part in parts if part)
    return f"{text[:1].upper()}{text[1:]}."


def _takes(field: Field) -> str:
    """`a whole number, at least 1`, with the unit where it has one."""
    if field.kind == "choice":
        return said("one of {choices}").format(choices=", ".join(field.choices))
    text = _kind_text(field) + (said(" in {unit}").format(unit=field.unit) if field.unit else "")
    low, high = field.at_least, field.at_most
    if low is not None and high is not None:
        return said("{kind}, {low} to {high}").format(kind=text, low=f"{low:g}", high=f"{high:g}")
    if low is not None:
        return said("{kind}, at least {low}").format(kind=text, low=f"{low:g}")
    return text if high is None else said("{kind}, at most {high}").format(kind=text, high=f"{high:g}")


def _row(document: Document, node: Node, entry: type[Layer], field: Field, verdict: NodeVerdict) -> FieldRow:
    found = field.find(node.params)
    key = field.json if found is None else found[0]
    steps = _steps(field, entry, node, verdict.layer)
    read = verdict.inferred.get(field.json)
    if found is None and read is not None:
        return FieldRow(field, key, "", value_text(read), True, _origin(document, node, field), steps)
    follows = found is not None and key in node.inferred
    shown = "" if found is None else value_text(found[1])
    placeholder = said("required") if field.required else value_text(field.default)
    origin = (
        _origin(document, node, field) if follows else said("default") if found is None and not field.required else ""
    )
    return FieldRow(field, key, shown, placeholder, follows, origin, steps)


def _origin(document: Document, node: Node, field: Field) -> str:
    port = 0 if field.inferred is None else field.inferred.port
    incoming = document.graph.incoming(node.id)
    if port >= len(incoming):
        return ""
    return said("from {layer}").format(layer=document.graph.node(incoming[port].source).name)


def _steps(field: Field, entry: type[Layer], node: Node, bound: Layer | None) -> tuple[int, ...]:
    """Values that divide every width the field must divide; also while the present value does not."""
    if not field.divides:
        return ()
    try:
        layer = bound or entry.from_params(node.params)
    except Refused:
        return ()
    widths = [int(getattr(layer, name, 0) or 0) for name in field.divides]
    common = math.gcd(*widths)
    return tuple(d for d in range(1, common + 1) if common % d == 0) if 0 < common <= 65536 else ()


def value_text(value: Any) -> str:
    """A parameter value as it is shown and typed: `3`, `3, 5`, `true`, `same`; equal sides of a default collapse."""
    if isinstance(value, tuple) and len(set(value)) == 1:
        return value_text(value[0])
    if isinstance(value, list | tuple):
        return ", ".join(value_text(v) for v in value)
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return json_text(value)


class FieldRefused(ValueError):
    """Typed text that the field cannot hold; the message says what it takes."""


def parse_text(field: Field, text: str) -> Any:
    """The JSON value that typed text stands for; FieldRefused where the field's kind cannot hold it."""
    text = text.strip()
    try:
        value = _read(field, text)
        field.parse(value)
    except Refused as refused:
        facts = refused.facts
        raise FieldRefused(_refusal(field, said_made(str(facts["needs"])), text)) from None
    except ValueError:
        raise FieldRefused(_refusal(field, _kind_text(field), repr(text))) from None
    return value


def _refusal(field: Field, takes: str, got: str) -> str:
    return said("{param} takes {needs}, not {value}").format(param=field.json, needs=takes, value=got)


def _read(field: Field, text: str) -> Any:
    if field.kind in ("text", "node"):
        return text
    if field.kind == "choice":
        return text
    lowered = text.lower()
    if field.kind == "flag":
        if lowered in ("true", "yes", "1"):
            return True
        if lowered in ("false", "no", "0"):
            return False
        raise ValueError(text)
    if field.optional and lowered in ("none", "null"):
        return None
    if field.kind == "padding" and lowered in ("same", "valid"):
        return lowered
    if field.kind == "json":
        return json.loads(text)
    parts = [p for p in text.strip("[]()").replace("×", ",").replace(" ", ",").split(",") if p]
    numbers = [_number(p) for p in parts]
    if not numbers:
        raise ValueError(text)
    return numbers if len(numbers) > 1 or field.kind == "sizes" else numbers[0]


def _number(text: str) -> int | float:
    value = float(text.replace("_", ""))
    if not math.isfinite(value):
        raise ValueError(text)
    whole = whole_number(value)
    return whole if whole is not None and "e" not in text.lower() and "." not in text else value


def _kind_text(field: Field) -> str:
    return {
        "size": said("a whole number"),
        "integer": said("a whole number"),
        "number": said("a number"),
        "flag": said("true or false"),
        "tuple": said("a whole number or {n} of them").format(n=field.count),
        "padding": said("numbers, same or valid"),
        "sizes": said("a list of whole numbers"),
        "json": said("a JSON value"),
    }.get(field.kind, said("a text"))


def typed(document: Document, node_id: str, field: Field, text: str) -> Edit | None:
    """The edit that typing `text` into a field is; None where nothing changes. Empty text removes the parameter."""
    node = document.graph.node(node_id)
    found = field.find(node.params)
    key = field.json if found is None else found[0]
    if not text.strip():
        return None if found is None else without_param(node, key)
    value = parse_text(field, text)
    if found is not None and found[1] == value and type(found[1]) is type(value) and key not in node.inferred:
        return None
    return set_params(node, **{key: value})


def without_param(node: Node, key: str) -> Edit:
    """Take a parameter away, so that it is inferred or has its default again."""
    meta = {k: v for k, v in node.meta.items() if k != "inferred"}
    kept = [k for k in node.inferred if k != key]
    if kept:
        meta["inferred"] = kept
    return ChangeNode(replace(node, params={k: v for k, v in node.params.items() if k != key}, meta=meta))


@dataclass(frozen=True, slots=True)
class LayerFacts:
    """What the inspector says below the fields."""

    summary: str
    shape_line: str
    parameters_line: str
    code: str
    problems: tuple[Problem, ...]


def layer_facts(document: Document, node_id: str) -> LayerFacts:
    """The layer's one-line help, its formulas with numbers, and the PyTorch line it becomes."""
    node = document.graph.node(node_id)
    entry = find(node.type)
    verdict = document.verdict.nodes[node_id]
    layer = verdict.layer
    summary = spoken_summary(entry) + "." if entry is not None else ""
    if layer is None or layer.unbound:
        return LayerFacts(summary, "", "", "", verdict.problems)
    shape_line = ""
    if verdict.value is not None:
        wires = [w for w in document.session.input_values(node_id) if isinstance(w, Wire)]
        shape_line = said_made(layer.shape_formula(wires, verdict.value))
    return LayerFacts(summary, shape_line, _parameters_line(layer), layer.construct_code() or "", verdict.problems)


def _parameters_line(layer: Layer) -> str:
    parts = [(p.shape, p.elements) for p in layer.parameters()]
    if not parts:
        return ""
    total = sum(count for _, count in parts)
    if len(parts) > 4:
        return said("{n} parameters in {m} tensors").format(n=f"{total:,}", m=len(parts))
    line = " + ".join("·".join(str(int(d)) for d in shape) for shape, _ in parts)
    line += " = " + said("{n} parameters").format(n=f"{total:,}")
    return with_short_numbers(line)
