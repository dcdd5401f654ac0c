"""Says where Arch Studio keeps a person's settings, recovery journals, runs and log."""

import os
from pathlib import Path

from platformdirs import user_data_path

HOME_VARIABLE = "ARCHSTUDIO_HOME"


class UnusableHome(OSError):
    """The home folder, or one inside it, cannot be made."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(
            f"the folder '{folder}', where settings, unsaved work and runs are kept, cannot be made: {reason}. "
            f"Make room there, or set {HOME_VARIABLE} to a folder that can be written."
        )
        self.folder, self.reason = folder, reason


def home_path() -> Path:
    """Return the program's home folder: `$ARCHSTUDIO_HOME` if set, else the platform's place; created on demand.

    Raises `UnusableHome`, as the folders inside it do.
    """
    chosen = os.environ.get(HOME_VARIABLE, "").strip()
    home = Path(chosen).expanduser().absolute() if chosen else user_data_path("archstudio", appauthor=False)
    return _made(home)


def settings_path() -> Path:
    """Return the folder of settings, recent files and trust decisions."""
    return _folder("settings")


def recovery_path() -> Path:
    """Return the folder of recovery journals."""
    return _folder("recovery")


def templates_path() -> Path:
    """Return the folder of a person's own templates."""
    return _folder("templates")


def locks_path() -> Path:
    """Return the folder of locks that the windows of one person share."""
    return _folder("locks")


def runs_path() -> Path:
    """Return the folder of training runs."""
    return _folder("runs")


def log_path() -> Path:
    """Return the log file's path; its folder exists, the file may not yet."""
    return _folder("log") / "archstudio.log"


def _folder(name: str) -> Path:
    return _made(home_path() / name)


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UnusableHome(folder, "a file of that name is in its place") from error
    except OSError as error:
        raise UnusableHome(folder, error.strerror or str(error)) from error
    return folder
