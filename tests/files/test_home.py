"""One variable moves everything the program writes about a person."""

from pathlib import Path

import pytest

from archstudio.files import home


@pytest.fixture
def moved(monkeypatch, tmp_path):
    place = tmp_path / "a home with spaces"
    monkeypatch.setenv("ARCHSTUDIO_HOME", str(place))
    return place


def test_every_folder_is_made_when_asked_for(moved):
    assert not moved.exists()

    assert home.settings_path() == moved / "settings"
    assert home.recovery_path() == moved / "recovery"
    assert home.runs_path() == moved / "runs"
    assert home.log_path() == moved / "log" / "archstudio.log"

    assert sorted(folder.name for folder in moved.iterdir()) == ["log", "recovery", "runs", "settings"]


def test_without_the_variable_the_platform_chooses(monkeypatch, tmp_path):
    monkeypatch.delenv("ARCHSTUDIO_HOME", raising=False)
    monkeypatch.setattr(home, "user_data_path", lambda name, appauthor: tmp_path / name)

    assert home.home_path() == tmp_path / "archstudio"


def test_a_relative_home_is_taken_from_the_current_folder_once(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARCHSTUDIO_HOME", "here")

    assert home.home_path() == Path.cwd() / "here"


def test_a_home_that_cannot_be_made_is_named_with_the_variable_that_moves_it(monkeypatch, tmp_path):
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv("ARCHSTUDIO_HOME", str(tmp_path / "taken"))
    with pytest.raises(home.UnusableHome, match=r"taken'.*a file of that name is in its place.*ARCHSTUDIO_HOME"):
        home.settings_path()
    monkeypatch.setenv("ARCHSTUDIO_HOME", str(tmp_path / "taken" / "deeper"))
    with pytest.raises(home.UnusableHome, match="cannot be made: Not a directory"):
        home.runs_path()
