"""Problems as facts: a kind, a place and the numbers; the words are made where they are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, TypeAlias

from archstudio.layers.short_numbers import with_short_numbers

Phase: TypeAlias = Literal["construct", "forward", "structure"]
"""Where PyTorch would notice: in a module's constructor, in forward, or never because no program can be written."""


class Severity(Enum):
    """How much a problem matters: PyTorch refuses · runs but does the wrong thing · worth knowing."""

    ERROR = "error"
    MISTAKE = "mistake"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A coded kind of problem. `title` is one sentence with {node} and the names of facts in braces.

    `explain` says why it matters; `source` where that is known from, if not from PyTorch itself.
    """

    code: str
    severity: Severity
    title: str
    explain: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        if self.code in KINDS:
            raise ValueError(f"problem code {self.code} is taken")
        KINDS[self.code] = self

    @property
    def general_title(self) -> str:
        """The title without the facts of a case: `‹node› expects ‹needs› features, the wire carries ‹gets›`."""
        return re.sub(r"\{(\w+)[^}]*\}", r"‹\1›", self.title)


KINDS: dict[str, ProblemKind] = {}
"""Every kind of problem by its code."""


class Refused(Exception):
    """Raised by a layer's rule: PyTorch would refuse, for these reasons.

    `port` is the input (by position) at fault, `axis` the axis of its shape (as given, negative from the end) and
    `set_by` among the facts names the parameter (camelCase) that set the expectation.
    """

    def __init__(self, kind: ProblemKind, *, port: int | None = None, axis: int | None = None, **facts: Any) -> None:
        super().__init__(kind.code, facts)
        self.kind, self.port, self.axis, self.facts = kind, port, axis, facts


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong (or worth knowing) at one node."""

    kind: ProblemKind
    node: str
    phase: Phase
    port: int | None = None
    axis: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def id(self) -> str:
        """Stable while the problem stands: code, node and port."""
        return f"{self.kind.code}:{self.node}" + ("" if self.port is None else f":{self.port}")

    @property
    def severity(self) -> Severity:
        """The severity of its kind."""
        return self.kind.severity

    def title(self, node_name: str) -> str:
        """The one sentence, with the node's present name; numbers of hundreds of digits are cut."""
        return with_short_numbers(self.kind.title.format_map({**self.facts, "node": node_name}))


error, mistake, advice = Severity.ERROR, Severity.MISTAKE, Severity.ADVICE

RANK = ProblemKind(
    "E-RANK",
    error,
    "{node} takes {needs} dimensions, the wire carries {gets}",
    "A layer works on tensors with a certain number of dimensions; the batch is the first of them.",
)
SIZE = ProblemKind(
    "E-SIZE",
    error,
    "{node} expects {needs:,} {what}, the wire carries {gets:,}",
    "The size of one axis of the incoming tensor differs from the size the layer was made for.",
)
DTYPE = ProblemKind(
    "E-DTYPE",
    error,
    "{node} takes {needs} numbers, the wire carries {gets}",
    "Weights are float32; indices are integers. PyTorch does not convert one into the other by itself.",
)
PARAM_MISSING = ProblemKind(
    "E-PARAM-MISSING",
    error,
    "{node} has no {param}",
    "The layer cannot be made without this parameter, and nothing on its wires says what it should be.",
)
PARAM_TYPE = ProblemKind(
    "E-PARAM-TYPE",
    error,
    "{node}: {param} takes {needs}, not {gets}",
    "The value has a type that PyTorch's constructor does not accept.",
)
PARAM_RANGE = ProblemKind(
    "E-PARAM-RANGE",
    error,
    "{node}: {param} is {gets}, it must be {needs}",
    "PyTorch refuses this value.",
)
TOO_LARGE = ProblemKind(
    "E-TOO-LARGE",
    error,
    "{node}: {what} of {shape} would hold {gets:,} bytes",
    "PyTorch counts the bytes of a tensor in 64 bits: 9,223,372,036,854,775,807 are the most it can name.",
)
EMPTY = ProblemKind(
    "E-EMPTY",
    error,
    "{node} finds no {what} on an axis of size 0",
    "The largest of no numbers, or the right one of no classes, does not exist.",
)
MEMORY_ORDER = ProblemKind(
    "E-MEMORY-ORDER",
    error,
    "{node} does not take a tensor whose axis of {what} lies innermost in memory",
    "Transposing and permuting leave the numbers where they are. Some kernels want them in order: `contiguous` copies.",
)
INPUT_COUNT = ProblemKind(
    "E-INPUT-COUNT",
    error,
    "{node} takes {needs}, it has {gets}",
    "The number of wires into a layer is the number of arguments its forward gets.",
)
TUPLE_IN = ProblemKind(
    "E-TUPLE-IN",
    error,
    "{node} takes one tensor, the wire carries {gets} outputs; name one",
    "Some layers return several tensors (an LSTM its output and its states). A wire must say which one it carries.",
)
UNKNOWN_TYPE = ProblemKind(
    "E-UNKNOWN-TYPE",
    error,
    "{node}: no layer is called {type}",
    "The name is not in the catalogue under any spelling.",
)
CYCLE = ProblemKind(
    "E-CYCLE",
    error,
    "{node} is part of a loop of {count} layers",
    "Every layer in a loop waits for another one; there is no order in which to run them.",
)
