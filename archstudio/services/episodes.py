"""Live episodes in one small database, so that every process of the service can go on with each of them."""

import secrets
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from archstudio.services.requests import BadRequest

_TABLE: Final = """
CREATE TABLE IF NOT EXISTS episode (
    number INTEGER PRIMARY KEY AUTOINCREMENT, secret TEXT NOT NULL, turn INTEGER NOT NULL,
    bytes INTEGER NOT NULL, state TEXT NOT NULL
)"""
_ROOM: Final = """
DELETE FROM episode WHERE number <= (
    SELECT COALESCE(MAX(number), -1) FROM (
        SELECT number, ROW_NUMBER() OVER newest AS live, SUM(bytes) OVER newest AS held
        FROM episode WINDOW newest AS (ORDER BY number DESC)
    ) WHERE live > ? OR held > ?
)"""
_CLEANED_EVERY: Final = 32


def make_file(path: Path) -> None:
    """Make the file for episodes; by one process alone, before others open it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL").fetchall()
        database.execute(_TABLE)


class State(NamedTuple):
    """How an episode stands: its turn, and all else as text that only whoever plays it reads."""

    turn: int
    text: str


class Episodes:
    """Kept in a file that lives as long as the service; the oldest make room for new ones."""

    def __init__(self, path: Path, most: int, most_bytes: int) -> None:
        if not path.exists():
            make_file(path)
        self._most, self._most_bytes, self._lock = most, most_bytes, threading.Lock()
        self._database = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA synchronous = OFF").fetchall()  # nothing here outlives the service

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def begin(self, state: State) -> str:
        """Keep a new episode; returns its id. BadRequest (413)."""
        self._check_size(state)
        secret = secrets.token_hex(4)
        row = (secret, state.turn, len(state.text), state.text)
        with self._lock, closing(self._database.cursor()) as cursor:
            cursor.execute("INSERT INTO episode (secret, turn, bytes, state) VALUES (?, ?, ?, ?)", row)
            number = cursor.lastrowid
            if number is not None and number % _CLEANED_EVERY == 0:
                cursor.execute(_ROOM, (self._most, self._most_bytes))
        return f"ep-{number}-{secret}"

    def get(self, episode_id: str) -> State:
        """The episode as it stands; BadRequest (404) for one that is unknown, finished or made room for."""
        number, secret = _parts(episode_id)
        with self._lock:
            found = self._database.execute(
                "SELECT turn, state FROM episode WHERE number = ? AND secret = ?", (number, secret)
            ).fetchone()
        if found is None:
            raise _unknown(episode_id)
        return State(*found)

    def keep(self, episode_id: str, before: int, after: State | None) -> None:
        """Put the next state in place of the one at turn `before`, or drop a finished episode.

        BadRequest: 409 if somebody else took the turn meanwhile, 413 if the state has grown too large.
        """
        number, _ = _parts(episode_id)
        if after is not None:
            self._check_size(after)
        with self._lock:
            if after is None:
                done = self._database.execute("DELETE FROM episode WHERE number = ? AND turn = ?", (number, before))
            else:
                done = self._database.execute(
                    "UPDATE episode SET turn = ?, bytes = ?, state = ? WHERE number = ? AND turn = ?",
                    (after.turn, len(after.text), after.text, number, before),
                )
        if not done.rowcount:
            raise BadRequest("Another request took this turn of the episode.", status=409, field="episodeId")

    def _check_size(self, state: State) -> None:
        if len(state.text) > self._most_bytes // 16:
            raise BadRequest("The graph of the episode has grown too large.", status=413)


def _unknown(episode_id: str) -> BadRequest:
    shown = episode_id[:40]
    return BadRequest(f"There is no live episode {shown!r}; it may be finished.", status=404, field="episodeId")


def _parts(episode_id: str) -> tuple[int, str]:
    parts = episode_id.split("-")
    if len(parts) != 3 or parts[0] != "ep" or not parts[1].isascii() or not parts[1].isdigit() or len(parts[1]) > 18:
        raise _unknown(episode_id)
    return int(parts[1]), parts[2]
