"""One step sets everything up: it resumes what was interrupted, costs nothing the second time, and says what lacks."""

import importlib.util
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture
def bootstrap(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", FOLDER / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("qt_libraries", None)


@pytest.fixture
def machine(bootstrap, monkeypatch, tmp_path):
    """A project in a folder with spaces, on a machine where programs are only noted, not started."""
    return Machine(bootstrap, monkeypatch, tmp_path / "my project")


class Machine:
    def __init__(self, bootstrap, monkeypatch, root):
        self.started = []
        self.fail_on = None
        (root / "packaging").mkdir(parents=True)
        (root / "pyproject.toml").write_text("[project]\n")
        (root / "packaging" / "constraints.txt").write_text("torch==2.13.0\n")
        self.environment = bootstrap.Environment(root)
        monkeypatch.setattr(bootstrap, "ROOT", root)
        monkeypatch.setattr(bootstrap.subprocess, "call", self.start)
        monkeypatch.setattr(bootstrap, "subprocess_code", lambda command, variables: self.start(command, env=variables))
        monkeypatch.setattr(bootstrap, "index_answers", lambda url, seconds: False)
        monkeypatch.setattr(bootstrap.qt_libraries, "missing_for_qt", lambda with_x11: [])
        monkeypatch.chdir(root)

    def start(self, command, env=None, **_):
        self.started.append((command, env))
        if self.fail_on and self.fail_on in command:
            return 1
        if "venv" in command:
            self.environment.python.parent.mkdir(parents=True, exist_ok=True)
            self.environment.python.touch()
        return 0

    def lines(self):
        """The commands started since the last look, without the interpreter."""
        lines = [command[1:] for command, _ in self.started]
        self.started.clear()
        return lines


def installs(lines):
    return [line[-1].rpartition("my project")[2] for line in lines if "install" in line]


def test_the_first_run_makes_the_environment_installs_and_starts(bootstrap, machine, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")

    assert bootstrap.main(["run", "check", "a b.arch.json"]) == 0

    make, install, start = machine.lines()
    assert make == ["-m", "venv", "--clear", str(machine.environment.folder)]
    assert install[:3] == ["-m", "pip", "install"]
    assert install[install.index("-c") + 1] == str(machine.environment.constraints)
    assert install[-2:] == ["--editable", str(machine.environment.root)]
    assert start == ["-P", "-m", "archstudio", "check", "a b.arch.json"]


def test_the_second_run_only_starts(bootstrap, machine, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    bootstrap.main(["run"])
    machine.lines()
    bootstrap.main(["run"])
    assert machine.lines() == [["-P", "-m", "archstudio"]]


def test_the_tests_add_what_they_need_and_running_does_not_take_it_away(bootstrap, machine):
    bootstrap.main(["run", "x"])
    bootstrap.main(["test"])
    bootstrap.main(["run", "x"])
    assert installs(machine.lines()) == ["", "[dev]"]


@pytest.mark.parametrize("file", ["pyproject.toml", "packaging/constraints.txt"])
def test_a_change_of_what_is_needed_installs_again_with_the_same_extras(bootstrap, machine, file):
    bootstrap.main(["test"])
    (machine.environment.root / file).write_text("# changed\n")
    bootstrap.main(["run", "x"])
    assert installs(machine.lines()) == ["[dev]", "[dev]"]


def test_an_interrupted_installation_is_resumed_in_the_same_environment(bootstrap, machine, capsys):
    machine.fail_on = "install"
    assert bootstrap.main(["run", "x"]) == 1
    assert "Check the network" in capsys.readouterr().err
    machine.fail_on = None
    machine.lines()

    assert bootstrap.main(["run", "x"]) == 0

    lines = machine.lines()
    assert installs(lines) == [""]
    assert not any("venv" in line for line in lines)


def test_an_environment_without_a_working_pip_is_made_anew(bootstrap, machine):
    machine.environment.python.parent.mkdir(parents=True)
    machine.environment.python.touch()
    machine.fail_on = "--version"
    bootstrap.main(["run", "x"])
    assert any("venv" in line for line in machine.lines())


def test_a_stamp_cut_short_counts_as_not_installed(bootstrap, machine):
    bootstrap.main(["run", "x"])
    next(machine.environment.folder.glob("*.json")).write_text('{"finger')
    bootstrap.main(["run", "x"])
    assert installs(machine.lines()) == ["", ""]


def test_a_moved_project_installs_again(bootstrap, machine):
    bootstrap.main(["run", "x"])
    moved = machine.environment.root.with_name("moved")
    machine.environment.root.rename(moved)
    assert bootstrap.Environment(moved).installed() is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_without_a_display_the_demonstration_runs_and_says_so(bootstrap, machine, monkeypatch, capsys):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    bootstrap.main(["run"])
    assert machine.lines()[-1] == ["-P", "-m", "archstudio", "demo", "--out", "demo-out"]
    assert "no display" in capsys.readouterr().out
    bootstrap.main(["run", "tasks", "list"])
    assert machine.lines()[-1] == ["-P", "-m", "archstudio", "tasks", "list"]


def test_the_everyday_tests_leave_the_long_ones_out_and_all_takes_them_in(bootstrap, machine):
    bootstrap.main(["test", "-k", "journal"])
    everyday, variables = machine.started[-1]
    assert everyday[-4:] == ["-m", "not long", "-k", "journal"]
    assert variables["QT_QPA_PLATFORM"] == "offscreen"
    bootstrap.main(["test", "--all", "-k", "journal"])
    everything, _ = machine.started[-1]
    assert "not long" not in everything
    assert everything[everything.index("--hypothesis-profile") + 1] == "exploring"
    assert everything[-2:] == ["-k", "journal"]


def test_a_failed_check_does_not_hide_the_tests_but_fails_the_whole(bootstrap, machine, capsys):
    machine.fail_on = "mypy"
    assert bootstrap.main(["test"]) == 1
    assert "pytest" in machine.lines()[-1]
    assert "NOT PASSED: mypy" in capsys.readouterr().out


def test_every_check_is_a_program_that_finds_faults(bootstrap, tmp_path):
    """A check that cannot fail would pass for ever: give each an empty folder with one bad module."""
    (tmp_path / "bad.py").write_text("import os\nx: int = ''")
    (tmp_path / "pyproject.toml").write_text('[tool.mypy]\nfiles = ["bad.py"]\n')
    for name, command in bootstrap.CHECKS.items():
        ended = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True)
        assert ended.returncode == 1, name


def test_stopping_the_setup_is_no_traceback(bootstrap, machine, monkeypatch, capsys):
    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap.subprocess, "call", stop)
    assert bootstrap.main(["run"]) == 130
    assert "goes on from here" in capsys.readouterr().err


def test_the_cpu_build_is_asked_for_on_linux_where_its_index_answers(bootstrap, machine, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap.sys, "platform", "linux")
    assert bootstrap.torch_options() == []
    assert "does not answer" in capsys.readouterr().out
    monkeypatch.setattr(bootstrap, "index_answers", lambda url, seconds: True)
    assert bootstrap.torch_options() == ["--extra-index-url", "https://download.pytorch.org/whl/cpu"]
    monkeypatch.setattr(bootstrap.sys, "platform", "darwin")
    assert bootstrap.torch_options() == []


def test_an_index_that_never_answers_is_given_up(bootstrap, monkeypatch):
    over = threading.Event()

    def never(*_args, **_kwargs):
        over.wait(60)
        raise TimeoutError

    monkeypatch.setattr("urllib.request.urlopen", never)
    assert not bootstrap.index_answers("https://example.invalid", 0.01)
    over.set()


def test_missing_system_libraries_are_named_in_one_line(bootstrap, machine, monkeypatch, capsys):
    libraries = bootstrap.qt_libraries
    monkeypatch.setattr(libraries, "missing_for_qt", lambda with_x11: [libraries.ALWAYS[0], libraries.X11[0]])
    monkeypatch.setattr(libraries.os, "geteuid", lambda: 1000, raising=False)
    monkeypatch.setattr(libraries.shutil, "which", lambda name: name if name == "apt-get" else None)
    bootstrap.main(["run", "x"])
    assert "    sudo apt-get install libegl1 libxcb-cursor0\n" in capsys.readouterr().out


def test_root_on_debian_gets_them_installed(bootstrap, machine, monkeypatch):
    libraries = bootstrap.qt_libraries
    answers = [[libraries.ALWAYS[0]], []]
    monkeypatch.setattr(libraries, "missing_for_qt", lambda with_x11: answers.pop(0))
    monkeypatch.setattr(libraries.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(libraries.shutil, "which", lambda name: name if name == "apt-get" else None)
    bootstrap.main(["test"])
    lines = machine.lines()
    assert lines[:2] == [["update"], ["install", "-y", "--no-install-recommends", "libegl1"]]


@pytest.mark.parametrize(
    ("tool", "line"),
    [
        ("dnf", "sudo dnf install libxcb xcb-util-cursor"),
        ("pacman", "sudo pacman -S libxcb xcb-util-cursor"),
        ("none", "your package manager, for: libxcb-cursor.so.0 libxcb-randr.so.0 libxcb-shape.so.0"),
    ],
)
def test_other_distributions_have_their_own_names(bootstrap, monkeypatch, tool, line):
    libraries = bootstrap.qt_libraries
    monkeypatch.setattr(libraries.shutil, "which", lambda name: name if name == tool else None)
    wanted = ("libxcb-cursor.so.0", "libxcb-randr.so.0", "libxcb-shape.so.0")
    assert libraries.install_line([need for need in libraries.X11 if need.library in wanted]) == line


def test_a_library_that_does_not_exist_is_missed(bootstrap, monkeypatch):
    libraries = bootstrap.qt_libraries
    absent = libraries.Need("libno-such-thing.so.9", "a", "b", "c")
    monkeypatch.setattr(libraries, "ALWAYS", (absent,))
    monkeypatch.setattr(libraries, "FONT_FOLDERS", (str(FOLDER),))
    monkeypatch.setattr(libraries.sys, "platform", "linux")
    assert libraries.missing_for_qt(with_x11=False) == [absent, libraries.FONT]
    monkeypatch.setattr(libraries.sys, "platform", "win32")
    assert libraries.missing_for_qt(with_x11=True) == []


def test_an_old_python_looks_for_a_newer_one_and_else_says_what_is_needed(bootstrap, monkeypatch, capsys):
    monkeypatch.setattr(bootstrap, "OLDEST_PYTHON", (99, 0))
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    assert bootstrap.main(["run"]) == 1
    assert "Python 99.0 or newer is needed" in capsys.readouterr().err


def test_an_unknown_command_shows_how_it_is_used():
    shown = subprocess.run([sys.executable, FOLDER / "bootstrap.py", "dance"], capture_output=True, text=True)
    assert shown.returncode == 2
    assert "bootstrap.py run" in shown.stderr


def test_the_folder_packaging_never_becomes_a_package():
    assert not (FOLDER / "__init__.py").exists()
    import packaging

    assert Path(packaging.__file__).parent != FOLDER


def test_every_dependency_has_a_pin_and_a_reason():
    import tomllib

    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    pinned = dict(
        line.split("==") for line in (FOLDER / "constraints.txt").read_text().splitlines() if not line.startswith("#")
    )
    reasons = (FOLDER.parent / "docs" / "dependencies.md").read_text().lower()
    itself, *checks = extras.pop("dev")
    assert Requirement(itself).extras == extras.keys() - {"bench"}, "the checks bring every extra that is tested"
    tested = [need for name, group in extras.items() if name != "bench" for need in group]
    for line in [*project["dependencies"], *checks, *tested]:
        need = Requirement(line)
        assert need.specifier.contains(pinned[canonicalize_name(need.name)]), line
    for line in [*project["dependencies"], *checks, *tested, *extras["bench"]]:
        assert f"`{Requirement(line).name.lower()}`" in reasons, line


@pytest.mark.skipif(os.name == "nt", reason="bash")
def test_the_ci_entry_is_executable_and_sound():
    script = FOLDER.parent / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)
    assert "bootstrap.py test" in script.read_text()
