"""Work that needs torch, done in a process of its own, so that the window neither loads it nor waits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO

from archstudio.training.child import clean_environment, exit_in_words

_LAST = 400


class TaskFailed(Exception):
    """The process could not do its work; the text says why."""


class Task:
    """One process of one of our modules, which says at its end one line of JSON. `poll` it; `end` it when closing."""

    def __init__(self, module: str, arguments: Sequence[str]) -> None:
        self._files = ExitStack()
        self._out: IO[bytes] = self._files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  the stack closes it
        self._log: IO[bytes] = self._files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  the stack closes it
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", module, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=self._out,
                stderr=self._log,
                cwd=tempfile.gettempdir(),
                env=clean_environment(os.environ),
            )
        except OSError:
            self._files.close()
            raise

    def poll(self) -> dict[str, object] | None:
        """Return what the process said, None while it works; raises `TaskFailed`."""
        code = self._process.poll()
        if code is None:
            return None
        text, log = self._read(self._out), self._read(self._log)
        self._files.close()
        last = text.strip().rpartition("\n")[2]
        try:
            said = json.loads(last)
        except ValueError:
            how, _ = exit_in_words(code)
            raise TaskFailed(f"The process {how}. {log.strip()[-_LAST:]}".strip()) from None
        if "fault" in said:
            raise TaskFailed(str(said["fault"]))
        return dict(said)

    def end(self) -> None:
        """Kill the process if it still works."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._files.close()

    def _read(self, stream: IO[bytes]) -> str:
        stream.seek(0)
        return stream.read().decode("utf-8", "replace")
