"""Other ways to learn the shapes in a graph, so that ours is timed beside them in one run.

Each peer answers four questions about a graph: `full` (from nothing), `keep` (again after an edit that keeps the
shape), `broken` (again after an edit in the middle that breaks it) and `dirty` (again, nothing edited).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from archstudio.graph import Graph, Node
from archstudio.torchcode.source import source_of
from archstudio.torchcode.specs import io_specs
from archstudio.verify import Verdict, check

WRONG_SIZE = 7
"""A size that fits nowhere in these graphs."""


def middle_layer(graph: Graph) -> Node:
    """The layer with an input size in the middle of the graph: the one that edits change."""
    sized = [n for n in graph.nodes if n.type in ("linear", "conv2d")]
    return sized[len(sized) // 2]


class OnMeta:
    """The generated module, constructed and run on the meta device."""

    name = "meta"
    misses = False

    def __init__(self, graph: Graph) -> None:
        self._verdict = check(graph)
        self._middle = middle_layer(graph)
        names: dict[str, Any] = {"__name__": "model"}
        exec(compile(source_of(graph, self._verdict), "model.py", "exec"), names)
        self._build: Callable[[], Any] = names["build_model"]
        self._specs = io_specs(graph, self._verdict)[0]
        with self._device():
            self._model, self._inputs = self._build(), self._arguments()

    def _device(self) -> Any:
        import torch

        return torch.device("meta")

    def _arguments(self) -> list[Any]:
        import torch

        dtypes = {"float32": torch.float32, "int64": torch.int64}
        return [torch.zeros(spec.shape, dtype=dtypes[spec.dtype]) for spec in self._specs]

    def _ask(self, model: Any) -> None:
        with self._device():
            model(*self._inputs)

    def full(self) -> None:
        """Construct every module and run."""
        with self._device():
            self._model = self._build()
        self._ask(self._model)

    def dirty(self) -> None:
        """Run what is there."""
        self._ask(self._model)

    def keep(self) -> None:
        """Construct the edited module anew and run."""
        self._put(wrong=False)
        self._ask(self._model)

    def broken(self) -> None:
        """Construct the edited module with a wrong size and run until it raises."""
        self._put(wrong=True)
        try:
            self._ask(self._model)
        except (RuntimeError, ValueError):
            return
        finally:
            self._put(wrong=False)
        raise AssertionError("the broken model ran")

    def _put(self, *, wrong: bool) -> None:
        import torch

        node, params = self._middle, self._middle.params
        with self._device():
            if node.type == "linear":
                made: Any = torch.nn.Linear(WRONG_SIZE if wrong else params["inFeatures"], params["outFeatures"])
            else:
                channels = WRONG_SIZE if wrong else params["inChannels"]
                sizes = {"stride": params.get("stride", 1), "padding": params.get("padding", 0)}
                made = torch.nn.Conv2d(channels, params["outChannels"], params["kernelSize"], **sizes)
        if node.name not in dict(self._model.named_children()):
            raise AssertionError(f"the generated module has no {node.name!r}")
        setattr(self._model, node.name, made)


class WithFakeTensors(OnMeta):
    """The same module under FakeTensorMode, which also checks devices and many real kernels' conditions."""

    name = "fake"

    def __init__(self, graph: Graph) -> None:
        import logging

        from torch._subclasses.fake_tensor import FakeTensorMode

        logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)  # it logs what it then raises
        self._mode = FakeTensorMode()
        super().__init__(graph)

    def _device(self) -> Any:
        return self._mode


class WithTorchinfo(OnMeta):
    """torchinfo's summary of the module on the meta device."""

    name = "torchinfo"

    def _ask(self, model: Any) -> None:
        from torchinfo import summary

        summary(model, input_data=self._inputs, device="meta", verbose=0)


class WithOnnx:
    """onnx.shape_inference over a model made of the same operations; `full` includes building it."""

    name = "onnx"
    misses = False
    """Whether a broken model was accepted."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._verdict = graph, check(graph)
        self._middle = middle_layer(graph)
        self._model = self._build()

    def _build(self) -> Any:
        return OnnxWriter(self._graph, self._verdict).model()

    def _ask(self) -> None:
        from onnx import shape_inference

        shape_inference.infer_shapes(self._model, check_type=True, strict_mode=True, data_prop=True)

    def full(self) -> None:
        """Build and infer."""
        self._model = self._build()
        self._ask()

    def dirty(self) -> None:
        """Infer again."""
        self._ask()

    keep = dirty

    def broken(self) -> None:
        """Give the middle layer's weight a wrong size and infer; channels of convolutions it does not check."""
        name = f"{self._middle.id}.weight"
        weight = next(value for value in self._model.graph.input if value.name == name)
        size = weight.type.tensor_type.shape.dim[0 if self._middle.type == "linear" else 1]
        right, size.dim_value = size.dim_value, WRONG_SIZE
        try:
            self._ask()
        except Exception as refusal:
            if "nference" not in str(refusal):
                raise
        else:
            self.misses = True
        finally:
            size.dim_value = right


class OnnxWriter:
    """Writes the few layer types of these graphs as ONNX operations, weights as inputs without numbers."""

    def __init__(self, graph: Graph, verdict: Verdict) -> None:
        self._graph, self._verdict = graph, verdict
        self._nodes: list[Any] = []
        self._inputs: list[Any] = []
        self._constants: list[Any] = []
        self._outputs: list[Any] = []

    def model(self) -> Any:
        """The whole model."""
        from onnx import helper

        for node_id in self._verdict.order:
            self._write(self._graph.node(node_id))
        graph = helper.make_graph(self._nodes, "graph", self._inputs, self._outputs, self._constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)

    def _write(self, node: Node) -> None:
        sources = [wire.source for wire in self._graph.incoming(node.id)]
        getattr(self, f"_{node.type}")(node, sources)

    def _op(self, op: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(op, inputs, [output], **attributes))
        return output

    def _given(self, name: str, shape: list[int], *, integer: bool = False) -> str:
        from onnx import TensorProto, helper

        kind = TensorProto.INT64 if integer else TensorProto.FLOAT
        self._inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def _input(self, node: Node, sources: list[str]) -> None:
        self._given(node.id, list(node.params["shape"]), integer=node.params.get("dtype") == "int64")

    def _output(self, node: Node, sources: list[str]) -> None:
        from onnx import TensorProto, helper

        self._op("Identity", sources, node.id)
        self._outputs.append(helper.make_tensor_value_info(node.id, TensorProto.FLOAT, None))

    def _linear(self, node: Node, sources: list[str]) -> None:
        sizes = [node.params["inFeatures"], node.params["outFeatures"]]
        product = self._op("MatMul", [*sources, self._given(f"{node.id}.weight", sizes)], f"{node.id}.product")
        self._op("Add", [product, self._given(f"{node.id}.bias", sizes[1:])], node.id)

    def _conv2d(self, node: Node, sources: list[str]) -> None:
        p, kernel = node.params, [node.params["kernelSize"]] * 2
        weight = self._given(f"{node.id}.weight", [p["outChannels"], p["inChannels"], *kernel])
        pads, strides = [p.get("padding", 0)] * 4, [p.get("stride", 1)] * 2
        self._op("Conv", [*sources, weight], node.id, kernel_shape=kernel, pads=pads, strides=strides)

    def _batchNorm2d(self, node: Node, sources: list[str]) -> None:
        size = [self._verdict.nodes[node.id].value.shape[1]]  # type: ignore[union-attr]
        parts = [self._given(f"{node.id}.{part}", size) for part in ("scale", "bias", "mean", "variance")]
        self._op("BatchNormalization", [*sources, *parts], node.id)

    def _layerNorm(self, node: Node, sources: list[str]) -> None:
        width = [node.params["normalizedShape"]]
        parts = [self._given(f"{node.id}.{part}", width) for part in ("scale", "bias")]
        self._op("LayerNormalization", [*sources, *parts], node.id)

    def _embedding(self, node: Node, sources: list[str]) -> None:
        table = self._given(f"{node.id}.weight", [node.params["numEmbeddings"], node.params["embeddingDim"]])
        self._op("Gather", [table, *sources], node.id)

    def _relu(self, node: Node, sources: list[str]) -> None:
        self._op("Relu", sources, node.id)

    def _gelu(self, node: Node, sources: list[str]) -> None:
        self._op("Gelu", sources, node.id)

    def _add(self, node: Node, sources: list[str]) -> None:
        self._op("Add", sources, node.id)

    def _flatten(self, node: Node, sources: list[str]) -> None:
        self._op("Flatten", sources, node.id)

    def _maxPool2d(self, node: Node, sources: list[str]) -> None:
        kernel = [node.params["kernelSize"]] * 2
        strides = [node.params.get("stride", kernel[0])] * 2
        pads = [node.params.get("padding", 0)] * 4
        self._op("MaxPool", sources, node.id, kernel_shape=kernel, strides=strides, pads=pads)

    def _globalAvgPool2d(self, node: Node, sources: list[str]) -> None:
        self._op("Flatten", [self._op("GlobalAveragePool", sources, f"{node.id}.pooled")], node.id)

    def _reshape(self, node: Node, sources: list[str]) -> None:
        from onnx import TensorProto, helper

        sizes = list(node.params["shape"])
        self._constants.append(helper.make_tensor(f"{node.id}.shape", TensorProto.INT64, [len(sizes)], sizes))
        self._op("Reshape", [*sources, f"{node.id}.shape"], node.id)

    def _transpose(self, node: Node, sources: list[str]) -> None:
        order = [0, 1, 2, 3]
        a, b = node.params["dim0"], node.params["dim1"]
        order[a], order[b] = order[b], order[a]
        self._op("Transpose", sources, node.id, perm=order)

    def _scaledDotProductAttention(self, node: Node, sources: list[str]) -> None:
        query, key, value = sources
        turned = self._op("Transpose", [key], f"{node.id}.key", perm=[0, 1, 3, 2])
        scores = self._op("MatMul", [query, turned], f"{node.id}.scores")
        weights = self._op("Softmax", [scores], f"{node.id}.weights")
        self._op("MatMul", [weights, value], node.id)


PEERS = {peer.name: peer for peer in (OnMeta, WithFakeTensors, WithTorchinfo, WithOnnx)}
"""Every peer by its name on the command line."""
