"""Asks real PyTorch, in a process of its own, about the graph being edited; never makes the window wait."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from archstudio.app.document import Document
from archstudio.graph import Graph, to_document
from archstudio.torchcode.child_process import NotAMessage
from archstudio.torchcode.judging.messages import Answer, Failed, Ready, Said, Unavailable, read_said
from archstudio.training.child import clean_environment, exit_in_words

State: TypeAlias = Literal["idle", "starting", "asking", "answered", "failed", "unavailable"]


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """Times in seconds; `memory_bytes` is what a comparison may take beside PyTorch itself."""

    debounce: float = 0.3
    patience: float = 2.0
    """How long an outdated question may go on before its process is replaced: about what a new process costs."""
    answer: float = 30.0
    start: float = 120.0
    memory_bytes: int = 4 * 1024**3


@dataclass(frozen=True, slots=True)
class TorchStatus:
    """How the comparison stands: a state, one line for people, and the answer if there is one for the newest graph."""

    state: State
    text: str
    answer: Answer | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether PyTorch and the rules say the same; None while that is not known."""
        return None if self.answer is None else not self.answer.differences


@dataclass(frozen=True, slots=True)
class _Ended:
    """The process is gone."""

    exit_code: int
    last_line: str


@dataclass
class _Child:
    """One judging process with the threads that write to it and read from it."""

    process: subprocess.Popen[bytes]
    heard: queue.SimpleQueue[Said | _Ended] = field(default_factory=queue.SimpleQueue)
    to_send: queue.SimpleQueue[tuple[int, Graph] | None] = field(default_factory=queue.SimpleQueue)
    lines: deque[str] = field(default_factory=lambda: deque(maxlen=30))
    threads: tuple[threading.Thread, ...] = ()
    started: float = field(default_factory=time.monotonic)
    ready: str = ""
    """PyTorch's version once it is imported."""
    asked: int = 0
    """Number of the question it works on; 0 for none."""
    asked_at: float = 0.0

    @classmethod
    def start(cls, memory_bytes: int) -> _Child:
        """Start a process; OSError if that is impossible."""
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [*_program(), f"--memory-bytes={memory_bytes}"],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=tempfile.gettempdir(),
            env=clean_environment(os.environ),
        )
        child = cls(process)
        names = (child._write, child._read, child._log)
        child.threads = tuple(threading.Thread(target=f, name=f"judge {process.pid}", daemon=True) for f in names)
        for thread in child.threads:
            thread.start()
        return child

    def ask(self, number: int, graph: Graph) -> None:
        """Hand over a question; it is written by a thread, since a large one may have to wait for the reader."""
        self.asked, self.asked_at = number, time.monotonic()
        self.to_send.put((number, graph))

    def end(self) -> None:
        """Kill the process, and wait for it and its threads."""
        self.process.kill()
        self.process.wait()
        self.to_send.put(None)
        for thread in self.threads:
            thread.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except OSError:  # what was not written yet can no longer be
                continue

    def _write(self) -> None:
        assert self.process.stdin is not None
        while (item := self.to_send.get()) is not None:
            number, graph = item
            question = {"v": 1, "type": "ask", "number": number, "document": to_document(graph)}
            try:
                self.process.stdin.write(json.dumps(question).encode() + b"\n")
                self.process.stdin.flush()
            except OSError as fault:  # the process is gone, which its reader tells
                self.lines.append(f"a question could not be sent: {fault}")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                self.heard.put(read_said(line))
            except NotAMessage as fault:
                self.lines.append(str(fault))
        self.heard.put(_Ended(self.process.wait(), self.lines[-1] if self.lines else ""))

    def _log(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.decode(errors="replace").rstrip())


class TorchJudge:
    """Compares the newest graph with PyTorch. All methods return at once; call `poll` several times a second.

    A newer question makes older ones worthless: one in work gets a little time to end, then its process is replaced.
    """

    def __init__(self, limits: JudgeLimits | None = None) -> None:
        self._limits = JudgeLimits() if limits is None else limits
        self._child: _Child | None = None
        self._document: Document | None = None
        self._due: float | None = None
        self._number = 0
        self._repeated = 0
        self._open = False
        self._status = TorchStatus("idle", "")
        self._old: list[threading.Thread] = []

    # --------------------------------------------------------------- asking

    def ask(self, document: Document) -> None:
        """The graph of this document changed: compare it once no newer question came for a moment."""
        if self._status.state == "unavailable":
            return
        self._document = document
        self._number += 1
        self._due = time.monotonic() + self._limits.debounce
        self._open = True
        self._status = TorchStatus("asking", "PyTorch is asked …")

    def poll(self) -> TorchStatus:
        """Move on, and say how the comparison stands."""
        if self._child is not None:
            self._listen(self._child)
        if self._child is not None:
            self._enforce(self._child)
        if self._due is not None and time.monotonic() >= self._due:
            self._put_question()
        return self._status

    def text(self) -> str:
        """The line to show; empty while nothing was asked."""
        return self._status.text

    @property
    def pid(self) -> int | None:
        """The process that judges, if there is one."""
        return None if self._child is None else self._child.process.pid

    def close(self) -> None:
        """End the process; none is left when this returns."""
        self._due, self._open = None, False
        child, self._child = self._child, None
        if child is not None:
            child.end()
        for thread in self._old:
            thread.join()
        self._old.clear()

    # -------------------------------------------------------------- working

    def _put_question(self) -> None:
        """Give the newest graph to the process, if it is free or can be made free."""
        if self._child is not None and self._child.asked:
            if time.monotonic() - self._child.asked_at < self._limits.patience:
                return
            self._drop()
        if self._child is None and not self._start():
            return
        assert self._child is not None
        assert self._document is not None
        self._due = None
        self._child.ask(self._number, self._document.graph.copy())
        if not self._child.ready:
            self._status = TorchStatus("starting", "PyTorch is starting …")

    def _start(self) -> bool:
        try:
            self._child = _Child.start(self._limits.memory_bytes)
        except OSError as fault:
            self._give_up(f"its process cannot be started: {fault}")
        return self._child is not None

    def _listen(self, child: _Child) -> None:
        while not child.heard.empty():
            said = child.heard.get()
            if isinstance(said, Ready):
                child.ready, child.asked_at = said.torch, time.monotonic()
                if self._open and self._status.state == "starting":
                    self._status = TorchStatus("asking", f"PyTorch {_short(said.torch)} is asked …")
            elif isinstance(said, Unavailable):
                self._status = TorchStatus("unavailable", "PyTorch cannot be used here; the rules alone speak")
                self._due, self._open = None, False
            elif isinstance(said, _Ended):
                self._mourn(child, said)
                return
            else:
                self._hear(child, said)

    def _hear(self, child: _Child, said: Answer | Failed) -> None:
        child.asked = 0
        if said.number != self._number:
            return  # of a graph that is no more
        self._open = False
        if isinstance(said, Answer):
            self._status = TorchStatus("answered", answer_text(said), said)
        else:
            self._status = TorchStatus("failed", f"Not compared with PyTorch: {said.reason}")

    def _mourn(self, child: _Child, ended: _Ended) -> None:
        """The process died: the newest question is put once more to another one; if that dies too, the graph is why."""
        asked = child.asked
        self._drop()
        if self._open and asked == self._number:
            if self._repeated != asked:
                self._repeated, self._due = asked, time.monotonic()
                return
            why = exit_in_words(ended.exit_code)[0]
            self._give_up(f"its process {why}" + (f" ({ended.last_line})" if ended.last_line else ""))

    def _enforce(self, child: _Child) -> None:
        """End a process that takes too long over the newest question."""
        since = child.asked_at if child.ready else child.started
        limit = self._limits.answer if child.ready else self._limits.start
        if child.asked and child.asked == self._number and time.monotonic() - since > limit:
            self._drop()
            self._give_up(f"it took longer than {limit:g} s")

    def _give_up(self, why: str) -> None:
        self._due, self._open = None, False
        self._status = TorchStatus("failed", f"Not compared with PyTorch: {why}")

    def _drop(self) -> None:
        """End the process; a thread waits for it."""
        child, self._child = self._child, None
        if child is not None:
            child.process.kill()
            thread = threading.Thread(target=child.end, name="judge end")
            thread.start()
            self._old = [*(t for t in self._old if t.is_alive()), thread]


def answer_text(answer: Answer) -> str:
    """One line: `PyTorch 2.13 agrees: shapes, parameters, FLOPs`, or how far it agrees, or where it differs."""
    name = f"PyTorch {_short(answer.torch)}"
    if answer.differences:
        more = len(answer.differences) - 1
        return f"{name} differs: {answer.differences[0]}" + (f" (and {more} more)" if more else "")
    if not answer.refused and not answer.unasked:
        return f"{name} agrees: {', '.join(answer.compared)}"
    parts = [" to ".join(answer.ran)] if answer.ran else []
    parts += [f"{_listed(answer.refused)} refused"] if answer.refused else []
    parts += [f"{_listed(answer.unasked)} could not be asked about"] if answer.unasked else []
    return f"{name} agrees: {'; '.join(parts)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _short(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _program() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, "--judge-worker"]
    return [sys.executable, "-P", "-m", "archstudio.torchcode.judge_worker"]
