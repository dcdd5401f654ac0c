"""What the choosers offer: every command that can run now, every layer type, the layers of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from archstudio.app.commands import Command, Context, all_commands
from archstudio.app.document import Document
from archstudio.app.figures import plural
from archstudio.app.finding import find_layers
from archstudio.app.search import search_layers, spoken_summary
from archstudio.app.templates import Templates
from archstudio.app.words import said
from archstudio.layers import value_text
from archstudio.ui.chooser import Choice, Chooser
from archstudio.ui.language import spoken, spoken_menu

ALL_FOUND = "*"
"""The key of the row that stands for every layer found."""


def _usual_keys(row: Command) -> str:
    return row.shortcut


def command_chooser(parent: QWidget, context: Context, keys: Callable[[Command], str] = _usual_keys) -> Chooser:
    """The command palette: picks the id of a command; `keys` says which keys a command has now."""
    rows = [spoken(row) for row in all_commands() if row.when(context)]

    def find(text: str) -> list[Choice]:
        return [
            Choice(row.id, row.title, spoken_menu(row), keys_text(keys(row)), row.help) for row in ranked(rows, text)
        ]

    return Chooser(parent, said("Command palette"), said("Type a command"), find, said("No command is called that."))


def type_chooser(parent: QWidget, name: str) -> Chooser:
    """Picks the type that a layer shall have instead."""

    def find(text: str) -> list[Choice]:
        return [Choice(entry.type, entry.type, spoken_summary(entry), entry.family) for entry in search_layers(text)]

    return Chooser(
        parent, said("Layer types"), said("Make {name} a…").format(name=name), find, said("No layer is called that.")
    )


def template_chooser(parent: QWidget, prompt: str) -> Chooser:
    """Picks the name of one of the person's templates."""

    def find(text: str) -> list[Choice]:
        return [Choice(t.name, t.name, t.note, plural(len(t.graph), "layer")) for t in Templates().search(text)]

    return Chooser(parent, "Templates", prompt, find, "No template is called that.")


def layer_chooser(parent: QWidget, document: Document) -> Chooser:
    """Finds layers of the graph: picks the id of one, or `ALL_FOUND`."""

    def find(text: str) -> Sequence[Choice]:
        found = find_layers(document, text)
        rows = [_layer_choice(document, node) for node in found]
        if len(found) > 1 and text.strip():
            rows.append(Choice(ALL_FOUND, said("Select all {layers}").format(layers=plural(len(found), "layer"))))
        return rows

    prompt = said("Name, type, params>1M, shape:512, problem")
    return Chooser(parent, said("Find layers"), prompt, find, said("No layer is like that."))


def target_chooser(parent: QWidget, document: Document, among: Sequence[str], wire_from: str) -> Chooser:
    """Picks the layer that a wire shall enter."""
    allowed = set(among)

    def find(text: str) -> list[Choice]:
        return [_layer_choice(document, node) for node in find_layers(document, text) if node in allowed]

    return Chooser(
        parent, said("Layers"), said("Wire {name} to…").format(name=wire_from), find, said("No layer is like that.")
    )


def port_chooser(parent: QWidget, ports: Sequence[str], layer: str) -> Chooser:
    """Picks one of a layer's inputs or outputs."""
    rows = [Choice(port, port) for port in ports]

    def find(text: str) -> list[Choice]:
        return [row for row in rows if text.strip().casefold() in row.title.casefold()]

    return Chooser(
        parent, said("Ports"), said("Port of {name}").format(name=layer), find, said("No port is called that.")
    )


def colour_chooser(parent: QWidget, colours: Sequence[str]) -> Chooser:
    """Picks one of the hues by the name of its family; the empty key stands for none."""
    rows = [Choice(colour, said(colour.capitalize() or "No colour of its own")) for colour in colours]

    def find(text: str) -> list[Choice]:
        return [row for row in rows if text.strip().casefold() in row.title.casefold()]

    return Chooser(parent, said("Colours"), said("Colour of a family"), find, said("No colour is called that."))


def _layer_choice(document: Document, node_id: str) -> Choice:
    node = document.graph.node(node_id)
    value = document.verdict.nodes[node_id].value if document.visibility.shapes else None
    return Choice(node_id, node.name, node.type, "" if value is None else value_text(value))


def ranked(rows: list[Command], text: str) -> list[Command]:
    """Commands in which every typed word occurs, those whose title starts with the text first."""
    words = text.casefold().split()
    found = [r for r in rows if all(w in f"{r.title} {r.menu} {r.help}".casefold() for w in words)]
    start = " ".join(words)
    return sorted(found, key=lambda r: (not r.title.casefold().startswith(start), not _in_title(r, words)))


def _in_title(row: Command, words: list[str]) -> bool:
    return all(w in row.title.casefold() for w in words)


def keys_text(shortcut: str) -> str:
    """The first of a command's shortcuts as this system writes it; empty if it has none."""
    keys = QKeySequence.fromString(shortcut.split("; ")[0], QKeySequence.SequenceFormat.PortableText)
    return keys.toString(QKeySequence.SequenceFormat.NativeText)
