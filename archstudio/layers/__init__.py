"""The catalogue of layer types, the wires between them, and the problems they report."""

from archstudio.layers.base import Layer, Parameter, Saved, Step
from archstudio.layers.catalogue import FAMILIES, entries, entry, find
from archstudio.layers.problem import Phase, Problem, ProblemKind, Refused, Severity
from archstudio.layers.wire import Value, Wire, value_text

__all__ = [
    "FAMILIES",
    "Layer",
    "Parameter",
    "Phase",
    "Problem",
    "ProblemKind",
    "Refused",
    "Saved",
    "Severity",
    "Step",
    "Value",
    "Wire",
    "entries",
    "entry",
    "find",
    "value_text",
]
