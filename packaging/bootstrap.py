"""Sets Arch Studio up in one step and starts it or its tests; needs nothing but Python 3.11 or newer.

    python3 packaging/bootstrap.py run [ARGS...]              the window, or one archstudio command
    python3 packaging/bootstrap.py test [--all] [PYTEST...]   the checks and the tests

The first call makes `.venv` in the project's folder and installs the pinned packages; later calls start at once and
need no network.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import qt_libraries

OLDEST_PYTHON = (3, 11)
NEWER_PYTHONS = ("python3.13", "python3.12", "python3.11", "python3.14")
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PROBE_SECONDS = 3
EXPLORING = "exploring"
"""The profile of the property tests, in tests/conftest.py, that draws new examples each time."""
ROOT = Path(__file__).resolve().parent.parent


class SetupFailed(Exception):
    """Setting up cannot go on; the text says why and what to do."""


class Environment:
    """The project's `.venv`, and the stamp in it that says what was installed completely."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / ".venv"
        self.python = self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.constraints = root / "packaging" / "constraints.txt"
        self._stamp = self.folder / "archstudio-installed.json"

    def fingerprint(self) -> str:
        """Return a digest of all that decides what gets installed, and of where (an environment cannot be moved)."""
        digest = hashlib.sha256(str(self.root).encode())
        for source in (self.root / "pyproject.toml", self.constraints):
            digest.update(b"\0" + source.read_bytes())
        return digest.hexdigest()

    def installed(self) -> set[str] | None:
        """Return the extras a completed installation has, or None when there is none or it is out of date."""
        stamp = self._read_stamp()
        if stamp.get("fingerprint") != self.fingerprint() or not self.python.exists():
            return None
        return set(stamp["extras"])

    def ensure(self, extras: set[str]) -> None:
        """Install the package with `extras`, unless that is done already; an interrupted installation is resumed."""
        installed = self.installed()
        if installed is not None and installed >= extras:
            return
        extras = extras | set(self._read_stamp().get("extras", ()))
        self._stamp.unlink(missing_ok=True)
        if not self._pip_works():
            self._create()
        self._install(extras)
        self._stamp.write_text(json.dumps({"fingerprint": self.fingerprint(), "extras": sorted(extras)}))

    def _read_stamp(self) -> dict:
        try:
            return json.loads(self._stamp.read_text())
        except (OSError, ValueError):  # no stamp, or one cut short: then nothing counts as installed
            return {}

    def _pip_works(self) -> bool:
        if not self.python.exists():
            return False
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.call([str(self.python), "-m", "pip", "--version"], **quiet) == 0

    def _create(self) -> None:
        say(f"Making {self.folder} with Python {sys.version.split()[0]}")
        need_ensurepip()
        if subprocess.call([sys.executable, "-m", "venv", "--clear", str(self.folder)]) != 0:
            raise SetupFailed(f"Python could not make {self.folder} (see above). Delete that folder and try again.")

    def _install(self, extras: set[str]) -> None:
        say("Installing Arch Studio and what it needs; the first time this takes some minutes")
        target = str(self.root) + (f"[{','.join(sorted(extras))}]" if extras else "")
        command = [str(self.python), "-m", "pip", "install", "--no-input", "-c", str(self.constraints)]
        command += [*torch_options(), "--editable", target]
        if subprocess.call(command, env={**os.environ, "PIP_USER": "0"}) != 0:
            raise SetupFailed("pip could not install everything (see above). Check the network and run this again.")


def say(text: str) -> None:
    """Print one line of progress, before any child process writes."""
    print(f"archstudio setup: {text}", flush=True)


def torch_options() -> list[str]:
    """Return the pip options that bring PyTorch's CPU build: on Linux the default one is several GB of CUDA."""
    if not sys.platform.startswith("linux"):
        return []
    if index_answers(CPU_INDEX + "/torch/", PROBE_SECONDS):
        return ["--extra-index-url", CPU_INDEX]
    say(f"{CPU_INDEX} does not answer; taking torch from pip's own index, which may be the large CUDA build")
    return []


def index_answers(url: str, seconds: float) -> bool:
    """Say whether `url` answers within `seconds`, name look-up and proxies included."""
    import threading
    import urllib.request

    answers: list[bool] = []

    def ask() -> None:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=seconds):
                answers.append(True)
        except OSError:  # no such host, refused, timed out, certificate not trusted: all mean "not from here"
            answers.append(False)

    thread = threading.Thread(target=ask, daemon=True)  # a name look-up knows no time limit of its own
    thread.start()
    thread.join(seconds)
    return answers == [True]


def need_ensurepip() -> None:
    """Make sure Python can make environments; Debian ships that part separately."""
    import importlib.util

    if importlib.util.find_spec("ensurepip") is None and not qt_libraries.install_as_root([qt_libraries.VENV]):
        raise SetupFailed(f"Python lacks its venv part. Install it: {qt_libraries.install_line([qt_libraries.VENV])}")


def need_qt_libraries(with_x11: bool) -> str:
    """Install or name the system libraries Qt lacks; return the line that installs what is still missing, if any."""
    missing = qt_libraries.missing_for_qt(with_x11)
    if missing and qt_libraries.install_as_root(missing):
        missing = qt_libraries.missing_for_qt(with_x11)
    if not missing:
        return ""
    line = qt_libraries.install_line(missing)
    say(f"the window needs system libraries that are missing here. Install them with\n    {line}")
    return line


def has_display() -> bool:
    """Say whether a window can be shown: always, but on a Linux machine without X or Wayland."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def run(arguments: list[str]) -> int:
    """Start the program with `arguments`; without any and without a display, its demonstration."""
    missing = need_qt_libraries(with_x11=bool(os.environ.get("DISPLAY")))
    environment = Environment(ROOT)
    environment.ensure(set())
    if not arguments and not has_display():
        say("no display here, so no window: doing the main job off-screen, see the folder demo-out")
        arguments = ["demo", "--out", "demo-out"]
    # -P: a file like random.py in the current folder must not shadow a library.
    code = subprocess_code([str(environment.python), "-P", "-m", "archstudio", *arguments], dict(os.environ))
    if code != 0 and missing:
        say(f"that may be for want of system libraries: {missing}")
    return code


def test(arguments: list[str]) -> int:
    """Run the static checks, then pytest, whose closing line is the last of the output."""
    need_qt_libraries(with_x11=False)
    environment = Environment(ROOT)
    environment.ensure({"dev"})
    os.chdir(ROOT)
    variables = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    failed = [name for name, command in CHECKS.items() if not _passes(environment, name, command, variables)]
    if failed:
        say(f"NOT PASSED: {', '.join(failed)} (see above); the tests run all the same, but the exit code is 1")
    everything = "--all" in arguments
    chosen = [argument for argument in arguments if argument != "--all"]
    # Every day the same examples, so that a verdict depends on the code alone; the long run looks for new ones.
    marks = ["--hypothesis-profile", EXPLORING] if everything else ["-m", "not long"]
    workers = ["-n", str(min(4, os.cpu_count() or 1))]
    command = [str(environment.python), "-m", "pytest", *workers, *marks, *chosen]
    code = subprocess_code(command, variables)
    return code or bool(failed)


CHECKS = {
    "ruff check": ["-m", "ruff", "check", "."],
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "mypy": ["-m", "mypy"],
    "import-linter": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
}
"""The static checks: a name, and what Python is started with."""


def _passes(environment: Environment, name: str, command: list[str], variables: dict[str, str]) -> bool:
    say(name)
    return subprocess_code([str(environment.python), *command], variables) == 0


def subprocess_code(command: list[str], variables: dict[str, str]) -> int:
    """Run a command to its end and return its exit code; Ctrl+C reaches it, and we wait until it has ended."""
    with subprocess.Popen(command, env=variables) as child:
        while True:
            try:
                code = child.wait()
            except KeyboardInterrupt:
                continue
            return code if code >= 0 else 128 - code


def restart_with_newer_python() -> int:
    """Run this script again with a newer Python found on the path."""
    for name in NEWER_PYTHONS:
        found = shutil.which(name)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if found and subprocess.call([found, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"], **quiet) == 0:
            return subprocess.call([found, __file__, *sys.argv[1:]])
    version = ".".join(map(str, OLDEST_PYTHON))
    raise SetupFailed(f"Python {version} or newer is needed, this is {sys.version.split()[0]}.")


def main(arguments: list[str]) -> int:
    """Do one command; returns the exit code."""
    commands = {"run": run, "test": test}
    if not arguments or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 0 if arguments[:1] in (["-h"], ["--help"]) else 2
    try:
        if sys.version_info < OLDEST_PYTHON:
            return restart_with_newer_python()
        return commands[arguments[0]](arguments[1:])
    except SetupFailed as failure:
        print(f"archstudio setup: {failure}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        print("archstudio setup: stopped; the next call goes on from here", file=sys.stderr, flush=True)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
