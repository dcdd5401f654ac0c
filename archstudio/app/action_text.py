"""Arch-Bench actions as sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from archstudio.app.words import said
from archstudio.files.strict_json import canonical_json


def _params(params: Mapping[str, Any]) -> str:
    return ", ".join(f"{k} = {canonical_json(v)}" for k, v in params.items())


def _add(a: Mapping[str, Any]) -> str:
    facts = {"type": a.get("componentType"), "name": a.get("name"), "layer": a.get("afterName")}
    if a.get("params"):
        template = said(
            "Add {type} {name} after {layer} with {params}" if a.get("afterName") else "Add {type} {name} with {params}"
        )
        return template.format(**facts, params=_params(a["params"]))
    return said("Add {type} {name} after {layer}" if a.get("afterName") else "Add {type} {name}").format(**facts)


_TEXTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "add_component": _add,
    "delete_component": lambda a: said("Delete {layer}").format(layer=a.get("name")),
    "delete_components_matching": lambda a: said("Delete every layer matching {pattern}").format(
        pattern=a.get("namePattern")
    ),
    "add_connection": lambda a: said("Connect {source} to {target}").format(
        source=a.get("fromName"), target=a.get("toName")
    ),
    "delete_connection": lambda a: said("Disconnect {source} from {target}").format(
        source=a.get("fromName"), target=a.get("toName")
    ),
    "update_params": lambda a: said("Set {params} in {layer}").format(
        params=_params(a.get("params") or {}), layer=a.get("name")
    ),
    "scale_params": lambda a: said("Multiply {param} by {factor}").format(
        param=a.get("paramKey"), factor=a.get("factor")
    ),
    "rename_component": lambda a: said("Rename {layer} to {name}").format(layer=a.get("name"), name=a.get("newName")),
    "replace_model": lambda a: said("Replace the whole graph by {n} layers").format(n=len(a.get("components") or [])),
    "clear_canvas": lambda a: said("Delete everything"),
}


def action_text(action: Mapping[str, Any]) -> str:
    """One sentence for one action, in the language of the window; an unknown type shows as it is."""
    kind = str(action.get("type"))
    return _TEXTS[kind](action) if kind in _TEXTS else kind
