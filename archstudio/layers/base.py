"""The form of a catalogue entry: everything the program knows about a layer type is said in one class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, TypeAlias

from archstudio.layers.dim import product
from archstudio.layers.fields import REQUIRED, Field
from archstudio.layers.problem import INPUT_COUNT, TUPLE_IN, Refused
from archstudio.layers.wire import ITEM_BYTES, Value, Wire

Ports: TypeAlias = Mapping[str, tuple[int, ...]]
"""Output names and the path of each in the returned value: {"output": (0,), "h_n": (1, 0)}."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One weight or buffer of a layer: its shape and dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: str = "float32"

    @property
    def elements(self) -> int:
        """Number of elements."""
        return product(self.shape)

    @property
    def bytes(self) -> int:
        """Bytes of its elements."""
        return self.elements * ITEM_BYTES[self.dtype]


@dataclass(frozen=True, slots=True)
class Saved:
    """Something autograd keeps for the backward pass: an input, an output, or bytes of its own.

    A storage that several layers keep counts once, which is why inputs and outputs are named, not measured.
    """

    what: str  # "input" | "output" | "copy" | "own"
    index: int = 0
    own_bytes: int = 0

    @classmethod
    def input(cls, index: int = 0) -> Saved:
        """The tensor that came in on a port."""
        return cls("input", index)

    @classmethod
    def output(cls, index: int = 0) -> Saved:
        """A tensor that went out (by position among the output ports)."""
        return cls("output", index)

    @classmethod
    def copy(cls, index: int, x: Wire) -> Saved:
        """A rearranged copy of what came in on a port; a tensor that comes in on several ports is copied once."""
        return cls("copy", index, x.bytes)

    @classmethod
    def own(cls, count: int, dtype: str = "float32") -> Saved:
        """A tensor only this layer holds, of so many elements."""
        return cls("own", 0, count * ITEM_BYTES[dtype])


@dataclass(frozen=True, slots=True)
class Example:
    """A layer to try against real PyTorch: parameters as in a file, and what comes in."""

    params: Mapping[str, Any]
    inputs: tuple[Value, ...]
    training: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Why an axis has its size, one step back: `(30 − 3 + 1)` at this layer, from an axis of an input.

    `port` and `axis` say where to look further; None ends the story. `text` is empty where the size passes through.
    """

    text: str
    port: int | None = None
    axis: int | None = None


class Layer:
    """Base of all catalogue entries. An instance is one layer with its parameters bound to attributes.

    Rules are pure: they look at attributes and input wires, return facts, and raise nothing but `Refused`.
    Attributes of a subclass made by `fields.size(...)` and its siblings are its parameters, in order.
    """

    type: ClassVar[str]
    family: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    torch: ClassVar[str | None] = None
    torch_ops: ClassVar[tuple[str, ...]] = ()
    fields: ClassVar[Mapping[str, Field]] = {}
    keys: ClassVar[Mapping[str, Field]] = {}
    _late: ClassVar[tuple[Field, ...]] = ()
    _inferable: ClassVar[tuple[Field, ...]] = ()

    inputs: ClassVar[tuple[str, ...]] = ("input",)
    """Names of the inputs, in order."""
    optional_inputs: ClassVar[int] = 0
    """How many of the last inputs may be left unconnected."""
    variadic: ClassVar[bool] = False
    """Whether any count of wires (at least the required inputs) is taken."""
    takes_tuples: ClassVar[bool] = False
    """Whether an input may be a tuple of tensors (getItem)."""
    index_inputs: ClassVar[tuple[int, ...]] = ()
    """Inputs that are indices: an `input` node that feeds one holds integers if it does not say otherwise."""
    output_ports: ClassVar[Ports] = {"output": ()}
    """Outputs by name, with the path of each in what forward returns."""
    new_params: ClassVar[Mapping[str, Any]] = {}
    """What a node gets when a person adds it, beside the sizes that its wire gives (keys as in files)."""
    axes: ClassVar[int] = 0
    """How many spatial axes the layer works on (2 for images), where its fields depend on that."""
    view: ClassVar[bool] = False
    """Whether the output shares the input's memory."""
    telling: ClassVar[str] = ""
    """The parameters a node shows, as a format of attributes: `{in_channels}→{out_channels} k{kernel_size}`."""

    training: bool = False
    """Whether the rules speak of training mode (batch norm, dropout)."""
    target: Layer | None = None
    """The layer that a `node` parameter names (shared or tied weights), bound by the verifier."""

    def __init_subclass__(cls, **rest: Any) -> None:
        """Move the fields of a class body into `fields`, so that an attribute exists only once it has a value."""
        super().__init_subclass__(**rest)
        own = {name: value.named(name) for name, value in vars(cls).items() if isinstance(value, Field)}
        for name in own:
            delattr(cls, name)
        inherited: dict[str, Field] = {}
        for base in reversed(cls.__mro__[1:]):
            inherited.update(base.__dict__.get("fields", {}))
        cls.fields = {name: field.on_axes(cls.axes) for name, field in {**inherited, **own}.items()}
        cls._late = tuple(field for field in cls.fields.values() if field.late)
        cls._inferable = tuple(field for field in cls.fields.values() if field.inferred is not None)

    # ------------------------------------------------------------- what an entry says

    def check(self) -> None:
        """Refuse what torch's constructor refuses, beyond the types and ranges of single fields."""

    forward: Callable[..., Value]
    """What comes out for these inputs (`forward(self, x: Wire, …)`); Refused where torch's forward would raise."""

    def parameters(self) -> Iterator[Parameter]:
        """Trainable weights, in torch's order."""
        return iter(())

    def buffers(self) -> Iterator[Parameter]:
        """Tensors of the state dict that are not trained (running statistics)."""
        return iter(())

    def macs(self, inputs: Sequence[Wire], output: Value) -> int:
        """Multiply–accumulates of matrix products, convolutions, attention products and recurrent gates."""
        return 0

    def saved(self, inputs: Sequence[Wire], output: Value) -> Iterator[Saved]:
        """What autograd keeps for backward, beside the parameters (measured with saved_tensors_hooks, CPU)."""
        return iter(())

    def output_names(self) -> Ports:
        """The outputs of this very layer (a chunk has as many as its parameter says)."""
        return self.output_ports

    def trace(self, axis: int, inputs: Sequence[Wire], output: Wire) -> Step | None:
        """Why the output has its size on `axis` (negative from the end). Default: the same axis of the first input."""
        if inputs and -axis <= inputs[0].rank and inputs[0].shape[axis] == output.shape[axis]:
            return Step("", 0, axis)
        return None

    def shape_formula(self, inputs: Sequence[Wire], output: Value) -> str:
        """The shape rule with this layer's numbers filled in, for the inspector; empty if it says nothing new."""
        return ""

    def macs_are_estimated(self) -> bool:
        """Whether `macs` depends on data (top-k routing) and is an expectation."""
        return False

    @classmethod
    def example(cls, random: Random) -> Example:
        """A random layer of this type with inputs for it, valid or (about one in four) wrong in an interesting way.

        The differential tests compare what the rules say of it with what PyTorch does.
        """
        raise NotImplementedError(f"{cls.type} has no example generator")

    # ------------------------------------------------------------- PyTorch code

    def construct_code(self) -> str | None:
        """The expression that makes the module (`nn.Conv2d(16, 32, 3)`), or None for a plain function."""
        if self.torch is None:
            return None
        prefix = "" if "." in self.torch else "nn."
        return f"{prefix}{self.torch}({', '.join(self._code_arguments())})"

    def call_code(self, module: str, inputs: Sequence[str]) -> str:
        """The expression that runs it in forward, given the module's name and the input expressions."""
        return f"{module}({', '.join(inputs)})"

    def _code_arguments(self) -> Iterator[str]:
        positional = True
        for field in self.fields.values():
            if field.torch is None:
                positional = False
                continue
            value = getattr(self, field.name)
            default = field.default if field.torch_default is REQUIRED else field.torch_default
            if field.default is not REQUIRED and value == default and type(value) is type(default):
                positional = False
                continue
            text = _code_value(value, one_for_all=field.kind in ("tuple", "padding"))
            positional = positional and field.required
            yield text if positional else f"{field.torch}={text}"

    # ------------------------------------------------------------- making instances

    @classmethod
    def from_params(cls, params: Mapping[str, Any]) -> Layer:
        """A layer with its parameters from a file; sizes that a wire gives may still be missing (`unbound`)."""
        given = {}
        for key, raw in params.items():
            field = cls.keys.get(key)
            if field is not None and (raw is not None or field.optional):
                given[field.name] = raw if field.name not in given else field.find(params)[1]  # type: ignore[index]
        layer = cls()
        for name, field in cls.fields.items():
            if name in given:
                setattr(layer, name, field.parse(given[name]))
            elif not field.required:
                setattr(layer, name, field.default)
            elif field.inferred is None:
                raise field.missing()
        return layer

    @property
    def unbound(self) -> tuple[Field, ...]:
        """Fields that still wait for a wire to give their size."""
        return tuple([f for f in self._inferable if f.name not in self.__dict__])

    def infer(self, inputs: Sequence[Wire]) -> dict[str, Any]:
        """Read missing sizes from the wires, as lazy modules do; returns them by their key in files."""
        found: dict[str, Any] = {}
        for field in self.unbound:
            source = field.inferred
            assert source is not None
            value = self.infer_field(field, inputs)
            if value is None:
                raise field.missing()
            if not field.late:
                field.check_range(value, value)
            setattr(self, field.name, value)
            found[field.json] = value
        return found

    def infer_field(self, field: Field, inputs: Sequence[Wire]) -> Any:
        """The value a wire gives a missing field; None when it gives none. Entries with other rules override this."""
        source = field.inferred
        if source is None or source.port >= len(inputs):
            return None
        shape = inputs[source.port].shape
        if not -len(shape) <= source.axis < len(shape):
            return None
        value = int(shape[source.axis])
        return (value,) if field.kind == "sizes" else value

    def check_late(self) -> None:
        """Refuse the out-of-range parameters that torch's forward, not its constructor, notices."""
        for field in self._late:
            field.check_range(getattr(self, field.name))

    def accept(self, inputs: Sequence[Value]) -> tuple[Wire, ...]:
        """The inputs as tensors, if their count is right and none is a tuple; else Refused."""
        needed, most = len(self.inputs) - self.optional_inputs, len(self.inputs)
        count = len(inputs)
        if count < needed or (count > most and not self.variadic):
            raise Refused(INPUT_COUNT, needs=_count_text(needed, most, self.variadic), gets=_inputs(count), count=count)
        if not self.takes_tuples:
            for port, value in enumerate(inputs):
                if isinstance(value, tuple):
                    raise Refused(TUPLE_IN, port=port, gets=len(value))
        return tuple(inputs)  # type: ignore[arg-type]

    @property
    def label(self) -> str:
        """The telling parameters as a node shows them; parts that are not known yet show as `?`."""
        return self.label_as(self.telling)

    def label_as(self, telling: str) -> str:
        """The same told by another template, such as one of another language."""
        return telling.format_map(_Shown(self)) if telling else ""


class _Shown(dict[str, str]):
    """Attributes of a layer as short texts: equal sides collapse (`3`), others join (`3×5`)."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self._layer = layer

    def __missing__(self, name: str) -> str:
        value = self._layer.__dict__.get(name, "?")
        if isinstance(value, tuple):
            return str(value[0]) if value and len(set(value)) == 1 else "×".join(map(str, value))
        return f"{value:g}" if isinstance(value, float) else str(value)


def _count_text(needed: int, most: int, variadic: bool) -> str:
    if variadic:
        return f"at least {_inputs(needed)}"
    return _inputs(most) if needed == most else f"{needed} to {most} inputs"


def _inputs(count: int) -> str:
    return "no input" if count == 0 else "1 input" if count == 1 else f"{count} inputs"


def _code_value(value: Any, one_for_all: bool = False) -> str:
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple):
        if one_for_all and len(set(value)) == 1 and all(isinstance(v, int) for v in value):
            return repr(int(value[0]))
        return "(" + ", ".join(_code_value(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, int) and not isinstance(value, bool):
        return repr(int(value))
    return repr(value)
