"""Models are shown the graph as plain lines."""

from archstudio.bench.observation import observe
from archstudio.edits.actions.model import Model, hydrate


def test_the_observation_lists_layers_and_wires(mlp: Model) -> None:
    mlp["connections"].append({"id": "c9", "from": "r", "to": "ghost"})
    assert observe(mlp).split("\n") == [
        "Model: m",
        "Components:",
        '  - input (input) params={"shape":[1,32]}',
        '  - a (linear) params={"inFeatures":32,"outFeatures":64}',
        "  - r (relu)",
        '  - b (linear) params={"inFeatures":64,"outFeatures":8}',
        "  - output (output)",
        "Connections:",
        "  - input -> a",
        "  - a -> r",
        "  - r -> b",
        "  - b -> output",
        "  - r -> ghost",
    ]


def test_an_empty_graph_says_so() -> None:
    text = observe(hydrate({"name": "void", "components": [], "connections": []}))
    assert text == "Model: void\nComponents:\n  (empty)\nConnections:\n  (none)"
