"""A lock between processes that the operating system drops by itself when the holder dies."""

import os
import sys
import time
from pathlib import Path
from types import TracebackType

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _lock(descriptor: int) -> None:
        while not _try_lock(descriptor):
            time.sleep(0.01)

else:
    import fcntl

    # flock, not lockf: POSIX record locks are lost as soon as this process closes any other handle to the file.
    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


class FileLock:
    """An exclusive lock on a file made for it: `take` waits for it, `try_take` does not.

    Unlike a process id in a file it cannot be mistaken for another process, on this machine or another one.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def try_take(cls, path: Path) -> "FileLock | None":
        """Return the lock, held, or None if anyone (this process included) holds it."""
        descriptor = _open(path)
        if _try_lock(descriptor):
            return cls(path, descriptor)
        os.close(descriptor)
        return None

    @classmethod
    def take(cls, path: Path) -> "FileLock":
        """Return the lock, held, as soon as nobody else holds it."""
        descriptor = _open(path)
        _lock(descriptor)
        return cls(path, descriptor)

    def __enter__(self) -> "FileLock":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    def release(self) -> None:
        """Let go of the lock; the file stays."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def release_and_remove(self) -> None:
        """Let go of the lock and delete its file; only for file names that are never used again."""
        if sys.platform != "win32":  # Windows cannot delete an open file, elsewhere this order leaves no gap
            self.path.unlink(missing_ok=True)
        self.release()
        self.path.unlink(missing_ok=True)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # not inherited by programs we start
