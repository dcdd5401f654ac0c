"""The graph as the text that models are shown."""

from archstudio.edits.actions.javascript import UNDEFINED, json_text, key, to_text
from archstudio.edits.actions.model import Component, Model, name_text


def observe(model: Model) -> str:
    """The text observation: the model's name, its components with their parameters, its connections."""
    components, connections = model["components"], model["connections"]
    names = {key(item.get("id", UNDEFINED)): name_text(item) for item in components}
    wires = [
        " -> ".join(names.get(key(wire[end]), to_text(wire[end])) for end in ("from", "to")) for wire in connections
    ]
    return "\n".join(
        [
            f"Model: {to_text(model.get('name', UNDEFINED))}",
            "Components:",
            *([_component_line(item) for item in components] or ["  (empty)"]),
            "Connections:",
            *([f"  - {wire}" for wire in wires] or ["  (none)"]),
        ]
    )


def _component_line(component: Component) -> str:
    params = f" params={json_text(component['params'])}" if component["params"] else ""
    return f"  - {name_text(component)} ({to_text(component.get('type', UNDEFINED))}){params}"
