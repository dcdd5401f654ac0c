"""Colouring the layers by what they cost."""

from __future__ import annotations

from archstudio.app.commands.command import Command, Context, has_document
from archstudio.app.heat import HEAT_TITLES, HeatKind


def may_see_sizes(context: Context) -> bool:
    """A graph is open and its sizes may be shown."""
    return has_document(context) and context.document.visibility.counts


def has_gradients(context: Context) -> bool:
    """A run of this graph has told the norms of its gradients."""
    return may_see_sizes(context) and bool(context.view.gradients())


def _heat(kind: HeatKind, title: str) -> Command:
    help_ = "Colour the layers by their family again." if kind == "off" else f"Colour the layers by {title.casefold()}."
    return Command(f"view.heat.{kind}", title, "View/Heat", lambda c: c.view.set_heat(kind), "",
                   has_gradients if kind == "gradient" else may_see_sizes, help_,
                   checked=lambda c: c.view.heat() == kind)  # fmt: skip


COMMANDS = tuple(_heat(kind, title) for kind, title in HEAT_TITLES.items())
