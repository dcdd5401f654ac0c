"""Finds the data folders that ship with the program, from a source checkout and from an installed wheel alike."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

DataFolder = Literal["resources", "fixtures", "profiles"]


class MissingData(FileNotFoundError):
    """A file or folder that ships with the program is not where it belongs."""

    def __init__(self, folder: str, parts: tuple[str, ...], looked_in: tuple[str, ...]) -> None:
        self.folder = folder
        self.parts = parts
        self.looked_in = looked_in
        super().__init__(str(self))

    def __str__(self) -> str:
        name = "/".join((self.folder, *self.parts))
        places = " or ".join(self.looked_in)
        return f"The program's own data '{name}' is missing (looked for {places}). Install Arch Studio again."


def data_path(folder: DataFolder, *parts: str) -> Traversable:
    """Return the bundled file or folder `folder/parts...`.

    A wheel carries the folders under `archstudio/_data`; a source checkout has them beside the package.
    Raises `MissingData`, which names what is missing and where it was looked for.
    """
    package = files("archstudio")
    candidates: list[Traversable] = [package.joinpath("_data", folder)]
    if isinstance(package, Path):
        candidates.append(package.parent / folder)
    looked_in: list[str] = []
    for candidate in candidates:
        found = candidate.joinpath(*parts) if parts else candidate
        if found.is_file() or found.is_dir():
            return found
        looked_in.append(str(found))
    raise MissingData(folder, parts, tuple(looked_in))
