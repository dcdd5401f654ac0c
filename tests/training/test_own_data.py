"""People's own data: read as columns, given roles, fitted to the graph with every misfit told, split and noted."""

import json
from pathlib import Path

import numpy as np
import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.training.description import InputSpec, Loss, OutputSpec
from archstudio.training.own_data.columns import Columns, read_columns
from archstudio.training.own_data.fit import Fitted, fit
from archstudio.training.own_data.prepare import preparation_of, prepare
from archstudio.training.own_data.roles import Roles, suggested

X2 = InputSpec("x", (1, 2), "float32")
CLASSES = (OutputSpec((1, 3), "float32"),)
CROSS_ENTROPY = (Loss(kind="cross_entropy"),)


def table(tmp_path: Path, text: str) -> Columns:
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return read_columns(path)


def fruit(tmp_path: Path) -> Columns:
    rows = "".join(f"{k},{k * 2},{'fig' if k % 2 else 'plum'}\n" for k in range(20))
    return table(tmp_path, "size,weight,kind\n" + rows)


def fitted(columns: Columns, inputs=(X2,), outputs=CLASSES, losses=CROSS_ENTROPY, roles: Roles | None = None) -> Fitted:
    roles = roles or suggested(columns, inputs, outputs, losses)
    assert roles is not None
    return fit(columns, roles, inputs, outputs, losses)


def test_a_table_becomes_standardised_columns_numbered_classes_and_three_splits(tmp_path: Path) -> None:
    columns = fruit(tmp_path)
    roles = suggested(columns, (X2,), CLASSES, CROSS_ENTROPY)
    assert roles == Roles(inputs=(("size", "weight"),), targets=(("kind",),))
    roles = roles.model_copy(update={"test_share": 0.1})
    made = fitted(columns, roles=roles)
    assert not made.misfits
    assert made.class_names == [("fig", "plum")]
    assert any("3 outputs, the file 2 classes" in note for note in made.notes)
    done = prepare(columns, roles, made, (X2,), tmp_path / "data.safetensors")
    assert done.preparation.samples == (14, 4, 2)
    assert "14 samples to train on" in done.words
    from safetensors.numpy import load_file

    tensors = load_file(tmp_path / "data.safetensors")
    assert tensors["train.inputs.0"].mean(axis=0) == pytest.approx(0, abs=1e-6)
    assert tensors["train.inputs.0"].std(axis=0) == pytest.approx(1, abs=1e-6)
    assert len(tensors["test.inputs.0"]) == 2
    assert preparation_of(tmp_path / "data.safetensors") == done.preparation


def test_the_same_seed_gives_the_same_file_and_another_seed_another(tmp_path: Path) -> None:
    columns = fruit(tmp_path)
    roles = Roles(inputs=(("size", "weight"),), targets=(("kind",),))
    shas = [
        prepare(columns, chosen, fitted(columns, roles=chosen), (X2,), tmp_path / "d.safetensors").data.sha256
        for chosen in (roles, roles, roles.model_copy(update={"seed": 1}))
    ]
    assert shas[0] == shas[1] != shas[2]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x,x\n1,2\n", "no name of its own"),
        ("x,y\n1\n", "row 2"),
        ("x,y\n", "no row under the header"),
        ("", "This is no table: it is empty"),
    ],
)
def test_a_broken_table_is_refused_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UnusableFile, match=told):
        table(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b,c,kind\n1,2,3,u\n4,5,6,v\n", "2 (2 numbers), the 3 columns chosen give 3"),
        ("a,b,kind\n1,,u\n4,5,v\n", "column 'b' has 1 samples without a finite number, the first is number 1"),
        ("a,b,kind\n1,red,u\n4,5,v\n", "column 'b' holds text"),
        ("a,b,kind\n1,2,u\n4,5,v\n3,3,w\n3,3,z\n", "4 classes, the graph's output has room for 3"),
    ],
)
def test_what_does_not_fit_is_told_with_the_reason(tmp_path: Path, text: str, told: str) -> None:
    (misfit,) = fitted(table(tmp_path, text)).misfits
    assert told in str(misfit)
    columns = table(tmp_path, text)
    roles = suggested(columns, (X2,), CLASSES, CROSS_ENTROPY)
    with pytest.raises(UnusableFile):
        prepare(columns, roles, fitted(columns), (X2,), tmp_path / "no.safetensors")


def test_every_misfit_is_told_at_once(tmp_path: Path) -> None:
    made = fitted(table(tmp_path, "a,kind\n1,u\n2,v\n3,w\n4,z\n"))
    assert [misfit.part for misfit in made.misfits] == ["Input 'x'", "Target"]


def test_indices_out_of_the_embedding_are_told_with_the_rows_needed(tmp_path: Path) -> None:
    ids = InputSpec("ids", (1, 4), "int64", max_index=9)
    np.savez(tmp_path / "a.npz", ids=np.full((6, 4), 12), label=np.arange(6) % 3)
    (misfit,) = fitted(read_columns(tmp_path / "a.npz"), inputs=(ids,)).misfits
    assert "Give the embedding 13 rows" in str(misfit)


def test_token_sequences_predict_a_class_at_each_position(tmp_path: Path) -> None:
    ids = InputSpec("ids", (1, 4), "int64", max_index=9)
    outputs = (OutputSpec((1, 4, 10), "float32"),)
    losses = (Loss(kind="cross_entropy_per_position"),)
    tokens = np.arange(30).reshape(6, 5) % 10
    np.savez(tmp_path / "a.npz", ids=tokens[:, :-1], labels=tokens[:, 1:])
    made = fitted(read_columns(tmp_path / "a.npz"), (ids,), outputs, losses)
    assert not made.misfits
    assert (made.targets[0] == tokens[:, 1:]).all()


def test_pairs_and_id_lists_go_to_the_inputs_of_their_names(tmp_path: Path) -> None:
    inputs = (
        InputSpec("dense", (1, 3), "float32"),
        InputSpec("user", (1,), "int64", max_index=99),
        InputSpec("clicked", (1, 5), "int64", max_index=99),
    )
    outputs, losses = (OutputSpec((1, 1), "float32"),), (Loss(kind="bce_logits"),)
    rng = np.random.default_rng(0)
    np.savez(
        tmp_path / "a.npz", clicked=rng.integers(100, size=(8, 5)), user=rng.integers(100, size=8),
        dense=rng.random((8, 3)), label=np.array(["no", "yes"] * 4),
    )  # fmt: skip
    columns = read_columns(tmp_path / "a.npz")
    roles = suggested(columns, inputs, outputs, losses)
    assert roles.inputs == (("dense",), ("user",), ("clicked",))
    made = fitted(columns, inputs, outputs, losses)
    assert not made.misfits
    assert made.targets[0].shape == (8, 1)
    assert made.class_names == [("no", "yes")]


def test_channels_last_and_missing_channels_are_brought_into_place_and_said(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "a.npz", image=rng.integers(255, size=(4, 6, 5, 3), dtype=np.uint8), label=np.arange(4) % 3)
    made = fitted(read_columns(tmp_path / "a.npz"), (InputSpec("image", (1, 3, 6, 5), "float32"),))
    assert made.inputs[0].shape == (4, 3, 6, 5)
    assert made.inputs[0].max() <= 1
    assert len([n for n in made.notes if "channels" in n or "255" in n]) == 2
    np.savez(tmp_path / "b.npz", image=rng.random((4, 6, 5)), label=np.arange(4) % 3)
    made = fitted(read_columns(tmp_path / "b.npz"), (InputSpec("image", (1, 1, 6, 5), "float32"),))
    assert made.inputs[0].shape == (4, 1, 6, 5)


def test_torch_files_and_tensor_files_are_read_without_executing_anything(tmp_path: Path) -> None:
    import torch
    from safetensors.numpy import save_file

    x, y = np.zeros((4, 2), np.float32), np.arange(4) % 3
    torch.save({"x": torch.from_numpy(x), "y": torch.from_numpy(y)}, tmp_path / "a.pt")
    save_file({"x": x, "y": y}, tmp_path / "a.safetensors")
    np.save(tmp_path / "a.npy", x)
    for name in ("a.pt", "a.safetensors"):
        assert read_columns(tmp_path / name).names == ("x", "y")
    assert len(read_columns(tmp_path / "a.npy")) == 4
    torch.save({"x": Path("a")}, tmp_path / "evil.pt")
    with pytest.raises(UnusableFile, match=r"refuses to read it.*objects are never loaded") as refused:
        read_columns(tmp_path / "evil.pt")
    assert "weights_only" not in str(refused.value)  # no advice to run what is in it
    np.save(tmp_path / "o.npy", np.array([{}], dtype=object))
    with pytest.raises(UnusableFile, match=r"plain numpy arrays.*objects, which are never loaded") as refused:
        read_columns(tmp_path / "o.npy")
    assert "allow_pickle" not in str(refused.value)
    (tmp_path / "a.xls").touch()
    with pytest.raises(UnusableFile, match="no data known here"):
        read_columns(tmp_path / "a.xls")


def test_a_folder_of_images_has_a_class_for_each_folder_inside(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for name, colour in (("cats", (255, 0, 0)), ("dogs", (0, 0, 255))):
        (tmp_path / "set" / name).mkdir(parents=True)
        for k in range(3):
            image.new("RGB", (8, 10), colour).save(tmp_path / "set" / name / f"{k}.png")
    columns = read_columns(tmp_path / "set", (3, 6, 4))
    made = fitted(columns, (InputSpec("image", (1, 3, 6, 4), "float32"),))
    assert not made.misfits
    assert made.class_names == [("cats", "dogs")]
    assert made.inputs[0].shape == (6, 3, 6, 4)
    assert made.inputs[0][0, :, 0, 0].tolist() == [1, 0, 0]
    (tmp_path / "set" / "cats" / "0.png").write_bytes(b"no picture")
    with pytest.raises(UnusableFile, match=r"0\.png"):
        read_columns(tmp_path / "set", (3, 6, 4))
    with pytest.raises(UnusableFile, match="fit no input"):
        read_columns(tmp_path / "set", (12,))


def test_a_run_on_own_data_is_tested_once_at_the_end(engine, describe, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, 12), np.float32)
    np.savez(tmp_path / "a.npz", x=x, label=(x[:, 0] > 0).astype(int) + (x[:, 1] > 0))
    columns = read_columns(tmp_path / "a.npz")
    run = describe()
    roles = suggested(columns, run.inputs, run.outputs, run.losses).model_copy(update={"test_share": 0.2})
    made = fit(columns, roles, run.inputs, run.outputs, run.losses)
    done = prepare(columns, roles, made, run.inputs, tmp_path / "data.safetensors")
    handle = engine.submit(describe(data=done.data, keep_best=True), tensors=done.path)
    assert handle.wait(60).state == "finished"
    files = handle.stored.seed(0)
    assert len(files.series("test_loss")) == 1
    assert files.result().metrics["test_accuracy"] > 0.5
    assert files.best_model.exists()
    assert json.loads(json.dumps(done.preparation.model_dump(mode="json")))["samples"] == [120, 40, 40]
