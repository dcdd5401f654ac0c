"""Reads profiles from YAML, the ones that ship with the program and anybody's own, naming the place of a fault."""

from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from archstudio.files.data import data_path
from archstudio.files.unusable import UnusableFile
from archstudio.intuition.ids import profile_hash
from archstudio.intuition.profile import LoadedProfile, Profile
from archstudio.intuition.strict_yaml import Placed, read_yaml

SHIPPED = ("v1", "studio")


def load_profile(name_or_path: str | Path) -> LoadedProfile:
    """Return a profile by the name of one that ships with the program, or by the path of a YAML file.

    Raises `UnusableFile` with the line of the first fault.
    """
    if isinstance(name_or_path, str) and name_or_path in SHIPPED:
        return parse_profile(data_path("profiles", f"{name_or_path}.yaml"), f"profile {name_or_path}")
    path = Path(name_or_path)
    if not path.is_file():
        remedy = f"Give the path of a .yaml file, or one of {', '.join(SHIPPED)}."
        raise UnusableFile(str(name_or_path), problem="There is no such profile", remedy=remedy)
    return parse_profile(path, str(path))


def parse_profile(source: Traversable | bytes, name: str) -> LoadedProfile:
    """Read a profile from YAML; raises `UnusableFile` with the line of the first fault."""
    placed = read_yaml(source, name)
    try:
        content = Profile.model_validate(_with_tuples(placed.value, ()))
    except ValidationError as error:
        raise _first_fault(error, placed, name) from error
    return LoadedProfile(content=content, hash=profile_hash(placed.value))


_PAIRS = {"domain", "adam_betas"}


def _with_tuples(value: object, path: tuple[str, ...]) -> object:
    """YAML has no tuples, and a strict model takes no list for one."""
    if isinstance(value, dict):
        return {key: _with_tuples(inner, (*path, str(key))) for key, inner in value.items()}
    if isinstance(value, list) and path:
        if path[-1] in _PAIRS:
            return tuple(value)
        if path[-1] == "grid_range":
            return [tuple(inner) if isinstance(inner, list) else inner for inner in value]
        return [_with_tuples(inner, path) for inner in value]
    return value


def _first_fault(error: ValidationError, placed: Placed, name: str) -> UnusableFile:
    faults = error.errors()
    first = next((fault for fault in faults if fault["type"] == "extra_forbidden"), faults[0])  # a name misspelt
    path = tuple(part for part in first["loc"] if part not in _ADDED)
    missing = first["type"] == "missing"
    return UnusableFile(
        name,
        problem=_in_words(first["type"], first["msg"]),
        place=placed.place(path),
        value="" if missing or isinstance(first["input"], dict) else repr(first["input"]),
        remedy="Add it." if missing else "Correct it there; profiles/v1.yaml is an example.",
    )


_ADDED = {"[key]", "int", "float"}
"""What the validator adds to a path to say which part of a rule it means."""

_WORDS = {
    "missing": "this key is missing",
    "extra_forbidden": "this key is not known",
}


def _in_words(kind: str, message: str) -> str:
    return _WORDS.get(kind, message.removeprefix("Value error, "))
