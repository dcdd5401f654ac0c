"""Replaces files so that a crash, a full disk or a lost folder never costs what was there before."""

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your disk quota is used up",
    errno.EFBIG: "the file would be larger than this disk allows",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.ENOENT: "the folder is gone",
    errno.ENOTDIR: "the folder is gone",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EIO: "the disk reports a fault",
}
_FOLDERS_CANNOT_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
_ON_WINDOWS = os.name == "nt"


class SaveFailed(Exception):
    """A file was not written; the earlier content, if any, is still there."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(path, reason)

    def __str__(self) -> str:
        kept = "What was there before is unchanged" if self.path.exists() else "Nothing was written"
        return f"Could not save '{self.path}': {self.reason}. {kept}; save under another name or folder."


@contextmanager
def saving(path: Path) -> Iterator[None]:
    """Turn any operating-system error inside the block into `SaveFailed` about `path`."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        raise SaveFailed(path, reason) from error


def save_atomic(path: Path, data: bytes, backups: int = 3, *, check: Callable[[Path], None] | None = None) -> None:
    """Write `data` to `path` so that after any crash either the old or the new content is there, whole.

    Follows a link to its target, keeps the mode, and keeps the last `backups` contents as `<name>.bak1` (newest) to
    `.bak<n>`; saving the same bytes again uses up no backup. Raises `SaveFailed`.
    `check` is called with the target right before it is replaced; what it raises leaves the target as it is.
    """
    with saving(path):
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            raise SaveFailed(path, "its links lead in a circle")
        if target.is_dir():
            raise SaveFailed(path, "a folder has that name")
        if target.exists() and not os.access(target, os.W_OK):
            raise SaveFailed(path, "the file is marked read-only")
        written = _write_beside(target, data)
        try:
            if check is not None:
                check(target)
            if backups and target.exists() and not _holds(target, data):
                _rotate_backups(target, backups)
            _replace(written, target)
        except BaseException:
            with suppress(OSError):  # the first error is the one to tell
                written.unlink()
            raise
        sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in `folder` survive a power cut, where the system can (Windows cannot)."""
    if _ON_WINDOWS:
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _FOLDERS_CANNOT_SYNC:  # some network disks have no such operation
            raise
    finally:
        os.close(descriptor)


def backup_paths(path: Path) -> list[Path]:
    """Return the backups of `path` that exist, newest first."""
    target = Path(os.path.realpath(path))
    found: list[Path] = []
    while (candidate := _backup(target, len(found) + 1)).exists():
        found.append(candidate)
    return found


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte to a descriptor; the system may take fewer at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_beside(target: Path, data: bytes) -> Path:
    written = target.parent / f".archstudio-{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(written, flags, 0o666)  # the umask applies, as for any new file
    try:
        try:
            if target.exists() and not _ON_WINDOWS:
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(OSError):
            written.unlink()
        raise
    return written


def _holds(target: Path, data: bytes) -> bool:
    return target.stat().st_size == len(data) and target.read_bytes() == data


def _rotate_backups(target: Path, backups: int) -> None:
    newest = _backup(target, 1)
    if newest.exists() and _holds(newest, target.read_bytes()):
        return  # a save that failed after this step was tried again
    for number in range(backups, 1, -1):
        older = _backup(target, number - 1)
        if older.exists():
            os.replace(older, _backup(target, number))
    try:
        os.link(target, newest)  # costs no space, and the file never goes missing
    except OSError:
        newest.unlink(missing_ok=True)
        shutil.copy2(target, newest)


def _backup(target: Path, number: int) -> Path:
    return target.with_name(f"{target.name}.bak{number}")


def _replace(source: Path, target: Path) -> None:
    """Rename over `target`; on Windows wait out a virus scanner or indexer that holds it for a moment."""
    for _ in range(10 if _ON_WINDOWS else 0):
        try:
            return os.replace(source, target)
        except PermissionError:
            time.sleep(0.05)
    os.replace(source, target)
    return None
