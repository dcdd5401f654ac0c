"""A graph as a live torch.nn.Module, made by running the very file that an export writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archstudio.graph import Graph
from archstudio.torchcode.source import source_of
from archstudio.verify.verdict import Verdict

if TYPE_CHECKING:
    from torch import nn


def build(graph: Graph, verdict: Verdict) -> nn.Module:
    """The model of a graph, in training mode as PyTorch makes it; GraphHasErrors where it would not run."""
    return module_from(source_of(graph, verdict))


def module_from(source: str) -> nn.Module:
    """Run a generated file and call its `build_model()`; imports torch. Only for source made by `source_of`."""
    names: dict[str, Any] = {"__name__": "archstudio_model"}
    exec(compile(source, "model.py", "exec"), names)
    model: nn.Module = names["build_model"]()
    return model
