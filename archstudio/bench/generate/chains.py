"""Builds the starting graphs and the reference solutions that generators share."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from archstudio.bench.rubric import parameters
from archstudio.edits.actions.javascript import plain
from archstudio.edits.actions.model import Model

_LISTS: Final = frozenset({"shape", "normalizedShape", "dim"})


class Layer(NamedTuple):
    """A component before it has an id."""

    kind: str
    name: str
    params: dict[str, Any]


def layer(kind: str, name: str, **params: Any) -> Layer:
    """A layer with parameters by their names in files."""
    return Layer(kind, name, params)


def source(*shape: int, name: str = "input") -> Layer:
    """An input with its shape, batch axis first."""
    return layer("input", name, shape=list(shape))


def sink() -> Layer:
    return layer("output", "output")


def linear(name: str, takes: int, gives: int) -> Layer:
    return layer("linear", name, inFeatures=takes, outFeatures=gives)


def embedding(vocabulary: int, width: int) -> Layer:
    return layer("embedding", "embed", numEmbeddings=vocabulary, embeddingDim=width)


def attention(name: str, width: int, heads: int) -> Layer:
    return layer("multiHeadAttention", name, embedDim=width, numHeads=heads)


def grouped_attention(name: str, width: int, heads: int, kv_heads: int) -> Layer:
    return layer("groupedQueryAttention", name, embedDim=width, numHeads=heads, numKVHeads=kv_heads)


def mlp(takes: int, widths: Sequence[int], gives: int) -> list[Layer]:
    """input → (linear, ReLU) a width → head → output."""
    layers = [source(1, takes)]
    before = takes
    for number, width in enumerate(widths, start=1):
        layers += [linear(f"fc{number}", before, width), layer("relu", f"act{number}")]
        before = width
    return [*layers, linear("head", before, gives), sink()]


def chain_wires(layers: Sequence[Layer]) -> list[tuple[str, str]]:
    """Each layer to the next."""
    return [(left.name, right.name) for left, right in pairwise(layers)]


def build(layers: Sequence[Layer], wires: Sequence[tuple[str, str]] | None = None) -> list[dict[str, Any]]:
    """The reference of a design task: one replace_model."""
    components = [{"componentType": item.kind, "name": item.name, "params": _fresh(item.params)} for item in layers]
    connections = [{"from": left, "to": right} for left, right in wires or chain_wires(layers)]
    return [{"type": "replace_model", "components": components, "connections": connections}]


def update(name: str, **params: Any) -> dict[str, Any]:
    return {"type": "update_params", "name": name, "params": params}


def add_after(after: str, new: Layer) -> dict[str, Any]:
    return {
        "type": "add_component",
        "componentType": new.kind,
        "name": new.name,
        "afterName": after,
        "params": _fresh(new.params),
    }


def delete(name: str) -> dict[str, Any]:
    return {"type": "delete_component", "name": name}


def chain_graph(task_id: str, layers: Sequence[Layer]) -> Model:
    """A full starting graph: components n0, n1, … in a chain."""
    ids = {item.name: f"n{place}" for place, item in enumerate(layers)}
    return _graph(task_id, layers, ids, chain_wires(layers))


def stub(task_id: str, shape: Sequence[int]) -> Model:
    """An input wired straight to an output."""
    layers = [source(*shape), sink()]
    return _graph(task_id, layers, {"input": "i", "output": "o"}, chain_wires(layers))


def edge_stub(task_id: str, shape: Sequence[int]) -> Model:
    """The edge tier's stub, whose output does not list its input as a neighbour; digests count on it."""
    model = stub(task_id, shape)
    model["components"][1]["inputs"] = []
    return model


def tower_stub(task_id: str, user_width: int, item_width: int) -> Model:
    """Two inputs wired to one output."""
    layers = [source(1, user_width, name="user_input"), source(1, item_width, name="item_input"), sink()]
    ids = {"user_input": "iu", "item_input": "ii", "output": "o"}
    return _graph(task_id, layers, ids, [("user_input", "output"), ("item_input", "output")])


def estimate(layers: Sequence[Layer]) -> int:
    """The rubric's parameter estimate of these layers."""
    return int(plain(sum(parameters({"type": item.kind, "params": item.params}) for item in layers)))


def _graph(task_id: str, layers: Sequence[Layer], ids: dict[str, str], wires: Sequence[tuple[str, str]]) -> Model:
    """The model with its neighbour lists, which are written on the way: names are unique here."""
    components: dict[str, dict[str, Any]] = {
        item.name: {
            "id": ids[item.name],
            "type": item.kind,
            "name": item.name,
            "params": _fresh(item.params),
            "inputs": [],
            "outputs": [],
        }
        for item in layers
    }
    connections = []
    for place, (left, right) in enumerate(wires):
        source, target = ids[left], ids[right]
        components[left]["outputs"].append(target)
        components[right]["inputs"].append(source)
        connections.append({"id": f"c{place}", "from": source, "to": target})
    return {"name": task_id, "components": list(components.values()), "connections": connections}


def _fresh(params: dict[str, Any]) -> dict[str, Any]:
    """A copy of parameters, which here are numbers and, in shapes, lists of numbers."""
    copy = dict(params)
    for name in _LISTS & copy.keys():
        if isinstance(copy[name], list):
            copy[name] = list(copy[name])
    return copy
