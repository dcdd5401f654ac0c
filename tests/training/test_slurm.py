"""Training through Slurm: its programs are stand-ins that really start and end the jobs; all else is real."""

from __future__ import annotations

import os
import re
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from archstudio.training.engine import LocalEngine, ProgressMade
from archstudio.training.engines import EngineChoice, open_engine
from archstudio.training.kept_engine import KeptEngine

pytest.importorskip("dask_jobqueue")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Slurm runs on Linux")

PATIENCE = 120.0
JOBS = 2

SBATCH = """#!{python}
import os, pathlib, subprocess, sys
place = pathlib.Path({place!r})
number = 1
while True:  # two are submitted at once
    try:
        os.close(os.open(place / f"{{number}}.job", os.O_CREAT | os.O_EXCL))
        break
    except FileExistsError:
        number += 1
script = pathlib.Path(sys.argv[-1]).read_text()
(place / f"{{number}}.sh").write_text(script)
out = open(place / f"{{number}}.out", "wb")
made = subprocess.Popen(["bash", place / f"{{number}}.sh"], stdout=out, stderr=out, start_new_session=True)
(place / f"{{number}}.job").write_text(str(made.pid))
print(f"Submitted batch job {{number}}")
"""
SCANCEL = """#!{python}
import os, pathlib, signal, sys
for number in sys.argv[1:]:
    try:
        os.killpg(int((pathlib.Path({place!r}) / f"{{number}}.job").read_text()), signal.SIGTERM)
    except ProcessLookupError:
        pass
"""


class Slurm:
    """The jobs that were submitted."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def scripts(self) -> list[str]:
        return [path.read_text() for path in sorted(self.place.glob("*.sh"))]

    def groups(self) -> list[int]:
        """The process group of each job, in the order of their numbers."""
        jobs = sorted(self.place.glob("*.job"), key=lambda path: int(path.stem))
        return [int(path.read_text()) for path in jobs if path.read_text()]

    def processes(self) -> list[psutil.Process]:
        """What still runs of any job."""
        wanted, found = set(self.groups()), []
        for process in psutil.process_iter():
            try:
                if os.getpgid(process.pid) in wanted and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except (ProcessLookupError, psutil.NoSuchProcess):
                continue
        return found


def eventually(condition: Callable[[], object], why: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"it never happened {why()}"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    """`sbatch` and `scancel` first on the path."""
    place, programs = tmp_path_factory.mktemp("jobs"), tmp_path_factory.mktemp("programs")
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        program = programs / name
        program.write_text(text.format(python=sys.executable, place=str(place)))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
        patch.chdir(place)  # job output of Slurm lies where it was submitted
        yield Slurm(place)


@pytest.fixture(scope="module")
def far_engine(slurm: Slurm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeptEngine]:
    choice = EngineChoice("dask", workers=JOBS, scheduler="slurm")
    with open_engine(tmp_path_factory.mktemp("far"), choice) as engine:
        yield engine
    eventually(lambda: not slurm.processes(), lambda: f"{[p.cmdline() for p in slurm.processes()]}")


@pytest.fixture(scope="module")
def near_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalEngine]:
    with LocalEngine(tmp_path_factory.mktemp("near"), workers=1) as running:
        yield running


def test_jobs_are_submitted_train_and_give_the_bytes_of_this_machine(
    everything, slurm, far_engine, near_engine, describe
) -> None:
    description = describe(seeds=(0, 1, 2))
    far, near = far_engine.submit(description), near_engine.submit(description)
    assert far.wait(PATIENCE).state == "finished", far.status().failures
    assert near.wait(PATIENCE).state == "finished"
    assert everything(far) == everything(near)
    scripts = slurm.scripts()
    assert len(scripts) == JOBS
    assert all(re.search(r"^#SBATCH -n 1$", script, re.MULTILINE) for script in scripts)


def test_a_job_that_is_killed_costs_no_result_and_no_digit(
    everything, slurm, far_engine, near_engine, describe
) -> None:
    description = describe(budget_samples=96_000, seeds=(5, 6))
    far = far_engine.submit(description)
    eventually(lambda: any(isinstance(event, ProgressMade) for event in far_engine.poll()))
    os.killpg(slurm.groups()[0], signal.SIGKILL)
    assert far.wait(PATIENCE).state == "finished", far.status().failures
    near = near_engine.submit(description)
    assert near.wait(PATIENCE).state == "finished"
    assert everything(far) == everything(near)
