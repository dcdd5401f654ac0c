"""All layer types by every name they go by."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

from archstudio.layers import families
from archstudio.layers.base import Layer
from archstudio.layers.fields import REQUIRED

L = TypeVar("L", bound=type[Layer])

FAMILIES = (
    *("io", "dense", "conv", "norm", "activation", "attention"),
    *("embedding", "pool", "shape", "merge", "recurrent", "loss"),
)
"""Families in the order people see them; each has a hue in the theme."""

_TYPES: dict[str, type[Layer]] = {}
_NAMES: dict[str, type[Layer]] = {}
_TORCH: dict[str, type[Layer]] = {}


def layer(
    type_name: str,
    *,
    family: str,
    torch: str | None = None,
    torch_ops: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
) -> Callable[[L], L]:
    """Enter a class into the catalogue.

    `torch` is the torch.nn class (or `blocks.Name` for one of our composites); `torch_ops` are further names under
    which recorded cases know it; `aliases` are other spellings of the type.
    """

    def enter(cls: L) -> L:
        if family not in FAMILIES:
            raise ValueError(f"{type_name}: no family is called {family!r}")
        cls.type, cls.family, cls.torch, cls.torch_ops, cls.aliases = type_name, family, torch, torch_ops, aliases
        cls.keys = {key: field for field in cls.fields.values() for key in field.keys}
        for name in (type_name, *aliases):
            _claim(_NAMES, _folded(name), cls)
        for op in (*((torch.rsplit(".", 1)[-1],) if torch else ()), *torch_ops):
            _claim(_TORCH, op, cls)
        _TYPES[type_name] = cls
        return cls

    return enter


def _claim(table: dict[str, type[Layer]], name: str, cls: type[Layer]) -> None:
    if name in table and table[name] is not cls:
        raise ValueError(f"the name {name!r} stands for {table[name].__name__} and {cls.__name__}")
    table[name] = cls


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


@cache
def _load() -> None:
    for module in pkgutil.iter_modules(families.__path__):
        importlib.import_module(f"{families.__name__}.{module.name}")


@cache
def find(type_name: str) -> type[Layer] | None:
    """The entry of a type under any of its spellings (case, `_` and `-` do not matter), or None."""
    _load()
    return _NAMES.get(_folded(type_name))


def entry(type_name: str) -> type[Layer]:
    """The entry of a type; KeyError if there is none."""
    found = find(type_name)
    if found is None:
        raise KeyError(type_name)
    return found


def entries() -> Iterator[type[Layer]]:
    """All entries, family by family."""
    _load()
    return iter(sorted(_TYPES.values(), key=lambda cls: (FAMILIES.index(cls.family), cls.type)))


def find_torch(op: str) -> type[Layer] | None:
    """The entry of a torch.nn class or recorded function name."""
    _load()
    return _TORCH.get(op)


def with_torch_defaults(cls: type[Layer], args: dict[str, Any]) -> dict[str, Any]:
    """Torch's arguments as parameters of an entry, with torch's own defaults where ours differ."""
    params: dict[str, Any] = {}
    for field in cls.fields.values():
        for key in field.keys:
            if key in args:
                params[field.json] = args[key]
                break
        else:
            if field.torch_default is not REQUIRED:
                params[field.json] = field.torch_default
    return params
