"""What the Layers dock lists: favourites, what was used lately, one's templates, then every type of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from archstudio.app.search import search_layers, spoken_summary
from archstudio.app.templates import Template, is_template
from archstudio.app.words import said
from archstudio.layers import Layer, find


@dataclass(frozen=True, slots=True)
class LayerEntry:
    """One row: `kind` is a type's name or a template's; a heading has none."""

    kind: str
    title: str
    beside: str
    family: str
    tip: str = ""
    favourite: bool = False

    @property
    def is_heading(self) -> bool:
        """Whether it only says what follows."""
        return not self.kind


def layer_entries(
    text: str, templates: Sequence[Template], favourites: Sequence[str], recent: Sequence[str]
) -> list[LayerEntry]:
    """The rows for what is typed. With nothing typed in sections; else the best first, fitting templates leading."""
    marked = set(favourites)
    by_kind = {template.kind: template for template in templates}
    if text.strip():
        found = [_template(t, marked) for t in templates if _fits(t, text)]
        return [*found, *(_type(entry, marked) for entry in search_layers(text, recent=recent))]
    rows = _section(said("Favourites"), _known(favourites, by_kind, marked))
    rows += _section(said("Recent"), _known([k for k in recent if k not in marked], by_kind, marked))
    rows += _section(said("Your templates"), [_template(t, marked) for t in templates])
    everything = [_type(entry, marked) for entry in search_layers("")]
    return [*rows, *(_section(said("All layers"), everything) if rows else everything)]


def _section(title: str, rows: list[LayerEntry]) -> list[LayerEntry]:
    return [LayerEntry("", title, "", ""), *rows] if rows else []


def _known(kinds: Iterable[str], templates: dict[str, Template], marked: set[str]) -> list[LayerEntry]:
    """Rows for those that still exist: a template may be gone, a type may be one of a newer version."""
    rows = []
    for kind in kinds:
        template, entry = templates.get(kind), None if is_template(kind) else find(kind)
        if template is not None:
            rows.append(_template(template, marked))
        elif entry is not None:
            rows.append(_type(entry, marked))
    return rows


def _template(template: Template, marked: set[str]) -> LayerEntry:
    types = ", ".join(dict.fromkeys(node.type for node in template.graph.nodes))
    return LayerEntry(template.kind, template.name, template.note or types, "io", types, template.kind in marked)


def _type(entry: type[Layer], marked: set[str]) -> LayerEntry:
    told = spoken_summary(entry)
    return LayerEntry(entry.type, entry.type, told, entry.family, told, entry.type in marked)


def _fits(template: Template, text: str) -> bool:
    return all(word in f"{template.name} {template.note}".casefold() for word in text.casefold().split())
