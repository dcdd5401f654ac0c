"""A person's own building blocks: a selection kept under a name, as readable JSON, and put into any graph again."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

from archstudio.app.repairing import usable_graph
from archstudio.edits import Batch, ChangeConnection, Edit, EditRefused
from archstudio.edits.clipboard import INCOMING, copy_text, paste
from archstudio.edits.compose import connect
from archstudio.files.atomic import save_atomic
from archstudio.files.home import templates_path
from archstudio.files.strict_json import dump_json, read_json
from archstudio.files.unusable import UnusableFile
from archstudio.graph import Graph, GraphError, Point, from_document, to_document
from archstudio.layers import find

PREFIX = "template "
"""Before a template's name where the name of a layer type could stand as well; no layer type has a space."""

LONGEST_NAME = 80
_VERSION = 1
_ENDS = ("input", "output")


@dataclass(frozen=True)
class Template:
    """A named part of a graph. `note` says in a few words what it is for."""

    name: str
    note: str
    graph: Graph
    path: Path

    @property
    def kind(self) -> str:
        """What stands for it where a layer's type could stand."""
        return PREFIX + self.name


class TemplateRefused(ValueError):
    """A template that cannot be made or renamed so; the message says why."""


class Templates:
    """The templates in one folder, a file each. Another window may save one at any time, so the folder is looked at
    whenever they are asked for; a file is read again only if it has changed.
    """

    _read_before: ClassVar[dict[Path, tuple[tuple[int, int], Template]]] = {}

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = templates_path() if folder is None else folder
        self.unreadable: list[str] = []
        """What could not be read when `all` was called last."""

    def all(self) -> list[Template]:
        """All that can be read, by name."""
        self.unreadable = []
        found = []
        for path in self.folder.glob("*.json"):
            try:
                found.append(self._known(path))
            except (UnusableFile, GraphError, FileNotFoundError) as fault:
                self.unreadable.append(str(fault))
        return sorted(found, key=lambda template: template.name.casefold())

    def _known(self, path: Path) -> Template:
        status = path.stat()
        mark = (status.st_mtime_ns, status.st_size)
        before = self._read_before.get(path)
        if before is None or before[0] != mark:
            before = self._read_before[path] = (mark, _read(path))
        return before[1]

    def named(self, name: str) -> Template | None:
        """The template of this name, in whatever case it is written."""
        return next((t for t in self.all() if t.name.casefold() == name.casefold()), None)

    def search(self, text: str) -> list[Template]:
        """Templates in whose name or note every typed word occurs; all if nothing is typed."""
        words = text.casefold().split()
        return [t for t in self.all() if all(w in f"{t.name} {t.note}".casefold() for w in words)]

    def save(self, name: str, note: str, graph: Graph, ids: Collection[str]) -> Template:
        """Keep the chosen layers under a name; TemplateRefused if there are none or the name is taken, SaveFailed.

        Inputs and outputs of the whole network are left out: a building block goes between layers.
        """
        chosen = [n.id for n in graph.nodes if n.id in ids and n.type not in _ENDS]
        if not chosen:
            raise TemplateRefused("A template needs at least one layer that is neither input nor output.")
        name = self._free_name(name)
        part = from_document(read_json(copy_text(graph, chosen).encode(), name=name), file=name)
        part.name = name
        made = Template(name, note.strip(), part, self.folder / f"{_slug(name, self.folder)}.json")
        _write(made)
        return made

    def rename(self, template: Template, name: str, note: str) -> Template:
        """Give a template another name and note; TemplateRefused if the name is taken, SaveFailed."""
        if name.strip().casefold() != template.name.casefold():
            name = self._free_name(name)
        part = template.graph.copy()
        part.name = name.strip()
        made = Template(name.strip(), note.strip(), part, template.path)
        _write(made)
        return made

    def delete(self, template: Template) -> None:
        """Forget a template; OSError where its file cannot be deleted."""
        template.path.unlink(missing_ok=True)

    def restore(self, template: Template) -> None:
        """Bring a deleted template back."""
        _write(template)

    def _free_name(self, name: str) -> str:
        name = " ".join(name.split())
        if not name:
            raise TemplateRefused("A template needs a name.")
        if len(name) > LONGEST_NAME:
            raise TemplateRefused(f"A template's name has at most {LONGEST_NAME} letters.")
        if self.named(name) is not None:
            raise TemplateRefused(f"Another template is called {name}.")
        return name


def _slug(name: str, folder: Path) -> str:
    """A file name that any system takes and that nobody has."""
    stem = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:40] or "template"
    k, slug = 2, stem
    while (folder / f"{slug}.json").exists():
        slug, k = f"{stem}-{k}", k + 1
    return slug


def _write(template: Template) -> None:
    content = {
        "template": _VERSION,
        "name": template.name,
        "note": template.note,
        "graph": to_document(template.graph),
    }
    save_atomic(template.path, dump_json(content).encode(), backups=0)


def _read(path: Path) -> Template:
    content = read_json(path)
    if not isinstance(content, dict) or content.get("template") != _VERSION or "graph" not in content:
        remedy = "Delete it, or save the template again."
        raise UnusableFile(path.name, problem="is no template of this version", remedy=remedy)
    graph, _ = usable_graph(content["graph"], path.name)
    name, note = content.get("name"), content.get("note")
    return Template(name if isinstance(name, str) and name else path.stem, str(note or ""), graph, path)


# ------------------------------------------------------------------ putting in


def is_template(kind: str) -> bool:
    """Whether a name that may be a layer type's stands for a template."""
    return kind.startswith(PREFIX)


def template_of(kind: str) -> Template:
    """The template that `kind` stands for; EditRefused if it is gone."""
    name = kind.removeprefix(PREFIX)
    found = Templates().named(name)
    if found is None:
        raise EditRefused(f"there is no template called {name} any more")
    return found


def inserted(graph: Graph, template: Template, at: Point | None) -> tuple[Edit, tuple[str, ...]]:
    """The edit that puts a template in on its own, and the ids of its layers."""
    return paste(graph, template.graph, at)


def inserted_into(graph: Graph, template: Template, wire: str, at: Point | None) -> tuple[Edit, tuple[str, ...]]:
    """The same into a wire, if the template has one way in and one way out; EditRefused otherwise."""
    entry, leaving = _only(_ways_in(template.graph), template, "in"), _only(_ways_out(template.graph), template, "out")
    through = graph.connection(wire)
    edit, made = paste(graph, template.graph, at, fed=_fed(graph, entry, through.source, through.source_port))
    last = made[template.graph.node_ids.index(leaving)]
    moved = ChangeConnection(replace(through, source=last, source_port=None))
    return Batch((edit, moved), f"Insert {template.name}"), made


def inserted_behind(
    graph: Graph, template: Template, source: str, port: str | None, at: Point | None
) -> tuple[Edit, tuple[str, ...]]:
    """The same behind an output, wired to the template's first way in; EditRefused if it has none."""
    ways = _ways_in(template.graph)
    if not ways:
        raise EditRefused(f"nothing can be wired into {template.name}")
    return paste(graph, template.graph, at, fed=_fed(graph, ways[0], source, port))


def inserted_before(
    graph: Graph, template: Template, target: str, port: str | None, at: Point | None
) -> tuple[Edit, tuple[str, ...]]:
    """The same before an input, wired from the template's last way out; EditRefused if it has none."""
    edit, made = inserted(graph, template, at)
    ways = _ways_out(template.graph)
    if not ways:
        raise EditRefused(f"nothing comes out of {template.name}")
    trial = graph.copy()
    edit.apply(trial)
    joined = connect(trial, made[template.graph.node_ids.index(ways[-1])], target, None, port)
    return Batch((edit, joined), f"Insert {template.name}"), made


Way: TypeAlias = list[dict[str, Any]]
"""The inputs of a template that one outside layer feeds, as the clipboard records them."""


def _ways_in(part: Graph) -> list[Way]:
    """What fed the part where it was copied from, by source; if that is not known, each layer that nothing feeds."""
    recorded = part.meta.get(INCOMING)
    ways: dict[tuple[object, object], Way] = {}
    for record in recorded if isinstance(recorded, list) else ():
        if isinstance(record, dict):
            ways.setdefault((record.get("from"), record.get("fromPort")), []).append(record)
    if ways:
        return list(ways.values())
    alone = [n.id for n in part.nodes if not part.incoming(n.id) and _takes_input(n.type)]
    return [[{"to": n, "place": 0}] for n in alone]


def _fed(graph: Graph, way: Way, source: str, port: str | None) -> Way:
    return [{**record, "from": graph.node(source).name, "fromPort": port} for record in way]


def _takes_input(type_name: str) -> bool:
    entry = find(type_name)
    return entry is None or len(entry.inputs) > 0


def _ways_out(part: Graph) -> list[str]:
    """Layers of a part whose result nothing in it uses."""
    return [n for n in part.node_ids if not part.outgoing(n)]


End = TypeVar("End")


def _only(ends: list[End], template: Template, way: str) -> End:
    if len(ends) != 1:
        raise EditRefused(f"{template.name} has {len(ends)} ways {way}, so it cannot go into one wire")
    return ends[0]
