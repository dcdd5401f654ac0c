"""Layers that read a sequence step by step, and single steps of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.dim import product
from archstudio.layers.fields import MOST_REPEATED, choice, flag, number, size
from archstudio.layers.heads import batch_major
from archstudio.layers.keeps import kept_input
from archstudio.layers.problem import PARAM_RANGE, RANK, ProblemKind, Refused, error
from archstudio.layers.wire import Value, Wire

RNN_IN = ProblemKind(
    "E-RNN-IN",
    error,
    "{node} reads {needs:,} features a step, the wire carries {gets:,}",
    "The last axis of the sequence is what the layer reads at one step.",
)
RNN_STATE = ProblemKind(
    "E-RNN-STATE",
    error,
    "{node} starts from {what} of shape {needs}, the wire carries {gets}",
    "The initial state has one vector for each layer and direction, and each sequence of the batch.",
)
PROJ_SIZE = ProblemKind(
    "E-PROJ-SIZE",
    error,
    "{node}: projSize {gets:,} must be smaller than hiddenSize {needs:,}",
    "The projection makes the hidden state smaller.",
)


class Recurrent(Layer):
    """What RNN, LSTM and GRU share; `gates` is how many matrices of hidden_size rows one step has."""

    new_params: ClassVar[Mapping[str, Any]] = {"hiddenSize": 128}
    gates: ClassVar[int]
    telling = "{input_size}→{hidden_size}, {num_layers} layers"
    inputs: ClassVar[tuple[str, ...]] = ("input", "h_0")
    optional_inputs = 1
    output_ports: ClassVar[Ports] = {"output": (0,), "h_n": (1,)}

    input_size: int = size(from_axis=-1, at_least=1, aliases=("inputDim",), help="Features read at one step.")
    hidden_size: int = size(at_least=1, aliases=("hiddenDim", "units"), help="Width of the hidden state.")
    num_layers: int = size(1, at_least=1, at_most=MOST_REPEATED, help="Layers on top of each other.")
    bias: bool = flag(True, help="Add learned offsets.")
    batch_first: bool = flag(True, torch_default=False, help="Whether the batch is the first axis, not the second.")
    dropout: float = number(0.0, at_least=0, at_most=1, help="Chance of dropping a value between layers.")
    bidirectional: bool = flag(False, help="Also read backwards, and join both results.")
    proj_size: int = 0

    @property
    def directions(self) -> int:
        """1, or 2 where it also reads backwards."""
        return 2 if self.bidirectional else 1

    @property
    def result_size(self) -> int:
        """Width of what one direction returns at each step."""
        return self.proj_size or self.hidden_size

    def states(self) -> tuple[tuple[str, int], ...]:
        """Name and width of each state."""
        return (("h_0", self.result_size),)

    def forward(self, x: Wire, *initial: Wire) -> Value:
        x.require_rank(3, 2)
        x.require_float32()
        x.require_size(-1, self.input_size, set_by="inputSize", what="features", kind=RNN_IN)
        batch = (x.shape[0 if self.batch_first else 1],) if x.rank == 3 else ()
        self._check_length(x)
        states = [(self.num_layers * self.directions, *batch, width) for _, width in self.states()]
        for port, (state, shape) in enumerate(zip(initial, states, strict=False), 1):
            self._check_state(state, shape, port)
        width = self.directions * self.result_size
        out = batch_major(x.shape[0], x.shape[1], width) if x.rank == 3 and self.batch_first else x.with_last(width)
        carried = tuple(Wire.of(shape) for shape in states)
        return (out, carried if len(carried) > 1 else carried[0])

    def _check_length(self, x: Wire) -> None:
        axis = 1 if self.batch_first and x.rank == 3 else 0
        if x.shape[axis] == 0:
            raise Refused(PARAM_RANGE, port=0, axis=axis, param="length", gets=0, needs="at least 1")

    def _check_state(self, state: Wire, shape: tuple[int, ...], port: int) -> None:
        what = self.states()[port - 1][0]
        if state.rank != len(shape):
            raise Refused(RANK, port=port, needs=len(shape), gets=state.rank, ranks=(len(shape),))
        state.require_float32(port)
        if state.shape != shape:
            needs = "×".join(map(str, shape))
            raise Refused(RNN_STATE, port=port, what=what, needs=needs, gets=state.text(), set_by="hiddenSize")

    def steps(self) -> Iterator[tuple[str, int]]:
        """Suffix and width of what is read, for each layer and direction."""
        for k in range(self.num_layers):
            width = self.input_size if k == 0 else self.result_size * self.directions
            for suffix in ("", "_reverse")[: self.directions]:
                yield f"l{k}{suffix}", width

    def parameters(self) -> Iterator[Parameter]:
        rows = self.gates * self.hidden_size
        for suffix, width in self.steps():
            yield Parameter(f"weight_ih_{suffix}", (rows, width))
            yield Parameter(f"weight_hh_{suffix}", (rows, self.result_size))
            if self.bias:
                yield Parameter(f"bias_ih_{suffix}", (rows,))
                yield Parameter(f"bias_hh_{suffix}", (rows,))
            if self.proj_size:
                yield Parameter(f"weight_hr_{suffix}", (self.proj_size, self.hidden_size))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        steps = product(inputs[0].shape[:-1])
        return steps * sum(p.elements for p in self.parameters() if p.name.startswith("weight"))

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """What every layer and direction reads, its states at every step, and what its gates keep."""
        x = inputs[0]
        steps, batch = product(x.shape[:-1]), self._batch(x)
        for saved in kept_input(x, 0, batch_first=self.batch_first):
            yield saved if saved.what == "input" else Saved.own(self.copies * x.elements)
        joined, between = steps * self.result_size * self.directions, self.num_layers - 1
        dropping = self.training and self.dropout > 0
        kept = between * joined * (int(self.keeps_joined or dropping) + int(dropping))
        kept += self.num_layers * self.directions * self.kept(steps, batch)
        if self.keeps_result:
            yield Saved.output(0)
            kept -= joined
        yield Saved.own(kept)
        for port, (_, width) in enumerate(self.states(), 1):
            own = Saved.own(self.num_layers * self.directions * batch * width)
            yield Saved.input(port) if len(inputs) > 1 else own

    def _batch(self, x: Wire) -> int:
        """Number of sequences."""
        return x.shape[0 if self.batch_first else 1] if x.rank == 3 else 1

    @property
    def copies(self) -> int:
        """Copies of a sequence that does not lie in order of time: each direction makes its own."""
        return self.directions

    @property
    def keeps_result(self) -> bool:
        """Whether what the last layer keeps of its steps is the very tensor that is returned."""
        return False

    @property
    def keeps_joined(self) -> bool:
        """Whether a layer keeps what it reads from the layer before, beside what that layer keeps itself."""
        return True

    def kept(self, steps: int, batch: int) -> int:
        """Elements that one layer keeps in one direction, beside what it reads and its initial state."""
        return steps * self.hidden_size

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        if axis == -1:
            return Step("2 · hiddenSize" if self.bidirectional else "hiddenSize")
        return super().trace(axis, inputs, output)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        x, *initial = inputs
        if not initial:
            return f"{module}({x})"
        state = initial[0] if len(initial) == 1 else f"({', '.join(initial)})"
        return f"{module}({x}, {state})"

    @classmethod
    def example(cls, random: Random) -> Example:
        width, hidden = random.randint(1, 5), random.randint(2, 5)
        params: dict[str, Any] = {"inputSize": width, "hiddenSize": hidden, "numLayers": random.randint(1, 3)}
        chances = (("bias", False), ("batchFirst", False), ("bidirectional", True), ("dropout", 0.5))
        params |= {name: value for name, value in chances if samples.sometimes(random, 0.3)}
        if "proj_size" in cls.fields and samples.sometimes(random, 0.3):
            params["projSize"] = random.randint(0, hidden)
        if "nonlinearity" in cls.fields and samples.sometimes(random, 0.4):
            params["nonlinearity"] = random.choice(("tanh", "relu", "gelu"))
        shape = [random.randint(1, 3), random.randint(1, 4), width + (1 if samples.sometimes(random, 0.08) else 0)]
        if samples.sometimes(random, 0.2):
            shape = shape[1:] if samples.sometimes(random, 0.7) else [1, *shape]
        wires = [samples.wire(random, shape, samples.dtype(random, 0.04))]
        if samples.sometimes(random, 0.3):
            wires += cls._example_states(random, params, shape)
        return Example(params, tuple(wires), training=samples.sometimes(random, 0.3))

    @classmethod
    def _example_states(cls, random: Random, params: dict[str, Any], shape: list[int]) -> list[Wire]:
        batch = shape[:-1][0 if params.get("batchFirst", True) else 1 : len(shape) - 1][:1] if len(shape) == 3 else []
        layers = params["numLayers"] * (2 if params.get("bidirectional") else 1)
        widths = [params.get("projSize") or params["hiddenSize"], params["hiddenSize"]][: len(cls.inputs) - 1]
        states = [[layers, *batch, width] for width in widths]
        if samples.sometimes(random, 0.25):
            random.choice(states)[random.randrange(len(states[0]))] += 1
        return [Wire.of(state) for state in states]


@layer("rnn", family="recurrent", torch="RNN")
class Rnn(Recurrent):
    """Read a sequence step by step, keeping a hidden state.

    Shape: (B, T, C) -> (output (B, T, H), h_n (layers, B, H)); unbatched (T, C) is accepted; 2·H where bidirectional.
    h' = tanh(W·x + b + U·h + c)    [torch.nn.RNN]
    """

    gates = 1
    nonlinearity: str = choice("tanh", ("tanh", "relu"), help="Function of the new state.")


@layer("gru", family="recurrent", torch="GRU")
class Gru(Recurrent):
    """Read a sequence step by step with gates that decide what to keep and what to renew.

    Shape: (B, T, C) -> (output (B, T, H), h_n (layers, B, H)); unbatched (T, C) is accepted; 2·H where bidirectional.
    [torch.nn.GRU; arXiv 1406.1078]
    """

    gates = 3

    def kept(self, steps: int, batch: int) -> int:
        return (7 * steps - batch) * self.hidden_size


@layer("lstm", family="recurrent", torch="LSTM")
class Lstm(Recurrent):
    """Read a sequence step by step, keeping a hidden state and a cell that gates protect.

    Shape: (B, T, C) -> (output (B, T, H), (h_n, c_n)), states (layers, B, H); unbatched (T, C) is accepted; 2·H where
    bidirectional; `proj_size` takes the place of H in output and h_n.    [torch.nn.LSTM; Hochreiter 1997]
    """

    gates = 4
    inputs = ("input", "h_0", "c_0")
    optional_inputs = 2
    output_ports: ClassVar[Ports] = {"output": (0,), "h_n": (1, 0), "c_n": (1, 1)}

    proj_size: int = size(0, at_least=0, help="Width to which the hidden state is projected; 0 leaves it.")

    def check(self) -> None:
        if self.proj_size >= self.hidden_size:
            raise Refused(PROJ_SIZE, param="projSize", gets=self.proj_size, needs=self.hidden_size)

    def states(self) -> tuple[tuple[str, int], ...]:
        return (("h_0", self.result_size), ("c_0", self.hidden_size))

    def forward(self, x: Wire, *initial: Wire) -> Value:
        require_both_states(initial)
        return super().forward(x, *initial)

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """With the workspace of oneDNN's kernel, which PyTorch runs once for each layer and direction."""
        x = inputs[0]
        steps, batch = product(x.shape[:-1]), self._batch(x)
        yield from super().saved(inputs, output)
        if not self.proj_size:
            if not self.bias:
                yield Saved.own(sum(p.elements for p in self.parameters()))
            for _, width in self.steps():
                yield Saved("own", 0, workspace_bytes(steps, batch, width, self.hidden_size))

    def kept(self, steps: int, batch: int) -> int:
        if self.proj_size:
            return steps * (self.proj_size + 7 * self.hidden_size) - batch * (self.proj_size + self.hidden_size)
        return (steps + 2 * batch) * self.hidden_size

    @property
    def copies(self) -> int:
        return self.directions if self.proj_size else 1

    @property
    def keeps_result(self) -> bool:
        return not self.proj_size and not self.bidirectional

    @property
    def keeps_joined(self) -> bool:
        return bool(self.proj_size) or self.bidirectional


def workspace_bytes(steps: int, batch: int, width: int, hidden: int) -> int:
    """Bytes that oneDNN keeps for the backward pass of one LSTM layer: gates, states and room for their gradients.

    Found by measuring with torch 2.13 on x86-64: seven arrays in float32, each of whole pages; `steps` counts those of
    all sequences of the batch.
    """
    rows, inner, outer = 2 * (steps + batch), _padded_row(hidden), _padded_row(max(width, hidden))
    arrays = [steps * _padded_row(4 * hidden), steps * inner, *[rows * outer] * 3, *[rows * hidden] * 2]
    return sum(-(-4 * elements // 4096) * 4096 for elements in arrays)


def _padded_row(width: int) -> int:
    """Elements from row to row of a float32 matrix in oneDNN: whole cache lines, but no multiple of 256 elements."""
    aligned = -(-width // 16) * 16
    return aligned + 16 if aligned % 256 == 0 else aligned


def require_both_states(initial: Sequence[Wire]) -> None:
    """Refuse an LSTM that is given a hidden state without a cell."""
    if len(initial) == 1:
        raise Refused(RNN_STATE, port=1, what="h_0 and c_0", needs="two tensors", gets="one tensor")


@layer("bidirectionalLSTM", family="recurrent", aliases=("biLSTM",))
class BidirectionalLstm(Lstm):
    """Read a sequence forwards and backwards with two LSTMs and join their results.

    Shape: (B, T, C) -> (output (B, T, 2·H), (h_n, c_n)).    [torch.nn.LSTM]
    """

    bidirectional: bool = flag(True, torch_default=False, help="Also read backwards, and join both results.")

    def construct_code(self) -> str | None:
        return f"nn.LSTM({', '.join(self._code_arguments())})"


@layer("bidirectionalGRU", family="recurrent", aliases=("biGRU",))
class BidirectionalGru(Gru):
    """Read a sequence forwards and backwards with two GRUs and join their results.

    Shape: (B, T, C) -> (output (B, T, 2·H), h_n).    [torch.nn.GRU]
    """

    bidirectional: bool = flag(True, torch_default=False, help="Also read backwards, and join both results.")

    def construct_code(self) -> str | None:
        return f"nn.GRU({', '.join(self._code_arguments())})"
