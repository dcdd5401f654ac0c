"""Who answers a task: a policy of the program, or a command that reads an observation and prints its reply."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Final, Protocol

from archstudio.bench.brief import AnyTask
from archstudio.bench.policies import Policy
from archstudio.bench.reply import MAX_REPLY

_CHUNK: Final = 65_536
_KEPT_STDERR: Final = 2_000
_GRACE_S: Final = 1.0


@dataclass(frozen=True)
class Answer:
    """A reply as text, or the `fault` for which there is none; `tokens` it cost, where somebody counts."""

    text: str = ""
    fault: str | None = None
    tokens: int | None = None


class Answerer(Protocol):
    """Answers one observation of a task."""

    def answer(self, task: AnyTask, observation: Mapping[str, Any]) -> Answer: ...


@dataclass(frozen=True)
class BuiltIn:
    """A policy of the program; it gives the same answer in every round."""

    policy: Policy

    def answer(self, task: AnyTask, observation: Mapping[str, Any]) -> Answer:
        actions = self.policy(task)
        if actions is None:
            return Answer(fault="the policy has no answer to this task")
        return Answer(json.dumps({"actions": actions}))


@dataclass(frozen=True)
class Command:
    """A program started anew for every observation: JSON on its standard input, the reply on its standard output.

    It is killed with all it started when it takes longer than `timeout_s`, or prints more than `most_bytes`.
    """

    arguments: Sequence[str]
    timeout_s: float = 120.0
    most_bytes: int = MAX_REPLY

    def answer(self, task: AnyTask, observation: Mapping[str, Any]) -> Answer:
        given = json.dumps(observation, ensure_ascii=False).encode()
        try:
            process = subprocess.Popen(
                list(self.arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=os.name != "nt",
            )
        except (OSError, ValueError) as error:
            return Answer(fault=f"cannot start {self.arguments[0]!r}: {error}")
        return _Talk(process, self.timeout_s, self.most_bytes).held(given)


class _Talk:
    """One exchange with a process: everything is written and read at once, and ends by a limit if not by itself."""

    def __init__(self, process: subprocess.Popen[bytes], timeout_s: float, most_bytes: int) -> None:
        self._process, self._timeout_s, self._most = process, timeout_s, most_bytes
        self._out, self._err = bytearray(), bytearray()
        self._too_long = False

    def held(self, given: bytes) -> Answer:
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        reader = threading.Thread(target=self._read_reply, args=(process.stdout,), daemon=True)
        others = [
            threading.Thread(target=self._write, args=(process.stdin, given), daemon=True),
            threading.Thread(target=self._read_errors, args=(process.stderr,), daemon=True),
        ]
        until = time.monotonic() + self._timeout_s
        for thread in (reader, *others):
            thread.start()
        try:
            reader.join(self._timeout_s)
            timed_out = reader.is_alive() or (not self._too_long and not self._ends(until))
        finally:
            self._kill()
        for thread in (reader, *others):
            thread.join(_GRACE_S)
        if not any(thread.is_alive() for thread in (reader, *others)):  # else something that fled still holds a pipe
            process.stdout.close()
            process.stderr.close()
        return self._told(timed_out)

    def _ends(self, until: float) -> bool:
        """Whether the process ends by itself in the time that is left; it may close its output earlier."""
        try:
            self._process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
        return True

    def _told(self, timed_out: bool) -> Answer:
        text = self._out.decode("utf-8", "replace")
        if self._too_long:
            return Answer(fault=f"the reply is longer than {self._most:,} bytes")
        if timed_out:
            return Answer(fault=f"no reply within {self._timeout_s:g} s")
        if self._process.returncode:
            told = self._err.decode("utf-8", "replace").strip().splitlines()
            return Answer(fault=f"exit code {self._process.returncode}" + (f": {told[-1]}" if told else ""))
        return Answer(text)

    def _write(self, stream: IO[bytes], given: bytes) -> None:
        with suppress(OSError):  # a command need not read what it is told
            stream.write(given)
        with suppress(OSError):
            stream.close()

    def _read_reply(self, stream: IO[bytes]) -> None:
        while chunk := os.read(stream.fileno(), _CHUNK):
            self._out += chunk
            if len(self._out) > self._most:
                self._too_long = True
                return

    def _read_errors(self, stream: IO[bytes]) -> None:
        while chunk := os.read(stream.fileno(), _CHUNK):
            self._err = (self._err + chunk)[-_KEPT_STDERR:]

    def _kill(self) -> None:
        """End the process and, where the system has groups, whatever it started."""
        if os.name == "nt":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
