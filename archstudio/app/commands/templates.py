"""One's own building blocks and favourite layers."""

from __future__ import annotations

from collections.abc import Callable

from archstudio.app.commands.command import Command, Context, has_nodes, has_one_node
from archstudio.app.templates import PREFIX, Template, TemplateRefused, Templates
from archstudio.app.words import said
from archstudio.files.atomic import SaveFailed
from archstudio.layers import find


def save_template(context: Context) -> None:
    """Ask for a name and keep the selected layers under it."""
    document = context.document
    names = [n.name for n in document.graph.nodes if n.id in document.selection.nodes]
    asked = context.view.ask_template(names[0] if len(names) == 1 else "", "")
    if asked is None:
        return
    name, note = asked

    def save() -> str:
        made = Templates().save(name, note, document.graph, document.selection.nodes)
        return said("Kept {name}: it stands under Layers and in the search").format(name=made.name)

    _try(context, said("Not kept"), save)


def rename_template(context: Context) -> None:
    """Choose a template and give it another name and note."""
    chosen = _choose(context, said("Rename which template?"))
    if chosen is not None:
        rename(context, chosen)


def rename(context: Context, template: Template) -> None:
    """Ask for another name and note of a template."""
    asked = context.view.ask_template(template.name, template.note)
    if asked is None:
        return
    name, note = asked

    def change() -> str:
        made = Templates().rename(template, name, note)
        context.application.favourites.rename(template.kind, made.kind)
        return said("Renamed {before} to {after}").format(before=template.name, after=made.name)

    _try(context, said("Not renamed"), change)


def delete_template(context: Context) -> None:
    """Choose a template and forget it, after asking."""
    chosen = _choose(context, said("Delete which template?"))
    if chosen is not None:
        delete(context, chosen)


def delete(context: Context, template: Template) -> None:
    """Forget a template after one clear question; graphs it was put into keep their layers."""
    detail = said("Graphs that it was put into keep their layers. This cannot be undone.")
    question = said("Delete the template {name}?").format(name=template.name)
    if not context.view.ask_confirm(question, detail, said("Delete")):
        return

    def forget() -> str:
        Templates().delete(template)
        context.application.favourites.rename(template.kind, None)
        return said("Deleted {name}").format(name=template.name)

    _try(context, said("Not deleted"), forget)


def _choose(context: Context, prompt: str) -> Template | None:
    name = context.view.choose_template(prompt)
    return None if name is None else Templates().named(name)


def _try(context: Context, failed: str, act: Callable[[], str]) -> None:
    """Do it and say what was done, or why it could not be."""
    try:
        done = act()
    except (TemplateRefused, SaveFailed, OSError) as fault:
        context.view.notify(failed, str(fault), fault=not isinstance(fault, TemplateRefused))
        return
    context.view.layers_changed()
    context.view.notify(done)


def has_templates(context: Context) -> bool:
    """A template was kept."""
    return any(Templates().folder.glob("*.json"))


def toggle_favourite(context: Context) -> None:
    """Mark the selected layer's type as a favourite, or unmark it."""
    kind = _selected_type(context)
    if kind is not None:
        mark(context, kind)


def mark(context: Context, kind: str) -> None:
    """Mark a layer type or a template as a favourite, or unmark it."""
    try:
        marked = context.application.favourites.toggle(kind)
    except SaveFailed as failed:
        context.view.notify(said("Not remembered"), str(failed), fault=True)
        return
    context.view.layers_changed()
    name = kind.removeprefix(PREFIX)
    told = said("{name} is a favourite: it leads the Layers") if marked else said("{name} is no favourite any more")
    context.view.notify(told.format(name=name))


def _selected_type(context: Context) -> str | None:
    single = context.document.selection.single
    entry = None if single is None else find(context.document.graph.node(single).type)
    return None if entry is None else entry.type


def is_favourite(context: Context) -> bool:
    """The selected layer's type is a favourite."""
    if not has_one_node(context):
        return False
    return _selected_type(context) in context.application.favourites.types


COMMANDS = (
    Command("graph.saveTemplate", "Save Selection as Template…", "Graph/Templates", save_template, "", has_nodes,
            "Keep the selected layers under a name, to put them into any graph."),
    Command("graph.renameTemplate", "Rename Template…", "Graph/Templates", rename_template, "", has_templates,
            "Give one of your templates another name or note."),
    Command("graph.deleteTemplate", "Delete Template…", "Graph/Templates", delete_template, "", has_templates,
            "Forget one of your templates; graphs keep their layers."),
    Command("graph.favourite", "Favourite Layer", "Graph", toggle_favourite, "", has_one_node,
            "Let the selected layer's type lead the Layers dock, or no longer.", checked=is_favourite),
)  # fmt: skip
