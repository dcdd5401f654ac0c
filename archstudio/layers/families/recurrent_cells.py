"""Single steps of recurrent layers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from archstudio.layers import samples
from archstudio.layers.base import Example, Layer, Parameter, Ports, Saved, Step
from archstudio.layers.catalogue import layer
from archstudio.layers.families.recurrent import RNN_IN, RNN_STATE, require_both_states
from archstudio.layers.fields import choice, flag, size
from archstudio.layers.problem import RANK, Refused
from archstudio.layers.wire import Value, Wire


class Cell(Layer):
    """One step of a recurrent layer: (B, C) and a state (B, H); zeros where no state comes in."""

    new_params: ClassVar[Mapping[str, Any]] = {"hiddenSize": 128}
    gates: ClassVar[int]
    telling = "{input_size}→{hidden_size}"
    inputs: ClassVar[tuple[str, ...]] = ("input", "hx")
    optional_inputs = 1

    input_size: int = size(from_axis=-1, at_least=0, aliases=("inputDim",), help="Features that are read.")
    hidden_size: int = size(at_least=0, aliases=("hiddenDim", "units"), help="Width of the state.")
    bias: bool = flag(True, help="Add learned offsets.")

    def check_inputs(self, x: Wire, states: Sequence[Wire]) -> Wire:
        """Refuse what one step does not take; returns the new state."""
        x.require_rank(2, 1)
        for port, state in enumerate(states, 1):
            state.require_rank(1, 2, port=port)
        x.require_size(-1, self.input_size, set_by="inputSize", what="features", kind=RNN_IN)
        x.require_float32()
        shape = (*x.shape[:-1], self.hidden_size)
        for port, state in enumerate(states, 1):
            if state.rank != x.rank:
                raise Refused(RANK, port=port, needs=x.rank, gets=state.rank, ranks=(x.rank,))
            if port == 1:
                state.require_float32(port)
            if state.shape != shape:
                needs = "×".join(map(str, shape))
                what = "a state"
                raise Refused(RNN_STATE, port=port, what=what, needs=needs, gets=state.text(), set_by="hiddenSize")
        return Wire.of(shape)

    def forward(self, x: Wire, *states: Wire) -> Value:
        return self.check_inputs(x, states)

    def parameters(self) -> Iterator[Parameter]:
        rows = self.gates * self.hidden_size
        yield Parameter("weight_ih", (rows, self.input_size))
        yield Parameter("weight_hh", (rows, self.hidden_size))
        if self.bias:
            yield Parameter("bias_ih", (rows,))
            yield Parameter("bias_hh", (rows,))

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        batch = inputs[0].shape[0] if inputs[0].rank == 2 else 1
        return batch * self.gates * self.hidden_size * (self.input_size + self.hidden_size)

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        return Step("hiddenSize") if axis == -1 else Step("", 0, axis)

    @classmethod
    def example(cls, random: Random) -> Example:
        width, hidden = random.randint(1, 5), random.randint(1, 5)
        params: dict[str, Any] = {"inputSize": width, "hiddenSize": hidden}
        if samples.sometimes(random, 0.2):
            params["bias"] = False
        if "nonlinearity" in cls.fields and samples.sometimes(random, 0.4):
            params["nonlinearity"] = random.choice(("tanh", "relu"))
        batch = [random.randint(1, 3)] * random.choice((1, 1, 1, 0, 2))
        shapes = [[*batch, width]]
        if samples.sometimes(random, 0.5):
            shapes += [[*batch, hidden] for _ in range(len(cls.inputs) - 1)]
        if samples.sometimes(random, 0.15):
            random.choice(shapes)[-1] += 1
        return Example(params, tuple(samples.wire(random, s, samples.dtype(random, 0.03)) for s in shapes))


@layer("rnnCell", family="recurrent", torch="RNNCell")
class RnnCell(Cell):
    """One step of a plain recurrent layer.

    Shape: (B, C), state (B, H) -> (B, H); unbatched is accepted.    h' = tanh(W·x + b + U·h + c)    [torch.nn.RNNCell]
    """

    gates = 1
    nonlinearity: str = choice("tanh", ("tanh", "relu"), help="Function of the new state.")

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield from _saved_state(self, inputs)
        yield Saved.output()


def _saved_state(cell: Cell, inputs: Sequence[Wire]) -> Iterator[Saved]:
    """The state that came in, or the zeros in its place."""
    if len(inputs) > 1:
        yield Saved.input(1)
    else:
        yield Saved.own((inputs[0].shape[0] if inputs[0].rank == 2 else 1) * cell.hidden_size)


@layer("gruCell", family="recurrent", torch="GRUCell")
class GruCell(Cell):
    """One step of a GRU.

    Shape: (B, C), state (B, H) -> (B, H); unbatched is accepted.    [torch.nn.GRUCell]
    """

    gates = 3

    def forward(self, x: Wire, *states: Wire) -> Value:
        state = self.check_inputs(x, states)
        return states[0].pointwise() if states else state

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        yield Saved.input()
        yield from _saved_state(self, inputs)
        yield Saved.own(6 * (inputs[0].shape[0] if inputs[0].rank == 2 else 1) * self.hidden_size)


@layer("lstmCell", family="recurrent", torch="LSTMCell")
class LstmCell(Cell):
    """One step of an LSTM: hidden state and cell.

    Shape: (B, C), states (B, H) and (B, H) -> ((B, H), (B, H)); unbatched is accepted.    [torch.nn.LSTMCell]
    """

    gates = 4
    inputs = ("input", "h_0", "c_0")
    optional_inputs = 2
    output_ports: ClassVar[Ports] = {"h_1": (0,), "c_1": (1,)}

    def forward(self, x: Wire, *states: Wire) -> Value:
        require_both_states(states)
        state = self.check_inputs(x, states)
        if states and states[1].dtype == "float64":
            state = Wire.of(state.shape, "float64")
        return (state, state)

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        x, *states = inputs
        return f"{module}({x}, ({', '.join(states)}))" if states else f"{module}({x})"

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        batch = inputs[0].shape[0] if inputs[0].rank == 2 else 1
        yield Saved.input()
        yield Saved.own(4 * batch * self.hidden_size)
        yield Saved.output(1)
        for port in (1, 2) if len(inputs) == 3 else ():
            yield Saved.input(port)
        if len(inputs) == 1:
            yield Saved.own(batch * self.hidden_size)
