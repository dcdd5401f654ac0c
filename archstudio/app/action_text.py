"""Arch-Bench actions as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from archstudio.files.strict_json import canonical_json


def _params(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} = {canonical_json(v)}" for k, v in params.items())


def _add(a: Mapping[str, Any]) -> str:
    with_ = f" with {_params(a['params'])}" if a.get("params") else ""
    after = f" after {a['afterName']}" if a.get("afterName") else ""
    return f"Add {a.get('componentType')} {a.get('name')}{after}{with_}"


_TEXTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "add_component": _add,
    "delete_component": lambda a: f"Delete {a.get('name')}",
    "delete_components_matching": lambda a: f"Delete every layer matching {a.get('namePattern')}",
    "add_connection": lambda a: f"Connect {a.get('fromName')} to {a.get('toName')}",
    "delete_connection": lambda a: f"Disconnect {a.get('fromName')} from {a.get('toName')}",
    "update_params": lambda a: f"Set {_params(a.get('params') or {})} in {a.get('name')}",
    "scale_params": lambda a: f"Multiply {a.get('paramKey')} by {a.get('factor')}",
    "rename_component": lambda a: f"Rename {a.get('name')} to {a.get('newName')}",
    "replace_model": lambda a: f"Replace the whole graph by {len(a.get('components') or [])} layers",
    "clear_canvas": lambda a: "Delete everything",
}


def action_text(action: Mapping[str, Any]) -> str:
    """One sentence for one action; an unknown type shows as it is."""
    kind = str(action.get("type"))
    return _TEXTS[kind](action) if kind in _TEXTS else kind
