"""Help."""

from __future__ import annotations

from archstudio.app.commands.command import Command

COMMANDS = (
    Command("help.shortcuts", "Keyboard Shortcuts", "Help", lambda c: c.view.show_shortcuts(), "F1",
            help="See and change the keys of every command."),
    Command("help.about", "About Arch Studio", "Help", lambda c: c.view.show_about(), help="Version and licences."),
)  # fmt: skip
