"""What a command is, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from archstudio.app.application import Application
from archstudio.app.document import Document
from archstudio.app.tasks.entry import is_practice
from archstudio.app.view import View


@dataclass(frozen=True, slots=True)
class Context:
    """What a command works on: the application and the window it was given in."""

    application: Application
    view: View

    @property
    def document(self) -> Document:
        """The current document; commands that use it have a `when` that says there is one."""
        document = self.application.current
        assert document is not None, "a command without a document ran"
        return document


When: TypeAlias = Callable[[Context], bool]
Run: TypeAlias = Callable[[Context], None]


def always(context: Context) -> bool:
    """Whether the command can run: yes."""
    return True


def has_document(context: Context) -> bool:
    """A graph is open."""
    return context.application.current is not None


def has_selection(context: Context) -> bool:
    """Something is selected."""
    return has_document(context) and bool(context.document.selection)


def has_nodes(context: Context) -> bool:
    """At least one layer is selected."""
    return has_document(context) and bool(context.document.selection.nodes)


def has_one_node(context: Context) -> bool:
    """Exactly one layer is selected."""
    return has_document(context) and context.document.selection.single is not None


def has_task(context: Context) -> bool:
    """The open graph belongs to a task that can be submitted; a broken graph to practise on cannot."""
    return may_start_over(context) and not is_practice(context.document.task_id)


def may_start_over(context: Context) -> bool:
    """The open graph belongs to a task or to the practice set."""
    return has_document(context) and context.document.task_id is not None


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a person can do. `menu` is where it stands (`Edit`, or `View/Theme`); empty keeps it off the menus.

    `shortcut` is in Qt's portable text form; several are separated by `; `.
    """

    id: str
    title: str
    menu: str
    run: Run
    shortcut: str = ""
    when: When = always
    help: str = ""
    separator: bool = False
    """Whether a line stands above it in its menu."""
    canvas: bool = False
    """Whether its shortcut works only while the canvas has the focus (Tab moves on everywhere else)."""
    checked: When | None = None
    """Whether its menu entry has a tick; None for entries that never have one."""


class UnknownCommand(KeyError):
    """There is no command of this id."""


@cache
def all_commands() -> tuple[Command, ...]:
    """Every command, in menu order."""
    from archstudio.app.commands import (
        edit,
        file,
        graph,
        heat,
        help,
        marking,
        nudging,
        questions,
        studies,
        task,
        templates,
        train,
        view,
        wiring,
    )

    rows = (*file.COMMANDS, *edit.COMMANDS, *marking.COMMANDS, *nudging.COMMANDS, *view.COMMANDS, *heat.COMMANDS,
            *graph.COMMANDS, *wiring.COMMANDS, *templates.COMMANDS, *task.COMMANDS, *train.COMMANDS,
            *questions.COMMANDS, *studies.COMMANDS, *help.COMMANDS)  # fmt: skip
    ids = [row.id for row in rows]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        raise ValueError(f"command ids used twice: {', '.join(sorted(twice))}")
    return rows


def command(command_id: str) -> Command:
    """The command of this id; UnknownCommand if there is none."""
    for row in all_commands():
        if row.id == command_id:
            return row
    raise UnknownCommand(command_id)


def run_command(command_id: str, context: Context) -> bool:
    """Run a command if it can run now; returns whether it did."""
    row = command(command_id)
    if not row.when(context):
        return False
    row.run(context)
    return True
