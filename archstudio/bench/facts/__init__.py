"""What a brief asks for, as facts that can be checked against a graph.

The rubric can be passed without doing what the brief says; these facts are the other half of the verdict. Each has a
sentence and a judgement on a `View` of the graph: it holds, it does not, or it cannot be known yet.
"""

from archstudio.bench.facts.edits import Keeps, KeepsTheRest
from archstudio.bench.facts.sizes import KvLimit, ParameterRange, Setting, SplitsIntoHeads
from archstudio.bench.facts.structure import Bottleneck, EndsIn, Layers, OnPath, Stages, Towers
from archstudio.bench.facts.view import Exact, Fact, FactResult, View, check_facts
from archstudio.bench.facts.wires import Input, OneVectorEach, OutputWidth

__all__ = [
    "Bottleneck",
    "EndsIn",
    "Exact",
    "Fact",
    "FactResult",
    "Input",
    "Keeps",
    "KeepsTheRest",
    "KvLimit",
    "Layers",
    "OnPath",
    "OneVectorEach",
    "OutputWidth",
    "ParameterRange",
    "Setting",
    "SplitsIntoHeads",
    "Stages",
    "Towers",
    "View",
    "check_facts",
]
