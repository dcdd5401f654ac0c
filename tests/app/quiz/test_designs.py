"""Graphs of the canvas as candidates: what fits, what is run, and where it is kept."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from made_packs import _drawn as drawn
from made_packs import pretended_set

from archstudio.app.document import Document
from archstudio.app.quiz.designs import CannotUse, Field, design_of, open_field, save_design
from archstudio.app.quiz.workbench import Workbench
from archstudio.graph import Connection, Graph, Node
from archstudio.intuition.design import DesignCandidate
from archstudio.intuition.truth.program import joined
from archstudio.intuition.truth.sets import open_set

PATIENCE_SECONDS = 180.0


def graph(*layers: tuple[str, dict[str, object]], shape: list[int], dtype: str | None = None) -> Document:
    made = Graph("my net")
    first = {"shape": shape, **({"dtype": dtype} if dtype else {})}
    chain = [("input", first), *layers, ("output", {})]
    for k, (kind, params) in enumerate(chain):
        made.insert_node(Node(f"n{k}", kind, f"{kind}{k}", params))
    for k in range(len(chain) - 1):
        made.insert_connection(Connection(f"c{k}", f"n{k}", f"n{k + 1}"))
    return Document(made)


def regression(inputs: int = 1, outputs: int = 1) -> Document:
    layers = [("linear", {"inFeatures": inputs, "outFeatures": 16}), ("gelu", {}),
              ("linear", {"inFeatures": 16, "outFeatures": outputs})]  # fmt: skip
    return graph(*layers, shape=[1, inputs])


def test_a_graph_that_fits_gives_its_program_and_its_size() -> None:
    dataset, _ = drawn("univariate_regression", 3)
    design = design_of(regression(), dataset)
    assert "class Model" in design.source
    assert design.parameters == 16 + 16 + 16 + 1


def test_a_language_model_fits_tokens() -> None:
    dataset, _ = drawn("bigram_lm", 3)
    layers = [("embedding", {"numEmbeddings": 32, "embeddingDim": 8}), ("linear", {"inFeatures": 8, "outFeatures": 32})]
    assert design_of(graph(*layers, shape=[1, 16]), dataset).parameters == 32 * 8 + 8 * 32 + 32


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (regression(inputs=3), "takes 1×3; the data set .* needs B×1"),
        (regression(outputs=4), "gives 1×4; the data set .* needs B×1"),
        (graph(("linear", {"inFeatures": 9, "outFeatures": 1}), shape=[1, 1]), "Mend them first"),
    ],
    ids=["inputs", "outputs", "broken"],
)
def test_a_graph_that_does_not_fit_is_refused_with_both_shapes(document: Document, words: str) -> None:
    dataset, _ = drawn("univariate_regression", 3)
    with pytest.raises(CannotUse, match=words):
        design_of(document, dataset)


def test_a_design_runs_its_own_model_with_everything_else_of_its_carrier() -> None:
    dataset, specs = drawn("univariate_regression", 3)
    what = DesignCandidate(design_of(regression(), dataset), specs[0])
    run = what.describe(dataset, "0" * 64, (0, 1))
    assert run.model.source == joined(what.files())
    assert run.lr == specs[0].optimizer.lr
    assert what.id.startswith("d_")
    other = DesignCandidate(design_of(regression(), dataset), specs[1])
    assert other.id != what.id


@pytest.fixture
def field(tmp_path: Path) -> Field:
    return open_field(pretended_set(tmp_path))


def test_a_field_is_best_first_and_says_the_rank_of_a_mean(field: Field) -> None:
    assert [one.summary.mean for one in field.usable] == [1e-12, 100.0, 200.0]
    assert list(field.seeds) == [0]
    assert [field.rank(mean) for mean in (0.0, 1.0, 150.0, 999.0)] == [1, 2, 3, 4]


def test_a_design_is_trained_like_the_set_and_kept_beside_it_without_becoming_part_of_it(
    field: Field, tmp_path: Path
) -> None:
    document = regression()
    what = DesignCandidate(design_of(document, field.dataset.spec), field.usable[0].spec)
    bench = Workbench(root=tmp_path / "runs", scratch=tmp_path / "scratch", workers=1)
    try:
        bench.take("set", field.dataset.spec, field.dataset.folder)
        trial = bench.start(what, document.title, field.seeds)
        until = time.monotonic() + PATIENCE_SECONDS
        while bench.busy and time.monotonic() < until:
            bench.poll()
            time.sleep(0.05)
        assert trial.message == ""
        assert trial.mean is not None
        assert field.rank(trial.mean) == 2
        folder = save_design(field, what, document, trial)
    finally:
        bench.close()
    kept = json.loads((folder / "design.json").read_text("utf-8"))
    assert kept["parameters"] == 49
    assert {one.name for one in folder.iterdir()} == {
        "design.json", "graph.arch.json", "model.py", "optimizer.py", "loss.py", "train.py", "results",
    }  # fmt: skip
    assert len(open_set(field.of.folder).candidates) == 3
