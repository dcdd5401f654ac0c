"""What a model takes and gives is told as plain data."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

from archstudio.graph import Graph, read_graph, to_document
from archstudio.torchcode.build import build
from archstudio.torchcode.folder import write_model
from archstudio.torchcode.program import GraphHasErrors
from archstudio.torchcode.specs import io_specs
from archstudio.training import description
from archstudio.verify import check


def test_an_image_classifier_takes_images_and_gives_scores(cnn: Graph) -> None:
    inputs, outputs = io_specs(cnn, check(cnn))
    assert [dataclasses.astuple(s) for s in inputs] == [("image", (2, 3, 16, 16), "float32", None, 0)]
    assert [dataclasses.astuple(s) for s in outputs] == [((2, 10), "float32", 0)]


def test_indices_go_no_further_than_the_smallest_table(graph: Any) -> None:
    net = graph(
        {
            "tokens": ("input", {"shape": [2, 5]}),
            "wide": ("embedding", {"numEmbeddings": 100, "embeddingDim": 4}),
            "turned": ("permute", {"dims": [1, 0]}),
            "narrow": ("embedding", {"numEmbeddings": 7, "embeddingDim": 4}),
        },
        *("tokens -> wide", "tokens -> turned", "turned -> narrow"),
    )
    inputs, outputs = io_specs(net, check(net))
    assert (inputs[0].dtype, inputs[0].max_index) == ("int64", 6)
    assert [o.batch_axis for o in outputs] == [0, 1]


def test_an_input_without_a_batch_has_no_batch_axis(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [6, 4], "batchAxis": None}), "fc": ("linear", {"outFeatures": 3})})
    inputs, outputs = io_specs(net, check(net))
    assert (inputs[0].batch_axis, outputs[0].batch_axis) == (None, None)


def test_a_batch_that_is_folded_into_another_axis_is_no_batch_axis(graph: Any) -> None:
    net = graph({"x": ("input", {"shape": [6, 4, 3]}), "flat": ("flatten", {"startDim": 0, "endDim": 1})})
    assert io_specs(net, check(net))[1][0].batch_axis is None


def test_training_reads_the_same_fields() -> None:
    from archstudio.torchcode import specs

    for ours, theirs in ((specs.InputSpec, description.InputSpec), (specs.OutputSpec, description.OutputSpec)):
        assert {f.name for f in dataclasses.fields(ours)} == {f.name for f in dataclasses.fields(theirs)}


def test_a_model_folder_holds_the_file_and_the_graph(cnn: Graph, tmp_path: Path) -> None:
    write_model(tmp_path / "new", cnn, check(cnn))
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["graph.arch.json", "model.py"]
    assert to_document(read_graph(tmp_path / "new" / "graph.arch.json")) == to_document(cnn)
    names: dict[str, Any] = {}
    exec((tmp_path / "new" / "model.py").read_text(), names)
    assert names["build_model"]()(torch.randn(1, 3, 16, 16)).shape == (1, 10)


def test_a_wrong_graph_leaves_no_folder(graph: Any, tmp_path: Path) -> None:
    net = graph({"x": ("input", {"shape": [2, 4]}), "fc": ("linear", {"inFeatures": 5, "outFeatures": 3})})
    with pytest.raises(GraphHasErrors):
        write_model(tmp_path / "new", net, check(net))
    assert not (tmp_path / "new").exists()


def test_a_built_model_is_ready_to_train(cnn: Graph) -> None:
    assert build(cnn, check(cnn)).training
