"""Commands as rows: menus, palette, shortcuts, the printed reference and the tests read the same ones."""

from archstudio.app.commands.command import Command, Context, UnknownCommand, all_commands, command, run_command

__all__ = ["Command", "Context", "UnknownCommand", "all_commands", "command", "run_command"]
