"""Says where Arch Studio keeps a person's settings, recovery journals, runs and log."""

import os
from pathlib import Path

from platformdirs import user_data_path

HOME_VARIABLE = "ARCHSTUDIO_HOME"


def home_path() -> Path:
    """Return the program's home folder: `$ARCHSTUDIO_HOME` if set, else the platform's place; created on demand."""
    chosen = os.environ.get(HOME_VARIABLE, "").strip()
    home = Path(chosen).expanduser().absolute() if chosen else user_data_path("archstudio", appauthor=False)
    home.mkdir(parents=True, exist_ok=True)
    return home


def settings_path() -> Path:
    """Return the folder of settings, recent files and trust decisions."""
    return _folder("settings")


def recovery_path() -> Path:
    """Return the folder of recovery journals."""
    return _folder("recovery")


def runs_path() -> Path:
    """Return the folder of training runs."""
    return _folder("runs")


def log_path() -> Path:
    """Return the log file's path; its folder exists, the file may not yet."""
    return _folder("log") / "archstudio.log"


def _folder(name: str) -> Path:
    folder = home_path() / name
    folder.mkdir(exist_ok=True)
    return folder
