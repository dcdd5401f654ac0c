"""The bundled data folders are found from a checkout and from an installed package."""

import importlib.resources
from pathlib import Path

import pytest

import archstudio.files.data as data


def test_the_folders_beside_the_package_are_found_in_a_checkout(monkeypatch, tmp_path):
    (tmp_path / "archstudio").mkdir()
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "tiny.json").write_text("{}")
    monkeypatch.setattr(data, "files", lambda _: tmp_path / "archstudio")

    assert data.data_path("fixtures", "tiny.json").read_text() == "{}"
    assert data.data_path("fixtures").is_dir()


def test_an_installed_package_carries_its_data_inside(monkeypatch, tmp_path):
    inside = tmp_path / "archstudio" / "_data" / "profiles" / "deep"
    inside.mkdir(parents=True)
    (inside / "v1.yaml").write_text("x: 1")
    monkeypatch.setattr(data, "files", lambda _: tmp_path / "archstudio")

    assert data.data_path("profiles", "deep", "v1.yaml").read_text() == "x: 1"


def test_missing_data_names_what_is_missing_and_where_it_was_looked_for(monkeypatch, tmp_path):
    monkeypatch.setattr(data, "files", lambda _: tmp_path / "archstudio")

    with pytest.raises(data.MissingData) as caught:
        data.data_path("resources", "icons", "none.svg")

    assert caught.value.parts == ("icons", "none.svg")
    assert "resources/icons/none.svg" in str(caught.value)
    assert str(tmp_path / "resources" / "icons" / "none.svg") in str(caught.value)


def test_the_real_package_is_where_the_folders_are_looked_for():
    with pytest.raises(data.MissingData) as caught:
        data.data_path("resources", "there is no such file")

    package = importlib.resources.files("archstudio")
    assert any(place.startswith(str(Path(str(package)))) for place in caught.value.looked_in)
