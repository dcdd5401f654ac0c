"""Parameters that are missing, misspelled, of the wrong type or out of range."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from archstudio.design.moves import drop_values, rename_key, set_meta, set_values, shown, spelled, take_out
from archstudio.design.site import Site, fixes
from archstudio.design.starting import USUAL
from archstudio.design.trial import Recipe
from archstudio.layers import Refused
from archstudio.layers.families.norm_batch import BN_ONE_VALUE, INSTANCE_ONE_VALUE
from archstudio.layers.fields import REQUIRED, Field
from archstudio.layers.problem import PARAM_MISSING, PARAM_RANGE, PARAM_TYPE


@fixes(PARAM_MISSING)
def value_for_what_is_missing(site: Site) -> Iterator[Recipe]:
    """A parameter under a misspelled key, the value new layers get, or a usual one."""
    key = str(site.fact("param"))
    kind = site.kind
    if kind is None or key not in kind.keys:
        return
    field = kind.keys[key]
    unknown = [k for k in site.node.params if k not in kind.keys]
    for wrong in _alike(field, unknown):
        yield Recipe(f"Rename {wrong} to {key}", (rename_key(site.id, wrong, key),), carry=True)
    for value in _usual(field, kind.new_params):
        yield Recipe(f"{key} {shown(value)}", (set_values(site.id, **{key: value}),), carry=True)


def _alike(field: Field, unknown: list[str]) -> list[str]:
    """Keys that look like a field's name; of several letters' difference at most."""
    folded = {re.sub("[^a-z0-9]", "", k.lower()): k for k in unknown}
    names = [re.sub("[^a-z0-9]", "", k.lower()) for k in field.keys]
    close = [match for name in names for match in get_close_matches(name, list(folded), n=2, cutoff=0.6)]
    return [folded[match] for match in dict.fromkeys(close)]


def _usual(field: Field, new_params: Any) -> list[Any]:
    found = [new_params[field.json]] if field.json in new_params else []
    if field.json in USUAL:
        found.append(USUAL[field.json])
    if field.choices:
        found += field.choices[:2]
    if not found and field.kind in ("size", "integer", "tuple", "sizes"):
        found += [max(1, int(field.at_least or 1)), 64]
    return list(dict.fromkeys(map(_hashable, found)))


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@fixes(PARAM_TYPE)
def value_of_the_right_type(site: Site) -> Iterator[Recipe]:
    """The same value as the type that is taken; the default; or as many numbers as there are axes."""
    key = str(site.fact("param"))
    kind = site.kind
    if kind is None or key not in kind.keys:
        return
    field, named = kind.keys[key], spelled(site.node, key)
    for value in _converted(field, site.node.params.get(named)):
        if _parses(field, value):
            yield Recipe(f"{named} {shown(value)}", (set_values(site.id, **{named: value}),), carry=True)
    yield from _default(site, field, named)


def _converted(field: Field, raw: Any) -> list[Any]:
    """What a value may have been meant as."""
    if isinstance(raw, str):
        numbers = [float(n) if "." in n else int(n) for n in re.findall(r"-?\d+(?:\.\d+)?", raw)]
        close = get_close_matches(raw.lower(), field.choices, n=2, cutoff=0.4)
        flags = {"true": True, "yes": True, "false": False, "no": False}
        flag = [flags[raw.lower()]] if raw.lower() in flags else []
        return [*flag, *close, *numbers[:1], *([numbers] if len(numbers) > 1 else [])]
    if isinstance(raw, bool):
        return [int(raw)]
    if isinstance(raw, float):
        return [round(raw)]
    if isinstance(raw, int) and field.kind == "flag":
        return [raw != 0]
    if isinstance(raw, list) and raw:
        return [raw[: field.count], raw[0], [*raw, *[raw[-1]] * max(field.count - len(raw), 0)]]
    return []


def _parses(field: Field, value: Any) -> bool:
    try:
        field.parse(value)
    except Refused:
        return False
    return True


def _default(site: Site, field: Field, named: str) -> Iterator[Recipe]:
    if field.default is not REQUIRED or field.inferred is not None:
        what = "from the wire" if field.inferred is not None else shown(field.default)
        yield Recipe(f"{named} {what}", (drop_values(site.id, named),), far=1, carry=True)
    else:
        for value in _usual(field, site.kind.new_params if site.kind is not None else {}):
            yield Recipe(f"{named} {shown(value)}", (set_values(site.id, **{named: value}),), far=1, carry=True)


@fixes(PARAM_RANGE)
def nearest_allowed_value(site: Site) -> Iterator[Recipe]:
    """The nearest value in range: every limit the message names, the field's own, and the default."""
    key = str(site.fact("param"))
    kind = site.kind
    if kind is None or key not in kind.keys:
        return
    field, named = kind.keys[key], spelled(site.node, key)
    raw = site.node.params.get(named)
    limits = [float(n) if "." in n else int(n) for n in re.findall(r"-?\d+(?:\.\d+)?", str(site.fact("needs")))]
    limits += [int(b) if b == int(b) else b for b in (field.at_least, field.at_most) if b is not None]
    present = raw if isinstance(raw, int | float) else 0
    if site.fact("needs") == "odd" and isinstance(raw, int):
        limits += [raw - 1, raw + 1]
    if isinstance(raw, int | float) and raw < 0:
        limits.append(-raw)
    for limit in sorted(dict.fromkeys(limits), key=lambda n: abs(n - present)):
        value = [_clamped(v, limit) for v in raw] if isinstance(raw, list) else limit
        yield Recipe(f"{named} {shown(value)}", (set_values(site.id, **{named: value}),), carry=True)
    yield from _default(site, field, named)
    if field.kind == "number":
        yield Recipe(f"{named} 0.5", (set_values(site.id, **{named: 0.5}),), far=1)


def _clamped(value: Any, least: float) -> Any:
    return max(value, least) if isinstance(value, int | float) else value


@fixes(BN_ONE_VALUE, INSTANCE_ONE_VALUE)
def more_than_one_value(site: Site) -> Iterator[Recipe]:
    """A batch of more than one, or evaluation, where the statistics are known."""
    if site.problem.kind is BN_ONE_VALUE:
        yield Recipe("Batch of 2", (set_meta("batch", 2),))
    if site.graph.meta.get("mode") == "train":
        yield Recipe("Judge it in evaluation", (set_meta("mode", None),), far=1)
    yield Recipe(f"Remove {site.node.name}", (take_out(site.id),), far=2, carry=True)
