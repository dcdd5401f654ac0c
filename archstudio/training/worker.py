"""The long-lived child process that trains: `python -m archstudio.training.worker`, JSON lines on stdin and stdout."""

import argparse
import errno
import os
import queue
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from archstudio.files.atomic import SaveFailed
from archstudio.files.locks import FileLock
from archstudio.files.unusable import UnusableFile
from archstudio.torchcode.child_process import NotAMessage, claim_stdout, limit_memory, lower_priority, to_line
from archstudio.training.checkpoint import remove_checkpoint
from archstudio.training.control import Aborted, Control
from archstudio.training.devices import NoDevice
from archstudio.training.divergence import Diverged
from archstudio.training.fitting import NothingFits
from archstudio.training.identity import WORKER_THREADS
from archstudio.training.kinds import BUILT_IN, UnknownKind, load_kind
from archstudio.training.limits import Watch, memory_failure
from archstudio.training.loop import Job
from archstudio.training.protocol import (
    Ended,
    Failure,
    Message,
    Pause,
    Quit,
    Ready,
    Resume,
    Run,
    Stop,
    parse_command,
)
from archstudio.training.store import SeedFolder, SeedResult

_TRACEBACK_LINES = 30
_STORAGE_FAULTS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO}


class Outlet:
    """The real standard output, for whole messages from any thread."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, message: Message) -> None:
        """Write one line; if nobody listens any more, the job still ends in order, since the inbox ends as well."""
        with self._lock:
            try:
                self._stream.write(to_line(message))
                self._stream.flush()
            except OSError:  # BrokenPipeError; Windows says EINVAL
                _print_to_nowhere()


class Inbox:
    """Reads commands in a thread of its own: jobs queue up, wishes go straight to the job they are for."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._controls: dict[int, Control] = {}
        self.jobs: queue.SimpleQueue[tuple[Run, Control] | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="commands", daemon=True).start()

    def _read(self) -> None:
        quitting = False
        for line in self._stream:
            try:
                command = parse_command(line)
            except NotAMessage as error:
                print(error, file=sys.stderr, flush=True)
                continue
            if quitting := isinstance(command, Quit):
                break
            self._take(command)
        if not quitting:  # the stream just ended: the supervisor is gone, and whoever prints would fail
            _print_to_nowhere()
        for control in list(self._controls.values()):
            control.ask("stop")
        self.jobs.put(None)

    def _take(self, command: Run | Pause | Resume | Stop) -> None:
        if isinstance(command, Run):
            self._controls = {command.job: Control()}
            self.jobs.put((command, self._controls[command.job]))
        elif control := self._controls.get(command.job):
            control.ask("pause" if isinstance(command, Pause) else "go" if isinstance(command, Resume) else "stop")


def main(arguments: Sequence[str] | None = None) -> int:
    """Take jobs until told to quit or until standard input ends; returns the exit code."""
    options = _options(arguments)
    # Ctrl+C reaches every process of a terminal; the supervisor then asks for a checkpoint, and this one must make it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    outlet = Outlet(claim_stdout())
    lower_priority()
    inbox = Inbox(sys.stdin.buffer)
    watch = Watch(outlet.send, options.memory_bytes)
    outlet.send(_import_torch())
    if options.memory_bytes is not None:
        limit_memory(options.memory_bytes)
    places = BUILT_IN | dict(kind.split("=", 1) for kind in options.kind)
    while (job := inbox.jobs.get()) is not None:
        run, control = job
        watch.begin(run.job, control, run.wall_seconds)
        ended = _do(run, control, outlet, places)
        watch.end()
        outlet.send(ended)
    if options.folder:  # the supervisor does this too, if it still lives
        os.chdir(tempfile.gettempdir())
        shutil.rmtree(options.folder, ignore_errors=True)
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="archstudio worker", description="Train runs for a supervising process.")
    parser.add_argument("--memory-bytes", type=int, default=None, help="resident memory a job may reach")
    parser.add_argument("--folder", type=Path, default=None, help="the working folder, removed at the end")
    parser.add_argument("--kind", action="append", default=[], metavar="NAME=MODULE:FUNCTION", help="add a job kind")
    return parser.parse_args(arguments)


def _print_to_nowhere() -> None:
    """Let standard output and error lead to nothing: the pipes they led to have no other end any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _import_torch() -> Ready:
    import torch

    torch.set_num_threads(WORKER_THREADS)
    torch.set_num_interop_threads(WORKER_THREADS)
    torch.use_deterministic_algorithms(True, warn_only=True)
    # costs up to a tenth, and no number depends on it
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    return Ready(
        pid=os.getpid(),
        torch=torch.__version__,
        threads=torch.get_num_threads(),
        cpu=torch.backends.cpu.get_cpu_capability(),
    )


def _do(run: Run, control: Control, outlet: Outlet, places: dict[str, str]) -> Ended:
    """Do one job; whatever goes wrong in it is a result, and the worker lives on."""
    folder = Path(run.folder)
    files = SeedFolder.of(folder, run.seed)
    try:
        files.path.mkdir(parents=True, exist_ok=True)
        lock = FileLock.take(files.path / "lock")  # the worker of a killed supervisor may still be writing
    except OSError as error:
        return Ended(job=run.job, state="failed", failure=_failure(error))
    with lock:
        try:
            result = load_kind(run.kind, places)(Job.of(run, files), control, outlet.send)
            if result is not None:
                files.save_result(result)
        except Exception as error:
            return _failed(run, files, _failure(error))
    if result is None:
        return Ended(job=run.job, state="stopped")
    return Ended(job=run.job, state=result.state, failure=result.failure)


def _failed(run: Run, files: SeedFolder, failure: Failure) -> Ended:
    if failure.kind in ("diverged", "error"):  # going on from the last checkpoint would lead to the same place
        remove_checkpoint(files.path)
    try:
        files.save_result(SeedResult(state="failed", step=failure.step or 0, failure=failure))
    except SaveFailed as error:  # the message below still says why, and the list of runs keeps it
        print(error, file=sys.stderr, flush=True)
    return Ended(job=run.job, state="failed", failure=failure)


def _failure(error: Exception) -> Failure:
    if isinstance(error, Aborted):
        return error.failure
    if isinstance(error, Diverged):
        return error.failure()
    if isinstance(error, UnusableFile | NothingFits | UnknownKind | NoDevice):
        return Failure(kind="unusable", message=str(error))
    if isinstance(error, SaveFailed):
        return _no_storage(error)
    if isinstance(error, OSError) and error.errno in _STORAGE_FAULTS:
        return _no_storage(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return memory_failure("There was not enough memory.")
    lines = traceback.format_exception(error)
    print("".join(lines), file=sys.stderr, flush=True)
    last = tuple("".join(lines).splitlines()[-_TRACEBACK_LINES:])
    return Failure(kind="error", message=f"The model stopped with {type(error).__name__}: {error}", log=last)


def _no_storage(error: Exception) -> Failure:
    remedy = "Make room; Retry then goes on from the last checkpoint."
    return Failure(kind="storage", message=f"What the run learns cannot be kept: {error} {remedy}")


if __name__ == "__main__":
    sys.exit(main())
