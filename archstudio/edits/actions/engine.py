"""Applies action lists to a model exactly as Arch-Bench does, malformed actions and all."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from archstudio.edits.actions.javascript import (
    UNDEFINED,
    is_number,
    key,
    largest,
    plain,
    round_half_up,
    same,
    spread,
    to_number,
    to_text,
    truthy,
)
from archstudio.edits.actions.model import Component, Model, clone, relink
from archstudio.edits.actions.regex import Budget, Exhausted, Pattern, PatternError

Action = dict[str, Any]


class ActionRefused(Exception):
    """An action could not be carried out; `type` is the action's and `reason` says why."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.type = kind
        self.reason = reason


@dataclass(frozen=True)
class ActionError:
    """What went wrong with the action at `index` of the submitted list."""

    index: int
    type: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Applied:
    """A model after a list of actions: how many counted, which failed, which types were unknown."""

    model: Model
    applied: int
    errors: list[ActionError]
    skipped: list[Any]


def apply(model: Model, actions: Any) -> Applied:
    """Apply `actions` to a copy of `model`; anything but a list is an empty list, and nothing ever stops the rest."""
    run = _Run(model)
    for index, action in enumerate(actions if isinstance(actions, list) else []):
        run.take(index, action)
    relink(run.model)
    return Applied(run.model, run.applied, run.errors, run.skipped)


@dataclass
class _Ids:
    """Issues n-b0, c-b1, …: one counter for both kinds, past every id this run has ever seen."""

    used: set[Hashable]
    count: int = 0

    def issue(self, prefix: str) -> str:
        while True:
            name = f"{prefix}-b{self.count}"
            self.count += 1
            if name not in self.used:
                self.used.add(name)
                return name


@dataclass
class _Run:
    """The state of one call of `apply`."""

    model: Model
    applied: int = 0
    errors: list[ActionError] = field(default_factory=list)
    skipped: list[Any] = field(default_factory=list)
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        self.model = clone(self.model)
        known = [*self.model["components"], *self.model["connections"]]
        self.ids = _Ids({key(item.get("id", UNDEFINED)) for item in known})

    def take(self, index: int, action: Any) -> None:
        kind = action.get("type") if isinstance(action, dict) else None
        if not truthy(kind):
            return
        perform = _ACTIONS.get(kind) if isinstance(kind, str) else None
        if perform is None:
            self.skipped.append(kind)
            return
        try:
            self.applied += perform(self, action)
        except ActionRefused as refused:
            self.errors.append(ActionError(index, refused.type, str(refused)))
            self.applied += kind == "add_component"

    def find(self, name: Any) -> Component | None:
        """The first component of exactly this name; an absent name finds the first without one."""
        return next((item for item in self.model["components"] if same(item.get("name", UNDEFINED), name)), None)

    def named(self, action: Action) -> Component:
        name = action.get("name", UNDEFINED)
        found = self.find(name)
        if found is None:
            raise ActionRefused(action["type"], f'"{to_text(name)}" not found')
        return found

    def ends(self, action: Action) -> tuple[Any, Any]:
        """The ids of the two components an action connects or disconnects."""
        source = self.find(action.get("fromName", UNDEFINED))
        target = self.find(action.get("toName", UNDEFINED))
        if source is None or target is None:
            raise ActionRefused(action["type"], "endpoint not found")
        return source["id"], target["id"]

    def matching(self, action: Action) -> list[Component]:
        """The components whose name the action's pattern matches; an absent pattern matches all."""
        source = action.get("namePattern", UNDEFINED)
        text = "" if source is UNDEFINED else to_text(source)
        try:
            pattern = Pattern(text)
            names = [(item, to_text(item.get("name", UNDEFINED))) for item in self.model["components"]]
            return [item for item, name in names if pattern.test(name, self.budget)]
        except (PatternError, Exhausted) as error:
            detail = error.reason if isinstance(error, PatternError) else "the plan's patterns take too many steps"
            raise ActionRefused(action["type"], f"bad regex {text} ({detail})") from error

    def connect(self, source: Any, target: Any) -> None:
        self.model["connections"].append({"id": self.ids.issue("c"), "from": source, "to": target})

    def new_component(self, action: Any) -> Component:
        described = action if isinstance(action, dict) else {}
        component: Component = {"id": self.ids.issue("n")}
        if "componentType" in described:
            component["type"] = described["componentType"]
        if "name" in described:
            component["name"] = described["name"]
        component["params"] = clone(spread(described.get("params")))
        return component

    def delete(self, gone: Any) -> None:
        """Remove the component of id `gone` and join what fed it to what it fed."""
        wires = self.model["connections"]
        sources = [wire["from"] for wire in wires if same(wire["to"], gone)]
        targets = [wire["to"] for wire in wires if same(wire["from"], gone)]
        kept = [wire for wire in wires if not same(wire["to"], gone) and not same(wire["from"], gone)]
        self.model["connections"] = kept
        self.model["components"] = [item for item in self.model["components"] if not same(item["id"], gone)]
        present = {(key(wire["from"]), key(wire["to"])) for wire in kept}
        for source in sources:
            for target in targets:
                pair = (key(source), key(target))
                if not same(source, target) and pair not in present:
                    present.add(pair)
                    self.connect(source, target)


def _add_component(run: _Run, action: Action) -> int:
    component = run.new_component(action)
    run.model["components"].append(component)
    after_name = action.get("afterName", UNDEFINED)
    if not truthy(after_name):
        return 1
    after = run.find(after_name)
    if after is None:
        raise ActionRefused("add_component", f'afterName "{to_text(after_name)}" not found')
    for wire in run.model["connections"]:
        if same(wire["from"], after["id"]):
            wire["from"] = component["id"]
    run.connect(after["id"], component["id"])
    return 1


def _delete_component(run: _Run, action: Action) -> int:
    run.delete(run.named(action)["id"])
    return 1


def _delete_matching(run: _Run, action: Action) -> int:
    gone = [item["id"] for item in run.matching(action)]
    for each in gone:
        run.delete(each)
    return 1 if gone else 0


def _update_params(run: _Run, action: Action) -> int:
    component = run.named(action)
    component["params"].update(clone(spread(action.get("params"))))
    return 1


def _scale_params(run: _Run, action: Action) -> int:
    has_pattern = truthy(action.get("namePattern", UNDEFINED))
    chosen = run.matching(action) if has_pattern else run.model["components"]
    name = to_text(action.get("paramKey", UNDEFINED))
    factor = to_number(action.get("factor", UNDEFINED))
    least = action.get("minValue")
    floor = least if is_number(least) else 1
    touched = [item["params"] for item in chosen if is_number(item["params"].get(name))]
    for params in touched:
        params[name] = plain(largest(floor, round_half_up(to_number(params[name]) * factor)))
    return 1 if touched else 0


def _add_connection(run: _Run, action: Action) -> int:
    source, target = run.ends(action)
    if not any(same(wire["from"], source) and same(wire["to"], target) for wire in run.model["connections"]):
        run.connect(source, target)
    return 1


def _delete_connection(run: _Run, action: Action) -> int:
    source, target = run.ends(action)
    wires = run.model["connections"]
    run.model["connections"] = [wire for wire in wires if not (same(wire["from"], source) and same(wire["to"], target))]
    return 1


def _rename(run: _Run, action: Action) -> int:
    component = run.named(action)
    component.pop("name", None)
    if "newName" in action:
        component["name"] = action["newName"]
    return 1


def _replace(run: _Run, action: Action) -> int:
    listed = action.get("components")
    if listed is not None and not isinstance(listed, list):
        raise ActionRefused("replace_model", "components is not a list")
    components = []
    for item in listed or []:
        if item is None:
            raise ActionRefused("replace_model", "a component is null")
        components.append(run.new_component(item))
    ids = {key(item.get("name", UNDEFINED)): item["id"] for item in components}
    connections = []
    for source, target in _replacement_wires(action, ids):
        connections.append({"id": run.ids.issue("c"), "from": source, "to": target})
    run.model["components"] = components
    run.model["connections"] = connections
    return 1


def _replacement_wires(action: Action, ids: dict[Hashable, Any]) -> list[tuple[Any, Any]]:
    """Source and target ids of the wires whose both ends are named in `ids`."""
    listed = action.get("connections")
    if truthy(listed) and not isinstance(listed, list):
        raise ActionRefused("replace_model", "connections is not a list")
    wires = []
    for item in listed if isinstance(listed, list) else []:
        if item is None:
            raise ActionRefused("replace_model", "a connection is null")
        described = item if isinstance(item, dict) else {}
        ends = [key(described.get(end, UNDEFINED)) for end in ("from", "to")]
        if all(end in ids for end in ends):
            wires.append((ids[ends[0]], ids[ends[1]]))
    return wires


def _clear(run: _Run, action: Action) -> int:
    run.model["components"] = []
    run.model["connections"] = []
    return 1


_ACTIONS: dict[str, Callable[[_Run, Action], int]] = {
    "add_component": _add_component,
    "delete_component": _delete_component,
    "delete_components_matching": _delete_matching,
    "update_params": _update_params,
    "scale_params": _scale_params,
    "add_connection": _add_connection,
    "delete_connection": _delete_connection,
    "rename_component": _rename,
    "replace_model": _replace,
    "clear_canvas": _clear,
}
ACTION_TYPES = tuple(_ACTIONS)
