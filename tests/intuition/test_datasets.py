"""Data sets: recorded ids regenerate from seeds, files are whole, and damaged ones are told apart."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from archstudio.files.unusable import UnusableFile
from archstudio.intuition.datasets.drawing import CannotDraw, Pins, draw_spec
from archstudio.intuition.datasets.folder import Dataset, create_dataset, open_dataset, read_transition, remade_splits
from archstudio.intuition.datasets.spec import TabularParams, read_dataset_spec
from archstudio.intuition.profile import FAMILIES, Family, LoadedProfile, RuleFamily

Make = Callable[..., Dataset]


@pytest.mark.parametrize(
    ("family", "seed", "input_dim", "expected"),
    [
        ("univariate_regression", 42, None, "sym_62678b"),
        ("multivariate_regression", 200531225, 4, "mvar_c59a30"),
        ("bigram_lm", 1410009409, None, "bg_0021c1"),
        ("bigram_lm", 42, None, "bg_55a955"),
        ("univariate_regression", 1, None, "sym_40f9b4"),
        ("multivariate_regression", 2, 5, "mvar_e3e90e"),
        ("bigram_lm", 3, None, "bg_e2f7c8"),
    ],
)
def test_a_recorded_id_regenerates_from_its_seed(
    v1: LoadedProfile, family: Family, seed: int, input_dim: int | None, expected: str
) -> None:
    assert draw_spec(v1.content, family, seed, Pins(input_dim=input_dim)).dataset_id == expected


def test_a_recorded_tabular_rule_regenerates_with_its_threshold(studio: LoadedProfile) -> None:
    pins = Pins(input_dim=8, rule_family="sparse_interaction")
    params = draw_spec(studio.content, "synthetic_tabular_classification", 146, pins).params
    assert isinstance(params, TabularParams)
    assert params.active_features == [2, 4]
    assert params.interaction_pairs == [[2, 4]]
    assert params.rule_weights == [-1.4180901575531635]
    assert params.noise_std == 0.05
    assert params.decision_threshold == pytest.approx(-0.019842257723212242, rel=1e-5)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_written_is_read_back_and_remade(make_studio: Make, family: Family) -> None:
    made = make_studio(family, 3)
    opened = open_dataset(made.folder)
    assert opened.spec == made.spec
    for name, split in remade_splits(opened.spec).items():
        assert torch.equal(split.x, opened.load(name).x)
        assert torch.equal(split.y, opened.load(name).y)
    assert set(opened.splits()) == {"train", "test", "validation"}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_validation_split_changes_nothing_before_it(make_studio: Make, family: Family) -> None:
    made = make_studio(family, 1)
    without = made.spec.model_copy(update={"params": made.spec.params.model_copy(update={"validation_size": None})})
    for name, split in remade_splits(without).items():
        assert torch.equal(split.x, made.load(name).x)
        assert torch.equal(split.y, made.load(name).y)


def test_the_written_program_alone_makes_the_tensors(make: Make) -> None:
    made = make("multivariate_regression", 5)
    program = "import synthesize; print([tuple(t.shape) for t in synthesize.synthesize()])"
    ran = subprocess.run([sys.executable, "-c", program], cwd=made.folder, capture_output=True, text=True, check=True)
    size = made.spec.params.input_dim  # type: ignore[union-attr]
    assert ran.stdout.strip() == f"[(256, {size}), (256, 1), (256, {size}), (256, 1)]"


def test_the_spec_is_laid_out_as_the_reference_does(make: Make) -> None:
    text = (make("univariate_regression", 42).folder / "dataset_spec.json").read_text()
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    assert list(json.loads(text)) == [
        "schema_version", "family", "params", "selection_metric", "significance", "files", "dataset_id",
    ]  # fmt: skip


def test_making_a_data_set_again_changes_no_byte(make: Make) -> None:
    made = make("bigram_lm", 7)
    before = {path.name: path.read_bytes() for path in made.folder.iterdir()}
    assert set(before) == {"dataset_spec.json", "synthesize.py", "train.pt", "test.pt", "transition.npz"}
    make("bigram_lm", 7)
    assert {path.name: path.read_bytes() for path in made.folder.iterdir()} == before


def test_a_second_data_set_never_takes_the_place_of_one_with_its_id(make: Make, v1: LoadedProfile) -> None:
    made = make("univariate_regression", 0)
    other = draw_spec(v1.content, "univariate_regression", 1).model_copy(update={"dataset_id": made.id})
    with pytest.raises(UnusableFile, match="Another data set already has the id"):
        create_dataset(other, made.root)
    assert open_dataset(made.folder).spec == made.spec


def test_the_transition_matrix_is_the_one_sampled_from(make: Make) -> None:
    made = make("bigram_lm", 2)
    probs = read_transition(made)
    assert probs is not None
    pairs = torch.zeros(32, 32)
    split = made.load("train")
    pairs.index_put_((split.x.flatten(), split.y.flatten()), torch.ones(split.x.numel()), accumulate=True)
    expected = -(pairs / pairs.sum() * torch.from_numpy(probs).log()).sum()
    assert 2.8 < float(expected) < 3.3  # conditional entropy, far from ln 32 = 3.47


@pytest.mark.parametrize("rule", ["smooth_additive", "sparse_interaction", "piecewise_boundary"])
def test_the_threshold_balances_the_labels(studio: LoadedProfile, rule: RuleFamily) -> None:
    spec = draw_spec(studio.content, "synthetic_tabular_classification", 11, Pins(rule_family=rule))
    share = float(remade_splits(spec)["train"].y.float().mean())
    assert 0.42 < share < 0.58


@pytest.mark.parametrize(
    ("family", "pins", "told"),
    [
        ("synthetic_tabular_classification", Pins(), "has no family"),
        ("univariate_regression", Pins(input_dim=3), "Only multivariate"),
        ("multivariate_regression", Pins(input_dim=7), "which has 2, 3, 4, 5, 8"),
        ("bigram_lm", Pins(rule_family="smooth_additive"), "Only tabular"),
    ],
)
def test_what_the_profile_has_not_is_said(v1: LoadedProfile, family: Family, pins: Pins, told: str) -> None:
    with pytest.raises(CannotDraw, match=told):
        draw_spec(v1.content, family, 0, pins)


def _edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "dataset_spec.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda c: c["params"].update(train_size=128), "The id is not the digest"),
        (lambda c: c["params"].update(train_size="256"), r"\$\.params\.train_size"),
        (lambda c: c["params"].update(more=1), r"\$\.params\.more"),
        (lambda c: c.update(family="images"), r"\$\.family"),
        (lambda c: c["files"].update(train="../../train.pt"), r"\$\.files\.train"),
        (lambda c: c.pop("dataset_id"), r"\$\.dataset_id"),
    ],
)
def test_a_spec_changed_by_hand_is_refused(make: Make, change: Callable[[dict[str, Any]], object], told: str) -> None:
    folder = make("univariate_regression", 0).folder
    _edit(folder, change)
    with pytest.raises(UnusableFile, match=told):
        read_dataset_spec(folder)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:200])


def _save(path: Path, value: object) -> None:
    torch.save(value, path)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (Path.unlink, "There is no such file"),
        (_cut, "is damaged"),
        (lambda p: p.write_bytes(b""), "is damaged"),
        (lambda p: _save(p, {"x": torch.zeros(3, 1)}), "holds no tensors x and y"),
        (lambda p: _save(p, {"x": Path("x"), "y": 1}), "is damaged, or holds something else"),
        (lambda p: _save(p, {"x": 1, "y": 2}), "tensor x is not float32"),
        (lambda p: _save(p, {"x": torch.zeros(255, 1), "y": torch.zeros(256, 1)}), "float32 (255, 1)"),
        (lambda p: _save(p, {"x": torch.zeros(256, 1), "y": torch.full((256, 1), torch.nan)}), "not finite"),
    ],
)
def test_damaged_tensors_are_refused(make: Make, damage: Callable[[Path], object], told: str) -> None:
    made = make("univariate_regression", 0)
    damage(made.folder / "train.pt")
    with pytest.raises(UnusableFile) as refused:
        made.load("train")
    assert told in str(refused.value)


def test_tokens_outside_the_vocabulary_are_refused(make: Make) -> None:
    made = make("bigram_lm", 0)
    split = made.load("test")
    _save(made.folder / "test.pt", {"x": split.x + 1, "y": split.y})
    with pytest.raises(UnusableFile, match=r"outside 0 … 31"):
        made.load("test")
