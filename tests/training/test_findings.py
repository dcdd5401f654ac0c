"""Why did it fail: what was measured at the end is told in words, with the facts and a remedy."""

import json

import pytest

from archstudio.training.description import Loss, OutputSpec, Sgd, SyntheticData
from archstudio.training.diagnosis import DIAGNOSIS_FILE, read_diagnosis
from archstudio.training.findings import findings

PATIENCE = 60.0
PLAIN = """
from torch import nn
def build_model():
    return nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 4))
"""


def told(engine, run, seed: int = 0):
    handle = engine.submit(run)
    handle.wait(PATIENCE)
    files = handle.stored.seed(seed)
    return findings(run, files.result(), read_diagnosis(files.path))


def test_a_run_that_learnt_has_nothing_against_it(engine, describe) -> None:
    (finding,) = told(engine, describe())
    assert finding.weight == "fine"
    assert "The best possible rule" in finding.facts[1]


def test_divergence_comes_with_step_value_and_cause(engine, describe) -> None:
    run = describe(
        source=PLAIN, optimiser=Sgd(), lr=1e6, losses=(Loss(kind="mse"),),
        data=SyntheticData(task="regression", train_size=256, validation_size=64),
    )  # fmt: skip
    first = told(engine, run)[0]
    assert first.kind == "divergence"
    assert first.weight == "cause"
    assert "learning rate" in " ".join(first.facts)


def test_dead_units_are_named_with_their_share(engine, describe) -> None:
    source = PLAIN.replace("return nn.Sequential", "model = nn.Sequential") + (
        "    nn.init.constant_(model[0].bias, -1000.0)\n    return model\n"
    )
    found = told(engine, describe(source=source, lr=1e-4))
    dead = next(finding for finding in found if finding.kind == "dead")
    assert dead.weight == "cause"
    assert "1: 100% of 64 units never answer." in dead.facts
    assert any(finding.kind == "gradient" and "0.weight" in finding.facts[0] for finding in found)
    assert any(finding.title.startswith("It learnt no more than") for finding in found)


def test_saturated_units_are_found(engine, describe) -> None:
    source = PLAIN.replace("nn.ReLU()", "nn.Tanh()").replace("return nn.Sequential", "model = nn.Sequential") + (
        "    nn.init.constant_(model[0].bias, 50.0)\n    return model\n"
    )
    assert any("saturated" in finding.title for finding in told(engine, describe(source=source, lr=1e-4)))


def test_a_layer_that_no_output_needs_gets_no_gradient(engine, describe) -> None:
    source = """
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.idle = nn.Linear(12, 4), nn.Linear(12, 4)

    def forward(self, x):
        return self.used(x)

def build_model():
    return Model()
"""
    found = told(engine, describe(source=source))
    assert any(
        finding.title == "Some weights get no gradient" and "idle.weight" in finding.facts[0] for finding in found
    )


@pytest.mark.parametrize(("mean", "words"), [(1000.0, "far from the usual scale"), (0.0, "the same in every sample")])
def test_data_of_an_unusual_shape_is_told(engine, describe, tmp_path, mean, words) -> None:
    import numpy as np

    from archstudio.training.description import TensorData
    from archstudio.training.sources import Split, save_dataset

    rng = np.random.default_rng(0)
    x = rng.standard_normal((64, 12), np.float32) + mean if mean else np.ones((64, 12), np.float32)
    split = Split((x,), (np.arange(64) % 4,))
    sha = save_dataset(tmp_path / "d.safetensors", split, split)
    run = describe(data=TensorData(sha256=sha))
    handle = engine.submit(run, tensors=tmp_path / "d.safetensors")
    handle.wait(PATIENCE)
    files = handle.stored.seed(0)
    assert any(words in finding.title for finding in findings(run, files.result(), read_diagnosis(files.path)))


def test_what_cuts_the_gradient_is_measured(engine, describe) -> None:
    source = PLAIN.replace("return nn.Sequential", "model = nn.Sequential") + (
        "    model[1].register_forward_hook(lambda m, i, o: o.detach())\n    return model\n"
    )
    handle = engine.submit(describe(source=source, outputs=(OutputSpec((1, 4), "float32"),)))
    assert handle.wait(PATIENCE).state == "finished"
    kept = json.loads((handle.stored.seed(0).path / DIAGNOSIS_FILE).read_text())
    assert [p["reached"] for p in kept["parameters"]] == [False, False, True, True]
