"""Single steps of training: the same ones every time, and exactly the same after an interruption."""

from pathlib import Path

import pytest
import torch

from archstudio.files.unusable import UnusableFile
from archstudio.training.checkpoint import load_checkpoint, save_checkpoint, save_model
from archstudio.training.description import (
    AdaGrad,
    Adam,
    AdamW,
    Clip,
    InputSpec,
    Loss,
    OutputSpec,
    RmsProp,
    Schedule,
    Sgd,
    SyntheticData,
    write_run_folder,
)
from archstudio.training.sources import load_dataset
from archstudio.training.trainer import Trainer, lr_at

OPTIMISERS = [
    Sgd(momentum=0.9, nesterov=True),
    Adam(amsgrad=True),
    AdamW(),
    RmsProp(momentum=0.5, centered=True),
    AdaGrad(lr_decay=0.01),
]


@pytest.fixture(autouse=True)
def _one_thread():
    torch.set_num_threads(1)


def trainer(folder: Path, description, seed: int = 0) -> Trainer:
    write_run_folder(folder, description)
    return Trainer(description, seed, load_dataset(description, folder), folder)


def losses(machine: Trainer, steps: int) -> list[float]:
    return [machine.advance()["train_loss"] for _ in range(steps)]


def weights(machine: Trainer) -> list[torch.Tensor]:
    return [tensor.clone() for tensor in machine.model.state_dict().values()]


def test_the_same_seed_gives_the_same_bits_and_another_seed_others(describe, tmp_path) -> None:
    first, again, other = (losses(trainer(tmp_path, describe(), seed), 20) for seed in (0, 0, 1))
    assert first == again != other


@pytest.mark.parametrize("optimiser", OPTIMISERS, ids=lambda o: o.kind)
def test_a_run_continued_from_a_checkpoint_equals_an_uninterrupted_one_bit_for_bit(
    describe, tmp_path, optimiser
) -> None:
    description = describe(optimiser=optimiser, schedule=Schedule(kind="cosine", warmup_samples=200), clip=Clip())
    whole = trainer(tmp_path, description)
    expected = losses(whole, 30)

    before = trainer(tmp_path, description)
    assert losses(before, 13) == expected[:13]
    save_checkpoint(tmp_path / "c.safetensors", before, {"note": 0.1})
    torch.rand(100)  # whatever happens in between
    after = trainer(tmp_path, description)
    assert load_checkpoint(tmp_path / "c.safetensors", after) == {"note": 0.1}
    assert losses(after, 17) == expected[13:]
    assert all(torch.equal(a, b) for a, b in zip(weights(after), weights(whole), strict=True))
    assert after.evaluate() == whole.evaluate()


def test_evaluating_does_not_disturb_training(describe, tmp_path) -> None:
    expected = losses(trainer(tmp_path, describe()), 5)
    measured = trainer(tmp_path, describe())
    found = []
    for _ in range(5):
        measured.evaluate()
        found += losses(measured, 1)
    assert found == expected


def test_every_sample_is_seen_once_an_epoch_and_every_batch_is_whole(describe, tmp_path) -> None:
    machine = trainer(tmp_path, describe(batch_size=48))
    rows = []
    for _ in range(16):
        batch = machine._next_indices()
        assert len(batch) == 48
        rows += batch.tolist()
        machine.step += 1
    assert sorted(rows[:256]) == sorted(rows[256:512]) == list(range(256))
    assert rows[:256] != rows[256:512]


def test_a_checkpoint_of_another_model_is_refused(describe, tmp_path) -> None:
    save_checkpoint(tmp_path / "c.safetensors", trainer(tmp_path, describe()), {})
    wider = trainer(tmp_path, describe(source=describe().model.source.replace("32", "64")))
    with pytest.raises(UnusableFile, match="does not fit"):
        load_checkpoint(tmp_path / "c.safetensors", wider)
    (tmp_path / "c.safetensors").write_bytes(b"torn")
    with pytest.raises(UnusableFile, match="does not fit"):
        load_checkpoint(tmp_path / "c.safetensors", wider)


def test_tied_weights_are_stored_once_and_stay_tied(describe, tmp_path) -> None:
    from safetensors import safe_open

    source = """
from torch import nn
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(20, 8), nn.Linear(8, 20, bias=False)
        self.head.weight = self.embed.weight
    def forward(self, ids):
        return self.head(self.embed(ids))
def build_model():
    return Tied()
"""
    description = describe(
        source=source,
        inputs=(InputSpec("ids", (1, 6), "int64", max_index=19),),
        outputs=(OutputSpec((1, 6, 20), "float32"),),
        losses=(Loss(kind="cross_entropy_per_position"),),
        data=SyntheticData(task="next_token", train_size=64, validation_size=32),
    )
    machine = trainer(tmp_path, description)
    expected = losses(machine, 6)[3:]
    half = trainer(tmp_path, description)
    losses(half, 3)
    save_checkpoint(tmp_path / "c.safetensors", half, {})
    rest = trainer(tmp_path, description)
    load_checkpoint(tmp_path / "c.safetensors", rest)
    assert losses(rest, 3) == expected
    save_model(tmp_path / "m.safetensors", rest.model, {"seed": "0"})
    with safe_open(tmp_path / "m.safetensors", framework="pt") as file:
        assert list(file.keys()) == ["embed.weight"]
        assert file.metadata() == {"archstudio": '{"aliases":{"head.weight":"embed.weight"},"seed":"0"}'}


def test_batches_go_to_the_axis_the_model_wants_them_on(describe, tmp_path) -> None:
    source = "from torch import nn\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    source += "        self.rnn, self.head = nn.GRU(6, 8), nn.Linear(8, 5)\n"
    source += (
        "    def forward(self, x):\n        assert x.shape == (7, 32, 6)\n        return self.head(self.rnn(x)[0])\n"
    )
    source += "def build_model():\n    return M()\n"
    description = describe(
        source=source,
        inputs=(InputSpec("x", (7, 1, 6), "float32", batch_axis=1),),
        outputs=(OutputSpec((7, 1, 5), "float32", batch_axis=1),),
        losses=(Loss(kind="cross_entropy_per_position"),),
        data=SyntheticData(task="tagging", train_size=256, validation_size=64, difficulty=0.0),
        lr=0.03,
    )
    machine = trainer(tmp_path, description)
    losses(machine, 60)
    assert machine.evaluate()["val_accuracy"] > 0.9


def test_a_model_without_a_batch_axis_sees_one_sample_at_a_time(describe, tmp_path) -> None:
    source = "from torch import nn\ndef build_model():\n    return nn.Linear(12, 4)\n"
    unbatched = describe(
        source=source,
        inputs=(InputSpec("x", (12,), "float32", batch_axis=None),),
        outputs=(OutputSpec((4,), "float32", batch_axis=None),),
    )
    one_by_one, together = trainer(tmp_path / "a", unbatched), trainer(tmp_path / "b", describe(source=source))
    assert losses(one_by_one, 5) == pytest.approx(losses(together, 5), rel=1e-5)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\n", "no build_model"),
        ("def build_model():\n    return 3\n", "torch.nn.Module.*int"),
        ("from torch import nn\ndef build_model():\n    return nn.ReLU()\n", "no parameter"),
    ],
)
def test_a_file_that_builds_no_model_is_refused(describe, tmp_path, source, words) -> None:
    with pytest.raises(UnusableFile, match=words):
        trainer(tmp_path, describe(source=source))


def test_the_learning_rate_warms_up_and_falls_to_its_end(describe) -> None:
    description = describe(
        schedule=Schedule(kind="cosine", warmup_samples=320, final_fraction=0.1), lr=1.0, budget_samples=3200
    )
    assert lr_at(description, 0) == pytest.approx(0.1)
    assert lr_at(description, 288) == pytest.approx(1.0)
    assert lr_at(description, 320 + 1440) == pytest.approx(0.55)
    assert lr_at(description, 3200) == pytest.approx(0.1)
    assert lr_at(describe(lr=0.5), 1000) == 0.5


def test_several_losses_are_added_with_their_weights(describe, tmp_path) -> None:
    source = "from torch import nn\nclass M(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    source += "        self.a, self.b = nn.Linear(12, 4), nn.Linear(12, 2)\n"
    source += "    def forward(self, x):\n        return self.a(x), self.b(x)\ndef build_model():\n    return M()\n"
    outputs = (OutputSpec((1, 4), "float32"), OutputSpec((1, 2), "float32"))

    def first_loss(*losses: Loss) -> float:
        return trainer(tmp_path, describe(source=source, outputs=outputs, losses=losses)).evaluate()["val_loss"]

    one, two = Loss(kind="cross_entropy"), Loss(kind="mse", output=1)
    doubled = Loss(kind="mse", output=1, weight=2.0)
    assert first_loss(one, doubled) == pytest.approx(first_loss(one) + 2 * (first_loss(one, two) - first_loss(one)))


def test_an_output_of_another_shape_is_refused_instead_of_broadcast(describe, tmp_path) -> None:
    source = "from torch import nn\ndef build_model():\n    return nn.Linear(12, 1)\n"
    with pytest.raises(UnusableFile, match=r"Output 0.*\(32, 4\).*\(32, 1\)"):
        trainer(
            tmp_path,
            describe(source=source, losses=(Loss(kind="mse"),), data=SyntheticData(task="regression", train_size=64)),
        ).advance()
