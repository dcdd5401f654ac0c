"""Every fault ends in the log, whichever thread or layer it came from."""

import logging
import subprocess
import sys
import textwrap
import threading

import pytest

import archstudio.files.log as log


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "archstudio.log"
    stop = log.start_log(path)
    yield path
    stop()


def boom():
    raise RuntimeError("no such layer")


def test_records_of_any_logger_are_in_the_log(path):
    logging.getLogger("some.library").info("hello %d", 3)
    assert "INFO" in path.read_text()
    assert "some.library: hello 3" in path.read_text()


def test_stopping_the_log_leaves_logging_as_it_was(tmp_path):
    before = (list(logging.getLogger().handlers), logging.getLogger().level)
    log.start_log(tmp_path / "a.log")()
    assert (list(logging.getLogger().handlers), logging.getLogger().level) == before


def test_the_log_rotates_and_keeps_few(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "LOG_BYTES", 200)
    stop = log.start_log(tmp_path / "a.log")
    for number in range(50):
        logging.getLogger("x").info("line %d", number)
    stop()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.log", "a.log.1", "a.log.2", "a.log.3"]
    assert "line 49" in (tmp_path / "a.log").read_text()


def test_an_uncaught_exception_is_logged_told_and_passed_on(path, monkeypatch):
    passed_on, told = [], []
    monkeypatch.setattr(sys, "excepthook", lambda *args: passed_on.append(args))
    undo = log.catch_faults(told.append)
    try:
        boom()
    except RuntimeError:
        sys.excepthook(*sys.exc_info())
    undo()

    assert [fault.summary for fault in told] == ["RuntimeError: no such layer"]
    assert "in boom" in told[0].details
    assert "in boom" in path.read_text()
    assert len(passed_on) == 1


def test_an_exception_in_a_thread_is_logged_and_told_with_the_threads_name(path, monkeypatch):
    told = []
    monkeypatch.setattr(threading, "excepthook", lambda args: None)
    undo = log.catch_faults(told.append)
    thread = threading.Thread(target=boom, name="supervisor")
    thread.start()
    thread.join()
    undo()

    assert [(fault.thread, fault.summary) for fault in told] == [("supervisor", "RuntimeError: no such layer")]
    assert "thread supervisor" in path.read_text()


def test_interrupting_is_not_a_fault(path, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "excepthook", lambda *args: None)
    undo = log.catch_faults(told.append)
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    undo()
    assert told == []


def test_undoing_puts_the_hooks_back():
    before = (sys.excepthook, threading.excepthook)
    log.catch_faults()()
    assert (sys.excepthook, threading.excepthook) == before


def test_a_crash_of_the_interpreter_leaves_its_stack_in_the_log(tmp_path):
    code = """
        import faulthandler, sys
        from pathlib import Path
        from archstudio.files.log import catch_crashes
        catch_crashes(Path(sys.argv[1]))
        def fatal():
            faulthandler._sigabrt()
        fatal()
    """
    path = tmp_path / "a.log"
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(code), str(path)], check=False)
    assert ended.returncode != 0
    assert "in fatal" in path.read_text()
