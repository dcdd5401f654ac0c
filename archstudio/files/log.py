"""Sends log records, uncaught exceptions and crashes of the interpreter to one rotating log file."""

import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

LOG_BYTES = 1024 * 1024
LOGS_KEPT = 3
_FORMAT = "%(asctime)s %(levelname)s %(process)d %(threadName)s %(name)s: %(message)s"


@dataclass(frozen=True)
class Fault:
    """An uncaught exception: one line for a notice, and the whole traceback for *Copy details*."""

    summary: str
    details: str
    thread: str


def start_log(path: Path, level: int = logging.INFO) -> Callable[[], None]:
    """Send every log record to `path`, which rotates at `LOG_BYTES` keeping `LOGS_KEPT` older files.

    Returns a function that stops and closes the log.
    """
    handler = RotatingFileHandler(path, maxBytes=LOG_BYTES, backupCount=LOGS_KEPT, encoding="utf-8", delay=True)
    handler.rotator = _rotate
    handler.setFormatter(logging.Formatter(_FORMAT))
    root = logging.getLogger()
    level_before = root.level
    root.addHandler(handler)
    root.setLevel(level)

    def stop() -> None:
        root.removeHandler(handler)
        root.setLevel(level_before)
        handler.close()

    return stop


def catch_faults(on_fault: Callable[[Fault], None] | None = None) -> Callable[[], None]:
    """Log every uncaught exception of any thread, then tell `on_fault`, then the hook that was there before.

    `on_fault` is called in the thread that failed. Ctrl+C is left alone. Returns a function that undoes it.
    """
    main_before, thread_before = sys.excepthook, threading.excepthook

    def in_main(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            _record(error, threading.current_thread().name, on_fault)
        main_before(kind, error, at)

    def in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
            _record(args.exc_value, args.thread.name if args.thread else "?", on_fault)
        thread_before(args)

    sys.excepthook, threading.excepthook = in_main, in_thread

    def undo() -> None:
        sys.excepthook, threading.excepthook = main_before, thread_before

    return undo


def catch_crashes(path: Path) -> Callable[[], None]:
    """Have the interpreter write every thread's stack to `path` when it crashes. Returns a function that undoes it."""
    stream = path.open("a", encoding="utf-8")
    faulthandler.enable(file=stream, all_threads=True)

    def undo() -> None:
        faulthandler.disable()
        stream.close()

    return undo


def _record(error: BaseException, thread: str, on_fault: Callable[[Fault], None] | None) -> None:
    details = "".join(traceback.format_exception(error))
    summary = traceback.format_exception_only(error)[-1].strip()
    logging.getLogger("archstudio").critical("Uncaught exception in thread %s\n%s", thread, details)
    if on_fault is not None:
        on_fault(Fault(summary, details, thread))


def _rotate(source: str, target: str) -> None:
    try:
        os.replace(source, target)
    except PermissionError:  # Windows: another instance has the log open; it grows until a later turn
        return
