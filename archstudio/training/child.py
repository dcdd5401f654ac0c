"""One worker process as the supervisor holds it: started clean, listened to by threads, and surely ended."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from archstudio.torchcode.child_process import NotAMessage, to_line
from archstudio.training.protocol import Event, Failure, Message, Quit, parse_event

LOG_LINES = 30
"""How many of the last lines a worker printed are kept for the message about its end."""

_INHERITED = (
    "PATH", "HOME", "USERPROFILE", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "WINDIR",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "ATEN_CPU_CAPABILITY",
    "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
)  # fmt: skip
_THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),
    "MALLOC_TRIM_THRESHOLD_": str(256 * 2**20),
    "MALLOC_TOP_PAD_": str(64 * 2**20),
}
"""glibc keeps the memory of tensors for the next step instead of giving it back at each: a tenth less time for models
whose activations take megabytes. Other C libraries do not look at these."""
_REPEATABLE = {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"}
"""What cuBLAS needs to give the same bits again [PyTorch, notes on reproducibility]."""
_POLITE_SECONDS = 5.0


@dataclass(frozen=True)
class ChildLimits:
    """What a worker may use; None is no limit."""

    memory_bytes: int | None = None
    wall_seconds: float | None = None


@dataclass(frozen=True)
class Heard:
    """A worker said something."""

    child: "WorkerProcess"
    event: Event


@dataclass(frozen=True)
class Died:
    """A worker process has ended, and everything it said has been heard."""

    child: "WorkerProcess"
    exit_code: int


@dataclass
class WorkerProcess:
    """A running worker. `tell` receives `Heard` and, last of all, one `Died`, from other threads."""

    process: "subprocess.Popen[bytes]"
    folder: Path
    tell: Callable[[Heard | Died], None]
    log_file: Path | None = None
    last_lines: deque[str] = field(default_factory=lambda: deque(maxlen=LOG_LINES))
    last_heard: float = field(default_factory=time.monotonic)
    threads: tuple[threading.Thread, ...] = ()

    @classmethod
    def start(
        cls, tell: Callable[[Heard | Died], None], limits: ChildLimits, kinds: Mapping[str, str]
    ) -> "WorkerProcess":
        """Start a worker in a temporary folder of its own; raises `OSError` if that is impossible."""
        folder = Path(tempfile.mkdtemp(prefix="archstudio-worker-"))
        process = subprocess.Popen(
            [*_program(), f"--folder={folder}", *_arguments(limits, kinds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=clean_environment(os.environ),
        )
        child = cls(process, folder, tell)
        errors = threading.Thread(target=child._read_log, name=f"worker {process.pid} log", daemon=True)
        events = threading.Thread(target=child._read_events, args=[errors], name=f"worker {process.pid}", daemon=True)
        errors.start()
        events.start()
        child.threads = (errors, events)
        return child

    def send(self, message: Message) -> None:
        """Write a message; a worker that is gone has said so, or will, by `Died`."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(to_line(message))
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError, OSError) as error:
            self.last_lines.append(f"(the message {type(message).__name__} could not be sent: {error})")

    def quit(self) -> None:
        """Ask the worker to end its job at the next step, and then itself."""
        self.send(Quit())

    def kill(self) -> None:
        """End the worker at once."""
        self.process.kill()

    def end(self, patience: float = _POLITE_SECONDS) -> None:
        """Wait until the process is gone, killing it when patience runs out, and remove every trace of it."""
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            self.process.wait()
        for thread in self.threads:
            thread.join(_POLITE_SECONDS)
        if not any(thread.is_alive() for thread in self.threads):  # else a process the model started holds the pipe
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                assert stream is not None
                stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def obituary(self, exit_code: int, *, silent: bool) -> Failure:
        """Return the failure of the job that a dead worker had; `silent`: it was ended since it did not answer."""
        words, name = exit_in_words(exit_code)
        if silent:
            words = "did not answer any more and was ended"
        return Failure(
            kind="worker_silent" if silent else "worker_died",
            message=f"The worker process {words}. Other runs are not affected; Retry goes on from the last checkpoint.",
            exit_code=exit_code,
            signal=name,
            log=tuple(self.last_lines),
        )

    def silent_seconds(self) -> float:
        """How long nothing was heard from the worker."""
        return time.monotonic() - self.last_heard

    def _read_events(self, log_thread: threading.Thread) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.last_heard = time.monotonic()
            try:
                event = parse_event(line)
            except NotAMessage as error:
                self.last_lines.append(str(error))
                continue
            self.tell(Heard(self, event))
        exit_code = self.process.wait()
        log_thread.join(_POLITE_SECONDS)  # not for ever: a process the model started may hold the pipe
        self.tell(Died(self, exit_code))

    def _read_log(self) -> None:
        assert self.process.stderr is not None
        for raw in self.process.stderr:
            line = raw.decode(errors="replace").rstrip()
            self.last_lines.append(line)
            if (target := self.log_file) is not None:
                with target.open("a", encoding="utf-8") as stream:
                    stream.write(line + "\n")


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what a worker may see of the environment: what Python needs, never tokens or keys."""
    kept = {name: environment[name] for name in _INHERITED if name in environment}
    own = str(Path(__file__).parents[2])
    kept["PYTHONPATH"] = os.pathsep.join(part for part in (own, kept.get("PYTHONPATH")) if part)
    kept |= dict.fromkeys(_THREAD_VARIABLES, "1")
    return (
        _ALLOCATOR | _REPEATABLE | kept | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    )


def exit_in_words(exit_code: int) -> tuple[str, str | None]:
    """Return how a process ended, in words, and the signal's name if it was one."""
    if exit_code >= 0:
        return f"ended with exit code {exit_code}", None
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    hint = ", as the system does when memory runs out" if name == "SIGKILL" else ""
    return f"was killed by {name}{hint}", name


def _program() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "--worker"]
    return [sys.executable, "-P", "-m", "archstudio.training.worker"]


def _arguments(limits: ChildLimits, kinds: Mapping[str, str]) -> list[str]:
    chosen = [f"--kind={name}={place}" for name, place in kinds.items()]
    if limits.memory_bytes is not None:
        chosen.append(f"--memory-bytes={limits.memory_bytes}")
    return chosen
