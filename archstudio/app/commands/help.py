"""Help."""

from __future__ import annotations

from archstudio.app.commands.command import Command

COMMANDS = (
    Command("help.shortcuts", "Keyboard Shortcuts", "Help", lambda c: c.view.show_shortcuts(), "F1",
            help="List every command with its shortcut."),
    Command("help.about", "About Arch Studio", "Help", lambda c: c.view.show_about(), help="Version and licences."),
)  # fmt: skip
