"""Parameters of layers as data: kind, default, range, help, and the two spellings (ours in files, torch's)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from archstudio.layers.problem import PARAM_MISSING, PARAM_RANGE, PARAM_TYPE, Refused

Kind: TypeAlias = Literal[
    "size", "integer", "number", "flag", "choice", "tuple", "padding", "sizes", "text", "node", "json"
]

REQUIRED: Final = object()
"""Default of a parameter that has none: torch's constructor would miss it."""

LARGEST_INT: Final = 2**63 - 1
"""Whole numbers reach PyTorch's operators as int64; larger ones raise "Overflow when unpacking long"."""

CHANNEL_AXIS: Final = -1_000
"""Stands for the axis before the spatial ones until a layer says how many those are."""


@dataclass(frozen=True, slots=True)
class FromWire:
    """A missing size is read from an input: its axis (negative from the end), divided by nothing."""

    axis: int
    port: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter of a layer type.

    `name` is torch's snake_case name and the attribute of the layer; `json` is the camelCase key in files.
    `aliases` are other keys that files use. `torch` is torch's argument name where it differs, or None if torch's
    constructor has no such argument. `torch_default` is torch's own default where ours differs.
    `late` says that torch's constructor takes a value out of range and only forward refuses it. `per_axis` is how many
    numbers each spatial axis of the layer has (one for a kernel, two for a pad); 0 if axes do not matter.
    """

    kind: Kind
    default: Any = REQUIRED
    help: str = ""
    at_least: float | None = None
    at_most: float | None = None
    choices: tuple[str, ...] = ()
    count: int = 1
    inferred: FromWire | None = None
    divides: tuple[str, ...] = ()
    optional: bool = False
    late: bool = False
    per_axis: int = 0
    aliases: tuple[str, ...] = ()
    unit: str = ""
    name: str = ""
    json: str = ""
    torch: str | None = ""
    torch_default: Any = REQUIRED

    def named(self, name: str) -> Field:
        """The same field under the attribute it was assigned to."""
        torch = name if self.torch == "" else self.torch
        return replace(self, name=name, json=self.json or camel_case(name), torch=torch)

    def on_axes(self, axes: int) -> Field:
        """The same field for a layer of so many spatial axes: its count, default and channel axis are known then."""
        if not axes:
            return self
        changed = self
        if self.inferred is not None and self.inferred.axis == CHANNEL_AXIS:
            changed = replace(changed, inferred=FromWire(-axes - 1, self.inferred.port))
        if self.per_axis:
            default = self.default if not isinstance(self.default, int) else (self.default,) * (self.per_axis * axes)
            changed = replace(changed, count=self.per_axis * axes, default=default)
        return changed

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys under which a file may hold it, the usual one first."""
        return tuple(dict.fromkeys((self.json, self.name, *(() if not self.torch else (self.torch,)), *self.aliases)))

    @property
    def required(self) -> bool:
        """Whether torch cannot do without it (a wire may still say it)."""
        return self.default is REQUIRED

    def find(self, params: Mapping[str, Any]) -> tuple[str, Any] | None:
        """The key and value a file gives, if any; null counts as absent unless None is a value of the field."""
        for key in self.keys:
            if key in params and (params[key] is not None or self.optional):
                return key, params[key]
        return None

    def parse(self, raw: Any) -> Any:
        """The value as the rules use it; Refused when torch's constructor would not take it."""
        if raw is None and self.optional:
            return None
        value = _PARSERS[self.kind](self, raw)
        if not self.late:
            self.check_range(value, raw)
        return value

    def check_range(self, value: Any, raw: Any = None) -> None:
        """Refuse a value (or a number in it) below `at_least` or above `at_most`; `raw` is how the file has it."""
        for v in value if isinstance(value, tuple) else (value,):
            if isinstance(v, bool) or not isinstance(v, int | float):
                continue
            if isinstance(v, int) and not -LARGEST_INT <= v <= LARGEST_INT and self.kind != "number":
                gets = v if raw is None else raw
                raise Refused(PARAM_RANGE, param=self.json, gets=gets, needs=f"at most {LARGEST_INT:,}")
            if self.at_least is not None and v < self.at_least:
                gets = v if raw is None else raw
                raise Refused(PARAM_RANGE, param=self.json, gets=gets, needs=f"at least {self.at_least:g}")
            if self.at_most is not None and v > self.at_most:
                gets = v if raw is None else raw
                raise Refused(PARAM_RANGE, param=self.json, gets=gets, needs=f"at most {self.at_most:g}")

    def refuse(self, raw: Any, needs: str) -> Refused:
        """The refusal of a value of the wrong type."""
        return Refused(PARAM_TYPE, param=self.json, needs=needs, gets=json_text(raw))

    def missing(self) -> Refused:
        """The refusal of a layer without this parameter."""
        return Refused(PARAM_MISSING, param=self.json)


def camel_case(snake: str) -> str:
    """`kernel_size` → `kernelSize`."""
    head, *rest = snake.split("_")
    return head + "".join(word.capitalize() for word in rest)


def json_text(value: Any) -> str:
    """A short text of a JSON value for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else text[:37] + "…"


def whole_number(raw: Any) -> int | None:
    """The int that a JSON number stands for (12 and 12.0 alike), or None; booleans are not numbers."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    if isinstance(raw, float) and math.isfinite(raw) and raw == int(raw):
        return int(raw)
    return None


def _parse_int(field: Field, raw: Any) -> int:
    value = whole_number(raw)
    if value is None:
        raise field.refuse(raw, "a whole number")
    return value


def _parse_number(field: Field, raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise field.refuse(raw, "a number")
    return raw


def _parse_flag(field: Field, raw: Any) -> bool:
    if not isinstance(raw, bool):
        raise field.refuse(raw, "true or false")
    return raw


def _parse_choice(field: Field, raw: Any) -> str:
    if not isinstance(raw, str) or raw not in field.choices:
        raise field.refuse(raw, "one of " + ", ".join(field.choices))
    return raw


def _parse_text(field: Field, raw: Any) -> str:
    if not isinstance(raw, str):
        raise field.refuse(raw, "a text")
    return raw


def _parse_tuple(field: Field, raw: Any) -> tuple[int, ...]:
    """n numbers, or one number for all n (torch's `_single`, `_pair`, `_triple`)."""
    one = whole_number(raw)
    if one is not None:
        return (one,) * field.count
    if isinstance(raw, list | tuple):
        values = tuple(whole_number(v) for v in raw)
        if len(values) == field.count and None not in values:
            return values  # type: ignore[return-value]
    raise field.refuse(raw, f"a whole number or {field.count} of them")


def _parse_padding(field: Field, raw: Any) -> tuple[int, ...] | str:
    if isinstance(raw, str):
        if raw not in ("same", "valid"):
            raise field.refuse(raw, "a number, 'same' or 'valid'")
        return raw
    return _parse_tuple(field, raw)


def _parse_sizes(field: Field, raw: Any) -> tuple[int, ...]:
    """Any count of whole numbers; one number stands for a list of one."""
    one = whole_number(raw)
    if one is not None:
        return (one,)
    if isinstance(raw, list | tuple):
        values = tuple(whole_number(v) for v in raw)
        if None not in values:
            return values  # type: ignore[return-value]
    raise field.refuse(raw, "a list of whole numbers")


def _parse_json(field: Field, raw: Any) -> Any:
    return raw


_PARSERS: Final[Mapping[Kind, Any]] = {
    "size": _parse_int,
    "integer": _parse_int,
    "number": _parse_number,
    "flag": _parse_flag,
    "choice": _parse_choice,
    "tuple": _parse_tuple,
    "padding": _parse_padding,
    "sizes": _parse_sizes,
    "text": _parse_text,
    "node": _parse_text,
    "json": _parse_json,
}


MOST_REPEATED: Final = 10_000
"""Layers, experts or outputs in one node at most: more of them would fill the memory before PyTorch could say so."""


# The makers return Any so that entries read as plain annotated attributes: `out_features: int = size(64)`.


def size(default: Any = REQUIRED, *, from_axis: int | None = None, from_port: int = 0, **more: Any) -> Any:
    """A number of channels, features, heads, …; `from_axis` says which axis of which input gives it when absent."""
    inferred = None if from_axis is None else FromWire(from_axis, from_port)
    return Field("size", default, inferred=inferred, **more)


def integer(default: Any = REQUIRED, **more: Any) -> Any:
    """A whole number that may be negative (an axis, an index)."""
    return Field("integer", default, **more)


def number(default: Any = REQUIRED, **more: Any) -> Any:
    """A real number (a probability, a slope)."""
    return Field("number", default, **more)


def flag(default: bool | None = False, **more: Any) -> Any:
    """True or false."""
    return Field("flag", default, **more)


def choice(default: str, choices: Sequence[str], **more: Any) -> Any:
    """One of a few words."""
    return Field("choice", default, choices=tuple(choices), **more)


def tuple_of(count: int, default: Any = REQUIRED, **more: Any) -> Any:
    """One number an axis, or one for all (kernel, stride, dilation)."""
    if whole_number(default) is not None:
        default = (default,) * count
    return Field("tuple", default, count=count, **more)


def channels(*, from_port: int = 0, **more: Any) -> Any:
    """A number of channels, given by the axis before the spatial ones when absent."""
    return Field("size", inferred=FromWire(CHANNEL_AXIS, from_port), **more)


def each_axis(default: Any = REQUIRED, *, numbers: int = 1, **more: Any) -> Any:
    """Like `tuple_of`, with as many numbers as the layer has spatial axes (times `numbers`)."""
    return Field("tuple", default, per_axis=numbers, **more)


def padding_each_axis(default: int = 0, **more: Any) -> Any:
    """Like `each_axis`, or the words `same` and `valid`."""
    return Field("padding", default, per_axis=1, **more)


def padding_of(count: int, default: Any = 0, **more: Any) -> Any:
    """Like `tuple_of`, or the words `same` and `valid`."""
    return Field("padding", (default,) * count, count=count, **more)


def sizes(default: Any = REQUIRED, *, from_axis: int | None = None, **more: Any) -> Any:
    """A list of sizes of any length (a shape); `from_axis` gives a list of one when absent."""
    return Field("sizes", default, inferred=None if from_axis is None else FromWire(from_axis), **more)


def text(default: Any = REQUIRED, **more: Any) -> Any:
    """A text (an equation)."""
    return Field("text", default, **more)


def node(default: Any = REQUIRED, **more: Any) -> Any:
    """The name of another node, whose weights are used."""
    return Field("node", default, torch=None, **more)


def json(default: Any = REQUIRED, **more: Any) -> Any:
    """A value the layer parses itself."""
    return Field("json", default, **more)
