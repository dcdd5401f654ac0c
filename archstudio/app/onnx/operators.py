"""Which layer an ONNX operator is, and with which parameters [onnx.ai/onnx/operators]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from archstudio.app.onnx.tensors import NoLayer, Operator
from archstudio.app.words import said

Made: TypeAlias = tuple[str, dict[str, Any]]
"""The layer's type and parameters."""


def layer_of(operator: Operator) -> Made:
    """The layer that an operator is; NoLayer if there is none."""
    made = _TABLE.get(operator.op)
    if made is None:
        raise NoLayer(said("no layer does this"))
    return made if isinstance(made, tuple) else made(operator)


def _convolution(operator: Operator) -> Made:
    out, per_group, *kernel = operator.weight(1)
    groups = int(operator.attributes.get("group", 1))
    params: dict[str, Any] = {"inChannels": per_group * groups, "outChannels": out, **_window(operator, kernel)}
    params |= {"groups": groups} if groups > 1 else {}
    return f"conv{len(kernel)}d", params | _bias(operator, 2)


def _transposed(operator: Operator) -> Made:
    into, per_group, *kernel = operator.weight(1)
    groups = int(operator.attributes.get("group", 1))
    params: dict[str, Any] = {"inChannels": into, "outChannels": per_group * groups, **_window(operator, kernel)}
    extra = operator.attributes.get("output_padding")
    params |= {"outputPadding": _even(extra)} if extra and any(extra) else {}
    params |= {"groups": groups} if groups > 1 else {}
    return f"convTranspose{len(kernel)}d", params | _bias(operator, 2)


def _window(operator: Operator, kernel: list[int], *, dilation: bool = True) -> dict[str, Any]:
    """Kernel, stride, padding and dilation, each written only where it is not the usual one."""
    attributes, axes = operator.attributes, len(kernel)
    found: dict[str, Any] = {"kernelSize": _even(kernel)}
    strides, dilations = attributes.get("strides", [1] * axes), attributes.get("dilations", [1] * axes)
    found |= {"stride": _even(strides)} if strides != [1] * axes else {}
    found |= {"dilation": _even(dilations)} if dilation and dilations != [1] * axes else {}
    found |= _padding(operator, axes)
    return found


def _padding(operator: Operator, axes: int) -> dict[str, Any]:
    mode, pads = operator.attributes.get("auto_pad", "NOTSET"), operator.attributes.get("pads", [0] * 2 * axes)
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        return {"padding": "same"}
    if pads[:axes] != pads[axes:]:
        raise NoLayer(said("it pads more on one side than on the other"))
    return {"padding": _even(pads[:axes])} if any(pads) else {}


def _even(values: list[int]) -> int | list[int]:
    """One number for equal ones."""
    return int(values[0]) if len(set(values)) == 1 else [int(v) for v in values]


def _bias(operator: Operator, k: int) -> dict[str, Any]:
    return {} if operator.has(k) else {"bias": False}


def _pool(kind: str) -> Callable[[Operator], Made]:
    def make(operator: Operator) -> Made:
        kernel = list(operator.attributes["kernel_shape"])
        params = _window(operator, kernel, dilation=kind == "maxPool")
        params.setdefault("stride", 1)  # ours steps by the kernel where nothing is said
        params |= {"ceilMode": True} if operator.attributes.get("ceil_mode") else {}
        if kind == "avgPool" and "padding" in params and not operator.attributes.get("count_include_pad"):
            params["countIncludePad"] = False
        return f"{kind}{len(kernel)}d", params

    return make


def _global_pool(kind: str) -> Callable[[Operator], Made]:
    return lambda operator: (f"{kind}{operator.rank() - 2}d", {"keepDims": True})


def _linear(operator: Operator) -> Made:
    """A matrix product with a constant: Gemm as nn.Linear exports it, or MatMul."""
    rows, columns = _matrix(operator)
    if operator.op == "Gemm":
        if operator.attributes.get("transA") or operator.attributes.get("alpha", 1.0) != 1.0:
            raise NoLayer(said("it is scaled or transposes its input"))
        if operator.attributes.get("transB"):
            rows, columns = columns, rows
    return "linear", {"inFeatures": rows, "outFeatures": columns, **_bias(operator, 2)}


def _matrix(operator: Operator) -> tuple[int, int]:
    shape = operator.weight(1)
    if len(shape) != 2:
        raise NoLayer(said("its weights are no matrix"))
    return shape[0], shape[1]


def _product(operator: Operator) -> Made:
    return ("matmul", {}) if len(operator.data) == 2 else _linear(operator)


def _batch_norm(operator: Operator) -> Made:
    rank = operator.rank()
    axes = {2: 1, 3: 1, 4: 2, 5: 3}.get(rank)
    if axes is None:
        raise NoLayer(said("there is no such normalisation for this many axes"))
    return f"batchNorm{axes}d", {"numFeatures": operator.weight(1)[0], **_epsilon(operator)}


def _layer_norm(operator: Operator) -> Made:
    return "layerNorm", {"normalizedShape": list(operator.weight(1)), **_epsilon(operator)}


def _epsilon(operator: Operator) -> dict[str, Any]:
    eps = round(float(operator.attributes.get("epsilon", 1e-5)), 12)
    return {} if eps == 1e-5 else {"eps": eps}


def _merge(kind: str) -> Callable[[Operator], Made]:
    def make(operator: Operator) -> Made:
        if len(operator.data) < 2:
            raise NoLayer(said("one of its sides is a constant"))
        return kind, {}

    return make


def _axis(kind: str, otherwise: int) -> Callable[[Operator], Made]:
    return lambda operator: (kind, {"dim": int(operator.attributes.get("axis", otherwise))})


def _flatten(operator: Operator) -> Made:
    axis = int(operator.attributes.get("axis", 1))
    if axis != 1:
        raise NoLayer(said("it flattens the batch as well"))
    return "flatten", {}


def _reshape(operator: Operator) -> Made:
    shape = operator.numbers(1, "shape") or []
    if len(shape) == 2 and shape[1] == -1 and shape[0] in (0, 1):
        return "flatten", {}
    before = operator.shapes.get(operator.inputs[0], ())
    sizes = [_copied(k, size, before) for k, size in enumerate(shape)]
    return "reshape", {"shape": sizes}


def _copied(k: int, size: int, before: tuple[int | None, ...]) -> int:
    if size != 0:
        return size
    known = before[k] if k < len(before) else None
    if known is None:
        raise NoLayer(said("the model does not tell the shape of its input"))
    return known


def _permute(operator: Operator) -> Made:
    order = operator.attributes.get("perm") or list(range(operator.rank()))[::-1]
    return "permute", {"dims": [int(v) for v in order]}


def _axes(kind: str) -> Callable[[Operator], Made]:
    def make(operator: Operator) -> Made:
        axes = operator.numbers(1, "axes")
        if axes is None or (kind == "unsqueeze" and len(axes) != 1):
            raise NoLayer(said("it takes several axes at once"))
        return kind, {"dim": axes[0] if kind == "unsqueeze" else axes}

    return make


def _reduce(kind: str) -> Callable[[Operator], Made]:
    def make(operator: Operator) -> Made:
        axes = operator.numbers(1, "axes")
        if axes is None:
            raise NoLayer(said("it reduces every axis"))
        return kind, {"dim": axes, "keepdim": bool(operator.attributes.get("keepdims", 1))}

    return make


def _gather(operator: Operator) -> Made:
    if operator.inputs[0] not in operator.weights or operator.attributes.get("axis", 0) != 0:
        raise NoLayer(said("it picks from what is computed"))
    rows, width = operator.weight(0)[0], operator.weight(0)[1:]
    if len(width) != 1:
        raise NoLayer(said("its table is no matrix"))
    return "embedding", {"numEmbeddings": rows, "embeddingDim": width[0]}


def _clip(operator: Operator) -> Made:
    low, high = operator.number(1, "min"), operator.number(2, "max")
    if (low, high) == (0.0, 6.0):
        return "relu6", {}
    return "clamp", {key: value for key, value in (("min", low), ("max", high)) if value is not None}


def _dropout(operator: Operator) -> Made:
    ratio = operator.number(1, "ratio")
    return "dropout", {"p": 0.5 if ratio is None else round(ratio, 6)}


def _gelu(operator: Operator) -> Made:
    how = operator.attributes.get("approximate", "none")
    return "gelu", {} if how == "none" else {"approximate": how}


_TABLE: Mapping[str, Made | Callable[[Operator], Made]] = {
    "Conv": _convolution, "ConvTranspose": _transposed, "Gemm": _linear, "MatMul": _product,
    "BatchNormalization": _batch_norm, "LayerNormalization": _layer_norm,
    "MaxPool": _pool("maxPool"), "AveragePool": _pool("avgPool"),
    "GlobalAveragePool": _global_pool("globalAvgPool"), "GlobalMaxPool": _global_pool("globalMaxPool"),
    "Relu": ("relu", {}), "Sigmoid": ("sigmoid", {}), "Tanh": ("tanh", {}), "Softplus": ("softplus", {}),
    "Softsign": ("softsign", {}), "Selu": ("selu", {}), "HardSwish": ("hardSwish", {}), "Mish": ("mish", {}),
    "LeakyRelu": lambda o: ("leakyRelu", {"negativeSlope": round(float(o.attributes.get("alpha", 0.01)), 9)}),
    "Elu": lambda o: ("elu", {"alpha": round(float(o.attributes.get("alpha", 1.0)), 9)}),
    "Gelu": _gelu, "Clip": _clip, "Dropout": _dropout, "Identity": ("identity", {}),
    "Softmax": _axis("softmax", -1), "LogSoftmax": _axis("logSoftmax", -1), "Concat": _axis("concatenate", -1),
    "Add": _merge("add"), "Sum": _merge("add"), "Mul": _merge("multiply"), "Sub": _merge("subtract"),
    "Div": _merge("divide"), "Flatten": _flatten, "Reshape": _reshape, "Transpose": _permute,
    "Squeeze": _axes("squeeze"), "Unsqueeze": _axes("unsqueeze"),
    "ReduceMean": _reduce("mean"), "ReduceSum": _reduce("sum"), "Gather": _gather,
}  # fmt: skip
