"""The durable list of what is to be trained: one SQLite table that survives crashes and that several processes read."""

import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from archstudio.files.atomic import SaveFailed

State = Literal["queued", "running", "paused", "finished", "failed", "stopped"]

_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS job (
    id INTEGER PRIMARY KEY,
    spec_sha256 TEXT NOT NULL,
    seed INTEGER NOT NULL,
    environment TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN {get_args(State)}),
    attempt INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    started REAL,
    finished REAL,
    result_path TEXT NOT NULL,
    error TEXT,
    UNIQUE (spec_sha256, seed, environment)
)
"""
_COLUMNS = "id, spec_sha256, seed, environment, state, attempt, worker, started, finished, result_path, error"
_BUSY_SECONDS = 10.0

_REASONS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_IOERR": "the disk is full or reports a fault",
    "SQLITE_READONLY": "you may not write there",
    "SQLITE_CANTOPEN": "it cannot be opened, or the disk is full",
    "SQLITE_BUSY": "another program keeps it locked",
    "SQLITE_LOCKED": "another program keeps it locked",
    "SQLITE_CORRUPT": "the file is damaged",
    "SQLITE_NOTADB": "the file is damaged",
}


class QueueFailed(SaveFailed):
    """The list of runs could not be read or written; what it held before is still there."""

    def __str__(self) -> str:
        return (
            f"The list of runs '{self.path}' cannot be used: {self.reason}. Runs made so far are not affected; "
            "mend that (or set ARCHSTUDIO_HOME to another folder) and start again."
        )


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what SQLite says into `QueueFailed`."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")
        reason = next((words for code, words in _REASONS.items() if name.startswith(code)), str(error))
        raise QueueFailed(path, reason) from error


@dataclass(frozen=True)
class QueuedJob:
    """One row: a seed of a run.

    `worker` names the engine that claimed it; times are seconds since 1970; `result_path` is the run's id, which is
    the name of its folder in the store.
    """

    id: int
    spec_sha256: str
    seed: int
    environment: str
    state: State
    attempt: int
    worker: str | None
    started: float | None
    finished: float | None
    result_path: str
    error: str | None


class JobQueue:
    """The queue in the file `path`, usable from any thread. Every method raises `QueueFailed`, as on a full disk."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        with _told(path):
            self._connection = sqlite3.connect(
                path, timeout=_BUSY_SECONDS, check_same_thread=False, isolation_level=None
            )
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute(_SCHEMA)
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def add(self, spec_sha256: str, environment: str, seeds: Iterable[int], result_path: str) -> list[QueuedJob]:
        """Queue the seeds that were never queued before, and return all those asked for, in their order."""
        seeds = list(seeds)
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO job (spec_sha256, seed, environment, state, result_path) "
                "VALUES (?, ?, ?, 'queued', ?)",
                [(spec_sha256, seed, environment, result_path) for seed in seeds],
            )
        known = {job.seed: job for job in self.of_run(result_path)}
        return [known[seed] for seed in seeds]

    def claim(self, worker: str, run: str | None = None) -> QueuedJob | None:
        """Make the oldest queued job (of a run) `running` for that engine and return it, None if none is queued."""
        which, values = ("", ()) if run is None else (" AND result_path = ?", (run,))
        if not self._select(f"WHERE state = 'queued'{which} LIMIT 1", *values):
            return None  # asked often, and a transaction blocks other processes
        with self._transaction() as connection:
            row = connection.execute(
                "UPDATE job SET state = 'running', attempt = attempt + 1, worker = ?, started = ?, finished = NULL, "
                f"error = NULL WHERE id = (SELECT id FROM job WHERE state = 'queued'{which} ORDER BY id LIMIT 1) "
                f"RETURNING {_COLUMNS}",
                (worker, time.time(), *values),
            ).fetchone()
        return QueuedJob(*row) if row else None

    def move(self, job: int, to: State, *, expected: Iterable[State], error: str | None = None) -> bool:
        """Change a job's state if it is one of `expected`; says whether it was."""
        allowed = list(expected)
        ended = time.time() if to in ("finished", "failed", "stopped") else None
        with self._transaction() as connection:
            cursor = connection.execute(
                "UPDATE job SET state = ?, finished = ?, error = ? "
                f"WHERE id = ? AND state IN ({', '.join('?' * len(allowed))})",
                (to, ended, error, job, *allowed),
            )
        return cursor.rowcount == 1

    def of_run(self, result_path: str) -> list[QueuedJob]:
        """Return the jobs of one run, oldest first."""
        return self._select("WHERE result_path = ? ORDER BY id", result_path)

    def all(self) -> list[QueuedJob]:
        """Return every job, oldest first."""
        return self._select("ORDER BY id")

    def get(self, job: int) -> QueuedJob:
        """Return one job; raises `KeyError`."""
        found = self._select("WHERE id = ?", job)
        if not found:
            raise KeyError(job)
        return found[0]

    def remove_run(self, result_path: str) -> None:
        """Forget the jobs of a run."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM job WHERE result_path = ?", (result_path,))

    def claimed(self) -> list[QueuedJob]:
        """Return the jobs that train or hold, according to the table."""
        return self._select("WHERE state IN ('running', 'paused') AND worker IS NOT NULL ORDER BY id")

    def release(self, job: int, to: State) -> None:
        """Take a job from the process that claimed it."""
        with self._transaction() as connection:
            connection.execute("UPDATE job SET state = ?, worker = NULL WHERE id = ?", (to, job))

    def _select(self, clause: str, *values: object) -> list[QueuedJob]:
        with self._lock, _told(self._path):
            rows = self._connection.execute(f"SELECT {_COLUMNS} FROM job {clause}", values).fetchall()
        return [QueuedJob(*row) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _told(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite ends it itself when the disk is full
                    self._connection.execute("ROLLBACK")
                raise
