"""Two windows on one file: nobody's work is overwritten without a word."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from archstudio.app.application import Application
from archstudio.app.storage import ChangedOnDisk, disk_state, open_document, reload_document, save_document
from archstudio.edits import AddNode, set_params
from archstudio.edits.compose import new_node
from archstudio.files import atomic
from archstudio.graph import read_graph, write_graph


@pytest.fixture
def saved(desk, tmp_path: Path) -> Path:
    """The graph of the desk as a file."""
    path = tmp_path / "net.arch.json"
    desk.application.save(desk.document, path)
    return path.resolve()


def widen(document, channels: int) -> None:
    document.push(set_params(document.graph.named("conv1"), outChannels=channels), "Wider")


def channels(path: Path) -> int:
    return read_graph(path).named("conv1").params["outChannels"]


def write_as_another_program(path: Path, channels: int) -> None:
    graph = read_graph(path)
    set_params(graph.named("conv1"), outChannels=channels).apply(graph)
    path.write_bytes(write_graph(graph))


def test_saving_again_needs_no_question(desk, saved) -> None:
    for width in (17, 18):
        widen(desk.document, width)
        assert desk.run("file.save")
    assert channels(saved) == 18
    assert disk_state(desk.document) == "same"


def test_a_file_changed_by_another_program_is_not_overwritten(desk, saved) -> None:
    write_as_another_program(saved, 99)
    widen(desk.document, 17)
    with pytest.raises(ChangedOnDisk, match="changed by another"):
        desk.application.save(desk.document, saved)
    assert channels(saved) == 99
    assert desk.document.modified
    desk.application.save(desk.document, saved, overwrite=True)
    assert channels(saved) == 17
    assert channels(atomic.backup_paths(saved)[0]) == 99, "what was overwritten is kept as a backup"


@pytest.mark.parametrize(("answer", "theirs", "mine"), [("cancel", 99, 17), ("overwrite", 17, 17), ("reload", 99, 99)])
def test_the_person_says_whose_version_stays(desk, saved, monkeypatch, answer, theirs, mine) -> None:
    write_as_another_program(saved, 99)
    widen(desk.document, 17)
    asked = []
    monkeypatch.setattr(desk.view, "ask_changed", lambda name: asked.append(name) or answer, raising=False)
    desk.run("file.save")
    assert asked == ["net.arch.json"]
    assert channels(saved) == theirs
    assert desk.graph.named("conv1").params["outChannels"] == mine


def test_both_versions_can_be_kept(desk, saved, monkeypatch, tmp_path) -> None:
    write_as_another_program(saved, 99)
    widen(desk.document, 17)
    monkeypatch.setattr(desk.view, "ask_changed", lambda name: "saveAs", raising=False)
    desk.view.save_to = tmp_path / "mine.arch.json"
    desk.run("file.save")
    assert (channels(saved), channels(tmp_path / "mine.arch.json")) == (99, 17)


def test_reloading_is_one_step_that_can_be_taken_back(desk, saved) -> None:
    write_as_another_program(saved, 99)
    widen(desk.document, 17)
    assert desk.run("file.reload")
    assert desk.graph.named("conv1").params["outChannels"] == 99
    assert not desk.document.modified
    desk.document.undo()
    assert desk.graph.named("conv1").params["outChannels"] == 17
    assert desk.document.modified


def test_a_spoilt_file_is_not_reloaded(desk, saved) -> None:
    before = write_graph(desk.graph)
    saved.write_text("{", encoding="utf-8")
    desk.run("file.reload")
    assert write_graph(desk.graph) == before
    assert "could not be reloaded" in desk.view.told[-1]


def test_unknown_keys_of_the_reloaded_file_are_kept(desk, saved) -> None:
    saved.write_text(saved.read_text().replace('"schema": 1', '"schema": 1, "licence": "MIT"'))
    desk.run("file.reload")
    desk.run("file.save")
    assert '"licence": "MIT"' in saved.read_text()


def test_a_graph_whose_file_is_gone_is_unsaved_again(desk, saved) -> None:
    saved.unlink()
    desk.application.look_at_files()
    assert desk.document.modified
    desk.run("file.save")
    assert saved.exists()
    assert not desk.document.modified


def test_a_change_between_the_look_and_the_write_is_seen(desk, saved, monkeypatch) -> None:
    """Another program writes while our new content is being written beside the file."""
    written = atomic.write_all

    def meanwhile(descriptor: int, data: bytes) -> None:
        written(descriptor, data)
        monkeypatch.setattr(atomic, "write_all", written)
        write_as_another_program(saved, 99)

    monkeypatch.setattr(atomic, "write_all", meanwhile)
    widen(desk.document, 17)
    with pytest.raises(ChangedOnDisk):
        desk.application.save(desk.document, saved)
    assert channels(saved) == 99
    assert [p.name for p in saved.parent.iterdir() if p.suffix == ".tmp"] == []


_OTHER = """
import sys
from pathlib import Path
from archstudio.app.storage import ChangedOnDisk, open_document, save_document
from archstudio.edits import AddNode, set_params
from archstudio.edits.compose import new_node
path = Path(sys.argv[1])
document = open_document(path)
node = document.graph.named("conv1")
document.push(set_params(node, outChannels=int(sys.argv[2])), "Wider")
print("ready", flush=True)
sys.stdin.readline()
try:
    save_document(document, path)
    print("saved")
except ChangedOnDisk:
    print("refused")
"""


def test_of_processes_that_save_one_file_at_once_exactly_one_wins(saved, own_home) -> None:
    others = [
        subprocess.Popen([sys.executable, "-c", _OTHER, str(saved), str(100 + k)],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for k in range(4)
    ]  # fmt: skip
    for other in others:
        assert other.stdout.readline() == "ready\n"
    for other in others:
        other.stdin.write("go\n")
        other.stdin.flush()
    said = [other.communicate(timeout=60)[0].strip() for other in others]
    assert sorted(said) == ["refused", "refused", "refused", "saved"]
    assert channels(saved) == 100 + said.index("saved")


def test_an_opened_file_is_known_by_its_content_not_by_its_time(saved) -> None:
    document = open_document(saved)
    saved.touch()
    assert disk_state(document) == "same"
    save_document(document, saved)


def saved_solution(tmp_path: Path, ref: str = "deepen-resnet") -> Path:
    application = Application()
    document = application.open_task(ref)
    document.push(AddNode(new_node(document.graph, "relu")), "Add")
    path = tmp_path / "mine.arch.json"
    application.save(document, path)
    return path


def test_a_saved_solution_keeps_its_task_and_the_start_of_its_plan(tmp_path: Path) -> None:
    path = saved_solution(tmp_path)
    opened = Application().open_file(path)
    assert opened.task_id == "deepen-resnet"
    assert len(opened.graph) == len(opened.start) + 1
    assert not opened.modified
    assert "task" not in opened.graph.meta
    before = path.read_bytes()
    save_document(opened, path)
    assert path.read_bytes() == before


def test_a_saved_exercise_still_offers_no_fixes(tmp_path: Path) -> None:
    path = saved_solution(tmp_path, "practice/a-number-in-quotes")
    assert not Application().open_file(path).visibility.fixes


def test_the_name_of_a_task_that_is_not_known_here_stays_in_the_file(tmp_path: Path) -> None:
    path = saved_solution(tmp_path)
    path.write_text(path.read_text().replace('"deepen-resnet"', '"of-another-machine"'))
    opened = Application().open_file(path)
    assert opened.task_id is None
    save_document(opened, path)
    assert '"of-another-machine"' in path.read_text()


def test_a_solution_that_changed_on_disk_is_read_again_without_the_name(tmp_path: Path) -> None:
    path = saved_solution(tmp_path)
    opened = Application().open_file(path)
    path.write_text(path.read_text().replace('"relu"', '"tanh"'))
    reload_document(opened)
    assert opened.task_id == "deepen-resnet"
    assert "task" not in opened.graph.meta
