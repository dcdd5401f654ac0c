"""People's own data: tables and archives become the two splits of a run, or are refused with row and column."""

import numpy as np
import pytest

from archstudio.files.unusable import UnusableFile
from archstudio.training.imports import import_csv, import_npz


def table(tmp_path, text: str):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_becomes_standardised_columns_and_numbered_classes(tmp_path) -> None:
    rows = "".join(f"{i},{'cat' if i % 2 else 'dog'},7\n" for i in range(20))
    data = import_csv(table(tmp_path, "size,kind,same\n" + rows), "kind", classes=True)
    assert data.class_names == ("cat", "dog")
    assert (len(data.train), len(data.validation)) == (16, 4)
    (x,) = data.train.inputs
    assert x[:, 0].mean() == pytest.approx(0, abs=1e-6)
    assert x[:, 0].std() == pytest.approx(1, abs=1e-6)
    assert (x[:, 1] == 0).all()
    order = np.argsort(x[:, 0])
    assert data.train.targets[0].dtype == np.int64
    assert set(data.train.targets[0][order]) == {0, 1}


def test_a_real_valued_target_keeps_its_numbers(tmp_path) -> None:
    rows = "".join(f"{i},{i * 10}\n" for i in range(10))
    data = import_csv(table(tmp_path, "x,y\n" + rows), "y", classes=False, validation_share=0.5)
    everything = np.concatenate([data.train.targets[0], data.validation.targets[0]])
    assert sorted(everything[:, 0]) == [10.0 * i for i in range(10)]
    assert data.class_names == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x,y\n1,2\n1,a\n", "row 3, column 'y'.*found: a"),
        ("x,y\n1,2\n,3\n", "row 3, column 'x'.*an empty cell"),
        ("x,y\n1,2,3\n", "row 2.*3 cells"),
        ("x,z\n1,2\n", "no column 'y'.*x, z"),
        ("", "no table"),
    ],
)
def test_a_table_that_cannot_be_used_names_the_place(tmp_path, text, words) -> None:
    with pytest.raises(UnusableFile, match=words):
        import_csv(table(tmp_path, text), "y", classes=False)


def test_an_archive_becomes_inputs_and_target(tmp_path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, image=np.arange(40.0).reshape(10, 4), ids=np.arange(10), label=np.arange(10) % 3)
    data = import_npz(path, ["image", "ids"], "label")
    image, ids = data.train.inputs
    assert image.dtype == np.float32
    assert (image[:, 0] == ids * 4).all()
    assert (data.train.targets[0] == ids % 3).all()
    assert len(data.validation) == 2


def test_an_archive_with_objects_wrong_names_or_lengths_is_refused(tmp_path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, x=np.zeros((3, 2)), y=np.zeros(4), o=np.array([{}, {}, {}]))
    with pytest.raises(UnusableFile, match="same samples"):
        import_npz(path, ["x"], "y")
    with pytest.raises(UnusableFile, match="no array 'z'"):
        import_npz(path, ["x"], "z")
    with pytest.raises(UnusableFile, match="plain arrays"):
        import_npz(path, ["x"], "o")
    path.write_bytes(b"no archive")
    with pytest.raises(UnusableFile, match="no numpy archive"):
        import_npz(path, ["x"], "y")
