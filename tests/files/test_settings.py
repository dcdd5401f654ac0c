"""Settings and recent files: unknown keys, newer versions, several instances and damage lose nothing."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import archstudio.files.settings as settings_module
from archstudio.files.atomic import SaveFailed
from archstudio.files.recent import RecentFiles
from archstudio.files.settings import SettingsFile


@pytest.fixture
def path(tmp_path):
    return tmp_path / "settings" / "settings.json"


def test_there_are_no_settings_before_the_first_change(path):
    assert SettingsFile(path).read() == {}
    assert not path.exists()


def test_a_change_is_on_disk_and_keeps_what_it_does_not_know(path):
    path.parent.mkdir()
    path.write_text('{"version": 1, "theme": "dark", "from another program": {"x": [1]}}')
    settings = SettingsFile(path)

    assert settings.update({"theme": "light"}) == {"theme": "light", "from another program": {"x": [1]}}

    assert json.loads(path.read_text()) == {"version": 1, "theme": "light", "from another program": {"x": [1]}}


def test_a_key_can_be_removed(path):
    settings = SettingsFile(path)
    settings.update({"a": 1, "b": 2})
    assert settings.update({}, remove=("a",)) == {"b": 2}


def test_a_file_of_a_newer_version_keeps_its_version(path):
    SettingsFile(path, version=7).update({"new": True})
    SettingsFile(path, version=1).update({"old": True})
    assert json.loads(path.read_text()) == {"version": 7, "new": True, "old": True}


def test_older_settings_are_migrated_step_by_step(path):
    SettingsFile(path).update({"size": 1})
    steps = {1: lambda old: {"width": old["size"]}, 2: lambda old: {"width": old["width"] + 1}}
    settings = SettingsFile(path, version=3, migrations=steps)
    assert settings.read() == {"width": 2}
    settings.update({"x": 0})
    assert json.loads(path.read_text()) == {"version": 3, "width": 2, "x": 0}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": "one"}', '{"a": 1}', '{"version": 1, "version": 1}'])
def test_a_damaged_file_is_moved_aside_and_reported(path, content):
    path.parent.mkdir()
    path.write_text(content)
    reports = []
    settings = SettingsFile(path, report=reports.append)

    assert settings.read() == {}

    assert reports == [settings.damage]
    assert "settings.json.damaged1" in str(settings.damage)
    assert path.with_name("settings.json.damaged1").read_text() == content
    settings.update({"a": 1})
    assert settings.read() == {"a": 1}


def test_damage_that_cannot_be_moved_aside_is_still_reported_and_never_overwritten(path, monkeypatch):
    path.parent.mkdir()
    path.write_text("{")
    settings = SettingsFile(path)
    monkeypatch.setattr(
        settings_module, "move_aside", lambda _: (_ for _ in ()).throw(PermissionError(13, "not allowed"))
    )

    assert settings.read() == {}
    assert "stays where it is" in str(settings.damage)
    with pytest.raises(SaveFailed):
        settings.update({"a": 1})
    assert path.read_text() == "{"


def test_instances_that_count_at_the_same_time_lose_no_count(path):
    code = """
        import sys
        from pathlib import Path
        from archstudio.files.settings import SettingsFile
        settings = SettingsFile(Path(sys.argv[1]))
        for _ in range(25):
            settings.change(lambda values: {"count": values.get("count", 0) + 1})
    """
    command = [sys.executable, "-c", textwrap.dedent(code), str(path)]
    children = [subprocess.Popen(command) for _ in range(3)]
    assert [child.wait() for child in children] == [0, 0, 0]
    assert SettingsFile(path).read() == {"count": 75}


def test_the_file_opened_last_comes_first_and_stands_there_once(path, tmp_path):
    recent = RecentFiles(SettingsFile(path), most=3)
    files = [tmp_path / name for name in "abcd"]
    for file in files:
        recent.add(file)
    assert recent.paths() == [files[3], files[2], files[1]]
    recent.add(files[2])
    assert recent.paths() == [files[2], files[3], files[1]]
    recent.forget(files[3])
    assert recent.paths() == [files[2], files[1]]
    recent.clear()
    assert recent.paths() == []


def test_recent_files_are_remembered_with_their_whole_path(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recent = RecentFiles(SettingsFile(path))
    recent.add(Path("here.arch.json"))
    assert RecentFiles(SettingsFile(path)).paths() == [Path.cwd() / "here.arch.json"]


def test_odd_entries_among_the_recent_files_are_passed_over(path):
    path.parent.mkdir()
    path.write_text('{"version": 1, "files": ["/a", 3, null]}')
    assert RecentFiles(SettingsFile(path)).paths() == [Path("/a")]


def test_pinned_files_lead_and_do_not_fall_off_the_end(tmp_path: Path) -> None:
    recent = RecentFiles(SettingsFile(tmp_path / "recent.json"), most=2)
    files = [tmp_path / f"{k}.json" for k in range(4)]
    recent.add(files[0])
    recent.pin(files[0])
    for file in files[1:]:
        recent.add(file)
    assert recent.paths() == [files[0], files[3], files[2]]
    recent.pin(files[2])
    assert recent.paths() == [files[0], files[2], files[3]]
    recent.pin(files[0], on=False)
    assert recent.paths() == [files[2], files[3]]
    recent.forget(files[2])
    assert (recent.paths(), recent.pinned()) == ([files[3]], [])
