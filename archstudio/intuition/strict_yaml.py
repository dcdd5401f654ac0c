"""Reads YAML strictly: plain values only, no anchors, no tags, no key twice, and it knows where each value stood."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

import yaml

from archstudio.files.unusable import UnusableFile

Path = tuple[str | int, ...]

MOST_BYTES = 1024 * 1024
MOST_DEPTH = 32

_PLAIN_TAGS = {f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float", "str", "seq", "map")}


@dataclass(frozen=True)
class Placed:
    """A value, and the line and column (counted from one) of everything inside it by its path."""

    value: object
    places: dict[Path, tuple[int, int]]

    def place(self, path: Sequence[str | int]) -> str:
        """Say where the value at `path` stands; a missing one stands where its container begins."""
        known = tuple(path)
        while known not in self.places:
            known = known[:-1]
        line, column = self.places[known]
        return f"line {line}, column {column} ({dotted(path)})"


def dotted(path: Sequence[str | int]) -> str:
    """Return a path in the form `$.mlp.depth[2]`."""
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


def read_yaml(source: Traversable | bytes, name: str) -> Placed:
    """Return what a YAML file holds; raises `UnusableFile` with the place."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    if len(data) > MOST_BYTES:
        raise UnusableFile(name, problem=f"is longer than {MOST_BYTES:,} bytes", remedy="A profile is a short text.")
    try:
        text = data.decode("utf-8-sig")
        _refuse_references(text, name)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        raise UnusableFile(
            name, problem="is not UTF-8 text", remedy="Save it again with the encoding UTF-8."
        ) from error
    except yaml.MarkedYAMLError as error:
        raise _syntax_fault(error, name) from error
    except yaml.YAMLError as error:
        problem = f"is not valid YAML: {str(error).splitlines()[0]}"
        raise UnusableFile(name, problem=problem, remedy="Remove that character.") from error
    if node is None:
        raise UnusableFile(name, problem="is empty", remedy="Fill it, or choose another file.")
    reader = _Reader(name)
    return Placed(reader.read(node, ()), reader.places)


def _refuse_references(text: str, name: str) -> None:
    """Look at the events alone, before anything is built: an alias can make a small file enormous."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            raise _fault(name, event.start_mark, f"is nested more than {MOST_DEPTH} deep", "", "Flatten it there.")
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise _fault(name, event.start_mark, "an anchor or alias is not allowed", event.anchor, "Write it out.")


def _fault(
    name: str, mark: "yaml.error.Mark | yaml._yaml.Mark | None", problem: str, value: str, remedy: str
) -> UnusableFile:
    place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    return UnusableFile(name, problem=problem, place=place, value=value, remedy=remedy)


def _syntax_fault(error: yaml.MarkedYAMLError, name: str) -> UnusableFile:
    mark = error.problem_mark or error.context_mark
    place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    problem = f"is not valid YAML: {error.problem or error.context or 'it cannot be parsed'}"
    return UnusableFile(name, problem=problem, place=place, remedy="Correct the text there.")


class _Reader:
    """Turns nodes into plain values and notes where they stood."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._scalars = yaml.constructor.SafeConstructor()
        self.places: dict[Path, tuple[int, int]] = {}

    def read(self, node: yaml.Node, path: Path) -> object:
        self.places[path] = (node.start_mark.line + 1, node.start_mark.column + 1)
        if node.tag not in _PLAIN_TAGS:
            remedy = "Use numbers, true, false, null, texts, lists and mappings; put a date in quotes."
            raise self._refuse(node, path, "is not a plain value", node.tag, remedy)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
        return self._scalar(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, object]:
        result: dict[str, object] = {}
        for key_node, value_node in node.value:
            key = self.read(key_node, (*path, str(key_node.value)))
            if not isinstance(key, str):
                raise self._refuse(key_node, path, "a key is not a text", repr(key), "Put it in quotes.")
            if key in result:
                raise self._refuse(key_node, (*path, key), "a key is given twice", key, "Delete one of the two.")
            result[key] = self.read(value_node, (*path, key))
        return result

    def _scalar(self, node: yaml.Node, path: Path) -> object:
        try:
            value: object = self._scalars.construct_object(node)
        except ValueError as error:
            raise self._refuse(node, path, "is not a value", str(node.value), "Correct it there.") from error
        if isinstance(value, float) and not math.isfinite(value):
            raise self._refuse(node, path, "is not a finite number", str(node.value), "Write a finite number.")
        return value

    def _refuse(self, node: yaml.Node, path: Path, problem: str, value: str, remedy: str) -> UnusableFile:
        line, column = node.start_mark.line + 1, node.start_mark.column + 1
        place = f"line {line}, column {column} ({dotted(path)})"
        return UnusableFile(self._name, problem=problem, place=place, value=value, remedy=remedy)
