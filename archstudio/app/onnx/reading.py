"""Reads an ONNX file into a graph: inputs, operators in their order, outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from archstudio.app.figures import plural
from archstudio.app.onnx.operators import layer_of
from archstudio.app.onnx.tensors import NoLayer, Operator, Shape
from archstudio.app.words import said
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Connection, Graph, Node

MOST_BYTES = 2 << 30
"""Protobuf itself holds no more in one file."""
MOST_OPERATORS = 20_000
_SMALL = 64
"""Constants of up to so many numbers are settings (a shape, axes), larger ones are weights."""


def read_onnx(path: Path) -> tuple[Graph, tuple[str, ...]]:
    """The graph of a model, and what could not be taken over; UnusableFile if it cannot be read.

    Weights are not taken over. An operator that no layer does stands in the graph under its own name, where it is a
    problem to be seen.
    """
    model = _model(path)
    if len(model.graph.node) > MOST_OPERATORS:
        problem = f"has {len(model.graph.node):,} operators, more than {MOST_OPERATORS:,}"
        raise UnusableFile(path.name, problem=problem, remedy="Export a part of the model.")
    return _Reading(model.graph, path.stem).graph()


def _model(path: Path) -> Any:
    try:
        import onnx
        from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    except ImportError as missing:
        problem, remedy = "is an ONNX model, and their reader is missing", "pip install archstudio[export]"
        raise UnusableFile(path.name, problem=problem, remedy=remedy) from missing
    try:
        if path.stat().st_size > MOST_BYTES:
            remedy = "Keep its weights in a file beside it."
            raise UnusableFile(path.name, problem="is larger than 2 GiB", remedy=remedy)
        model = onnx.load(str(path), load_external_data=False)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise UnusableFile(path.name, problem=f"cannot be read: {reason}", remedy="Check its name.") from fault
    except (DecodeError, ValueError) as fault:
        raise UnusableFile(path.name, problem="is no ONNX model", remedy="Export it again.") from fault
    if not model.graph.node:
        raise UnusableFile(path.name, problem="is an ONNX model without operators", remedy="Export it again.")
    return _with_shapes(model)


def _with_shapes(model: Any) -> Any:
    """The model with the shapes that ONNX can tell; as it is where its operators are unknown to it."""
    from onnx import shape_inference

    try:
        return shape_inference.infer_shapes(model)
    except (RuntimeError, ValueError):
        return model


class _Reading:
    """One model on its way to a graph."""

    def __init__(self, source: Any, title: str) -> None:
        self._source = source
        self._made = Graph(source.name if source.name not in ("", "main_graph", "torch_jit") else title)
        self._weights = {t.name: tuple(int(d) for d in t.dims) for t in source.initializer}
        self._constants = dict(_small_constants(source.initializer))
        self._shapes = dict(_shapes([*source.input, *source.value_info, *source.output]))
        self._from: dict[str, tuple[str, str | None]] = {}
        self._open: set[str] = set()
        self._no_layer: Counter[str] = Counter()

    def graph(self) -> tuple[Graph, tuple[str, ...]]:
        """The graph, and what could not be taken over."""
        for value in self._source.input:
            if value.name not in self._weights:
                self._add_input(value)
        for node in self._source.node:
            self._add(node)
        for value in self._source.output:
            made = self._insert("output", {}, value.name or "output")
            self._wire(value.name, made)
        notes = [said("weights are not taken over")]
        notes += [said("an open size of {name} is taken as 1").format(name=name) for name in sorted(self._open)]
        if self._no_layer:
            listed = ", ".join(f"{what} ({n})" if n > 1 else what for what, n in self._no_layer.items())
            count = plural(sum(self._no_layer.values()), "operator")
            notes.append(said("{count} without a layer here: {listed}").format(count=count, listed=listed))
        return self._made, tuple(notes)

    def _add_input(self, value: Any) -> None:
        sizes = self._shapes.get(value.name, ())
        if any(size is None for size in sizes[1:]):
            self._open.add(value.name)
        params: dict[str, Any] = {"shape": [1 if size is None else size for size in sizes]}
        kind = _DTYPES.get(value.type.tensor_type.elem_type)
        if kind is not None and kind != "float32":
            params["dtype"] = kind
        self._from[value.name] = (self._insert("input", params, value.name), None)

    def _add(self, node: Any) -> None:
        if node.op_type == "Constant":
            self._keep_constant(node)
            return
        if node.op_type == "Add" and self._is_bias(node):
            return
        operator = self._operator(node)
        try:
            kind, params = layer_of(operator)
        except NoLayer as reason:
            kind, params = node.op_type, {}
            self._no_layer[f"{node.op_type}: {reason}"] += 1
        made = self._insert(kind, params, _short(node.name) or node.op_type)
        for name in operator.data:
            self._wire(name, made)
        for name in node.output:
            self._from[name] = (made, None)

    def _keep_constant(self, node: Any) -> None:
        from onnx import numpy_helper

        for attribute in node.attribute:
            if attribute.name == "value":
                array = numpy_helper.to_array(attribute.t)
                self._weights[node.output[0]] = tuple(array.shape)
                if array.size <= _SMALL:
                    self._constants[node.output[0]] = [float(v) for v in array.reshape(-1)]

    def _is_bias(self, node: Any) -> bool:
        """Whether an addition only adds the bias of the matrix product before it; then it becomes its bias."""
        for data, bias in (tuple(node.input), tuple(node.input)[::-1]):
            if data not in self._from or len(self._weights.get(bias, ())) != 1:
                continue
            before = self._made.node(self._from[data][0])
            fits = before.params.get("outFeatures") == self._weights[bias][0]
            if before.type == "linear" and before.params.get("bias") is False and fits:
                self._made.replace_node(before.with_params(bias=True))
                self._from[node.output[0]] = self._from[data]
                return True
        return False

    def _operator(self, node: Any) -> Operator:
        from onnx import helper

        attributes = {a.name: _plain(helper.get_attribute_value(a)) for a in node.attribute}
        return Operator(node.op_type, node.name, tuple(node.input), tuple(node.output), attributes,
                        self._weights, self._constants, self._shapes)  # fmt: skip

    def _insert(self, kind: str, params: dict[str, Any], name: str) -> str:
        node_id = f"n{len(self._made)}"
        self._made.insert_node(Node(node_id, kind, self._made.unique_name(name), params))
        return node_id

    def _wire(self, tensor: str, target: str) -> None:
        if tensor in self._from:
            source, port = self._from[tensor]
            wire_id = f"c{len(self._made.connection_ids)}"
            self._made.insert_connection(Connection(wire_id, source, target, port))


def _small_constants(tensors: Sequence[Any]) -> Iterator[tuple[str, list[float]]]:
    from onnx import TensorProto, numpy_helper

    for tensor in tensors:
        size = 1
        for d in tensor.dims:
            size *= int(d)
        if size <= _SMALL and tensor.data_location != TensorProto.EXTERNAL:
            yield tensor.name, [float(v) for v in numpy_helper.to_array(tensor).reshape(-1)]


def _shapes(values: Sequence[Any]) -> Iterator[tuple[str, Shape]]:
    for value in values:
        if value.type.tensor_type.HasField("shape"):
            sizes = value.type.tensor_type.shape.dim
            yield value.name, tuple(d.dim_value if d.HasField("dim_value") and d.dim_value > 0 else None for d in sizes)


_DTYPES = {1: "float32", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64", 16: "bfloat16"}
"""Names of ONNX's element types [TensorProto.DataType]."""


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return list(value) if not isinstance(value, int | float | str) and hasattr(value, "__iter__") else value


def _short(name: str) -> str:
    """The last telling part of a path: `conv1` for `/features/conv1/Conv`."""
    parts = [part for part in name.split("/") if part]
    return parts[-2] if len(parts) > 1 else parts[0] if parts else ""
