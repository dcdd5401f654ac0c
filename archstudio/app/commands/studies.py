"""Human studies: taking part, writing, replaying and collecting them."""

from __future__ import annotations

from pathlib import Path

from archstudio.app.commands.command import Command, Context

SUFFIX = ".study"


def is_study(path: Path) -> bool:
    """Whether a file calls itself a study; opening it says whether it is one."""
    return path.suffix.lower() == SUFFIX


def take_part(context: Context) -> None:
    """Ask for a study and open it."""
    chosen = context.view.studies.ask_study()
    if chosen is not None:
        context.view.studies.take_part(chosen)


COMMANDS = (
    Command("study.open", "Take Part…", "Study", take_part,
            help="Open a study in a window of its own; one that was begun goes on where it stopped."),
    Command("study.new", "New Study…", "Study", lambda c: c.view.studies.new_study(),
            help="Write a study's protocol in steps, and freeze it into one file to hand out.", separator=True),
    Command("study.collect", "Collect…", "Study", lambda c: c.view.studies.collect(),
            help="Put session files together: coverage, exclusions and the report."),
    Command("study.replay", "Replay…", "Study", lambda c: c.view.studies.replay(),
            help="Go through a session's edits on the canvas, and verify its log."),
)  # fmt: skip
