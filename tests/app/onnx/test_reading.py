"""ONNX models become graphs that run: operators by their layers, sizes from the weights; the rest is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.onnx.reading import read_onnx
from archstudio.app.opening import open_graph
from archstudio.files.unusable import UnusableFile

onnx = pytest.importorskip("onnx")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402


class Sketch:
    """A model drawn operator by operator; every result is called after its operator's number."""

    def __init__(self, *shape: int | str, kind: int = TensorProto.FLOAT) -> None:
        self.inputs = [helper.make_tensor_value_info("x", kind, list(shape))]
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        self.last = "x"

    def weight(self, *shape: int, values: list[float] | None = None) -> str:
        import numpy as np

        name = f"w{len(self.weights)}"
        kind = np.int64 if values is not None and all(isinstance(v, int) for v in values) else np.float32
        array = np.zeros(shape, np.float32) if values is None else np.array(values, kind)
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def add(self, op: str, *more: str, on: str | None = None, **attributes: Any) -> str:
        out = f"t{len(self.nodes)}"
        inputs = [self.last if on is None else on, *more]
        self.nodes.append(helper.make_node(op, inputs, [out], name=f"/{op.lower()}{len(self.nodes)}", **attributes))
        self.last = out
        return out

    def save(self, folder: Path) -> Path:
        out = helper.make_tensor_value_info(self.last, TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "main_graph", self.inputs, [out], self.weights)
        path = folder / "net.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), str(path))
        return path


def opened(sketch: Sketch, folder: Path) -> tuple[Document, tuple[str, ...]]:
    graph, notes = read_onnx(sketch.save(folder))
    return Document(graph), notes


def types(document: Document) -> list[str]:
    return [n.type for n in document.graph.nodes]


def test_an_image_classifier_runs_and_has_its_parameters(tmp_path: Path) -> None:
    net = Sketch("batch", 3, 32, 32)
    net.add("Conv", net.weight(16, 3, 3, 3), net.weight(16), kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    net.add("BatchNormalization", *(net.weight(16) for _ in range(4)))
    net.add("Relu")
    net.add("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    net.add("Conv", net.weight(32, 4, 3, 3), kernel_shape=[3, 3], group=4, strides=[2, 2])
    net.add("Clip", net.weight(values=[0.0]), net.weight(values=[6.0]))
    net.add("GlobalAveragePool")
    net.add("Flatten", axis=1)
    net.add("Gemm", net.weight(10, 32), net.weight(10), transB=1)
    net.add("Softmax", axis=1)
    document, notes = opened(net, tmp_path)
    assert types(document) == [
        "input", "conv2d", "batchNorm2d", "relu", "maxPool2d", "conv2d", "relu6", "globalAvgPool2d", "flatten",
        "linear", "softmax", "output",
    ]  # fmt: skip
    verdict = document.verdict
    assert verdict.problems == () or all(p.severity.name == "ADVICE" for p in verdict.problems)
    weights = 16 * 27 + 16 + 2 * 16 + 32 * 4 * 9 + 32 * 10 + 10
    assert verdict.parameters == weights
    assert notes == ("weights are not taken over",)
    assert document.graph.named("conv4").params == {
        "inChannels": 16, "outChannels": 32, "kernelSize": 3, "stride": 2, "groups": 4, "bias": False,
    }  # fmt: skip


def test_a_matrix_product_and_the_addition_behind_it_are_one_linear_layer(tmp_path: Path) -> None:
    net = Sketch(1, 8)
    net.add("MatMul", net.weight(8, 4))
    net.add("Add", net.weight(4))
    net.add("Tanh")
    document, _ = opened(net, tmp_path)
    assert types(document) == ["input", "linear", "tanh", "output"]
    assert document.verdict.parameters == 8 * 4 + 4


def test_a_residual_block_keeps_both_ways(tmp_path: Path) -> None:
    net = Sketch(1, 8, 4, 4)
    net.add("Conv", net.weight(8, 8, 3, 3), kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    net.add("Add", "x")
    document, _ = opened(net, tmp_path)
    total = document.graph.named("add1")
    assert [document.graph.node(c.source).type for c in document.graph.incoming(total.id)] == ["conv2d", "input"]
    assert document.verdict.runs


def test_tokens_an_embedding_and_a_normalisation(tmp_path: Path) -> None:
    net = Sketch("batch", "time", kind=TensorProto.INT64)
    table = net.weight(100, 16)
    net.add("Gather", "x", on=table)
    net.add("LayerNormalization", net.weight(16), net.weight(16), axis=-1, epsilon=1e-6)
    net.add("Transpose", perm=[0, 2, 1])
    net.add("ReduceMean", axes=[2], keepdims=0)
    document, notes = opened(net, tmp_path)
    assert types(document) == ["input", "embedding", "layerNorm", "permute", "mean", "output"]
    assert document.graph.named("layernormalization1").params == {"normalizedShape": [16], "eps": 1e-06}
    assert document.verdict.runs
    assert "an open size of x is taken as 1" in notes


def test_reshapes_by_constants_are_taken_over(tmp_path: Path) -> None:
    net = Sketch(2, 3, 4)
    net.add("Reshape", net.weight(2, values=[0, -1]))
    net.add("Reshape", net.weight(3, values=[0, 4, 3]))
    document, _ = opened(net, tmp_path)
    assert types(document)[1:3] == ["flatten", "reshape"]
    assert document.graph.named("reshape1").params == {"shape": [2, 4, 3]}
    assert document.verdict.runs


def test_what_no_layer_does_stands_there_under_its_name_and_is_told(tmp_path: Path) -> None:
    net = Sketch(1, 8)
    net.add("Erf")
    net.add("Mul", net.weight(values=[0.5]))
    net.add("Relu")
    document, notes = opened(net, tmp_path)
    assert types(document) == ["input", "Erf", "Mul", "relu", "output"]
    assert not document.verdict.runs
    assert notes[-1] == "2 operators without a layer here: Erf: no layer does this, Mul: one of its sides is a constant"


def test_uneven_padding_is_told_not_guessed(tmp_path: Path) -> None:
    net = Sketch(1, 3, 8, 8)
    net.add("Conv", net.weight(4, 3, 3, 3), kernel_shape=[3, 3], pads=[0, 0, 1, 1])
    _, notes = opened(net, tmp_path)
    assert "pads more on one side" in notes[-1]


def test_a_model_opens_untitled_and_unsaved(tmp_path: Path) -> None:
    net = Sketch(1, 8)
    net.add("Relu")
    document = Application().open_file(net.save(tmp_path))
    assert (document.title, document.path, document.modified) == ("net", None, True)
    assert open_graph(tmp_path / "net.onnx").own_file is False


@pytest.mark.parametrize("content", [b"", b"hello, this is no model", b"\xff" * 40])
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.onnx"
    path.write_bytes(content)
    with pytest.raises(UnusableFile, match="ONNX model"):
        read_onnx(path)


def test_without_the_reader_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "onnx", None)
    (tmp_path / "a.onnx").write_bytes(b"")
    with pytest.raises(UnusableFile, match=r"archstudio\[export\]"):
        read_onnx(tmp_path / "a.onnx")
